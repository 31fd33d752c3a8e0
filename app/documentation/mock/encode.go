package mock

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
)

// pixel is a PNG of one transparent pixel.
var pixel, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

// boundary separates the parts of multipart responses.
const boundary = "heliograph-mock"

// encode writes a value in a content type, as the documentation shows it.
func encode(v *tree.Node, contentType string, schema graph.Schema) []byte {
	switch kind := media.KindOf(contentType); {
	case kind == media.JSON && isDocumentText(v, schema):
		return []byte(v.Text)
	case kind == media.JSON:
		return []byte(v.Pretty())
	case kind == media.Form:
		return []byte(v.Form())
	case kind == media.Multipart:
		return encodeParts(v)
	case v.Is(tree.KindString):
		return []byte(v.Text)
	case isXML(contentType):
		return encodeXML(v, schema)
	}
	return []byte(v.Pretty())
}

// isDocumentText reports whether a text is an example that was written as a JSON
// document, which OpenAPI allows where the type cannot be a text.
func isDocumentText(v *tree.Node, schema graph.Schema) bool {
	if !v.Is(tree.KindString) {
		return false
	}
	text := strings.TrimSpace(v.Text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	for s := range inPlace(schema) {
		if slices.Contains(s.Types(), "string") {
			return false
		}
	}
	_, err := tree.Read([]byte(text))
	return err == nil
}

func isXML(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	t = strings.TrimSpace(t)
	return strings.HasSuffix(t, "/xml") || strings.HasSuffix(t, "+xml")
}

// encodeParts writes the members of an object as parts (RFC 2046).
func encodeParts(v *tree.Node) []byte {
	var b bytes.Buffer
	for _, m := range v.Members {
		name := strings.NewReplacer("\r", "%0D", "\n", "%0A", `"`, "%22").Replace(m.Key)
		b.WriteString("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n")
		if !m.Value.Is(tree.KindString) {
			b.WriteString("Content-Type: application/json\r\n")
		}
		b.WriteString("\r\n" + m.Value.Display() + "\r\n")
	}
	b.WriteString("--" + boundary + "--\r\n")
	return b.Bytes()
}
