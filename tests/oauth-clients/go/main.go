// A login by golang.org/x/oauth2 and go-oidc, as their documentation has it: `login ISSUER` prints what came of it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx, issuer := context.Background(), os.Args[1]
	provider, err := oidc.NewProvider(ctx, issuer)
	check(err)
	config := oauth2.Config{
		ClientID: "web", ClientSecret: "s", Endpoint: provider.Endpoint(),
		RedirectURL: "http://localhost:3000/callback", Scopes: []string{oidc.ScopeOpenID, "items:read", oidc.ScopeOfflineAccess},
	}
	verifier := oauth2.GenerateVerifier()
	url := config.AuthCodeURL("xyz", oauth2.S256ChallengeOption(verifier), oidc.Nonce("n"), oauth2.SetAuthURLParam("prompt", "consent"))
	agent := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := agent.Get(url)
	check(err)
	back, err := response.Location()
	check(err)
	token, err := config.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier))
	check(err)
	raw, _ := token.Extra("id_token").(string)
	identity, err := provider.Verifier(&oidc.Config{ClientID: "web"}).Verify(ctx, raw)
	check(err)
	refreshed, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
	check(err)
	api, err := config.Client(ctx, refreshed).Get(issuer + "/resource/items")
	check(err)
	items, err := io.ReadAll(api.Body)
	check(err)
	said, err := json.Marshal(map[string]any{
		"subject": identity.Subject, "items": json.RawMessage(items), "refreshed": refreshed.AccessToken != token.AccessToken,
	})
	check(err)
	fmt.Println(string(said))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
