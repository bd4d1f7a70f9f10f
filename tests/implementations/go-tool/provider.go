package main

// Everything that is said to the OAuth provider and to the API behind it.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

type metadata struct {
	Issuer   string `json:"issuer"`
	AuthURL  string `json:"authorization_endpoint"`
	TokenURL string `json:"token_endpoint"`
	IssParam bool   `json:"authorization_response_iss_parameter_supported"`
}

type provider struct {
	issuer, id, secret, api string
	redirects               [2]string
	hc                      *http.Client
	mu                      sync.Mutex
	md                      *metadata
	mdAt                    time.Time
	conf                    *oauth2.Config // kept, so that the detected auth style is
}

// token as it is stored.
type token struct {
	Access  string    `json:"a"`
	Refresh string    `json:"r,omitempty"`
	Expiry  time.Time `json:"e,omitzero"`
}

// userError is a failure whose text may be shown to the model.
type userError string

func (e userError) Error() string { return string(e) }

var errTokenRefused = errors.New("token refused by the API")

func newProvider(issuer, id, secret, api string, redirects [2]string) *provider {
	hc := &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if violation == "follow-token-redirects" {
		hc.CheckRedirect = nil
	}
	return &provider{issuer: issuer, id: id, secret: secret, api: strings.TrimRight(api, "/"), redirects: redirects, hc: hc}
}

