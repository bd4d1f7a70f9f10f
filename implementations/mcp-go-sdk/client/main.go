// A client at the terminal, which wires what the SDK offers and no more: each line calls a tool, and an elicitation is put to
// the user. Whatever the SDK checks, refuses or lets through is the SDK's.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var input = bufio.NewScanner(os.Stdin)

// connect reaches a server; what it asks is shown under its name.
func connect(name, endpoint string) *mcp.ClientSession {
	ask := func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return prompt(name, request.Params), nil
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "go-sdk-client", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: ask,
		Capabilities: &mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}},
		},
	})
	session, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: endpoint}, nil)
	if err != nil {
		fmt.Println("could not connect:", err)
		os.Exit(1)
	}
	return session
}

func prompt(server string, asked *mcp.ElicitParams) *mcp.ElicitResult {
	parsed, err := url.Parse(asked.URL)
	if err != nil || (parsed.Scheme != "https" && parsed.Scheme != "http") {
		fmt.Printf("%s asks to open %q, which is no web page.\n", server, asked.URL)
		return &mcp.ElicitResult{Action: "decline"}
	}
	fmt.Printf("%s asks: %s\nURL: %s\nHost: %s\n", server, asked.Message, asked.URL, parsed.Host)
	if strings.Contains(parsed.Host, "xn--") {
		fmt.Println("Careful: the name of this host is written in Punycode, and may look like another one.")
	}
	fmt.Print("Open it? [y]es, [n]o, [c]ancel: ")
	input.Scan()
	switch input.Text() {
	case "y":
		if err := exec.Command("xdg-open", asked.URL).Run(); err != nil {
			fmt.Println("could not open it:", err)
		}
		return &mcp.ElicitResult{Action: "accept"}
	case "n":
		return &mcp.ElicitResult{Action: "decline"}
	}
	return &mcp.ElicitResult{Action: "cancel"}
}

func call(session *mcp.ClientSession, tool, text string) {
	var arguments map[string]any
	if err := json.Unmarshal([]byte(text), &arguments); err != nil {
		fmt.Println("no arguments:", err)
		return
	}
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		fmt.Println("failed:", err)
		return
	}
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			fmt.Println(text.Text)
		}
	}
}

func main() {
	sessions := map[string]*mcp.ClientSession{
		"list_items": connect(os.Args[1], os.Args[2]),
		"list_notes": connect(os.Args[3], os.Args[4]),
	}
	fmt.Print("> ")
	for input.Scan() {
		tool, arguments, _ := strings.Cut(input.Text(), " ")
		call(sessions[tool], tool, arguments)
		fmt.Print("> ")
	}
}
