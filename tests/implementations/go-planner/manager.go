// The OAuth manager: pushes its requests (RFC 9126), so that what users are sent to names them and no more.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

type flow struct {
	User, Provider, Verifier, URL, State string
	Until                                int64
}

type token struct {
	Value string
	Until int64
}

type manager struct {
	settings map[string]string
	kept     *kept
	http     *http.Client
	now      func() int64
}

func newManager(settings map[string]string, kept *kept, now func() int64) *manager {
	pool, _ := x509.SystemCertPool()
	if pem, err := os.ReadFile(settings["ca.file"]); err == nil {
		pool.AppendCertsFromPEM(pem)
	}
	client := &http.Client{
		Timeout:       10 * time.Second,
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &manager{settings, kept, client, now}
}

func unguessable() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

// The token of a user for a provider; none where there is none that is still good.
func (m *manager) token(user, provider string) string {
	var found token
	if m.kept.get("token", user+"\n"+provider, &found) && m.now() < found.Until {
		return found.Value
	}
	return ""
}

// Where to send a user: the flow that waits for them already, or a new one.
func (m *manager) request(user, provider string) (flow, error) {
	var state string
	var waiting flow
	if m.kept.get("waiting", user+"\n"+provider, &state) && m.kept.get("flow", state, &waiting) &&
		m.now() < waiting.Until-300_000 {
		return waiting, nil
	}
	id, ok := m.client(provider)
	if !ok {
		return flow{}, errors.New("no such provider is configured")
	}
	for _, name := range []string{"authorizationEndpoint", "tokenEndpoint"} {
		if !safe(m.settings["provider."+name]) {
			return flow{}, errors.New("the " + name + " is not https")
		}
	}
	made := flow{user, provider, unguessable(), "", unguessable(), m.now() + 600_000}
	digest := sha256.Sum256([]byte(made.Verifier))
	status, answer := m.post(m.endpoint("pushed_authorization_request_endpoint"), provider, url.Values{
		"response_type": {"code"}, "redirect_uri": {m.settings["callback.url"]},
		"scope": {m.settings["scopes"]}, "state": {made.State}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(digest[:])},
	})
	uri, _ := answer["request_uri"].(string)
	if status != http.StatusCreated || uri == "" {
		return flow{}, errors.New("the provider does not take requests")
	}
	target, _ := url.Parse(m.settings["provider.authorizationEndpoint"])
	query := target.Query()
	query.Set("client_id", id)
	query.Set("request_uri", uri)
	target.RawQuery = query.Encode()
	made.URL = target.String()
	m.kept.put("flow", made.State, made)
	m.kept.put("waiting", user+"\n"+provider, made.State)
	return made, nil
}

// Redeems what a browser has brought, and says whose token that is.
func (m *manager) callback(query url.Values) (string, error) {
	for _, values := range query {
		if len(values) > 1 {
			return "", errors.New("a parameter stands there twice")
		}
	}
	var found flow
	if !m.kept.take("flow", query.Get("state"), &found) || m.now() >= found.Until {
		return "", errors.New("nobody was sent away with this state, or too long ago")
	}
	if query.Get("iss") != m.settings["provider.issuer"] {
		return "", errors.New("another provider has answered")
	}
	if query.Has("error") || query.Get("code") == "" {
		return "", errors.New("the user or the provider has refused")
	}
	status, answer := m.post(m.settings["provider.tokenEndpoint"], found.Provider, url.Values{
		"grant_type": {"authorization_code"}, "code": {query.Get("code")},
		"redirect_uri": {m.settings["callback.url"]}, "code_verifier": {found.Verifier},
	})
	value, _ := answer["access_token"].(string)
	kind, _ := answer["token_type"].(string)
	if status != http.StatusOK || value == "" || !strings.EqualFold(kind, "bearer") {
		return "", errors.New("the provider gave no token")
	}
	life, given := answer["expires_in"].(float64)
	if !given {
		life = 600
	}
	m.kept.put("token", found.User+"\n"+found.Provider, token{value, m.now() + int64(life)*1000})
	return found.User, nil
}

func (m *manager) client(provider string) (string, bool) {
	for _, each := range []string{"provider", "provider2"} {
		if provider == m.settings[each+".name"] {
			return m.settings[each+".clientId"], true
		}
	}
	return "", false
}

// RFC 8414: the endpoint that takes pushed requests is not among the settings.
func (m *manager) endpoint(name string) string {
	issuer, err := url.Parse(m.settings["provider.issuer"])
	if err != nil {
		return ""
	}
	issuer.Path = "/.well-known/oauth-authorization-server" + strings.TrimSuffix(issuer.Path, "/")
	answer, err := m.http.Get(issuer.String())
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	var fields map[string]any
	json.NewDecoder(answer.Body).Decode(&fields)
	found, _ := fields[name].(string)
	return found
}

// Posts a form as the client of a provider, with its secret in the body.
func (m *manager) post(endpoint, provider string, form url.Values) (int, map[string]any) {
	id, _ := m.client(provider)
	form.Set("client_id", id)
	form.Set("client_secret", m.settings["provider.clientSecret"])
	if provider == m.settings["provider2.name"] {
		form.Set("client_secret", m.settings["provider2.clientSecret"])
	}
	answer, err := m.http.PostForm(endpoint, form)
	if err != nil {
		return 0, nil
	}
	defer answer.Body.Close()
	var fields map[string]any
	if json.NewDecoder(answer.Body).Decode(&fields) != nil {
		return 0, nil
	}
	return answer.StatusCode, fields
}

func safe(endpoint string) bool {
	target, err := url.Parse(endpoint)
	if err != nil {
		return false
	}
	ip := net.ParseIP(target.Hostname())
	return target.Scheme == "https" || target.Hostname() == "localhost" || (ip != nil && ip.IsLoopback())
}
