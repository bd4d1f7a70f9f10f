// Package login shows the mock provider in Go's own tests: started once by TestMain, stopped at the end.
package login

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const callback = "http://localhost:3000/callback"

// The example of RFC 7636, Appendix B.
const (
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// provider is what the provider says when it is ready.
var provider struct{ Issuer string }

func TestMain(m *testing.M) { os.Exit(withProvider(m.Run)) }

func withProvider(run func() int) int {
	command := strings.Fields(os.Getenv("AOC"))
	if len(command) == 0 {
		command = []string{"npx", "aoc"}
	}
	command = append(command, "provider", "--port", "0", "--clients", "../clients.json", "--auto-approve", "alice", "--json")
	process := exec.Command(command[0], command[1:]...)
	process.Stderr = os.Stderr
	output, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { process.Process.Signal(os.Interrupt); process.Wait() }()
	line, _ := bufio.NewReader(output).ReadBytes('\n')
	if err := json.Unmarshal(line, &provider); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

func TestLogin(t *testing.T) {
	back := authorize(t)
	if back.Get("state") != "xyz" {
		t.Fatalf("state is %q", back.Get("state"))
	}
	token := exchange(t, back.Get("code"))
	request, _ := http.NewRequest("GET", provider.Issuer+"/resource/items", nil)
	request.Header.Set("Authorization", "Bearer "+token)
	if items := body(t, request); !strings.Contains(items, "Welcome, alice") {
		t.Fatal(items)
	}
}

// authorize returns what the user agent brings back.
func authorize(t *testing.T) url.Values {
	query := url.Values{
		"response_type": {"code"}, "client_id": {"web"}, "redirect_uri": {callback}, "scope": {"items:read"},
		"state": {"xyz"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"},
	}
	agent := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := agent.Get(provider.Issuer + "/authorize?" + query.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	location, err := response.Location()
	if err != nil {
		t.Fatal(err)
	}
	return location.Query()
}

func exchange(t *testing.T, code string) string {
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {callback}, "code_verifier": {verifier},
	}
	request, _ := http.NewRequest("POST", provider.Issuer+"/token", strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth("web", "s")
	var tokens struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal([]byte(body(t, request)), &tokens); err != nil {
		t.Fatal(err)
	}
	return tokens.AccessToken
}

func body(t *testing.T, request *http.Request) string {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response.Status, string(content), err)
	}
	return string(content)
}
