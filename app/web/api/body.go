package api

import (
	"bytes"
	"mime"
	"net/http"
	"strings"

	"heliograph/app/fault"
	"heliograph/app/input"
)

// The first bytes of bodies that programs send by habit.
var (
	utf8Mark  = []byte("\xef\xbb\xbf") // byte order mark
	utf16Mark = [][]byte{[]byte("\xff\xfe"), []byte("\xfe\xff")}
	gzipMagic = []byte("\x1f\x8b")
)

// plainBody returns a body without its byte order mark. A body that is compressed or in
// another encoding is refused in words.
func plainBody(r *http.Request, body []byte) ([]byte, error) {
	if coding := strings.TrimSpace(r.Header.Get("Content-Encoding")); coding != "" && !strings.EqualFold(coding, "identity") || bytes.HasPrefix(body, gzipMagic) {
		return nil, unreadableBody("the body is compressed: send it as it is, without Content-Encoding")
	}
	for _, mark := range utf16Mark {
		if bytes.HasPrefix(body, mark) {
			return nil, unreadableBody("the body is in UTF-16: encode it as UTF-8")
		}
	}
	body = bytes.TrimPrefix(body, utf8Mark)
	if looksLikeJSON(body) {
		if garbled := input.Garbled(body); garbled != "" {
			return nil, &fault.Error{Kind: fault.Invalid, Fields: []fault.Field{{Message: garbled}}}
		}
	}
	return body, nil
}

func unreadableBody(detail string) error {
	return &fault.Error{Kind: fault.Unsupported, Fields: []fault.Field{{Message: detail}}}
}

// looksLikeJSON reports whether a body begins like a JSON object or array.
func looksLikeJSON(body []byte) bool {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(body, utf8Mark), " \t\r\n")
	return len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[')
}

// isForm reports whether a request has a form as its body. Programs that name no
// type, such as curl, call JSON a form as well.
func isForm(r *http.Request, body []byte) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/x-www-form-urlencoded" && !looksLikeJSON(body)
}

// wantsJSONBody refuses a form where only JSON is read.
func wantsJSONBody(r *http.Request, body []byte) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if isForm(r, body) && len(body) > 0 || kind == "multipart/form-data" {
		return unreadableBody("the body is a form: send JSON, with Content-Type: application/json")
	}
	return nil
}
