// Package media tells how bodies of a content type are written.
package media

import (
	"mime"
	"strings"
)

// Kind is how bodies of a content type are written.
type Kind int

// The kinds of content types.
const (
	Binary Kind = iota // every type that is none of the others
	JSON
	Form
	Multipart
	Text
)

// KindOf returns the kind of a content type. Its parameters do not matter.
func KindOf(contentType string) Kind {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t = strings.ToLower(contentType)
	}
	switch {
	case t == "application/json", strings.HasSuffix(t, "+json"), t == "*/*":
		return JSON
	case t == "application/x-www-form-urlencoded":
		return Form
	case strings.HasPrefix(t, "multipart/"):
		return Multipart
	case strings.HasPrefix(t, "text/"), t == "application/xml", strings.HasSuffix(t, "+xml"):
		return Text
	}
	return Binary
}
