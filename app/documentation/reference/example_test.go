package reference_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
)

// madeUp matches the text that a generator writes where the contract has no example,
// longer or shorter as the schema asks.
var madeUp = regexp.MustCompile(`^(?:stri|strin|stringa*)$`)

// checkReal reports texts that nobody wrote, in a value.
func checkReal(t *testing.T, at string, n *tree.Node) {
	t.Helper()
	if n == nil {
		return
	}
	if n.Kind == tree.KindString && madeUp.MatchString(n.Text) {
		t.Errorf("%s shows the made-up text %q", at, n.Text)
	}
	for _, m := range n.Members {
		checkReal(t, at+"/"+m.Key, m.Value)
	}
	for _, item := range n.Items {
		checkReal(t, at, item)
	}
}

// Every example that is published is written by hand: of parameters, of the bodies of
// requests, responses and callbacks, and with them in samples and in exports.
func TestExamplesAreWrittenByHand(t *testing.T) {
	t.Parallel()
	bodies := 0
	for _, p := range seeded(t).Products {
		for _, v := range p.VisibleVersions() {
			at := reference.Place{Product: p, Version: v}
			api, err := v.Compile(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range slices.Concat(api.Categories, api.Callbacks) {
				for _, e := range c.Endpoints {
					bodies += checkEndpoint(t, at.Name()+" "+e.ID, e)
					checkPages(t, at, v.Operation(e.Slug))
				}
			}
			checkExports(t, at)
		}
	}
	if bodies < 300 {
		t.Errorf("only %d bodies were found", bodies)
	}
}

// checkEndpoint checks the examples of an endpoint and counts its bodies.
func checkEndpoint(t *testing.T, at string, e *model.Endpoint) (bodies int) {
	t.Helper()
	for _, in := range e.Inputs {
		if in.Sent && in.Value == nil {
			t.Errorf("%s: the parameter %s has no example", at, in.Name)
		}
		checkReal(t, at+" "+in.Name, in.Value)
	}
	sides := map[string][]model.Body{"request": e.Bodies}
	for _, r := range e.Responses {
		sides[r.Status] = r.Bodies
	}
	for side, list := range sides {
		for _, b := range list {
			bodies++
			for _, example := range b.Examples {
				if example.Generated && example.Node.Text != "<file>" {
					t.Errorf("%s: the body of %s %s has no example:\n%s", at, side, b.ContentType, example.Value)
				}
				checkReal(t, at+" "+side+" "+example.Name, example.Node)
			}
		}
	}
	return bodies
}

// checkPages checks the page of an operation in every language.
func checkPages(t *testing.T, at reference.Place, op *published.Operation) {
	t.Helper()
	for language := range sample.Languages() {
		text, err := site.Operation(t.Context(), at, op, reference.Choice{Language: language})
		if err != nil {
			t.Fatal(err)
		}
		for _, quoted := range []string{`"string"`, `'string'`, `=string&`} {
			if strings.Contains(text, quoted) {
				t.Errorf("%s shows %s", at.Operation(op), quoted)
			}
		}
	}
}

// checkExports checks the collection and the examples of the OpenAPI document.
func checkExports(t *testing.T, at reference.Place) {
	t.Helper()
	text, err := reference.Files{Site: site}.Collection(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	collection, err := tree.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	checkCollection(t, at.PostmanPath("collection"), collection)
	document, err := reference.Files{Site: site}.OpenAPI(t.Context(), at, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkExamples(t, at.OpenAPIPath("json"), document)
}

// checkCollection checks a Postman collection. Its bodies are JSON in texts.
func checkCollection(t *testing.T, at string, n *tree.Node) {
	t.Helper()
	if n.Is(tree.KindString) {
		if strings.HasPrefix(n.Text, "{") {
			if body, err := tree.Read([]byte(n.Text)); err == nil {
				checkReal(t, at, body)
			}
		}
		checkReal(t, at, n)
		return
	}
	for _, m := range n.Members {
		if m.Key != "type" { // of a variable
			checkCollection(t, at+"/"+m.Key, m.Value)
		}
	}
	for _, item := range n.Items {
		checkCollection(t, at, item)
	}
}

// checkExamples checks what stands under example and examples in a document.
func checkExamples(t *testing.T, at string, n *tree.Node) {
	t.Helper()
	for _, m := range n.Members {
		switch m.Key {
		case "example", "examples":
			checkReal(t, at+"/"+m.Key, m.Value)
		case "properties": // a field may be called example
			for _, field := range m.Value.Members {
				checkExamples(t, at+"/properties/"+field.Key, field.Value)
			}
		default:
			checkExamples(t, at+"/"+m.Key, m.Value)
		}
	}
	for _, item := range n.Items {
		checkExamples(t, at, item)
	}
}
