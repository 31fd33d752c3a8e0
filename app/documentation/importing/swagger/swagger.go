// Package swagger rewrites Swagger 2.0 documents as OpenAPI 3.0. It is pure. What
// OpenAPI 3.0 says in another way is rewritten. What it cannot say is kept as an
// extension or left out, and a finding names the place.
package swagger

import (
	"slices"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// methods are the members of a Path Item that hold operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch"}

// Convert returns a Swagger 2.0 document as OpenAPI 3.0. The nodes of the result
// keep the lines and columns of the source. The source must not be used afterwards.
// A document that repeats its schemas without bounds is TooLarge.
func Convert(root *tree.Node, findings *finding.List) (*tree.Node, error) {
	c := documentConverter{bodyConverter{parameterConverter{schemaConverter{&converter{root: root, found: findings}}}}}
	c.consumes, c.produces = texts(root.List("consumes")), texts(root.List("produces"))
	c.name()
	out := &tree.Node{Kind: tree.KindObject, Line: root.Line, Column: root.Column}
	out.Append("openapi", at(root.Get("swagger"), tree.String("3.0.3")))
	info := root.Get("info")
	if !info.Is(tree.KindObject) {
		info = tree.Object()
	}
	for _, key := range []string{"title", "version"} {
		if info.Str(key) == "" && !info.Get(key).Is(tree.KindNumber) {
			c.add(finding.Repaired, info, "/info/"+key, "The document has no %s. It is filled in.", key)
			info.Set(key, tree.String(map[string]string{"title": "API", "version": "1.0"}[key]))
		}
	}
	out.Append("info", info)
	if servers := c.servers(); servers != nil {
		out.Append("servers", servers)
	}
	for _, m := range root.Members {
		switch m.Key {
		case "swagger", "info", "host", "basePath", "schemes", "consumes", "produces", "definitions", "parameters", "responses", "securityDefinitions":
		case "paths":
			out.Append("paths", c.paths(m.Value))
		case "security":
			out.Append("security", c.security(m.Value))
		case "tags", "externalDocs":
			out.Append(m.Key, m.Value)
		default:
			c.other(out, m, "")
		}
	}
	if out.Get("paths") == nil {
		out.Append("paths", tree.Object())
	}
	if components := c.components(); len(components.Members) > 0 {
		out.Append("components", components)
	}
	if c.schemas > maxSchemas {
		return nil, fault.New(fault.TooLarge, "The document repeats its schemas over %d times, once for each media type and use. Use fewer media types, or move schemas to definitions.", maxSchemas)
	}
	return out, nil
}

// maxSchemas is how many schemas a conversion writes. A body is written once for
// each of its media types.
const maxSchemas = 500_000

// converter holds what parts of a document need of the whole.
type converter struct {
	root               *tree.Node
	found              *finding.List
	consumes, produces []string
	// names maps the names of each kind of component to those that OpenAPI 3 allows.
	names   map[string]map[string]string
	schemas int // written so far
}

func (c *converter) add(action finding.Action, n *tree.Node, place, format string, values ...any) {
	c.found.Add(action, n, place, format, values...)
}

// other keeps an extension and drops an unknown member.
func (c *converter) other(out *tree.Node, m tree.Member, place string) {
	if strings.HasPrefix(m.Key, "x-") {
		out.Append(m.Key, m.Value)
		return
	}
	c.add(finding.Dropped, m.Value, place+"/"+tree.Escape(m.Key), "Swagger 2.0 has no member %.80q here. It is left out.", m.Key)
}

// documentConverter converts a document and its operations.
type documentConverter struct{ bodyConverter }

// servers makes addresses from schemes, host and basePath.
func (c documentConverter) servers() *tree.Node {
	return c.serversOf(c.root.Get("schemes"))
}

func (c documentConverter) serversOf(schemes *tree.Node) *tree.Node {
	host, base := c.root.Str("host"), c.root.Str("basePath")
	if host == "" && base == "" {
		return nil
	}
	if base != "" && !strings.HasPrefix(base, "/") {
		base = "/" + base
	}
	list := &tree.Node{Kind: tree.KindArray}
	add := func(n *tree.Node, url string) {
		list.Items = append(list.Items, at(n, tree.Object(tree.Member{Key: "url", Value: at(n, tree.String(url))})))
	}
	if host == "" {
		add(c.root.Get("basePath"), strings.TrimSuffix(base, "/"))
		if list.Items[0].Str("url") == "" {
			list.Items[0].Set("url", tree.String("/"))
		}
		return list
	}
	names := schemes.Elements()
	if len(names) == 0 {
		names = []*tree.Node{at(c.root.Get("host"), tree.String("https"))}
		c.add(finding.Repaired, c.root.Get("host"), "/host", "The document has no schemes. Its address is read as https.")
	}
	for _, scheme := range names {
		if scheme.Is(tree.KindString) {
			add(scheme, scheme.Text+"://"+host+strings.TrimSuffix(base, "/"))
		}
	}
	return list
}

func (c documentConverter) paths(paths *tree.Node) *tree.Node {
	out := at(paths, tree.Object())
	for _, m := range paths.Members {
		switch {
		case strings.HasPrefix(m.Key, "x-"):
			out.Append(m.Key, m.Value)
		case !m.Value.Is(tree.KindObject):
			c.other(out, m, "/paths")
		default:
			out.Append(m.Key, c.pathItem(m.Value, "/paths/"+tree.Escape(m.Key)))
		}
	}
	return out
}

func (c documentConverter) pathItem(item *tree.Node, place string) *tree.Node {
	out := at(item, tree.Object())
	var shared []*tree.Node // parameters that became part of request bodies
	for _, p := range item.List("parameters") {
		if in := c.parameterTarget(p).Str("in"); in == "body" || in == "formData" {
			shared = append(shared, p)
		}
	}
	for _, m := range item.Members {
		switch {
		case m.Key == "parameters":
			if list := c.parameters(m.Value, place+"/parameters"); len(list.Items) > 0 {
				out.Append("parameters", list)
			}
		case slices.Contains(methods, m.Key) && m.Value.Is(tree.KindObject):
			out.Append(m.Key, c.operation(m.Value, shared, place+"/"+m.Key))
		case m.Key == "$ref":
			out.Append(m.Key, m.Value)
		default:
			c.other(out, m, place)
		}
	}
	return out
}

func (c documentConverter) operation(op *tree.Node, shared []*tree.Node, place string) *tree.Node {
	out := at(op, tree.Object())
	consumes, produces := c.consumes, c.produces
	if n := op.Get("consumes"); n != nil {
		consumes = texts(n.Elements())
	}
	if n := op.Get("produces"); n != nil {
		produces = texts(n.Elements())
	}
	body := false
	addBody := func() {
		if made := c.requestBody(append(slices.Clone(shared), op.List("parameters")...), consumes, place); made != nil && !body {
			out.Append("requestBody", made)
		}
		body = true
	}
	for _, m := range op.Members {
		switch m.Key {
		case "consumes", "produces":
		case "parameters":
			if list := c.parameters(m.Value, place+"/parameters"); len(list.Items) > 0 {
				out.Append("parameters", list)
			}
			addBody()
		case "responses":
			addBody()
			out.Append("responses", c.responses(m.Value, produces, place+"/responses"))
		case "schemes":
			if servers := c.serversOf(m.Value); servers != nil && !m.Value.Equal(c.root.Get("schemes")) {
				out.Append("servers", servers)
			}
		case "security":
			out.Append("security", c.security(m.Value))
		case "tags", "summary", "description", "externalDocs", "operationId", "deprecated":
			out.Append(m.Key, m.Value)
		default:
			c.other(out, m, place)
		}
	}
	addBody()
	if out.Get("responses") == nil {
		c.add(finding.Repaired, op, place, "The operation has no responses. A response of any status is filled in.")
		out.Append("responses", tree.Object(tree.Member{Key: "default", Value: tree.Object(tree.Member{Key: "description", Value: tree.String("Not described")})}))
	}
	return out
}

// at gives a new node the place of another one in the source.
func at(source, n *tree.Node) *tree.Node {
	if source != nil {
		n.Line, n.Column = source.Line, source.Column
	}
	return n
}

// texts returns the strings of a list.
func texts(list []*tree.Node) (found []string) {
	for _, n := range list {
		if n.Is(tree.KindString) {
			found = append(found, n.Text)
		}
	}
	return found
}
