package mock

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// response is a documented response.
type response struct {
	key      string // 200, 4XX or default
	contents []*form
	header   http.Header // without a content type
}

// form is a response in one content type.
type form struct {
	name     string // as it is documented
	kind     media.Kind
	schema   graph.Schema
	examples []*example
	header   http.Header // the response's own, with the content type

	once    sync.Once
	sampled *tree.Node // the value of the schema without a seed
}

// example is an example as it is sent.
type example struct {
	name string
	node *tree.Node
	body []byte
}

func newResponse(key string, given graph.Response) *response {
	r := &response{key: key, header: documentedHeader(given)}
	for _, m := range given.Content() {
		c := &form{name: m.Name, kind: media.KindOf(m.Name), schema: m.Value.Schema(), header: withType(r.header, m.Name)}
		for _, e := range m.Value.Examples() {
			if v := e.Value.Value(); v != nil {
				c.examples = append(c.examples, &example{name: e.Name, node: v, body: encode(v, c.name, c.schema)})
			}
		}
		if len(c.examples) == 0 && c.schema.Exists() {
			for _, v := range c.schema.Examples() {
				c.examples = append(c.examples, &example{node: v, body: encode(v, c.name, c.schema)})
			}
		}
		r.contents = append(r.contents, c)
	}
	return r
}

// withType returns a copy of a header with a content type. A range such as
// image/* stands for a type that it includes.
func withType(header http.Header, contentType string) http.Header {
	made := header.Clone()
	if made == nil {
		made = http.Header{}
	}
	made["Content-Type"] = []string{concrete(contentType)}
	return made
}

// concrete returns a content type that a documented one includes.
func concrete(contentType string) string {
	main, isRange := strings.CutSuffix(contentType, "/*")
	switch {
	case !isRange:
		return contentType
	case main == "image":
		return "image/png"
	case main == "text":
		return "text/plain; charset=utf-8"
	case main == "audio":
		return "audio/mpeg"
	case main == "video":
		return "video/mp4"
	}
	return "application/octet-stream"
}

// has reports whether the response has an example with the name.
func (r *response) has(name string) bool { return slices.Contains(r.names(), name) }

// names lists the names of the examples.
func (r *response) names() (list []string) {
	for _, c := range r.contents {
		for _, e := range c.examples {
			if e.name != "" && !slices.Contains(list, e.name) {
				list = append(list, e.name)
			}
		}
	}
	return list
}

// example returns the example with the name, nil where there is none.
func (c *form) example(name string) *example {
	return lists.First(c.examples, func(e *example) bool { return e.name == name })
}
