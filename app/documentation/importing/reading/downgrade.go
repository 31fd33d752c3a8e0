package reading

import (
	"slices"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/tree"
)

// downgrader writes what OpenAPI 3.2 added in the form of 3.1.
type downgrader struct {
	root  *tree.Node
	found *finding.List
}

// downgrade rewrites an OpenAPI 3.2 document as 3.1. It changes the nodes.
func downgrade(root *tree.Node, found *finding.List) {
	d := &downgrader{root, found}
	root.Set("openapi", tree.String("3.1.1"))
	d.keep(root, "$self", "", "x-self")
	for _, t := range root.List("tags") {
		place := "/tags/" + t.Str("name")
		d.keep(t, "summary", place, "x-displayName")
		d.keep(t, "parent", place, "x-parent")
		d.keep(t, "kind", place, "x-kind")
	}
	d.walk(root, "", "")
}

// keep renames a member that 3.1 does not know.
func (d *downgrader) keep(n *tree.Node, key, place, as string) {
	v := n.Get(key)
	if v == nil {
		return
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			n.Members[i].Key = as
		}
	}
	d.found.Add(finding.Kept, v, place+"/"+key, "OpenAPI 3.1 has no member %s here. It is kept as %s.", key, as)
}

// values are members that hold data, not descriptions.
var values = []string{"example", "default", "enum", "const", "value", "dataValue", "mapping", "scopes"}

// walk visits every object that can be part of the description. key is the member
// that holds it, and home the one that holds that.
func (d *downgrader) walk(n *tree.Node, home, place string) {
	if !n.Is(tree.KindObject) {
		for _, item := range n.Elements() {
			d.walk(item, home, place)
		}
		return
	}
	d.object(n, home, place)
	for _, m := range n.Members {
		if slices.Contains(values, m.Key) && home != "properties" || strings.HasPrefix(m.Key, "x-") {
			continue
		}
		d.walk(m.Value, m.Key, place+"/"+tree.Escape(m.Key))
	}
}

// object rewrites the members of one object, which its shape tells apart.
func (d *downgrader) object(n *tree.Node, home, place string) {
	if home == "properties" || home == "schemas" {
		return // names of others
	}
	if item := n.Get("itemSchema"); item != nil {
		n.Remove("itemSchema")
		if n.Get("schema") == nil {
			n.Append("schema", tree.Object(tree.Member{Key: "type", Value: tree.String("array")}, tree.Member{Key: "items", Value: item}))
		}
		d.found.Add(finding.Repaired, item, place+"/itemSchema", "The schema of the items of a stream is written as a list of them.")
	}
	d.keep(n, "itemEncoding", place, "x-itemEncoding")
	d.keep(n, "prefixEncoding", place, "x-prefixEncoding")
	d.parameter(n, place)
	d.example(n, place)
	isAnswer := strings.Contains(place, "/responses/")
	isOperation := n.Get("operationId") != nil || n.Get("responses") != nil
	if s := n.Get("summary"); s != nil && !isOperation && (isAnswer || n.Get("content") != nil || n.Get("headers") != nil) {
		if isAnswer && n.Get("description") == nil && n.Get("value") == nil {
			n.Append("description", s)
		}
	}
	if strings.HasSuffix(tree.Parent(place), "/responses") && n.Get("description") == nil && n.Get("$ref") == nil {
		n.Append("description", tree.String("Not described"))
	}
	if n.Get("url") != nil && home == "servers" {
		d.keep(n, "name", place, "x-server-name")
	}
	d.security(n, place)
	d.pathItem(n, place)
}

// pathItem keeps methods that 3.1 does not have.
func (d *downgrader) pathItem(n *tree.Node, place string) {
	parent := tree.Parent(place)
	if parent != "/paths" && parent != "/webhooks" && parent != "/components/pathItems" {
		return
	}
	for key, as := range map[string]string{"query": "x-query", "additionalOperations": "x-additionalOperations"} {
		v := n.Get(key)
		if v == nil {
			continue
		}
		d.found.Add(finding.Kept, v, place+"/"+key, "OpenAPI 3.1 has no place for the methods of %s. Their operations are kept as %s and are not endpoints.", key, as)
		for i := range n.Members {
			if n.Members[i].Key == key {
				n.Members[i].Key = as
			}
		}
	}
}

func (d *downgrader) parameter(n *tree.Node, place string) {
	if n.Str("in") == "querystring" {
		n.Set("in", tree.String("query"))
		d.found.Add(finding.Repaired, n.Get("in"), place, "The parameter %.80q is the whole query string. It is written as a query parameter.", n.Str("name"))
	}
	if n.Str("in") == "cookie" && n.Str("style") == "cookie" {
		n.Remove("style")
	}
}

// example writes the value of an example in the member that 3.1 has.
func (d *downgrader) example(n *tree.Node, place string) {
	if !strings.HasSuffix(tree.Parent(place), "/examples") {
		return
	}
	if v := n.Get("dataValue"); v != nil {
		n.Remove("dataValue")
		n.Set("value", v)
	}
	if v := n.Get("serializedValue"); v != nil {
		if n.Get("value") == nil && n.Get("externalValue") == nil {
			n.Remove("serializedValue")
			n.Set("value", v)
			return
		}
		d.keep(n, "serializedValue", place, "x-serializedValue")
	}
}

func (d *downgrader) security(n *tree.Node, place string) {
	if strings.HasSuffix(tree.Parent(place), "/securitySchemes") {
		d.keep(n, "deprecated", place, "x-deprecated")
		d.keep(n, "oauth2MetadataUrl", place, "x-oauth2MetadataUrl")
	}
	if strings.HasSuffix(place, "/flows") {
		d.keep(n, "deviceAuthorization", place, "x-deviceAuthorization")
	}
	if strings.HasSuffix(place, "/discriminator") {
		d.keep(n, "defaultMapping", place, "x-defaultMapping")
	}
	if place == "/components" {
		d.keep(n, "mediaTypes", place, "x-mediaTypes")
	}
	if strings.HasSuffix(place, "/xml") {
		d.keep(n, "nodeType", place, "x-nodeType")
	}
}
