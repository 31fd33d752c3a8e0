package validate

import (
	"bytes"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// field is the Encoding Object of a form's member.
type field struct {
	types   []string // content types that a part may have, any when empty
	headers []*parameter
	style   *parameter // nil: the member is read by its type
}

// form reads a URL-encoded body (WHATWG URL, section 5).
func (m *media) form(body string, found *report) (any, *flaw) {
	list, f := splitQuery(body, found.limits)
	if f != nil {
		return nil, f
	}
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(m.fields)) {
		style := m.fields[name].style
		if style == nil {
			continue
		}
		value, isSent, err := style.read(&source{query: list, limits: found.limits})
		if err != nil {
			return nil, &flaw{"style", "Correct the field " + name + ": " + err.Error() + "."}
		}
		if isSent {
			object[name] = value
		}
		isOwn := func(p pair) bool { return p.name == name || strings.HasPrefix(p.name, name+"[") }
		list = slices.DeleteFunc(slices.Clone(list), isOwn)
	}
	byName := map[string][]string{}
	for _, p := range list {
		value, err := url.QueryUnescape(p.value)
		if err != nil {
			return nil, &flaw{"encoding", "Percent-encode the field " + shorten(p.name) + " correctly."}
		}
		byName[p.name] = append(byName[p.name], value)
	}
	for name, texts := range byName {
		object[name] = m.shape.member(name).field(texts, found.limits)
	}
	return object, nil
}

// field gives the texts of a form's field the type of its member. Objects are
// JSON, as are the items of an array of objects.
func (sh *shape) field(texts []string, limits limitSet) any {
	read := func(inner *shape, text string) any {
		if inner.is(typeObject) || inner.is(typeArray) || inner.is(typeObject|typeArray) {
			if value, f := decodeJSON([]byte(text), limits); f == nil {
				return value
			}
		}
		return inner.scalar(text)
	}
	switch {
	case sh.isList(len(texts)):
		items := make([]any, len(texts))
		for i, text := range texts {
			items[i] = read(sh.item(i), text)
		}
		return items
	case len(texts) > 1 && sh == nil:
		return sh.list(texts)
	}
	return read(sh, texts[0])
}

// multipart reads the parts of a multipart body (RFC 7578). A file is a text of
// bytes.
func (m *media) multipart(boundary string, body []byte, found *report) (any, *flaw) {
	if boundary == "" {
		return nil, &flaw{"syntax", "Send the boundary of the parts with the content type."}
	}
	byName := map[string][]any{}
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	for count := 1; ; count++ {
		part, err := reader.NextRawPart()
		if atEnd(err) {
			break
		}
		if err != nil {
			return nil, &flaw{"syntax", "Send a complete multipart body. Its parts cannot be read."}
		}
		if count > found.limits.Values {
			return nil, tooMany(found.limits)
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, &flaw{"syntax", "Send a complete multipart body. A part ends too early."}
		}
		name := part.FormName()
		m.checkPart(name, http.Header(part.Header), found)
		byName[name] = append(byName[name], m.part(part, data, len(byName[name]), found.limits))
	}
	object := map[string]any{}
	for name, values := range byName {
		if len(values) > 1 || m.shape.member(name).isList(len(values)) {
			object[name] = values
		} else {
			object[name] = values[0]
		}
	}
	return object, nil
}

// part gives the bytes of a part a type: JSON by its content type or schema,
// otherwise text.
func (m *media) part(part *multipart.Part, data []byte, i int, limits limitSet) any {
	sh := m.shape.member(part.FormName())
	if sh.isList(1) {
		sh = sh.item(i)
	}
	t, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
	isObject := sh.is(typeObject) || sh.is(typeObject|typeArray)
	if part.FileName() == "" && (err == nil && isJSON(t) || err != nil && isObject) {
		if value, f := decodeJSON(data, limits); f == nil {
			return value
		}
	}
	if part.FileName() != "" {
		return string(data)
	}
	return sh.scalar(string(data))
}

// checkPart checks the content type and the headers of a part.
func (m *media) checkPart(name string, header http.Header, found *report) {
	f := m.fields[name]
	if f == nil {
		return
	}
	t, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err == nil && len(f.types) > 0 && !slices.ContainsFunc(f.types, func(pattern string) bool { return covers(pattern, t) }) {
		found.add(Problem{Location: Body, Pointer: pointer([]string{name}), Code: "contentType", Message: "Send the part as " + strings.Join(f.types, " or ") + ", not as " + shorten(t) + "."})
	}
	inner := &report{limits: found.limits}
	for _, h := range f.headers {
		h.check(&source{header: header, limits: found.limits}, inner)
	}
	for _, p := range inner.list {
		found.add(Problem{Location: Body, Pointer: pointer([]string{name}), Code: p.Code, Message: "Header " + p.Name + " of the part: " + p.Message})
	}
}

// covers reports whether a content type such as image/* includes another.
func covers(pattern, t string) bool {
	main, isRange := strings.CutSuffix(pattern, "*")
	return pattern == t || pattern == "*/*" || isRange && strings.HasPrefix(t, main)
}
