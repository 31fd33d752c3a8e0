package graph

import (
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// Parameter is a Parameter Object.
type Parameter struct{ Object }

// Name returns the name as it is sent.
func (p Parameter) Name() string { return p.n.Str("name") }

// In returns the place: path, query, header or cookie.
func (p Parameter) In() string { return p.n.Str("in") }

// Required reports whether the parameter must be sent.
func (p Parameter) Required() bool { return p.n.True("required") }

// AllowEmpty reports whether the value may be empty.
func (p Parameter) AllowEmpty() bool { return p.n.True("allowEmptyValue") }

// AllowReserved reports whether reserved characters stay as they are (RFC 6570).
func (p Parameter) AllowReserved() bool { return p.n.True("allowReserved") }

// Style returns how a value is written: simple, label, matrix, form,
// spaceDelimited, pipeDelimited or deepObject; the default of the place where
// the document does not say.
func (p Parameter) Style() string {
	if style := p.n.Str("style"); style != "" {
		return style
	}
	if in := p.In(); in == "query" || in == "cookie" {
		return "form"
	}
	return "simple"
}

// Explode reports whether each item or member is written by itself.
func (p Parameter) Explode() bool {
	if v := p.n.Get("explode"); v.Is(tree.KindBool) {
		return v.Text == "true"
	}
	return p.Style() == "form"
}

// Schema returns the schema of the value; its content has one of its own.
func (p Parameter) Schema() Schema { return schemaOf(p.get("schema")) }

// Content lists how a value is written by media type, at most one.
func (p Parameter) Content() []Named[MediaType] { return content(p.Object) }

// Examples lists the examples.
func (p Parameter) Examples() []Named[Example] { return examples(p.Object) }

// Header is a Header Object.
type Header struct{ Object }

// Required reports whether the header is always sent.
func (h Header) Required() bool { return h.n.True("required") }

// Explode reports whether the members of an object are written as name=value.
func (h Header) Explode() bool { return h.n.True("explode") }

// Schema returns the schema of the value; its content has one of its own.
func (h Header) Schema() Schema { return schemaOf(h.get("schema")) }

// Content lists how a value is written by media type, at most one.
func (h Header) Content() []Named[MediaType] { return content(h.Object) }

// Examples lists the examples.
func (h Header) Examples() []Named[Example] { return examples(h.Object) }

// Body is a Request Body Object.
type Body struct{ Object }

// Required reports whether the body must be sent.
func (b Body) Required() bool { return b.n.True("required") }

// Content lists the forms of the body by media type, in order.
func (b Body) Content() []Named[MediaType] { return content(b.Object) }

// Response is a Response Object.
type Response struct{ Object }

// Headers lists the headers by name.
func (r Response) Headers() []Named[Header] { return headers(r.Object) }

// Content lists the forms of the body by media type, in order.
func (r Response) Content() []Named[MediaType] { return content(r.Object) }

// MediaType is a Media Type Object.
type MediaType struct{ Object }

// Schema returns the schema of the whole body.
func (m MediaType) Schema() Schema { return schemaOf(m.get("schema")) }

// Examples lists the examples.
func (m MediaType) Examples() []Named[Example] { return examples(m.Object) }

// Encoding lists how members of a form are written, by name.
func (m MediaType) Encoding() []Named[Encoding] {
	return named(m.Object, "encoding", func(o Object) Encoding { return Encoding{o} })
}

// Encoding is an Encoding Object.
type Encoding struct{ Object }

// ContentType returns the media types of a part, with commas between.
func (e Encoding) ContentType() string { return e.n.Str("contentType") }

// Style returns how a value is written, "" where the document does not say.
func (e Encoding) Style() string { return e.n.Str("style") }

// Explode reports whether each item or member is written by itself.
func (e Encoding) Explode() bool {
	if v := e.n.Get("explode"); v.Is(tree.KindBool) {
		return v.Text == "true"
	}
	return e.Style() == "form" || e.Style() == ""
}

// AllowReserved reports whether reserved characters stay as they are (RFC 6570).
func (e Encoding) AllowReserved() bool { return e.n.True("allowReserved") }

// Headers lists the headers of a part by name.
func (e Encoding) Headers() []Named[Header] { return headers(e.Object) }

// Example is an Example Object, or a plain example.
type Example struct {
	Object
	plain bool
}

// Value returns the value, nil where it is not part of the document.
func (e Example) Value() *tree.Node {
	if e.plain {
		return e.n
	}
	return e.n.Get("value")
}

// Summary returns the summary, "" for a plain example.
func (e Example) Summary() string {
	if e.plain {
		return ""
	}
	return e.Object.Summary()
}

// Description returns the description, "" for a plain example.
func (e Example) Description() string {
	if e.plain {
		return ""
	}
	return e.Object.Description()
}

// examples lists the member example under the name "", and the members of examples.
func examples(o Object) (list []Named[Example]) {
	if n := o.n.Get("example"); n != nil {
		list = append(list, Named[Example]{"", Example{Object{o.g, n}, true}})
	}
	return append(list, named(o, "examples", func(e Object) Example { return Example{e, false} })...)
}

func headers(o Object) []Named[Header] {
	return named(o, "headers", func(h Object) Header { return Header{h} })
}

// content lists the members of content. A Media Type Object is never a
// reference.
func content(o Object) (list []Named[MediaType]) {
	return lists.Map(o.n.Entries("content"), func(m tree.Member) Named[MediaType] { return Named[MediaType]{m.Key, MediaType{Object{o.g, m.Value}}} })
}
