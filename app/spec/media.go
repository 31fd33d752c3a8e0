package spec

import (
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

func lower(s string) string { return strings.ToLower(s) }

// mediaKind is how a content type is written and checked.
type mediaKind int

const (
	mediaBinary mediaKind = iota // anything that is none of the others
	mediaJSON
	mediaForm
	mediaMultipart
	mediaText
)

// kindOfMedia sorts a content type by its main type; parameters do not matter.
func kindOfMedia(contentType string) mediaKind {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t = lower(contentType)
	}
	switch {
	case t == "application/json", strings.HasSuffix(t, "+json"), t == "*/*":
		return mediaJSON
	case t == "application/x-www-form-urlencoded":
		return mediaForm
	case strings.HasPrefix(t, "multipart/"):
		return mediaMultipart
	case strings.HasPrefix(t, "text/"), t == "application/xml", strings.HasSuffix(t, "+xml"):
		return mediaText
	}
	return mediaBinary
}

// bodies makes one body for each content type of a request or response.
func (c *compiler) bodies(n *node, place string, request bool) []Body {
	var list []Body
	for _, m := range n.entries("content") {
		path := place
		if len(list) > 0 {
			path += "-" + slugify(m.key)
		}
		body := Body{ContentType: m.key}
		schema := m.value.get("schema")
		if schema != nil {
			body.Root = c.tree("", path, schema)
		}
		body.Examples = c.examples(m.value, m.key)
		if len(body.Examples) == 0 && schema != nil {
			body.Examples = c.generated(schema, m.key, request)
		}
		list = append(list, body)
	}
	return list
}

// examples lists the examples that the document gives for a media type.
func (c *compiler) examples(media *node, contentType string) []Example {
	var list []Example
	if v := media.get("example"); v != nil {
		list = append(list, example("", "", v, contentType))
	}
	for _, m := range media.entries("examples") {
		e := follow(c.root, m.value)
		if v := e.get("value"); v != nil {
			summary := e.str("summary")
			if summary == "" {
				summary = e.str("description")
			}
			list = append(list, example(m.key, summary, v, contentType))
		}
	}
	return list
}

// generated makes an example from a schema; there is none for a file, nor for
// an object that is sent as text.
func (c *compiler) generated(schema *node, contentType string, request bool) []Example {
	if kindOfMedia(contentType) == mediaBinary {
		return nil
	}
	g := &generator{flattener: c.fields.flattener, request: request, open: map[*node]bool{}}
	v := g.value(schema, 1)
	if v == nil || kindOfMedia(contentType) == mediaText && v.kind != kindString {
		return nil
	}
	e := example("", "", v, contentType)
	e.Generated = true
	return []Example{e}
}

func example(name, summary string, v *node, contentType string) Example {
	return Example{Name: name, Summary: summary, Value: written(v, contentType), value: v}
}

// written writes a value the way a content type sends it.
func written(v *node, contentType string) string {
	switch kindOfMedia(contentType) {
	case mediaForm:
		return formEncode(v)
	case mediaMultipart:
		var lines []string
		for _, m := range v.members {
			lines = append(lines, m.key+"="+m.value.display())
		}
		return strings.Join(lines, "\n")
	case mediaJSON:
		return v.pretty()
	}
	if v.kind == kindString {
		return v.text
	}
	return v.pretty()
}

// formEncode writes the members of an object as a form (WHATWG URL): a list
// repeats its key, an object is compact JSON.
func formEncode(v *node) string {
	var pairs []string
	for _, m := range v.members {
		for _, item := range values(m.value) {
			pairs = append(pairs, url.QueryEscape(m.key)+"="+url.QueryEscape(item.display()))
		}
	}
	return strings.Join(pairs, "&")
}

// response makes one documented answer.
func (c *compiler) response(status string, n *node) Response {
	resolved := follow(c.root, n)
	if resolved == nil {
		c.warn(c.at, "The response %s refers to nothing.", status)
	}
	place := "response-" + lower(status)
	r := Response{Status: status, Title: reason(status), Description: resolved.str("description")}
	for _, m := range resolved.entries("headers") {
		if lower(m.key) == "content-type" {
			continue
		}
		if h := follow(c.root, m.value); h != nil {
			r.Headers = append(r.Headers, c.described(m.key, place+"-header."+anchor(m.key), h))
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
