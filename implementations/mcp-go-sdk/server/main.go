// A server with three tools, which wires what the SDK offers and no more: `ask` sends a URL as a request, `require` in a
// result, as revision 2026-07-28 has it, `refuse` as an error.
package main

import (
	"context"
	"crypto/rand"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type none struct{}

func elicitation(id string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Mode:          "url",
		Message:       "Connect your items",
		URL:           "https://example.com/connect",
		ElicitationID: id,
	}
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func ask(ctx context.Context, request *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	result, err := request.Session.Elicit(ctx, elicitation(rand.Text()))
	if err != nil {
		return nil, nil, err
	}
	return said("The user answered: " + result.Action), nil, nil
}

func require(_ context.Context, request *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	answer, answered := request.Params.InputResponses["connect"].(*mcp.ElicitResult)
	if !answered {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"connect": elicitation("")}}, nil, nil
	}
	return said("The user answered: " + answer.Action), nil, nil
}

func refuse(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
	return nil, nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{elicitation(rand.Text())})
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "go-sdk-server", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "ask", Description: "asks its user to open a URL"}, ask)
	mcp.AddTool(server, &mcp.Tool{Name: "require", Description: "needs the answer to go on"}, require)
	mcp.AddTool(server, &mcp.Tool{Name: "refuse", Description: "needs a URL to be opened first"}, refuse)
	serve := func(*http.Request) *mcp.Server { return server }
	http.Handle("/mcp", mcp.NewStreamableHTTPHandler(serve, nil))
	// Revision 2026-07-28 is served without sessions alone.
	http.Handle("/stateless", mcp.NewStreamableHTTPHandler(serve, &mcp.StreamableHTTPOptions{Stateless: true}))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
