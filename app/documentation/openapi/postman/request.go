package postman

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
)

type request struct {
	Auth        *auth       `json:"auth,omitempty"`
	Method      string      `json:"method"`
	Header      []parameter `json:"header"`
	Body        *body       `json:"body,omitempty"`
	URL         address     `json:"url"`
	Description string      `json:"description,omitempty"`
}

// address is the address of a request in parts.
type address struct {
	Raw      string      `json:"raw"`
	Host     []string    `json:"host"`
	Path     []string    `json:"path"`
	Query    []parameter `json:"query,omitempty"`
	Variable []variable  `json:"variable,omitempty"`
}

// parameter is a header, a query parameter or a field of a form.
type parameter struct {
	Key         string  `json:"key"`
	Value       string  `json:"value"`
	Type        string  `json:"type,omitempty"`
	Source      *string `json:"src,omitempty"`
	FileName    string  `json:"fileName,omitempty"`
	Description string  `json:"description,omitempty"`
	Disabled    bool    `json:"disabled,omitempty"`
	ContentType string  `json:"contentType,omitempty"` // of a part
}

// writer makes the requests of a collection.
type writer struct {
	source    Source
	variables []variable // of the collection
	known     map[string]bool
}

func newWriter(s Source) *writer { return &writer{source: s, known: map[string]bool{s.Base: true}} }

// request returns the call of an endpoint with one of its bodies.
func (w *writer) request(e *model.Endpoint, b choice) *request {
	a, rest := authOf(e)
	r := &request{Method: e.Method, Header: []parameter{}, URL: w.address(e), Description: e.Purpose, Auth: &a}
	taken := slices.Clone(rest)
	if len(e.Auth) > 0 {
		taken = e.Auth[0]
	}
	if r.Body = newBody(b); r.Body != nil && r.Body.Mode != "formdata" {
		r.Header = append(r.Header, parameter{Key: "Content-Type", Value: b.contentType})
	}
	var cookies []string
	for _, s := range rest {
		p := parameter{Key: s.Field, Value: reference(secretsOf(s)[0])}
		switch s.In {
		case "query":
			r.URL.Query = append(r.URL.Query, p)
		case "cookie":
			cookies = append(cookies, p.Key+"="+p.Value)
		default:
			r.Header = append(r.Header, p)
		}
	}
	for _, in := range e.Inputs {
		if slices.ContainsFunc(taken, func(s model.AuthScheme) bool { return s.In == in.In && strings.EqualFold(s.Field, in.Name) }) {
			continue
		}
		p := parameter{Key: in.Name, Value: text(in.Value), Description: in.Field.Description, Disabled: !in.Sent}
		switch in.In {
		case "query":
			r.URL.Query = append(r.URL.Query, pairs(in, p)...)
		case "header":
			r.Header = append(r.Header, p)
		case "cookie":
			if in.Sent {
				cookies = append(cookies, p.Key+"="+p.Value)
			}
		}
	}
	if len(cookies) > 0 {
		r.Header = append(r.Header, parameter{Key: "Cookie", Value: strings.Join(cookies, "; ")})
	}
	r.URL.Raw = raw(r.URL)
	return r
}

// address returns the address of an endpoint without its query.
func (w *writer) address(e *model.Endpoint) address {
	a := address{Host: []string{reference(w.source.Base)}, Path: []string{}}
	if server := w.server(e); server != "" {
		a.Host = []string{server}
	}
	const mark = "\x00" // around the names of parameters
	var path strings.Builder
	for _, part := range e.PathParts {
		if part.Parameter != "" {
			path.WriteString(mark + part.Parameter + mark)
		} else {
			path.WriteString(part.Text)
		}
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(path.String(), "/"), "/") {
		pieces := strings.Split(segment, mark)
		if len(pieces) == 3 && pieces[0] == "" && pieces[2] == "" {
			name := pieces[1]
			a.Path = append(a.Path, ":"+name)
			value, about := pathValue(e, name)
			a.Variable = append(a.Variable, variable{Key: name, Value: value, Description: about})
			continue
		}
		for i := 1; i < len(pieces); i += 2 {
			value, about := pathValue(e, pieces[i])
			w.variable(variable{Key: variableName(pieces[i]), Value: value, Type: "string", Description: about})
			pieces[i] = reference(variableName(pieces[i]))
		}
		a.Path = append(a.Path, strings.Join(pieces, ""))
	}
	return a
}

// server returns the server of an endpoint that has one of its own.
func (w *writer) server(e *model.Endpoint) string {
	if len(e.Servers) == 0 {
		return ""
	}
	if server := w.source.Address(e.Servers[0].URL); server != w.source.Server {
		return server
	}
	return ""
}

// variable adds a variable to the collection.
func (w *writer) variable(v variable) {
	if !w.known[v.Key] {
		w.known[v.Key] = true
		w.variables = append(w.variables, v)
	}
}

// pathValue returns the example and the description of a path parameter.
func pathValue(e *model.Endpoint, name string) (value, about string) {
	anchor := ""
	for _, part := range e.PathParts {
		if part.Parameter == name {
			anchor = part.Anchor
		}
	}
	for _, in := range e.Inputs {
		if in.In == "path" && in.Field.Path == anchor {
			return text(in.Value), in.Field.Description
		}
	}
	return "", ""
}

// pairs lists the pairs of a query parameter: one for each item or member where
// its style sends them separately.
func pairs(in model.Input, p parameter) []parameter {
	var list []parameter
	switch {
	case in.Value.Is(tree.KindArray) && in.Explode && len(in.Value.Items) > 0:
		for _, item := range in.Value.Items {
			one := p
			one.Value = queryValue(item.Display())
			list = append(list, one)
		}
	case in.Value.Is(tree.KindObject) && len(in.Value.Members) > 0 && (in.Style == "deepObject" || in.Explode):
		for _, m := range in.Value.Members {
			one := p
			one.Key, one.Value = m.Key, queryValue(m.Value.Display())
			if in.Style == "deepObject" {
				one.Key = p.Key + "[" + m.Key + "]"
			}
			list = append(list, one)
		}
	default:
		p.Value = queryValue(textWith(in.Value, cmp.Or(separatorsOf[in.Style], ",")))
		list = []parameter{p}
	}
	return list
}

// separatorsOf are the separators of lists that are one value.
var separatorsOf = map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}

// queryValue encodes what Postman does not: it sends a percent sign and a plus sign as
// they are, and servers read the latter as a space.
func queryValue(s string) string { return queryEscapes.Replace(s) }

var queryEscapes = strings.NewReplacer("%", "%25", "+", "%2B")

// text writes the example of a parameter as one text, empty without one.
func text(n *tree.Node) string { return textWith(n, ",") }

// textWith is text for a list or an object with a separator.
func textWith(n *tree.Node, separator string) string {
	switch {
	case n.Is(tree.KindArray):
		return strings.Join(tree.Texts(n.Items), separator)
	case n.Is(tree.KindObject):
		var list []string
		for _, m := range n.Members {
			list = append(list, m.Key, m.Value.Display())
		}
		return strings.Join(list, separator)
	}
	return n.Display()
}

// raw writes an address as one text.
func raw(a address) string {
	s := a.Host[0]
	for _, segment := range a.Path {
		s += "/" + segment
	}
	separator := "?"
	for _, p := range a.Query {
		if !p.Disabled {
			s += separator + p.Key + "=" + p.Value
			separator = "&"
		}
	}
	return s
}