// await runs a provider request in a goroutine of its own and waits for it or for the deadline.
func await[T any](d time.Duration, fn func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	type out struct {
		v   T
		err error
	}
	ch := make(chan out, 1)
	go func() {
		v, err := fn(ctx)
		ch <- out{v, err}
	}()
	select {
	case o := <-ch:
		return o.v, o.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}

func (p *provider) authURL(redirect, scope, state, verifier string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := oauth2.Config{ClientID: p.id, Endpoint: p.conf.Endpoint, RedirectURL: redirect, Scopes: []string{scope}}
	return c.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
}

// once lets x/oauth2's detection of the auth style send its second request only where the first one was refused for the
// client's authentication: a code or refresh token that was looked at is never sent again.
type once struct {
	base  http.RoundTripper
	mu    sync.Mutex
	first *http.Response
	body  []byte
	err   error
	seen  bool
}

func (o *once) RoundTrip(r *http.Request) (*http.Response, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if violation == "follow-token-redirects" {
		return o.base.RoundTrip(r)
	}
	if o.seen {
		if o.err != nil {
			return nil, o.err
		}
		var e struct {
			Error string `json:"error"`
		}
		json.Unmarshal(o.body, &e)
		if o.first.StatusCode != 401 && e.Error != "invalid_client" {
			cp := *o.first
			cp.Body = io.NopCloser(bytes.NewReader(o.body))
			return &cp, nil
		}
	}
	o.seen = true
	res, err := o.base.RoundTrip(r)
	if o.err = err; err != nil {
		return nil, err
	}
	o.body, o.err = io.ReadAll(io.LimitReader(res.Body, 1<<20))
	res.Body.Close()
	if o.err != nil {
		return nil, o.err
	}
	res.Body = io.NopCloser(bytes.NewReader(o.body))
	o.first = res
	return res, nil
}

func (p *provider) tokenCall(fn func(ctx context.Context, c *oauth2.Config) (*oauth2.Token, error)) (*oauth2.Token, error) {
	if _, err := p.discover(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	c := p.conf
	p.mu.Unlock()
	hc := &http.Client{Transport: &once{base: http.DefaultTransport}, CheckRedirect: p.hc.CheckRedirect}
	return await(6*time.Second, func(ctx context.Context) (*oauth2.Token, error) {
		return fn(context.WithValue(ctx, oauth2.HTTPClient, hc), c)
	})
}

func (p *provider) exchange(code, verifier, redirect, scope string) (*token, error) {
	t, err := p.tokenCall(func(ctx context.Context, c *oauth2.Config) (*oauth2.Token, error) {
		return c.Exchange(ctx, code, oauth2.VerifierOption(verifier), oauth2.SetAuthURLParam("redirect_uri", redirect))
	})
	if err != nil {
		logf("exchange_failed", oauthCode(err))
		if why := oauthCode(err); why == "invalid_grant" {
			return nil, userError("Error: the authorization code was not accepted by the provider (it may have expired). Call again to authorize anew.")
		}
		return nil, userError("Error: the authorization was granted, but the provider did not issue a usable token. Call again to authorize anew.")
	}
	if !strings.EqualFold(t.Type(), "Bearer") {
		return nil, userError("Error: the provider issued a kind of token that cannot be used here.")
	}
	if granted, ok := t.Extra("scope").(string); ok && granted != "" && !hasScope(granted, scope) {
		return nil, userError("Error: the permission " + scope + " was not granted. Call again and leave it ticked on the consent page.")
	}
	return &token{t.AccessToken, t.RefreshToken, t.Expiry}, nil
}

func hasScope(granted, want string) bool {
	for _, s := range strings.FieldsFunc(granted, func(r rune) bool { return r == ' ' || r == ',' }) {
		if s == want {
			return true
		}
	}
	return false
}

// refresh answers errTokenRefused where the grant is gone for good.
func (p *provider) refresh(old *token) (*token, error) {
	if old.Refresh == "" {
		return nil, errTokenRefused
	}
	t, err := p.tokenCall(func(ctx context.Context, c *oauth2.Config) (*oauth2.Token, error) {
		return c.TokenSource(ctx, &oauth2.Token{RefreshToken: old.Refresh}).Token()
	})
	if err != nil {
		why := oauthCode(err)
		logf("refresh_failed", why)
		if why == "invalid_grant" || why == "invalid_token" || why == "unauthorized_client" {
			return nil, errTokenRefused
		}
		return nil, userError("Error: the stored authorization could not be renewed at the moment. Try again in a minute.")
	}
	if !strings.EqualFold(t.Type(), "Bearer") {
		return nil, errTokenRefused
	}
	return &token{t.AccessToken, t.RefreshToken, t.Expiry}, nil
}

// oauthCode names the error in words of RFC 6749 alone, never in those of the provider.
func oauthCode(err error) string {
	var re *oauth2.RetrieveError
	if errors.As(err, &re) {
		switch re.ErrorCode {
		case "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "invalid_token":
			return re.ErrorCode
		}
		return "unusable_answer"
	}
	var ne net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ne) && ne.Timeout() {
		return "timeout"
	}
	return "no_answer"
}

func (p *provider) api1(t *token, method, path string, body any, want int, into any) error {
	_, err := await(5*time.Second, func(ctx context.Context) (struct{}, error) {
		var rd io.Reader
		if body != nil {
			b, _ := json.Marshal(body)
			rd = bytes.NewReader(b)
		}
		req, err := http.NewRequestWithContext(ctx, method, p.api+path, rd)
		if err != nil {
			return struct{}{}, err
		}
		req.Header.Set("Authorization", "Bearer "+t.Access)
		req.Header.Set("Accept", "application/json")
		if body != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		res, err := p.hc.Do(req)
		if err != nil {
			return struct{}{}, err
		}
		defer res.Body.Close()
		raw, err := io.ReadAll(io.LimitReader(res.Body, 4<<20))
		switch {
		case err != nil:
			return struct{}{}, err
		case res.StatusCode == 401:
			return struct{}{}, errTokenRefused
		case res.StatusCode == 403:
			return struct{}{}, userError("Error: the API says that the granted permissions do not suffice. Grant the requested permission and try again.")
		case res.StatusCode == 429:
			return struct{}{}, userError("Error: the API's rate limit is reached. Try again in a minute.")
		case res.StatusCode != want:
			return struct{}{}, userError(fmt.Sprintf("Error: the API failed with status %d. Try again in a minute.", res.StatusCode))
		}
		if mt, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); mt != "application/json" || json.Unmarshal(raw, into) != nil {
			return struct{}{}, userError("Error: the API gave an answer that could not be understood.")
		}
		return struct{}{}, nil
	})
	var ue userError
	if err == nil || errors.As(err, &ue) || errors.Is(err, errTokenRefused) {
		return err
	}
	return userError("Error: the API did not answer. Try again in a minute.")
}
