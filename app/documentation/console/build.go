package console

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// The placeholders of credentials, as samples have them.
const (
	keyPlaceholder      = "<API_KEY>"
	tokenPlaceholder    = "<ACCESS_TOKEN>"
	userPlaceholder     = "<USERNAME>"
	passwordPlaceholder = "<PASSWORD>"
)

// Call is a call that is ready to be sent, without its credentials: their
// placeholders stand in it.
type Call struct {
	Method  string
	URL     string
	Header  []Header // in the order of the contract
	Type    string   // of the body, "" without one
	Body    []byte
	secrets map[string]string // credentials by their placeholders
	base    string            // the server
	path    map[string]string // encoded values of the path
	query   string
	isMock  bool
}

// Header is a header of a call or of its answer.
type Header struct {
	Name, Value  string
	isCredential bool
}

// findings collects the fields to change.
type findings struct{ list []fault.Field }

func (f *findings) add(name, message string) {
	f.list = append(f.list, fault.Field{Name: name, Message: message})
}

// Build makes the call of an entry. Base is the address of the chosen server.
// Problems are an Invalid fault with fields: values by place and name, credentials
// as "credential." and the scheme, "type" and "body".
func Build(e *model.Endpoint, base string, entry Entry) (*Call, error) {
	found := &findings{}
	c := &Call{isMock: entry.Server == Mock, Method: e.Method, base: strings.TrimSuffix(base, "/"), secrets: map[string]string{}, path: map[string]string{}}
	for name := range entry.Values {
		if !slices.ContainsFunc(e.Inputs, func(in model.Input) bool { return key(in.In, in.Name) == name }) {
			found.add(name, "The endpoint has no parameter of this name.")
		}
	}
	schemes := c.credentials(e, entry, found)
	values := readValues(e, entry, schemes, found)
	path := c.pathOf(e, values, found)
	query, cookies := c.place(e, values)
	c.headers(e, values, found)
	query, cookies = c.attachCredentials(schemes, entry, query, cookies)
	c.prefer(e, entry, found)
	if cookies != "" {
		c.Header = append(c.Header, Header{Name: "Cookie", Value: cookies})
	}
	if made := newBody(e, entry, entry.Raw, found); made != nil {
		c.Type, c.Body = made.contentType, made.data
	}
	c.query, c.URL = query, c.base+path
	if query != "" {
		separator := "?"
		if strings.Contains(c.URL, "?") {
			separator = "&"
		}
		c.URL += separator + query
	}
	c.checkAddress(found)
	if len(found.list) > 0 {
		return nil, fault.InvalidFields(found.list...)
	}
	return c, nil
}

// checkAddress makes sure that no value has changed the server.
func (c *Call) checkAddress(found *findings) {
	from, err := url.Parse(c.base)
	to, wrong := url.Parse(c.URL)
	if err != nil || wrong != nil || from.Host != to.Host || from.Scheme != to.Scheme || to.User != nil || len(c.URL) > maxURL {
		found.add("server", "The address that the values make cannot be called. Shorten or change them.")
	}
}

// maxURL is the longest address, in bytes.
const maxURL = 16 << 10

// readValues reads the parameters that are sent.
func readValues(e *model.Endpoint, entry Entry, schemes []model.AuthScheme, found *findings) map[string]*tree.Node {
	values := map[string]*tree.Node{}
	for _, in := range e.Inputs {
		text, sent := entry.Values[key(in.In, in.Name)]
		if !sent || isCredential(schemes, in) {
			if !sent && in.In == "path" {
				found.add(key(in.In, in.Name), "Enter a value: the path needs it.")
			}
			continue
		}
		value, problem := read(in, text)
		if problem != "" {
			found.add(key(in.In, in.Name), problem)
			continue
		}
		values[key(in.In, in.Name)] = value
	}
	return values
}

func isCredential(schemes []model.AuthScheme, in model.Input) bool {
	return slices.ContainsFunc(schemes, func(s model.AuthScheme) bool { return s.In == in.In && strings.EqualFold(s.Field, in.Name) })
}

