package spec

import (
	"net/url"
	"regexp"
	"strings"
)

// request is what a sample sends, in no language yet, after the model of HAR.
// Credentials, and values that the document gives no example for, stand in it
// as placeholders in angle brackets, such as <API_KEY>.
type request struct {
	method  string
	url     string // path and query encoded; placeholders are not
	headers []pair
	cookies []pair
	user    string // name:password of basic authentication
	body    *requestBody
}

// pair is a name and a value, in the order they are sent.
type pair struct {
	name, value string
	file        bool // the value is a file of the caller's
}

// requestBody is the first body of an endpoint with its first example.
type requestBody struct {
	kind  mediaKind
	text  string // JSON and text
	pairs []pair // forms and multipart
}

// newRequest builds the request of a sample. Required parameters are sent, and
// optional ones are not: the shortest call that works.
func newRequest(e *Endpoint, server string) *request {
	r := &request{method: e.Method}
	path := ""
	for _, part := range e.PathParts {
		if part.Parameter != "" {
			path += pathValue(e, part)
		} else {
			path += part.Text
		}
	}
	var query []string
	r.credentials(e, &query)
	for _, in := range e.inputs {
		if !in.required || in.in == "path" || r.sends(e, in) {
			continue
		}
		switch in.in {
		case "query":
			for _, p := range in.pairs() {
				query = append(query, url.QueryEscape(p.name)+"="+encodeUnless(p.value, url.QueryEscape))
			}
		case "header":
			r.headers = append(r.headers, pair{name: in.name, value: in.joined()})
		case "cookie":
			r.cookies = append(r.cookies, pair{name: in.name, value: encodeUnless(in.joined(), url.QueryEscape)})
		}
	}
	r.url = strings.TrimSuffix(server, "/") + path
	if len(query) > 0 {
		r.url += "?" + strings.Join(query, "&")
	}
	if len(e.Bodies) > 0 {
		r.attach(e.Bodies[0])
	}
	return r
}

// sends reports whether a parameter is a credential that is sent already.
func (r *request) sends(e *Endpoint, in input) bool {
	if len(e.Auth) == 0 {
		return false
	}
	for _, s := range e.Auth[0] {
		if s.In == in.in && strings.EqualFold(s.Field, in.name) {
			return true
		}
	}
	return false
}

// credentials puts the placeholders of the first alternative in their places.
func (r *request) credentials(e *Endpoint, query *[]string) {
	if len(e.Auth) == 0 {
		return
	}
	for _, s := range e.Auth[0] {
		switch {
		case s.Kind == "basic":
			r.user = "<USERNAME>:<PASSWORD>"
		case s.Kind == "apiKey" && s.In == "query":
			*query = append(*query, url.QueryEscape(s.Field)+"=<API_KEY>")
		case s.Kind == "apiKey" && s.In == "cookie":
			r.cookies = append(r.cookies, pair{name: s.Field, value: "<API_KEY>"})
		case s.Kind == "apiKey":
			r.headers = append(r.headers, pair{name: s.Field, value: "<API_KEY>"})
		case s.Field == "Authorization":
			r.headers = append(r.headers, pair{name: s.Field, value: "Bearer <ACCESS_TOKEN>"})
		}
	}
}

// attach adds the body.
func (r *request) attach(b Body) {
	kind := kindOfMedia(b.ContentType)
	body := &requestBody{kind: kind}
	if kind != mediaMultipart {
		r.headers = append(r.headers, pair{name: "Content-Type", value: concrete(b.ContentType)})
	}
	var value *node
	if len(b.Examples) > 0 {
		value, body.text = b.Examples[0].value, b.Examples[0].Value
	}
	switch kind {
	case mediaForm, mediaMultipart:
		if value == nil || len(value.members) == 0 {
			value = object()
		}
		body.pairs = formPairs(b.Root, value, kind == mediaMultipart)
	case mediaBinary:
		if value.is(kindString) {
			body.kind = mediaText
		}
	}
	r.body = body
}

// concrete names a type to send where the document allows a range.
func concrete(contentType string) string {
	if strings.Contains(contentType, "*") {
		if kindOfMedia(contentType) == mediaJSON {
			return "application/json"
		}
		return "application/octet-stream"
	}
	return contentType
}

// formPairs lists the members of an example. Those that the schema of a
// multipart form calls files are files, and required ones are there even when
// the example leaves them out.
func formPairs(root *Field, value *node, multipart bool) []pair {
	var list []pair
	files := map[string]bool{}
	if root != nil && multipart {
		for _, f := range root.Children {
			files[f.Name] = strings.HasSuffix(f.Type, "file")
			if files[f.Name] && f.Required && value.get(f.Name) == nil {
				list = append(list, pair{name: f.Name, value: anyFile, file: true})
			}
		}
	}
	for _, m := range value.members {
		for _, item := range values(m.value) {
			p := pair{name: m.key, value: item.display(), file: files[m.key]}
			if p.file && !fileName.MatchString(p.value) {
				p.value = anyFile
			}
			list = append(list, p)
		}
	}
	return list
}

// anyFile stands for a file of the caller's that no example names.
const anyFile = "path/to/file"

// fileName is a name that every shell and client takes as it is.
var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// pathValue returns what a sample puts in the place of a path parameter.
func pathValue(e *Endpoint, part PathPart) string {
	for _, in := range e.inputs {
		if in.in == "path" && in.field.Path == part.Anchor && in.value != nil {
			return encodeUnless(in.joined(), url.PathEscape)
		}
	}
	return "<" + part.Parameter + ">"
}

// placeholder is what stands for a value without an example.
func (in input) placeholder() string { return "<" + in.field.Name + ">" }

// encodeUnless encodes a value, but leaves a placeholder legible.
func encodeUnless(value string, encode func(string) string) string {
	if len(value) > 2 && value[0] == '<' && value[len(value)-1] == '>' && !strings.ContainsAny(value, " &=#%+'\"\\/?") {
		return value
	}
	return encode(value)
}

// pairs spreads a query parameter over the pairs that its style gives.
func (in input) pairs() []pair {
	switch {
	case in.value.is(kindObject) && in.style == "deepObject":
		var list []pair
		for _, m := range in.value.members {
			list = append(list, pair{name: in.name + "[" + m.key + "]", value: m.value.display()})
		}
		return list
	case in.value.is(kindObject) && in.explode && in.style == "form":
		var list []pair
		for _, m := range in.value.members {
			list = append(list, pair{name: m.key, value: m.value.display()})
		}
		return list
	case in.value.is(kindArray) && in.explode:
		var list []pair
		for _, v := range in.value.items {
			list = append(list, pair{name: in.name, value: v.display()})
		}
		return list
	}
	return []pair{{name: in.name, value: in.joined()}}
}

// separatorsOf are what parts the items of a list that is one value.
var separatorsOf = map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}

// joined writes the value of a parameter as one text.
func (in input) joined() string {
	if in.value == nil {
		return in.placeholder()
	}
	separator := separatorsOf[in.style]
	if separator == "" {
		separator = ","
	}
	var list []string
	switch in.value.kind {
	case kindArray:
		list = texts(in.value.items)
	case kindObject:
		for _, m := range in.value.members {
			list = append(list, m.key, m.value.display())
		}
	default:
		return in.value.display()
	}
	return strings.Join(list, separator)
}
