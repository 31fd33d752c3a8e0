package graph

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/tree"
)

// open reads, splits and assembles a document, and returns its graph.
func open(t testing.TB, data []byte) *Graph {
	t.Helper()
	d, err := openapi.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	a, err := openapi.Assemble(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return New(a.Root)
}

func everything(t testing.TB) *Graph {
	t.Helper()
	data, err := os.ReadFile("testdata/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return open(t, data)
}

// shown tells for each keyword whether the graph shows its value.
var shown = map[string]func(s Schema, v *tree.Node) bool{
	"$id":         func(s Schema, v *tree.Node) bool { return s.ID() == v.Text },
	"$schema":     func(s Schema, v *tree.Node) bool { return s.Dialect() == v.Text },
	"$vocabulary": func(s Schema, v *tree.Node) bool { return s.Vocabulary() == v },
	"$comment":    func(s Schema, v *tree.Node) bool { return s.Comment() == v.Text },
	"$anchor": func(s Schema, v *tree.Node) bool {
		return s.Anchor() == v.Text && s.g.Resolve("#"+v.Text).n.Str("$anchor") == v.Text
	},
	"$dynamicAnchor":   func(s Schema, v *tree.Node) bool { return s.DynamicAnchor() == v.Text },
	"$recursiveAnchor": func(Schema, *tree.Node) bool { return true }, // of an older draft
	"$defs":            showsMap(func(s Schema) []Named[Schema] { return s.Definitions() }),
	"definitions":      showsMap(func(s Schema) []Named[Schema] { return s.Definitions() }),
	"$ref":             showsReference, "$dynamicRef": showsReference, "$recursiveRef": showsReference,

	"allOf": showsList(Schema.AllOf), "anyOf": showsList(Schema.AnyOf), "oneOf": showsList(Schema.OneOf), "prefixItems": showsList(Schema.PrefixItems),
	"not": showsOne(Schema.Not), "if": showsOne(Schema.If), "then": showsOne(Schema.Then), "else": showsOne(Schema.Else),
	"items": showsOne(Schema.Items), "contains": showsOne(Schema.Contains), "contentSchema": showsOne(Schema.ContentSchema),
	"additionalProperties": showsOne(Schema.AdditionalProperties), "propertyNames": showsOne(Schema.PropertyNames),
	"unevaluatedItems": showsOne(Schema.UnevaluatedItems), "unevaluatedProperties": showsOne(Schema.UnevaluatedProperties),
	"properties": showsMap(Schema.Properties), "patternProperties": showsMap(Schema.PatternProperties), "dependentSchemas": showsMap(Schema.DependentSchemas),

	"type":     func(s Schema, v *tree.Node) bool { return slices.Equal(s.Types(), tree.Texts(v.Values())) },
	"const":    func(s Schema, v *tree.Node) bool { return s.Const() == v },
	"enum":     func(s Schema, v *tree.Node) bool { return slices.Equal(s.Enum(), v.Items) },
	"required": func(s Schema, v *tree.Node) bool { return slices.Equal(s.Required(), tree.Texts(v.Items)) },
	"dependentRequired": func(s Schema, v *tree.Node) bool {
		return slices.EqualFunc(s.DependentRequired(), v.Members, func(d Named[[]string], m tree.Member) bool {
			return d.Name == m.Key && slices.Equal(d.Value, tree.Texts(m.Value.Items))
		})
	},
	"multipleOf":       showsLimit(func(l Limits) string { return l.MultipleOf }),
	"minimum":          showsLimit(func(l Limits) string { return l.Minimum }),
	"maximum":          showsLimit(func(l Limits) string { return l.Maximum }),
	"exclusiveMinimum": showsLimit(func(l Limits) string { return l.ExclusiveMinimum }),
	"exclusiveMaximum": showsLimit(func(l Limits) string { return l.ExclusiveMaximum }),
	"minLength":        showsLimit(func(l Limits) string { return l.MinLength }),
	"maxLength":        showsLimit(func(l Limits) string { return l.MaxLength }),
	"minItems":         showsLimit(func(l Limits) string { return l.MinItems }),
	"maxItems":         showsLimit(func(l Limits) string { return l.MaxItems }),
	"minContains":      showsLimit(func(l Limits) string { return l.MinContains }),
	"maxContains":      showsLimit(func(l Limits) string { return l.MaxContains }),
	"minProperties":    showsLimit(func(l Limits) string { return l.MinProperties }),
	"maxProperties":    showsLimit(func(l Limits) string { return l.MaxProperties }),
	"uniqueItems":      func(s Schema, v *tree.Node) bool { return s.UniqueItems() == (v.Text == "true") },
	"pattern":          func(s Schema, v *tree.Node) bool { return s.Pattern() == v.Text },
	"format":           func(s Schema, v *tree.Node) bool { return s.Format() == v.Text },
	"contentEncoding":  func(s Schema, v *tree.Node) bool { return s.ContentEncoding() == v.Text },
	"contentMediaType": func(s Schema, v *tree.Node) bool { return s.ContentMediaType() == v.Text },
	"title":            func(s Schema, v *tree.Node) bool { return s.Title() == v.Text },
	"description":      func(s Schema, v *tree.Node) bool { return s.Description() == v.Text },
	"default":          func(s Schema, v *tree.Node) bool { return s.Default() == v },
	"examples":         func(s Schema, v *tree.Node) bool { return len(s.Examples()) >= len(v.Items) },
	"example":          func(s Schema, v *tree.Node) bool { return slices.Contains(s.Examples(), v) },
	"deprecated":       func(s Schema, v *tree.Node) bool { return s.Deprecated() == (v.Text == "true") },
	"readOnly":         func(s Schema, v *tree.Node) bool { return s.ReadOnly() == (v.Text == "true") },
	"writeOnly":        func(s Schema, v *tree.Node) bool { return s.WriteOnly() == (v.Text == "true") },
	"discriminator": func(s Schema, v *tree.Node) bool {
		return s.Discriminator().Property == v.Str("propertyName") && len(s.Discriminator().Mapping) == len(v.Entries("mapping"))
	},
	"xml":          func(s Schema, v *tree.Node) bool { x, ok := s.XML(); return ok && x.Name == v.Str("name") },
	"externalDocs": func(s Schema, v *tree.Node) bool { return s.ExternalDocs() == v.Str("url") },
}

func showsOne(get func(Schema) Schema) func(Schema, *tree.Node) bool {
	return func(s Schema, v *tree.Node) bool { return get(s).n == v }
}

func showsList(get func(Schema) []Schema) func(Schema, *tree.Node) bool {
	return func(s Schema, v *tree.Node) bool {
		return slices.EqualFunc(get(s), v.Items, func(s Schema, n *tree.Node) bool { return s.n == n })
	}
}

func showsMap(get func(Schema) []Named[Schema]) func(Schema, *tree.Node) bool {
	return func(s Schema, v *tree.Node) bool {
		return slices.EqualFunc(get(s), v.Members, func(c Named[Schema], m tree.Member) bool { return c.Name == m.Key && c.Value.n == m.Value })
	}
}

func showsLimit(get func(Limits) string) func(Schema, *tree.Node) bool {
	return func(s Schema, v *tree.Node) bool { return get(s.Limits()) == v.Text }
}

func showsReference(s Schema, v *tree.Node) bool {
	return slices.ContainsFunc(s.References(), func(r Reference) bool { return r.Text == v.Text })
}

// TestKeywords finds every Schema Object of every document without the graph,
// and holds the graph to showing each keyword of it.
func TestKeywords(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	check := func(name string, g *Graph) {
		count := 0
		for _, n := range schemasWithin(g.root, false) {
			count++
			s := schemaOf(Object{g, n})
			if at := s.Pointer(); g.root.At(at) != n {
				t.Errorf("%s: the pointer %s leads elsewhere", name, at)
			}
			for _, m := range n.Members {
				seen[m.Key] = true
				switch is := shown[m.Key]; {
				case is != nil && !is(s, m.Value):
					t.Errorf("%s: the graph loses %s at %s", name, m.Key, s.Pointer())
				case is == nil && strings.HasPrefix(m.Key, "x-") && s.Extension(m.Key) != m.Value:
					t.Errorf("%s: the graph loses the extension %s at %s", name, m.Key, s.Pointer())
				case is == nil && !strings.HasPrefix(m.Key, "x-") && !slices.Contains(s.Others(), m):
					t.Errorf("%s: %s at %s is no keyword and not listed", name, m.Key, s.Pointer())
				}
			}
		}
		t.Logf("%-34s %5d schemas", name, count)
	}
	check("everything.yaml", everything(t))
	for keyword := range shown {
		if !seen[keyword] && !slices.Contains([]string{"definitions", "$schema", "$recursiveRef", "$recursiveAnchor", "example", "$dynamicRef"}, keyword) {
			t.Errorf("everything.yaml lacks %s", keyword)
		}
	}
	for _, d := range append(corpus.Seeds(t), corpus.Real(t)...) {
		check(d.Name, open(t, d.Data))
	}
}

// schemasWithin lists the Schema Objects of a document by what holds them.
func schemasWithin(n *tree.Node, isSchema bool) (list []*tree.Node) {
	if isSchema {
		list = append(list, n)
	}
	for _, item := range n.Items {
		list = append(list, schemasWithin(item, false)...)
	}
	for _, m := range n.Members {
		switch {
		case strings.HasPrefix(m.Key, "x-") && m.Key != "x-variants", m.Key == "example", m.Key == "default", m.Key == "const", m.Key == "enum":
		case m.Key == "examples" && !m.Value.Is(tree.KindObject):
		case m.Key == "examples":
		case isSchema && schemaKeywords[m.Key] == holdsMap, !isSchema && m.Key == "schemas":
			for _, c := range m.Value.Members {
				list = append(list, schemasWithin(c.Value, true)...)
			}
		case isSchema && schemaKeywords[m.Key] == holdsList:
			for _, c := range m.Value.Items {
				list = append(list, schemasWithin(c, true)...)
			}
		case isSchema && schemaKeywords[m.Key] == holdsSchema, !isSchema && m.Key == "schema":
			list = append(list, schemasWithin(m.Value, true)...)
		case !isSchema:
			list = append(list, schemasWithin(m.Value, false)...)
		}
	}
	return list
}

// TestOperations reads one operation with everything that OpenAPI has.
func TestOperations(t *testing.T) {
	t.Parallel()
	g := everything(t)
	var got []string
	say := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
	for _, op := range slices.Concat(g.Operations(), g.Webhooks()) {
		say("%s %s %s %s %s base=%q", op.ID(), op.Method, op.Route, op.Path(), op.Pointer(), op.Base().ID())
	}
	put := g.Operations()[0]
	for _, p := range put.Parameters() {
		say("parameter %q in %s required=%t style=%s explode=%t reserved=%t types=%v content=%d examples=%d",
			p.Name(), p.In(), p.Required(), p.Style(), p.Explode(), p.AllowReserved(), p.Schema().Types(), len(p.Content()), len(p.Examples()))
	}
	for _, m := range put.Body().Content() {
		say("body %s %s examples=%d", m.Name, m.Value.Schema().Pointer(), len(m.Value.Examples()))
		for _, e := range m.Value.Encoding() {
			say("encoding %s %q explode=%t header %s", e.Name, e.Value.ContentType(), e.Value.Explode(), e.Value.Headers()[0].Name)
		}
	}
	for _, r := range put.Responses() {
		say("response %s %q headers=%d content=%d", r.Name, r.Value.Description(), len(r.Value.Headers()), len(r.Value.Content()))
	}
	for _, c := range put.Callbacks() {
		say("callback %s: %s %s", c.Name, c.Value[0].Method, c.Value[0].Route)
	}
	own, ok := put.Security()
	all, _ := g.Security()
	say("security %d %t of %d: %s with %v", len(own), ok, len(all), all[1].Schemes[0].Name, all[1].Schemes[0].Scopes)
	for _, s := range g.SecuritySchemes() {
		say("scheme %s %s in=%q field=%q scheme=%q", s.Name, s.Value.Type(), s.Value.In(), s.Value.Field(), s.Value.Scheme())
	}
	server := g.Servers()[0]
	say("server %s of %s, %v; put has %s", server.URL(), server.Template(), server.Variables()[0].Value.Enum(), put.Servers()[0].URL())
	for _, m := range g.Schema("Keywords").Discriminator().Mapping {
		say("mapping %s %q", m.Name, m.Value.Pointer())
	}
	want := strings.Split(strings.TrimSpace(wantOperations), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	if info := g.Info(); info.Title() != "Everything" || info.Version() != "2" || info.Description() != "*All*" || g.Tags()[0].ExternalDocs() != "https://example.com/orders" {
		t.Errorf("info is %s %s", info.Title(), info.Version())
	}
}

const wantOperations = `
putOrder PUT /orders/{id} /orders/{id} /paths/~1orders~1{id}/put base=""
readA GET /{id} /{a-id} /paths/~1{id}/get/x-variants/0 base="read"
readB GET /{id} /{b-id} /paths/~1{id}/get/x-variants/1 base="read"
sent POST sent sent /webhooks/sent/post base=""
parameter "id" in path required=true style=simple explode=false reserved=false types=[string] content=0 examples=1
parameter "tenant" in header required=true style=simple explode=false reserved=false types=[integer] content=0 examples=0
parameter "filter" in query required=false style=deepObject explode=true reserved=true types=[object] content=0 examples=0
parameter "json" in query required=false style=form explode=true reserved=false types=[] content=1 examples=0
parameter "" in  required=false style=simple explode=false reserved=false types=[] content=0 examples=0
body multipart/form-data /paths/~1orders~1{id}/put/requestBody/content/multipart~1form-data/schema examples=0
encoding file "image/png, image/jpeg" explode=true header X-Size
body application/json /paths/~1orders~1{id}/put/requestBody/content/application~1json/schema examples=2
response 200 "The order." headers=1 content=1
response 4XX "Wrong." headers=0 content=0
callback shipped: POST {$request.body#/url}
security 0 true of 2: login with [read]
scheme key apiKey in="header" field="X-Key" scheme=""
scheme basic http in="" field="" scheme="basic"
scheme oidc openIdConnect in="" field="" scheme=""
scheme login oauth2 in="" field="" scheme=""
server https://eu.example.com/v1 of https://{region}.example.com/{base}, [eu us]; put has https://orders.example.com
mapping node "/components/schemas/Node"
mapping other "/components/schemas/Other"
mapping gone ""
`

// A named schema is one value, however it is reached, and cycles end.
func TestIdentity(t *testing.T) {
	t.Parallel()
	g := everything(t)
	node := g.Schema("Node")
	next := node.Properties()[1].Value
	if r := next.References(); len(r) != 1 || r[0].Target != node || next.Description() != "The next one." || r[0].Target.Name() != "Node" {
		t.Errorf("next refers to %v", r)
	}
	if g.Resolve("#node").n != node.n || g.Resolve("#any").n != g.Schema("Keywords").n || g.Resolve("#none").Exists() || g.Resolve("other.json").Exists() {
		t.Error("an anchor leads elsewhere")
	}
	count := 0
	for range node.Walk() {
		count++
	}
	if count != 4 {
		t.Errorf("Walk visits %d schemas, want 4", count)
	}
	if value, ok := g.Schema("Other").Boolean(); !value || !ok {
		t.Error("Other is not the schema true")
	}
	names := map[string]bool{}
	for s := range g.Operations()[0].Schemas() {
		names[s.Name()] = true
	}
	if !names["Node"] || !names["Keywords"] || !names["Other"] {
		t.Errorf("the operation uses %v", names)
	}
}

// FuzzGraph asks a graph of any value everything.
func FuzzGraph(f *testing.F) {
	data, err := os.ReadFile("testdata/everything.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"paths":{"/a":{"get":{"parameters":[{"$ref":"#/paths/~1a/get/parameters/0"}],"callbacks":{"c":{"x":{"$ref":"#/paths/~1a"}}}}}}}`))
	f.Add([]byte(`{"components":{"schemas":{"A":{"$ref":"#/components/schemas/A","allOf":{"a":1},"properties":[1],"discriminator":1}}},"servers":[1],"tags":[1],"security":[{"a":1}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := tree.Read(data)
		if err != nil {
			return
		}
		g := New(root)
		g.Info().Title()
		for _, s := range g.Servers() {
			s.URL()
		}
		g.Tags()
		g.Security()
		g.SecuritySchemes()
		for _, op := range slices.Concat(g.Operations(), g.Webhooks()) {
			op.Base().ID()
			op.Servers()
			op.Security()
			for s := range op.Schemas() {
				ask(s)
			}
		}
		for _, s := range g.Schemas() {
			ask(s)
		}
	})
}

// ask calls every method of a schema.
func ask(s Schema) {
	for _, is := range shown {
		is(s, tree.Null())
	}
	s.Others()
	s.Pointer()
}
