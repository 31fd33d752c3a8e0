package validate

import (
	"errors"
	"io"
	"mime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// content is the documented content types of a body.
type content struct {
	types map[string]*media
	names []string
}

// media checks the bodies of one content type.
type media struct {
	schema *checker // nil: everything is valid
	shape  *shape
	fields map[string]*field // the encoding of a form's members
}

// needsBytes reports whether an empty body is none of the content types.
func (c *content) needsBytes() bool {
	return slices.ContainsFunc(c.names, isJSON)
}

// check reports the problems of a body by its narrowest documented content
// type.
func (c *content) check(contentType string, body []byte, found *report) {
	fail := func(p Problem) { found.add(p) }
	if contentType == "" {
		fail(Problem{Location: Header, Name: "Content-Type", Code: "required", Message: "Send the header Content-Type. " + c.offer()})
		return
	}
	t, parameters, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		fail(Problem{Location: Header, Name: "Content-Type", Code: "contentType", Message: "Send a content type that can be read. " + c.offer()})
		return
	}
	m := c.media(t)
	if m == nil {
		fail(Problem{Location: Header, Name: "Content-Type", Code: "contentType", Message: "The content type " + shorten(t) + " is not documented. " + c.offer()})
		return
	}
	if len(body) > found.limits.Bytes {
		fail(Problem{Location: Body, Code: "size", Message: "Send at most " + strconv.Itoa(found.limits.Bytes) + " bytes."})
		return
	}
	value, isKnown, f := m.read(t, parameters["boundary"], body, found)
	if f != nil {
		fail(Problem{Location: Body, Code: f.code, Message: f.message})
		return
	}
	if isKnown {
		m.schema.check(value, Problem{Location: Body}, found)
	}
}

func (c *content) media(t string) *media {
	main, _, _ := strings.Cut(t, "/")
	for _, candidate := range []string{t, main + "/*", "*/*"} {
		if m := c.types[candidate]; m != nil {
			return m
		}
	}
	return nil
}

func (c *content) offer() string {
	return "Documented: " + strings.Join(c.names, ", ") + "."
}

func isJSON(contentType string) bool {
	return contentType == "application/json" || strings.HasSuffix(contentType, "+json")
}

// read returns the value of a body, and false for one that schemas do not
// describe.
func (m *media) read(contentType, boundary string, body []byte, found *report) (any, bool, *flaw) {
	switch {
	case isJSON(contentType):
		value, f := decodeJSON(body, found.limits)
		return value, true, f
	case contentType == "application/x-www-form-urlencoded":
		value, f := m.form(string(body), found)
		return value, true, f
	case strings.HasPrefix(contentType, "multipart/"):
		value, f := m.multipart(boundary, body, found)
		return value, contentType == "multipart/form-data", f
	case strings.HasPrefix(contentType, "text/") && contentType != "text/xml":
		if !utf8.Valid(body) {
			return nil, false, nil // of another character set
		}
		return m.shape.scalar(string(body)), true, nil
	}
	return nil, false, nil
}

// atEnd reports whether a reader has no more parts. An error that wraps the
// end of the input means that the body ends too early.
func atEnd(err error) bool {
	return err == io.EOF
}
