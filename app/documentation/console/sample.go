package console

import (
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
)

// Sample writes the call as a program in a language of package sample. Credentials are
// placeholders.
func (c *Call) Sample(e *model.Endpoint, language string, parts []Part) string {
	call := sample.Call{Method: c.Method, URL: c.URL, Text: string(c.Body)}
	call.ContentType, _, _ = strings.Cut(c.Type, ";")
	for _, h := range c.Header {
		switch {
		case strings.EqualFold(h.Name, "Cookie"):
			call.Cookie = h.Value
		case h.isCredential && h.Value == "Basic "+userPlaceholder+":"+passwordPlaceholder:
			call.User = userPlaceholder + ":" + passwordPlaceholder
		default:
			call.Headers = append(call.Headers, sample.Value{Name: h.Name, Text: h.Value})
		}
	}
	for _, p := range parts {
		v := sample.Value{Name: p.Name, Text: string(p.Data), IsFile: p.FileName != "", Type: p.typeIn(documentedBody(e, c.Type))}
		if v.IsFile {
			v.Text = p.FileName
		}
		call.Parts = append(call.Parts, v)
	}
	text, _ := sample.WriteCall(e, call, language)
	return text
}
