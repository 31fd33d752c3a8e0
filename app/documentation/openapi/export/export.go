// Package export makes OpenAPI documents for readers from an assembled API
// description: the whole document, or one operation with everything that it
// refers to. Keys keep their order, and unknown members stay.
//
// The exported version of OpenAPI is 3.1.1. Operations that share a path stand
// under x-variants, as in the source, so that an export can be imported without
// loss. The document of one such operation has it in its place.
package export

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
)

// version is the version of OpenAPI that exports declare.
const version = "3.1.1"

// serverAddress returns the address of a server for readers. It receives addresses on
// localhost, and those without a host.
type serverAddress func(address string) string

// Document returns the whole document.
func Document(a *openapi.Assembly, server serverAddress) *tree.Node {
	root := a.Root.Without()
	root.Set("openapi", tree.String(version))
	serve(root, server)
	return root
}

// AddServer adds a server to the end of a document's list. It is marked with
// [openapi.AddedKey], so that an import leaves it out. A document without servers
// gets the one that it stands for as well, since the first one is the default.
func AddServer(document *tree.Node, address, description, standing string) {
	list := tree.Array(slices.Clone(document.List("servers"))...)
	if len(list.Items) == 0 {
		list.Items = append(list.Items, added(standing, "The service"))
	}
	list.Items = append(list.Items, added(address, description))
	document.Set("servers", list)
}

func added(address, description string) *tree.Node {
	return tree.Object(
		tree.Member{Key: "url", Value: tree.String(address)}, tree.Member{Key: "description", Value: tree.String(description)},
		tree.Member{Key: openapi.AddedKey, Value: tree.Bool(true)},
	)
}

// Operation returns a document with one operation or callback of an assembly, by
// its slug, and with the components that it uses. It returns nil where there is
// none.
func Operation(a *openapi.Assembly, slug string, server serverAddress) *tree.Node {
	for i, op := range slices.Concat(a.Operations, a.Callbacks) {
		if op.Slug == slug {
			return single(a.Root, op, i >= len(a.Operations), server)
		}
	}
	return nil
}

func single(root *tree.Node, op openapi.Placed, isCallback bool, server serverAddress) *tree.Node {
	node := op.Node.Without("x-path")
	if node.Str("operationId") == "" {
		node.Set("operationId", tree.String(op.ID))
	}
	place := tree.Object(tree.Member{Key: op.Route, Value: tree.Object(tree.Member{Key: strings.ToLower(op.Method), Value: node})})
	made := tree.Object()
	for _, m := range root.Members {
		switch m.Key {
		case "openapi":
			made.Append(m.Key, tree.String(version))
		case "paths", "webhooks", "components":
		case "tags":
			made.Append(m.Key, tags(m.Value, node))
		case "info":
			made.Append(m.Key, m.Value.Without("description"))
		default:
			made.Append(m.Key, m.Value)
		}
	}
	if isCallback {
		made.Set("webhooks", place)
	} else {
		made.Set("paths", place)
	}
	if used := components(root, made); len(used.Members) > 0 {
		made.Set("components", used)
	}
	serve(made, server)
	return made
}

// tags lists the tags that an operation has.
func tags(all, node *tree.Node) *tree.Node {
	own := tree.Array()
	for _, tag := range all.Elements() {
		if tree.Contains(node.List("tags"), tree.String(tag.Str("name"))) {
			own.Items = append(own.Items, tag)
		}
	}
	return own
}

// components returns the components that a document refers to, directly or
// through others, in the order of the source.
func components(root, document *tree.Node) *tree.Node {
	used := map[string]bool{} // by pointer
	open := []*tree.Node{document}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		for _, ref := range append(references(n, nil), schemes(n)...) {
			if pointer := component(root, ref); pointer != "" && !used[pointer] {
				used[pointer] = true
				open = append(open, root.At(pointer))
			}
		}
	}
	made := tree.Object()
	for _, kind := range root.Entries("components") {
		kept := tree.Object()
		for _, m := range kind.Value.Members {
			if used["/components/"+tree.Escape(kind.Key)+"/"+tree.Escape(m.Key)] {
				kept.Append(m.Key, m.Value)
			}
		}
		if len(kept.Members) > 0 {
			made.Append(kind.Key, kept)
		}
	}
	return made
}

// component returns the pointer of the component that a reference is within,
// empty where it is none.
func component(root *tree.Node, ref string) string {
	for _, text := range []string{ref, tree.Unescape(ref)} {
		pointer, ok := strings.CutPrefix(text, "#")
		tokens := tree.Tokens(pointer)
		if !ok || len(tokens) < 3 || tokens[0] != "components" {
			continue
		}
		pointer = "/components/" + tree.Escape(tokens[1]) + "/" + tree.Escape(tokens[2])
		if root.At(pointer) != nil {
			return pointer
		}
	}
	return ""
}

// references appends the references anywhere within a value to a list.
func references(n *tree.Node, list []string) []string {
	for _, item := range n.Items {
		list = references(item, list)
	}
	for _, m := range n.Members {
		if m.Value.Is(tree.KindString) && (m.Key == "$ref" || m.Key == "$dynamicRef" || isMapping(m.Value.Text)) {
			list = append(list, m.Value.Text)
			continue
		}
		list = references(m.Value, list)
	}
	return list
}

// isMapping reports whether a text is a reference to a schema, as a
// discriminator maps its values to them.
func isMapping(text string) bool { return strings.HasPrefix(text, "#/components/schemas/") }

// schemes lists references to the security schemes that a document and its
// operations require.
func schemes(n *tree.Node) (list []string) {
	if !n.Is(tree.KindObject) {
		return nil
	}
	for _, requirement := range n.List("security") {
		for _, m := range requirement.Members {
			list = append(list, "#/components/securitySchemes/"+tree.Escape(m.Key))
		}
	}
	for _, key := range []string{"paths", "webhooks"} {
		for _, path := range n.Entries(key) {
			for _, op := range path.Value.Members {
				list = append(list, schemes(op.Value)...)
			}
		}
	}
	return list
}

// serve gives the servers of a document, and the defaults of their variables,
// the addresses that readers call.
func serve(root *tree.Node, server serverAddress) {
	list := root.Get("servers")
	if !list.Is(tree.KindArray) || server == nil {
		return
	}
	made := tree.Array()
	for _, s := range list.Items {
		c := s.Without()
		public(c, "url", server)
		if variables := c.Get("variables"); variables.Is(tree.KindObject) {
			copies := tree.Object()
			for _, m := range variables.Members {
				v := m.Value.Without()
				public(v, "default", server)
				copies.Append(m.Key, v)
			}
			c.Set("variables", copies)
		}
		made.Items = append(made.Items, c)
	}
	root.Set("servers", made)
}

// public replaces an address on localhost, or one without a host, in a member.
func public(n *tree.Node, key string, server serverAddress) {
	address := n.Str(key)
	if strings.HasPrefix(address, "http://localhost") || strings.HasPrefix(address, "/") && key == "url" {
		n.Set(key, tree.String(server(address)))
	}
}
