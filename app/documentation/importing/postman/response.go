package postman

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// isSaved reports whether a saved response has the body of a request, so that the
// request needs no example of its own.
func (c *converter) isSaved(s sent, responses []*tree.Node, around *scope) bool {
	for _, r := range responses {
		original := r.Get("originalRequest")
		if original == nil {
			continue
		}
		var other sent
		quiet := &converter{found: c.found}
		contentType := ""
		for _, h := range headers(original.Get("header"), around) {
			if strings.EqualFold(h.name, "content-type") {
				contentType = h.value
			}
		}
		quiet.body(&other, original.Get("body"), contentType, body{around, r.Str("name")})
		if other.body.Equal(s.body) {
			return true
		}
	}
	return false
}

// response adds a saved response as an example, with what its own request sends.
func (c *converter) response(o *operation, n *tree.Node, a *address, around *scope) {
	if !n.Is(tree.KindObject) {
		return
	}
	name := cmp.Or(strings.TrimSpace(n.Str("name")), "Example")
	key := o.exampleKey(name)
	if r := n.Get("originalRequest"); r.Is(tree.KindObject) {
		own := a
		if r.Get("url") != nil {
			own = c.address(r.Get("url"), around, name)
			if own.template() != a.template() {
				own.names, own.values = a.names, a.values // the path was changed after the response was saved
			}
			own.rename(o.names)
		}
		o.take(c.sent(r, own, around, name), key, name, "")
	}
	status, code := "default", 0
	if v := n.Get("code"); v.Is(tree.KindNumber) {
		if number, err := strconv.Atoi(v.Text); err == nil && number >= 100 && number < 600 {
			status, code = v.Text, number
		}
	}
	described := o.responses.Get(status)
	if described == nil {
		about := cmp.Or(strings.TrimSpace(n.Str("status")), http.StatusText(code), name)
		described = at(n, tree.Object(tree.Member{Key: "description", Value: tree.String(about)}))
		o.responses.Append(status, described)
	}
	media := ""
	for _, h := range headers(n.Get("header"), around) {
		if strings.EqualFold(h.name, "content-type") {
			media = mediaType(h.value)
			continue
		}
		o.header(described, h)
	}
	media = cmp.Or(media, languages[n.Str("_postman_previewlanguage")])
	text := n.Str("body")
	if text == "" {
		return
	}
	value, media := c.value(n.Get("body"), text, media, body{around, name})
	content := described.Child("content")
	entry := content.Get(media)
	if entry == nil {
		entry = at(n, tree.Object(tree.Member{Key: "schema", Value: schemaOf(value, 0)}, tree.Member{Key: "examples", Value: tree.Object()}))
		content.Append(media, entry)
	} else {
		entry.Set("schema", union(entry.Get("schema"), schemaOf(value, 0)))
	}
	entry.Get("examples").Set(key, example(value, name, ""))
}

// transport are headers of one response that say nothing about others.
var transport = map[string]bool{
	"date": true, "server": true, "content-length": true, "connection": true, "transfer-encoding": true, "keep-alive": true, "vary": true,
	"content-encoding": true, "set-cookie": true, "strict-transport-security": true, "via": true, "age": true, "x-powered-by": true,
}

// header describes a header of a response.
func (o *operation) header(described *tree.Node, h parameter) {
	if h.name == "" || transport[strings.ToLower(h.name)] {
		return
	}
	list := described.Child("headers")
	if list.Get(h.name) != nil {
		return
	}
	made := at(h.node, tree.Object())
	if h.about != "" {
		made.Append("description", tree.String(h.about))
	}
	made.Append("schema", tree.Object(tree.Member{Key: "type", Value: tree.String("string")}))
	if h.value != "" {
		made.Append("example", tree.String(h.value))
	}
	list.Append(h.name, made)
}