// pathOf writes the path with its values.
func (c *Call) pathOf(e *model.Endpoint, values map[string]*tree.Node, found *findings) string {
	var path strings.Builder
	for _, part := range e.PathParts {
		if part.Parameter == "" {
			path.WriteString((&url.URL{Path: part.Text}).EscapedPath())
			continue
		}
		at := slices.IndexFunc(e.Inputs, func(in model.Input) bool { return in.In == "path" && in.Field.Path == part.Anchor && part.Anchor != "" })
		if at < 0 {
			found.add("path."+part.Parameter, "The contract does not describe this parameter. It cannot be sent.")
			continue
		}
		in := e.Inputs[at]
		value := values[key("path", in.Name)]
		if value == nil {
			continue // found already
		}
		text := segment(in, value)
		switch plain, err := url.PathUnescape(text); {
		case text == "":
			found.add(key("path", in.Name), "Enter a value: the path needs it.")
		case err != nil || plain == "." || plain == "..":
			found.add(key("path", in.Name), "Enter another value: a single or double dot would change the path.")
		}
		c.path[in.Name] = text
		path.WriteString(text)
	}
	return path.String()
}

// place writes the query and the cookies.
func (c *Call) place(e *model.Endpoint, values map[string]*tree.Node) (query, cookies string) {
	var ask, jar []string
	for _, in := range e.Inputs {
		value := values[key(in.In, in.Name)]
		if value == nil {
			continue
		}
		for _, p := range pairsIn(in, value) {
			if in.In == "query" {
				ask = append(ask, p.name+"="+p.value)
			} else {
				jar = append(jar, p.name+"="+p.value)
			}
		}
	}
	return strings.Join(ask, "&"), strings.Join(jar, "; ")
}

func pairsIn(in model.Input, value *tree.Node) []pair {
	if in.In != "query" && in.In != "cookie" {
		return nil
	}
	return pairs(in, value)
}

// headers adds the documented headers.
func (c *Call) headers(e *model.Endpoint, values map[string]*tree.Node, found *findings) {
	for _, in := range e.Inputs {
		value := values[key(in.In, in.Name)]
		if in.In != "header" || value == nil {
			continue
		}
		text := line(in, value)
		if problem := headerProblem(in.Name, text); problem != "" {
			found.add(key(in.In, in.Name), problem)
			continue
		}
		c.Header = append(c.Header, Header{Name: in.Name, Value: text})
	}
}

// request returns the request to send, with the credentials.
func (c *Call) request(ctx context.Context) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, c.Method, c.revealAddress(), bytes.NewReader(c.revealBody()))
	if err != nil {
		return nil, fault.New(fault.Invalid, "The address %.200s cannot be called.", c.URL)
	}
	for _, h := range c.Header {
		if value, sent := c.revealHeader(h); sent {
			r.Header.Add(h.Name, value)
		}
	}
	if c.Type != "" {
		r.Header.Set("Content-Type", c.Type)
	}
	if r.Header.Get("Accept") == "" {
		r.Header.Set("Accept", "*/*")
	}
	r.Header.Set("Accept-Encoding", "identity") // a small body can expand without limit
	return r, nil
}

// Shown returns the call as text, as it goes over the connection, with placeholders
// for credentials. Bodies that are no text are named by their size.
func (c *Call) Shown() (head, text string) {
	var b strings.Builder
	u, err := url.Parse(c.URL)
	if err != nil {
		return "", ""
	}
	target := strings.TrimPrefix(strings.TrimPrefix(c.URL, u.Scheme+"://"), u.Host)
	if target == "" || target[0] != '/' {
		target = "/" + target
	}
	b.WriteString(c.Method + " " + target + " HTTP/1.1\nHost: " + u.Host + "\n")
	for _, h := range c.Header {
		b.WriteString(h.Name + ": " + h.Value + "\n")
	}
	if c.Type != "" {
		b.WriteString("Content-Type: " + c.Type + "\n")
	}
	return b.String(), textOf(c.Body)
}
