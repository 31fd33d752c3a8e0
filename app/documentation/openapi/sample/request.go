package sample

import (
	"cmp"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// request is the language-neutral HTTP request behind a sample, modelled on
// HAR.
type request struct {
	method  string
	url     string // encoded, but for placeholders
	headers []pair // values are visible ASCII; without Content-Type and Cookie
	cookie  string // value of the Cookie header
	user    string // name:password of basic authentication
	body    *requestBody
	reply   reply
	// wrongKey stands in place of the key or the token; "" for a request that has the
	// placeholder.
	wrongKey string
}

// pair is a name and a value, in the order they are sent.
type pair struct {
	name, value string
	file        bool   // the value is a file of the caller's
	media       string // content type of a part; empty for none of its own
}

// requestBody is the body with one of its examples.
type requestBody struct {
	kind        media.Kind
	contentType string
	text        string     // JSON and text
	value       *tree.Node // JSON
	pairs       []pair     // forms and multipart, never empty
}

// unsendable are headers that the clients write themselves. Several clients
// refuse them.
var unsendable = []string{"connection", "content-length", "expect", "host", "transfer-encoding", "upgrade"}

// newRequest builds the shortest request that works. It sends parameters that
// are required or marked with x-sample.
func newRequest(e *model.Endpoint, server string, choice Choice) *request {
	r := &request{method: e.Method, reply: replyOf(e)}
	path := ""
	for _, part := range e.PathParts {
		if part.Parameter != "" {
			path += pathValue(e, part)
		} else {
			path += encodeAddress(part.Text, "")
		}
	}
	path = pathWithPlaceholders(path, e.Placeholders)
	choice.Example = exampleWithPlaceholders(choice.Example, e.Placeholders)
	if choice.ContentType != "" && e.Method != "GET" && e.Method != "HEAD" { // a body means nothing there, RFC 9110 9.3
		r.attach(e, choice)
	}
	var query, cookies []string
	r.credentials(e, &query, &cookies)
	for _, in := range e.Inputs {
		if !in.Sent || sentAlready(e, in) {
			continue
		}
		switch in.In {
		case "query":
			for _, p := range queryPairs(in) {
				query = append(query, encodeValue(p.name)+"="+unlessPlaceholder(textWithPlaceholder(p.value, e.Placeholders), encodeValue))
			}
		case "header":
			if name := strings.ToLower(in.Name); !slices.Contains(unsendable, name) && (r.body != nil || !strings.HasPrefix(name, "content-")) {
				r.headers = append(r.headers, pair{name: in.Name, value: headerValue(textWithPlaceholder(joined(in), e.Placeholders))})
			}
		case "cookie":
			cookies = append(cookies, in.Name+"="+unlessPlaceholder(joined(in), encodeValue))
		}
	}
	r.cookie = headerValue(strings.Join(cookies, "; "))
	r.url = encodeAddress(strings.TrimSuffix(server, "/"), "[]<>") + path
	if len(query) > 0 {
		separator := "?"
		if strings.Contains(r.url, "?") {
			separator = "&"
		}
		r.url += separator + strings.Join(query, "&")
	}
	return r
}

// sentAlready reports whether a parameter is a credential.
func sentAlready(e *model.Endpoint, in model.Input) bool {
	return slices.ContainsFunc(schemesOf(e), func(s model.AuthScheme) bool {
		return s.In == in.In && strings.EqualFold(s.Field, in.Name)
	})
}

// schemesOf returns the credentials that samples send: the first alternative, or
// the first without a token if there is one, because readers have a key.
func schemesOf(e *model.Endpoint) []model.AuthScheme {
	isToken := func(s model.AuthScheme) bool { return s.Field == "Authorization" && s.Kind != "basic" }
	for _, schemes := range e.Auth {
		if len(schemes) > 0 && !slices.ContainsFunc(schemes, isToken) {
			return schemes
		}
	}
	if len(e.Auth) == 0 {
		return nil
	}
	return e.Auth[0]
}

// credentials adds the placeholders of the credentials.
func (r *request) credentials(e *model.Endpoint, query, cookies *[]string) {
	for _, s := range schemesOf(e) {
		switch {
		case s.Kind == "basic":
			r.user = "<USERNAME>:<PASSWORD>"
		case s.Kind == "apiKey" && s.In == "query" && r.hasMembers() && r.body.value.Get(s.Field) != nil:
			// The body carries it, where it stays out of logs.
		case s.Kind == "apiKey" && s.In == "query":
			*query = append(*query, encodeValue(s.Field)+"=<API_KEY>")
		case s.Kind == "apiKey" && s.In == "cookie":
			*cookies = append(*cookies, s.Field+"=<API_KEY>")
		case s.Kind == "apiKey":
			r.headers = append(r.headers, pair{name: s.Field, value: "<API_KEY>"})
		case s.Field == "Authorization":
			r.headers = append(r.headers, pair{name: s.Field, value: "Bearer <ACCESS_TOKEN>"})
		}
	}
}

// attach adds the body.
func (r *request) attach(e *model.Endpoint, choice Choice) {
	b := &requestBody{
		kind: media.KindOf(choice.ContentType), contentType: concrete(choice.ContentType),
		value: choice.Example.Node, text: choice.Example.Value,
	}
	switch b.kind {
	case media.JSON:
		if b.value == nil {
			b.value = tree.Object()
		}
		b.text = visible(b.value.Pretty())
	case media.Form, media.Multipart:
		var form model.Body
		for _, body := range e.Bodies {
			if body.ContentType == choice.ContentType {
				form = body
			}
		}
		b.pairs = formPairs(form, b.value, b.kind == media.Multipart)
		if len(b.pairs) == 0 {
			return
		}
	case media.Binary:
		if b.value.Is(tree.KindString) {
			b.kind = media.Text
		}
	}
	r.body = b
}

// is reports whether there is a body of this kind.
func (b *requestBody) is(kind media.Kind) bool { return b != nil && b.kind == kind }

// files lists the files that are sent, in their order.
func (b *requestBody) files() []string {
	var list []string
	switch {
	case b.is(media.Binary):
		list = append(list, anyFile)
	case b.is(media.Multipart):
		for _, p := range b.pairs {
			if p.file {
				list = append(list, p.value)
			}
		}
	}
	return list
}

// withType returns the headers with the type of the body. The client adds that
// of a multipart body itself, with the boundary.
func (r *request) withType() []pair {
	if r.body == nil || r.body.kind == media.Multipart {
		return r.headers
	}
	return append(slices.Clip(r.headers), pair{name: "Content-Type", value: r.body.contentType})
}

// withCookie adds the cookies to headers.
func (r *request) withCookie(headers []pair) []pair {
	if r.cookie == "" {
		return headers
	}
	return append(slices.Clip(headers), pair{name: "Cookie", value: r.cookie})
}

// concrete returns a content type to send where the document allows a range.
func concrete(contentType string) string {
	if strings.Contains(contentType, "*") {
		if media.KindOf(contentType) == media.JSON {
			return "application/json"
		}
		return "application/octet-stream"
	}
	return contentType
}

// formPairs lists the members of an example. Members that the schema of a
// multipart form calls files are files. Required files are sent even if the
// example leaves them out.
func formPairs(form model.Body, value *tree.Node, multipart bool) []pair {
	var list []pair
	files := map[string]bool{}
	if form.Root != nil && multipart {
		for _, f := range form.Root.Children {
			files[f.Name] = strings.HasSuffix(f.Type, "file")
			if files[f.Name] && f.Required && value.Get(f.Name) == nil {
				list = append(list, pair{name: f.Name, value: anyFile, file: true, media: form.PartTypes[f.Name]})
			}
		}
	}
	if !value.Is(tree.KindObject) {
		return list
	}
	for _, m := range value.Members {
		for _, item := range m.Value.Values() {
			p := pair{name: m.Key, value: item.Display(), file: files[m.Key]}
			if multipart {
				p.media = form.PartType(m.Key, item)
			}
			switch {
			case p.file && !fileName.MatchString(p.value):
				p.value = anyFile
			case multipart && !p.file:
				p.value = lineBreaks.Replace(p.value)
			}
			list = append(list, p)
		}
	}
	return list
}

// typed reports whether a part that is no file has a content type of its own.
func typed(pairs []pair) bool {
	return slices.ContainsFunc(pairs, func(p pair) bool { return !p.file && p.media != "" })
}

// lineBreaks writes line breaks of a text part as the format requires (RFC 2046
// 4.1.1), like FormData.
var lineBreaks = strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n")

// anyFile stands for a file that no example names.
const anyFile = "path/to/file"

// fileName matches names that need no quotes in any shell or client.
var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// distinct reports whether no two pairs share a name.
func distinct(pairs []pair) bool {
	names := lists.SetBy(pairs, func(p pair) string { return p.name })
	return len(names) == len(pairs)
}

// pathValue returns the value of a path parameter. It is a placeholder where
// the value cannot be a segment, because clients remove dots from paths (RFC
// 3986 5.2.4).
func pathValue(e *model.Endpoint, part model.PathPart) string {
	for _, in := range e.Inputs {
		if in.In == "path" && in.Field.Path == part.Anchor && in.Value != nil {
			if v := joined(in); v != "" && v != "." && v != ".." {
				return unlessPlaceholder(v, url.PathEscape)
			}
		}
	}
	return unlessPlaceholder("<"+part.Parameter+">", url.PathEscape)
}

// queryPairs writes a query parameter as the pairs of its style.
func queryPairs(in model.Input) []pair {
	var list []pair
	switch {
	case in.Value.Is(tree.KindObject) && in.Style == "deepObject":
		for _, m := range in.Value.Members {
			list = append(list, pair{name: in.Name + "[" + m.Key + "]", value: m.Value.Display()})
		}
	case in.Value.Is(tree.KindObject) && in.Explode && in.Style == "form":
		for _, m := range in.Value.Members {
			list = append(list, pair{name: m.Key, value: m.Value.Display()})
		}
	case in.Value.Is(tree.KindArray) && in.Explode:
		for _, v := range in.Value.Items {
			list = append(list, pair{name: in.Name, value: v.Display()})
		}
	default:
		list = []pair{{name: in.Name, value: joined(in)}}
	}
	return list
}

// separatorsOf are the separators of lists that are one value.
var separatorsOf = map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}

