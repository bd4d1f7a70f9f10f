//go:build github

package main

// GitHub, as x/oauth2 knows it: nothing of it is configured.

import (
	"fmt"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/endpoints"
)

const title, reading = "github", "who_am_i"

var scopes = map[string]string{"who_am_i": "read:user"}

func configured(need func(string) string, redirects [2]string) *provider {
	p := newProvider("", need("GITHUB_CLIENT_ID"), need("GITHUB_CLIENT_SECRET"), "https://api.github.com", redirects)
	p.conf = &oauth2.Config{ClientID: p.id, ClientSecret: p.secret, Endpoint: endpoints.GitHub}
	return p
}

func tools(limit string, ann func(bool) map[string]any) []any {
	return []any{map[string]any{"name": "who_am_i", "description": "Tells who the user is at GitHub." + limit,
		"annotations": ann(true), "inputSchema": map[string]any{"type": "object", "additionalProperties": false}}}
}

// discover has nothing to do: GitHub's OAuth apps have no metadata, and no issuer to compare.
func (p *provider) discover() (*metadata, error) {
	return &metadata{AuthURL: p.conf.Endpoint.AuthURL, TokenURL: p.conf.Endpoint.TokenURL}, nil
}

func (p *provider) perform(_ string, _ map[string]any, t *token) ([]string, error) {
	var user struct {
		Login string `json:"login"`
		ID    int64  `json:"id"`
	}
	if err := p.api1(t, "GET", "/user", nil, 200, &user); err != nil {
		return nil, err
	}
	if user.Login == "" {
		return nil, userError("Error: GitHub gave an answer that could not be understood.")
	}
	return []string{fmt.Sprintf("%s (%d)", user.Login, user.ID)}, nil
}
