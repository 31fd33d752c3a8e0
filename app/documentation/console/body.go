package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"mime/multipart"
	"net/textproto"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
)

// body is a body that is ready to be sent.
type body struct {
	contentType string
	data        []byte
}

// FileFields lists the members of a multipart body that are files, and whether each
// takes several.
func FileFields(b model.Body) map[string]bool {
	files := map[string]bool{}
	if b.Root == nil {
		return files
	}
	for _, f := range b.Root.Children {
		if strings.HasSuffix(f.Type, "file") {
			files[f.Name] = strings.HasPrefix(f.Type, "array")
		}
	}
	return files
}

// newBody makes the body of an entry. It is nil for an entry without one.
func newBody(e *model.Endpoint, entry Entry, raw string, found *findings) *body {
	if entry.ContentType == "" {
		return nil
	}
	for _, documented := range e.Bodies {
		if documented.ContentType != entry.ContentType {
			continue
		}
		switch media.KindOf(entry.ContentType) {
		case media.Multipart:
			return multipartBody(documented, entry.Parts, found)
		case media.Binary:
			if len(entry.Parts) > 0 {
				return &body{concrete(entry.ContentType, entry.Parts[0].ContentType), entry.Parts[0].Data}
			}
		}
		if raw == "" {
			return nil
		}
		return &body{concrete(entry.ContentType, ""), []byte(raw)}
	}
	found.add("type", "Choose one of the documented content types.")
	return nil
}

// concrete returns a content type to send where the contract allows a range.
func concrete(documented, file string) string {
	switch {
	case !strings.Contains(documented, "*"):
		return documented
	case file != "":
		return file
	case media.KindOf(documented) == media.JSON:
		return "application/json"
	}
	return anyType
}

// quotes escapes names in the head of a part (WHATWG HTML, multipart/form-data).
var quotes = strings.NewReplacer("\r", "%0D", "\n", "%0A", `"`, "%22")

// multipartBody writes the parts. A part with an object is JSON, and a file has its
// own type.
func multipartBody(documented model.Body, parts []Part, found *findings) *body {
	if len(parts) == 0 {
		return nil
	}
	var buffer bytes.Buffer
	w := multipart.NewWriter(&buffer)
	for _, part := range parts {
		head := textproto.MIMEHeader{}
		disposition := `form-data; name="` + quotes.Replace(part.Name) + `"`
		contentType := part.typeIn(documented)
		if part.FileName != "" {
			disposition += `; filename="` + quotes.Replace(part.FileName) + `"`
		}
		head.Set("Content-Disposition", disposition)
		if contentType != "" {
			head.Set("Content-Type", contentType)
		}
		out, err := w.CreatePart(head)
		if err == nil {
			_, err = out.Write(part.Data)
		}
		if err != nil {
			found.add("body", "The parts cannot be written: "+err.Error()+".")
			return nil
		}
	}
	if err := w.Close(); err != nil {
		return nil
	}
	return &body{w.FormDataContentType(), buffer.Bytes()}
}

// anyType is the type of a file that nobody knows the type of.
const anyType = "application/octet-stream"

// typeIn returns the content type of a part of a body, "" for a text. The type that the
// browser knows of a file comes before the one of the contract.
func (p Part) typeIn(documented model.Body) string {
	own := documented.PartTypes[p.Name]
	switch {
	case p.FileName != "" && (p.ContentType == "" || p.ContentType == anyType || strings.ContainsAny(p.ContentType, "\r\n")):
		return cmp.Or(own, anyType)
	case p.FileName != "":
		return p.ContentType
	case own != "":
		return own
	case isStructure(documented, p.Name) && isJSON(string(p.Data)):
		return "application/json"
	}
	return ""
}

// documentedBody returns the body of an endpoint in a content type, which may have
// parameters.
func documentedBody(e *model.Endpoint, contentType string) model.Body {
	for _, b := range e.Bodies {
		if main, _, _ := strings.Cut(contentType, ";"); strings.EqualFold(b.ContentType, main) {
			return b
		}
	}
	return model.Body{}
}

// isStructure reports whether a member of a body is an object, or a list of objects.
func isStructure(b model.Body, name string) bool {
	if b.Root == nil {
		return false
	}
	for _, f := range b.Root.Children {
		if f.Name == name {
			return f.Type == "object" || strings.HasSuffix(f.Type, "of object") || len(f.Children) > 0 || len(f.Variants) > 0
		}
	}
	return false
}

func isJSON(text string) bool { return json.Valid([]byte(text)) }
