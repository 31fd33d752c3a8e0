package mcp

import (
	"cmp"
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (l library) addPrompts(server *mcp.Server) {
	server.AddPrompt(&mcp.Prompt{
		Name: "integrate_endpoint", Title: "Integrate an endpoint", Description: "Write code that calls one endpoint, with its errors handled.",
		Arguments: []*mcp.PromptArgument{
			{Name: "product", Description: "Slug of the product.", Required: true},
			{Name: "endpoint", Description: "Id of the endpoint.", Required: true},
			{Name: "version", Description: "Version. The current one if left out."},
			{Name: "language", Description: "Programming language. curl if left out."},
		},
	}, l.integrate)
	server.AddPrompt(&mcp.Prompt{
		Name: "migrate_version", Title: "Move to another version", Description: "List what changes in a program that moves from one version of a product to another.",
		Arguments: []*mcp.PromptArgument{
			{Name: "product", Description: "Slug of the product.", Required: true},
			{Name: "from", Description: "Version that the program uses.", Required: true},
			{Name: "to", Description: "Version to move to. The current one if left out."},
		},
	}, l.migrate)
}

func (l library) integrate(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args := req.Params.Arguments
	call := arguments{Product: args["product"], Version: args["version"], EndpointID: args["endpoint"]}
	at, err := l.mustPlace(call)
	if err != nil {
		return nil, invalid(err)
	}
	op, err := mustOperation(at, call)
	if err != nil {
		return nil, invalid(err)
	}
	return prompt("Write code in %s that calls %s %s (%s) of %s.\n"+
		"First call get_endpoint with product=%q, version=%q, endpoint_id=%q and read all of it. Use only fields that it lists.\n"+
		"Handle every documented error: say which to retry and with which pause. Keep <API_KEY> as a placeholder that is read from the environment.",
		cmp.Or(args["language"], "curl"), op.Method, op.Path, op.Name, at.Name(), at.Product.Slug, at.Version.Slug, op.Slug), nil
}

func (l library) migrate(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args := req.Params.Arguments
	from, err := l.mustPlace(arguments{Product: args["product"], Version: args["from"]})
	if err != nil {
		return nil, invalid(err)
	}
	to, err := l.mustPlace(arguments{Product: args["product"], Version: args["to"]})
	if err != nil {
		return nil, invalid(err)
	}
	return prompt("A program uses %s and moves to %s.\n"+
		"The comparison of the two is at %s/docs/%s/compare?from=%s&to=%s. Call list_endpoints for both versions, and get_endpoint for each endpoint that the program calls.\n"+
		"List what must change, what may change, and what stays, with the code before and after.",
		from.Name(), to.Name(), l.Site.URL, from.Product.Slug, from.Version.Slug, to.Version.Slug), nil
}

// invalid returns a mistake as an error of the protocol: prompts have no results
// for errors.
func invalid(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
}

func prompt(format string, args ...any) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}}
}
