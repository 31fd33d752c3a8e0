package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"heliograph/app/lists"
)

// maxText is the longest rendering of a result, in characters. Clients cut or
// refuse longer ones.
const maxText = 40_000

// arguments are the arguments of all tools. Clients send unknown ones, which are ignored,
// and other names for the query.
type arguments struct {
	Product    string   `json:"product"`
	Version    string   `json:"version"`
	EndpointID string   `json:"endpoint_id"`
	Endpoint   string   `json:"endpoint"` // also accepted
	Method     string   `json:"method"`
	Path       string   `json:"path"`
	Tag        string   `json:"tag"`
	Kind       string   `json:"kind"`
	Query      string   `json:"query"`
	Q          string   `json:"q"`         // also accepted
	UserQuery  string   `json:"userQuery"` // also accepted
	Include    []string `json:"include"`
	Language   string   `json:"language"`
	Cursor     string   `json:"cursor"`
	Limit      *count   `json:"limit"`
}

// count is a whole number. Models also send it as a text.
type count int

// UnmarshalJSON reads a number, or a text that is one.
func (c *count) UnmarshalJSON(data []byte) error {
	n, err := strconv.Atoi(strings.Trim(string(data), `"`))
	if err != nil {
		return &json.UnmarshalTypeError{Value: string(data), Type: reflect.TypeFor[count](), Field: "limit"}
	}
	*c = count(n)
	return nil
}

// mistyped says what is wrong with the type of an argument.
func mistyped(err error) string {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) || kind.Field == "" {
		return "they must be an object"
	}
	want := map[reflect.Kind]string{reflect.String: "a text", reflect.Slice: "a list of texts", reflect.Int: "a whole number, such as 10"}[kind.Type.Kind()]
	return kind.Field + " must be " + cmp.Or(want, "of another type")
}

// result is what a tool returns: the same facts as Markdown and as a value.
type result struct {
	text  string
	value any
	links []mcp.Content
}

// mistake is an error that a model can correct.
type mistake string

func (m mistake) Error() string { return string(m) }

func mistakef(format string, args ...any) error { return mistake(fmt.Sprintf(format, args...)) }

// tool describes a tool.
type tool struct {
	name, title, about string
	input              map[string]*jsonschema.Schema
	required           []string
	output             *jsonschema.Schema
	call               func(context.Context, arguments) (result, error)
}

func (l library) tools() []tool {
	product := text("Slug of the product, as list_products gives it.")
	version := text("Version, such as 1.0. The current version if left out.")
	return []tool{
		{
			"list_products", "List products", "Lists the published API products with their current version.",
			map[string]*jsonschema.Schema{"cursor": cursorSchema, "limit": limitSchema(100)}, nil, outputOf[productList](), l.listProducts,
		},
		{
			"list_versions", "List versions", "Lists the versions of a product: which is current, which are deprecated, until when, and what to move to.",
			map[string]*jsonschema.Schema{"product": product}, []string{"product"}, outputOf[versionList](), l.listVersions,
		},
		{
			"list_endpoints", "List endpoints", "Lists the endpoints of a version with method, path and purpose, optionally only of a category or a method, or with some words.",
			map[string]*jsonschema.Schema{
				"product": product, "version": version, "tag": text("Name of a category."), "method": text("HTTP method, such as POST."),
				"q": text("Words that the name, the path or the purpose has."), "cursor": cursorSchema, "limit": limitSchema(100),
			}, []string{"product"}, outputOf[endpointList](), l.listEndpoints,
		},
		{
			"get_endpoint", "Get an endpoint", "Returns one endpoint: parameters, request body, responses, and a call in the language of your choice. Name it by endpoint_id, or by method and path.",
			map[string]*jsonschema.Schema{
				"product": product, "version": version, "endpoint_id": text("Id of the endpoint, as list_endpoints gives it."),
				"method": text("HTTP method, with path."), "path": text("Path with parameters in braces or with values, with method."),
				"include":  {Type: "array", Items: &jsonschema.Schema{Type: "string", Enum: anyOf(sectionNames)}, Description: "Parts to return. Without it: parameters, request, code and responses."},
				"language": {Type: "string", Enum: anyOf(languageSlugs()), Description: "Language of the code. curl if left out."},
			}, []string{"product"}, outputOf[endpointFacts](), l.getEndpoint,
		},
		{
			"search_api_docs", "Search the documentation", "Searches all published documentation: endpoints, fields, schemas, examples, error codes and guides, best match first.",
			map[string]*jsonschema.Schema{
				"query": text("What to look for, such as a task, a field, a path or an error code."), "product": product, "version": version,
				"kind":  {Type: "string", Enum: anyOf(kinds), Description: "Only results of this kind."},
				"limit": limitSchema(20), "cursor": cursorSchema,
			}, []string{"query"}, outputOf[searchList](), l.search,
		},
	}
}

// Tool is a tool as people read about it.
type Tool struct{ Name, Title, About string }

// Tools lists the tools of every server.
func Tools() (list []Tool) {
	return lists.Map((library{}).tools(), func(t tool) Tool { return Tool{t.name, t.title, t.about} })
}

func (l library) addTools(server *mcp.Server) {
	no := false
	for _, t := range l.tools() {
		server.AddTool(&mcp.Tool{
			Name: t.name, Title: t.title, Description: t.about,
			InputSchema: &jsonschema.Schema{Type: "object", Properties: t.input, Required: t.required}, OutputSchema: t.output,
			Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
			Meta:        mcp.Meta{"anthropic/maxResultSizeChars": maxText + 2000},
		}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return t.answer(ctx, req.Params.Arguments)
		})
	}
}

// answer calls a tool. A mistake becomes a result that says what to change.
func (t tool) answer(ctx context.Context, raw json.RawMessage) (*mcp.CallToolResult, error) {
	var args arguments
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			return wrong("The arguments of " + t.name + " have the wrong type: " + mistyped(err) + "."), nil
		}
	}
	for _, q := range []string{args.Q, args.UserQuery} {
		args.Query = cmp.Or(args.Query, q)
	}
	args.EndpointID = cmp.Or(args.EndpointID, args.Endpoint)
	r, err := t.call(ctx, args)
	switch e := err.(type) {
	case nil:
	case mistake:
		return wrong(string(e)), nil
	default:
		return nil, err
	}
	content := append([]mcp.Content{&mcp.TextContent{Text: r.text}}, r.links...)
	return &mcp.CallToolResult{Content: content, StructuredContent: r.value}, nil
}

func wrong(message string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: message}}}
}

func text(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: about}
}

var cursorSchema = text("Cursor of the previous answer, for the next page.")

func limitSchema(most float64) *jsonschema.Schema {
	least := 1.0
	return &jsonschema.Schema{Type: "integer", Minimum: &least, Maximum: &most, Description: fmt.Sprintf("How many to return, at most %g.", most)}
}

func anyOf(list []string) []any {
	values := make([]any, len(list))
	for i, s := range list {
		values[i] = s
	}
	return values
}

// outputOf returns the schema of a value. Lists are never null, which some
// clients refuse.
func outputOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // of a type of this package
	}
	simplify(s)
	return s
}

func simplify(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties = nil
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	simplify(s.Items)
	for _, p := range s.Properties {
		simplify(p)
	}
}

// length returns the number of characters of a text.
func length(text string) int { return utf8.RuneCountInString(text) }
