package sample

import (
	"net/url"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
)

// Call is a request that somebody put together. Credentials in it are placeholders.
type Call struct {
	Method      string
	URL         string // encoded, but for placeholders
	Headers     []Value
	Cookie      string // value of the Cookie header
	User        string // name:password of basic authentication
	ContentType string // "" without a body
	Text        string // of a body that is text
	Parts       []Value
}

// Value is a header, or a part of a multipart body.
type Value struct {
	Name, Text string
	IsFile     bool   // Text is the name of a file
	Type       string // content type of a part; empty for the one that follows from the file or for text
}

// WriteCall writes a call of an endpoint like [Write]. It returns false for an
// unknown language.
func WriteCall(e *model.Endpoint, call Call, language string) (string, bool) {
	for _, w := range writers {
		if w.Slug == language {
			return w.write(newCall(e, call)), true
		}
	}
	return "", false
}

func newCall(e *model.Endpoint, call Call) *request {
	r := &request{method: call.Method, url: call.URL, cookie: headerValue(call.Cookie), user: call.User, reply: replyOf(e)}
	for _, h := range call.Headers {
		r.headers = append(r.headers, pair{name: h.Name, value: headerValue(h.Text)})
	}
	if call.ContentType == "" {
		return r
	}
	b := &requestBody{kind: media.KindOf(call.ContentType), contentType: concrete(call.ContentType), text: call.Text}
	switch b.kind {
	case media.JSON:
		value, err := tree.Read([]byte("[" + call.Text + "]"))
		if err != nil || len(value.Items) != 1 || !strings.ContainsAny(strings.TrimSpace(call.Text)+" ", `{["`) {
			b.kind = media.Text
			break
		}
		b.value = value.Items[0]
		b.text = visible(b.value.Pretty())
	case media.Form:
		for part := range strings.SplitSeq(call.Text, "&") {
			name, value, _ := strings.Cut(part, "=")
			plainName, err := url.QueryUnescape(name)
			plain, wrong := url.QueryUnescape(value)
			if err == nil && wrong == nil && part != "" {
				b.pairs = append(b.pairs, pair{name: plainName, value: plain})
			}
		}
	case media.Multipart:
		for _, part := range call.Parts {
			p := pair{name: part.Name, value: lineBreaks.Replace(part.Text), file: part.IsFile, media: part.Type}
			if p.file && !fileName.MatchString(p.value) {
				p.value = anyFile
			}
			b.pairs = append(b.pairs, p)
		}
	}
	if (b.kind == media.Form || b.kind == media.Multipart) && len(b.pairs) == 0 {
		return r
	}
	r.body = b
	return r
}
