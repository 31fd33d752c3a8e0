package checks

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/examples"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// parameter matches the parameters of a path.
var parameter = regexp.MustCompile(`\{([^{}/]+)\}`)

// contractChecks finds what is wrong with an operation as a part of its document.
type contractChecks struct{ *finder }

// contract finds operations that contradict themselves or others of their version.
func (f contractChecks) contract() {
	f.references()
	if !f.isOperation() || f.raw == nil {
		return
	}
	f.unique()
	descriptionChecks(f).withoutExample()
	if !f.hasSuccess() {
		f.add(nameContract, "raw", 0, "The operation documents no successful response.")
	}
	if f.item.Kind == content.KindEndpoint {
		f.parameters()
		f.security()
		if f.raw.Get("requestBody") != nil && slices.Contains([]string{http.MethodGet, http.MethodHead}, f.endpoint.Method) {
			f.add(nameContract, "raw", int(f.raw.Get("requestBody").Line), f.endpoint.Method+" requests have no body: many programs do not send one.")
		}
	}
}

func (f contractChecks) hasSuccess() bool {
	return slices.ContainsFunc(f.raw.Entries("responses"), func(m tree.Member) bool {
		return strings.HasPrefix(m.Key, "2") || strings.HasPrefix(m.Key, "3") || m.Key == "default" || m.Key == "101"
	})
}

// unique finds other operations of the version that are called the same.
func (f contractChecks) unique() {
	for _, other := range f.world.Operations {
		switch {
		case other.ID == f.item.ID || other.Kind != f.item.Kind:
		case f.endpoint.OperationID != "" && other.OperationID == f.endpoint.OperationID:
			f.add(nameContract, "operation_id", 0, fmt.Sprintf("The operation id %s belongs to %s too. Programs generate one function for each.", other.OperationID, other.Slug))
		case f.item.Kind == content.KindEndpoint && other.Method == f.endpoint.Method && f.documented() == other.Path && f.raw.Get("x-openapi-path") == nil:
			f.add(nameContract, "path", 0, fmt.Sprintf("%s %s is also the endpoint %s.", other.Method, other.Path, other.Slug))
		}
	}
}

// documented is the path of the operation in its document.
func (f contractChecks) documented() string {
	if p := f.raw.Str("x-openapi-path"); p != "" {
		return p
	}
	return f.endpoint.Path
}

// parameters finds parameters of the path that are not declared, and declared ones
// that the path lacks. One with an x-name is shown to readers by that.
func (f contractChecks) parameters() {
	declared := map[string]*tree.Node{}
	for _, p := range f.raw.List("parameters") {
		p = f.follow(p)
		if p == nil {
			return // what is referred to cannot be read
		}
		if p.Str("in") == "path" {
			declared[p.Str("name")], declared[cmp.Or(p.Str("x-name"), p.Str("name"))] = p, p
		}
	}
	used := lists.SetBy(parameter.FindAllStringSubmatch(f.documented(), -1), func(m []string) string { return m[1] })
	for _, m := range parameter.FindAllStringSubmatch(f.endpoint.Path, -1) {
		used[m[1]] = true
		if p := declared[m[1]]; p == nil {
			f.add(nameContract, "raw", 0, fmt.Sprintf("The path has {%s}, which is not declared as a parameter.", m[1]))
		} else if !p.True("required") {
			f.add(nameContract, "raw", int(p.Line), fmt.Sprintf("The path parameter %s must be required.", m[1]))
		}
	}
	for _, p := range f.raw.List("parameters") {
		if p = f.follow(p); p.Str("in") == "path" && !used[p.Str("name")] && !used[p.Str("x-name")] {
			f.add(nameContract, "raw", int(p.Line), fmt.Sprintf("The parameter %s is declared for the path, which does not have it.", p.Str("name")))
		}
	}
}

// follow returns the parameter that a reference names, nil for an unknown one.
func (f contractChecks) follow(p *tree.Node) *tree.Node {
	name, ok := strings.CutPrefix(p.Str("$ref"), "#/components/parameters/")
	if !ok {
		return p
	}
	return f.world.read().frame.Get("components").Get("parameters").Get(tree.Unescape(name))
}

// security finds endpoints that do not say which credentials they need, and
// credentials that the version does not describe.
func (f contractChecks) security() {
	frame := f.world.read().frame
	if frame == nil {
		return
	}
	needs := f.raw.Get("security")
	if needs == nil {
		if frame.Get("security") == nil {
			f.add(nameSecurity, "raw", 0, "Neither the endpoint nor its version says which credentials are needed. An empty list says that none are.")
		}
		return
	}
	for _, need := range needs.Items {
		for _, scheme := range need.Members {
			if frame.Get("components").Get("securitySchemes").Get(scheme.Key) == nil {
				f.add(nameSecurity, "raw", int(needs.Line), fmt.Sprintf("The version describes no credentials with the name %s.", scheme.Key))
			}
		}
	}
}

// schemaOf returns the name of the schema that a reference names.
func schemaOf(ref string) (name string, ok bool) {
	name, ok = strings.CutPrefix(ref, "#/components/schemas/")
	name, _, _ = strings.Cut(name, "/")
	return tree.Unescape(name), ok
}

// references finds references to schemas that the version does not have.
func (f contractChecks) references() {
	if f.raw == nil {
		return
	}
	known, reported := f.world.read().schemas, map[string]bool{}
	var walk func(n *tree.Node)
	walk = func(n *tree.Node) {
		if name, ok := schemaOf(n.Str("$ref")); ok && known[name] == nil && !reported[name] {
			reported[name] = true
			f.add(nameContract, "raw", int(n.Line), fmt.Sprintf("The version has no schema with the name %s.", name))
		}
		for _, m := range n.Members {
			walk(m.Value)
		}
		for _, item := range n.Items {
			walk(item)
		}
	}
	walk(f.raw)
}

// matching finds examples that do not match their schemas.
func (f contractChecks) matching() {
	if !f.isOperation() || f.raw == nil {
		return
	}
	known := f.world.read()
	o := outline.Operation(f.raw, outline.Sources{Schema: func(name string) *tree.Node { return known.schemas[name] }})
	found, _, err := examples.Check(known.items, f.item.Kind, f.endpoint, o)
	if err != nil {
		return // the version says what is wrong with it
	}
	for _, p := range found {
		f.add(nameMatching, "raw", f.lineAt(p.Input.Name), examples.Title(p.Input)+": "+p.Message)
	}
}

// lineAt returns the line of the source that an input of the outline is at.
func (f *finder) lineAt(name string) int {
	at := strings.TrimPrefix(strings.TrimSuffix(name, "#value"), outline.Prefix)
	if n := f.raw.At(at); n != nil {
		return int(n.Line)
	}
	return 0
}
