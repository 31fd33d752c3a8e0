package model

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"heliograph/app/spec/media"
	"heliograph/app/spec/naming"
	"heliograph/app/spec/tree"
)

// bodies makes one body for each content type of a request or response.
func (c *compiler) bodies(n *tree.Node, place string, request bool) []Body {
	var list []Body
	for _, m := range n.Entries("content") {
		path := place
		if len(list) > 0 {
			path += "-" + naming.Slug(m.Key)
		}
		body := Body{ContentType: m.Key}
		schema := m.Value.Get("schema")
		if schema != nil {
			body.Root = c.tree("", path, schema)
		}
		body.Examples = c.examples(m.Value, m.Key)
		if len(body.Examples) == 0 && schema != nil {
			body.Examples = c.generated(schema, m.Key, request)
		}
		list = append(list, body)
	}
	return list
}

// examples lists the examples that the document gives for a media type.
func (c *compiler) examples(media *tree.Node, contentType string) []Example {
	var list []Example
	if v := media.Get("example"); v != nil {
		list = append(list, example("", "", v, contentType))
	}
	for _, m := range media.Entries("examples") {
		e := c.root.Follow(m.Value)
		if v := e.Get("value"); v != nil {
			summary := e.Str("summary")
			if summary == "" {
				summary = e.Str("description")
			}
			list = append(list, example(m.Key, summary, v, contentType))
		}
	}
	return list
}

// generated makes an example from a schema; there is none for a file, nor for
// an object that is sent as text.
func (c *compiler) generated(schema *tree.Node, contentType string, request bool) []Example {
	if media.KindOf(contentType) == media.Binary {
		return nil
	}
	g := &generator{flattener: c.fields.flattener, request: request, open: map[*tree.Node]bool{}}
	v := g.value(schema, 1)
	if v == nil || media.KindOf(contentType) == media.Text && v.Kind != tree.KindString {
		return nil
	}
	e := example("", "", v, contentType)
	e.Generated = true
	return []Example{e}
}

func example(name, summary string, v *tree.Node, contentType string) Example {
	return Example{Name: name, Summary: summary, Value: written(v, contentType), Node: v}
}

// written writes a value the way a content type sends it.
func written(v *tree.Node, contentType string) string {
	switch media.KindOf(contentType) {
	case media.Form:
		return formEncode(v)
	case media.Multipart:
		var lines []string
		for _, m := range v.Members {
			lines = append(lines, m.Key+"="+m.Value.Display())
		}
		return strings.Join(lines, "\n")
	case media.JSON:
		return v.Pretty()
	}
	if v.Kind == tree.KindString {
		return v.Text
	}
	return v.Pretty()
}

// formEncode writes the members of an object as a form (WHATWG URL): a list
// repeats its key, an object is compact JSON.
func formEncode(v *tree.Node) string {
	var pairs []string
	for _, m := range v.Members {
		for _, item := range m.Value.Values() {
			pairs = append(pairs, url.QueryEscape(m.Key)+"="+url.QueryEscape(item.Display()))
		}
	}
	return strings.Join(pairs, "&")
}

// response makes one documented answer.
func (c *compiler) response(status string, n *tree.Node) Response {
	resolved := c.root.Follow(n)
	if resolved == nil {
		c.warn(c.at, "The response %s refers to nothing.", status)
	}
	place := "response-" + strings.ToLower(status)
	r := Response{Status: status, Title: reason(status), Description: resolved.Str("description")}
	for _, m := range resolved.Entries("headers") {
		if strings.ToLower(m.Key) == "content-type" {
			continue
		}
		if h := c.root.Follow(m.Value); h != nil {
			r.Headers = append(r.Headers, c.described(m.Key, place+"-header."+anchor(m.Key), h))
		}
	}
	r.Bodies = c.bodies(resolved, place, false)
	return r
}

// ranges are the titles of status ranges.
var ranges = map[byte]string{'1': "Informational", '2': "Success", '3': "Redirection", '4': "Client error", '5': "Server error"}

// reason returns the title of a status: the HTTP reason of 404, "Client error"
// for 4XX, "Any other status" for default.
func reason(status string) string {
	if code, err := strconv.Atoi(status); err == nil {
		return http.StatusText(code)
	}
	if len(status) == 3 && strings.HasSuffix(strings.ToUpper(status), "XX") {
		return ranges[status[0]]
	}
	return "Any other status"
}
