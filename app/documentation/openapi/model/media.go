package model

import (
	"cmp"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// bodies makes one body for each content type of a request or response.
func (c *compiler) bodies(content []graph.Named[graph.MediaType], place string, request bool) []Body {
	var list []Body
	for _, m := range content {
		path := place
		if len(list) > 0 {
			path += "-" + naming.Slug(m.Name)
		}
		body := Body{ContentType: m.Name, PartTypes: partTypes(m.Value)}
		schema := m.Value.Schema()
		if schema.Exists() {
			body.Root = c.tree("", path, schema)
		}
		body.Examples = examples(m.Value, m.Name)
		if len(body.Examples) == 0 && schema.Exists() {
			body.Examples = c.generated(schema, m.Name, request)
		}
		list = append(list, body)
	}
	return list
}

// oneType matches a content type without parameters and wildcards.
var oneType = regexp.MustCompile(`^[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+$`)

// partTypes returns the content type of each part of a form for which the document allows
// one. It leaves out lists and ranges, such as image/*, because the file says which one
// it is.
func partTypes(m graph.MediaType) map[string]string {
	var types map[string]string
	for _, e := range m.Encoding() {
		own, _, _ := strings.Cut(e.Value.ContentType(), ";")
		if own = strings.TrimSpace(own); oneType.MatchString(own) {
			if types == nil {
				types = map[string]string{}
			}
			types[e.Name] = own
		}
	}
	return types
}

// PartType returns the content type of a part of a multipart body: the one that the
// document says, else JSON for an object (OpenAPI 3.1, 4.8.15.1.1); "" for another part,
// which is a text, or a file with its own type.
func (b Body) PartType(name string, value *tree.Node) string {
	if t := b.PartTypes[name]; t != "" || !value.Is(tree.KindObject) {
		return t
	}
	return "application/json"
}

// examples lists the examples that the document gives for a media type.
func examples(m graph.MediaType, contentType string) []Example {
	var list []Example
	for _, e := range m.Examples() {
		if v := e.Value.Value(); v != nil {
			x := example(e.Name, cmp.Or(e.Value.Summary(), e.Value.Description()), v, contentType)
			x.Cause = cause(e.Value)
			list = append(list, x)
		}
	}
	return list
}

// generated makes an example from a schema. There is none for a file, nor for
// an object that is sent as text.
func (c *compiler) generated(schema graph.Schema, contentType string, request bool) []Example {
	if media.KindOf(contentType) == media.Binary {
		return nil
	}
	g := &generator{flattener: c.fields.flattener, request: request, open: map[graph.Schema]bool{}}
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

// written writes a value in a content type.
func written(v *tree.Node, contentType string) string {
	switch media.KindOf(contentType) {
	case media.Form:
		return v.Form()
	case media.Multipart:
		lines := lists.Map(v.Members, func(m tree.Member) string { return m.Key + "=" + m.Value.Display() })
		return strings.Join(lines, "\n")
	case media.JSON:
		return v.Pretty()
	}
	if v.Kind == tree.KindString {
		return v.Text
	}
	return v.Pretty()
}

// response makes one documented response.
func (c *compiler) response(status string, given graph.Response) Response {
	if !given.Exists() {
		c.warn(c.at, "The response %s refers to nothing.", status)
	}
	place := "response-" + strings.ToLower(status)
	r := Response{Status: status, Title: reason(status), Description: given.Description()}
	for _, h := range given.Headers() {
		if h.Value.Exists() && !strings.EqualFold(h.Name, "Content-Type") {
			r.Headers = append(r.Headers, c.described(h.Name, place+"-header."+naming.Anchor(h.Name), h.Value))
		}
	}
	r.Bodies = c.bodies(given.Content(), place, false)
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