// joined writes the value of a parameter as one text, or a placeholder without
// an example.
func joined(in model.Input) string {
	if in.Value == nil {
		return "<" + in.Field.Name + ">"
	}
	separator := cmp.Or(separatorsOf[in.Style], ",")
	var list []string
	switch in.Value.Kind {
	case tree.KindArray:
		list = tree.Texts(in.Value.Items)
	case tree.KindObject:
		for _, m := range in.Value.Members {
			list = append(list, m.Key, m.Value.Display())
		}
	default:
		return in.Value.Display()
	}
	return strings.Join(list, separator)
}

// reply is what a sample does with the response.
type reply int

const (
	replyText reply = iota // print it
	replyJSON              // read it and print it
	replyFile              // keep it
)

// replyFileName is the file in which a sample stores a response.
const replyFileName = "download"

// replyOf decides by the first success response of the document. JSON is read
// only if every success has a body, since readers of JSON fail without one.
func replyOf(e *model.Endpoint) reply {
	successes := lists.Where(e.Responses, func(r model.Response) bool { return strings.HasPrefix(r.Status, "2") })
	if len(successes) == 0 || len(successes[0].Bodies) == 0 {
		return replyText
	}
	contentType := strings.ToLower(successes[0].Bodies[0].ContentType)
	kind, _, _ := strings.Cut(contentType, "/")
	empty := slices.ContainsFunc(successes, func(r model.Response) bool { return len(r.Bodies) == 0 })
	switch {
	case kind == "*", kind == "image", kind == "audio", kind == "video", contentType == "application/octet-stream":
		return replyFile
	case media.KindOf(contentType) == media.JSON && !empty:
		return replyJSON
	}
	return replyText
}

// lossless reports whether a JSON value survives languages with numbers that are
// 64-bit floats.
func lossless(n *tree.Node) bool {
	switch n.Kind {
	case tree.KindNumber:
		f, err := strconv.ParseFloat(n.Text, 64)
		exact, ok := new(big.Rat).SetString(n.Text)
		if err != nil || !ok {
			return false
		}
		short, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
		return exact.Cmp(short) == 0
	case tree.KindArray:
		return !slices.ContainsFunc(n.Items, func(v *tree.Node) bool { return !lossless(v) })
	case tree.KindObject:
		return !slices.ContainsFunc(n.Members, func(m tree.Member) bool { return !lossless(m.Value) })
	}
	return true
}

// encodeValue percent-encodes a name or value of a query, blanks as %20, which
// everybody reads alike.
func encodeValue(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
