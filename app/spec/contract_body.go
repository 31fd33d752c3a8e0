package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"heliograph/app/fault"
)

// body reads a body by its content type and validates it. Files and other
// binary bodies are taken as they are.
func (c *check) body(contentType, boundary string, body []byte) error {
	var value any
	var err error
	switch kindOfMedia(contentType) {
	case mediaJSON:
		value, err = jsonBody(body)
	case mediaForm:
		value, err = c.form(body)
	case mediaMultipart:
		value, err = c.multipart(boundary, body)
	case mediaText:
		value = string(body)
	default:
		return c.err
	}
	if err != nil {
		return err
	}
	return c.value(value)
}

// value validates a value and words what is wrong with it.
func (c *check) value(value any) error {
	if c.err != nil {
		return fmt.Errorf("checking a body: %w", c.err)
	}
	if c.schema == nil {
		return nil
	}
	problems := problemsOf(c.schema.Validate(value))
	if len(problems) == 0 {
		return nil
	}
	var fields []fault.Field
	for _, p := range problems[:min(len(problems), maxProblems)] {
		fields = append(fields, fault.Field{Name: p.pointer, Message: capital(p.reason) + "."})
	}
	f := fault.InvalidFields(fields...)
	where := fields[0].Name
	if where == "" {
		where = "its root"
	}
	f.Message = fmt.Sprintf("The body breaks the contract at %s: %s.", where, problems[0].reason)
	return f
}

// jsonBody decodes JSON under the caps of documents.
func jsonBody(body []byte) (any, error) {
	if len(body) > maxBytes {
		return nil, fault.New(fault.TooLarge, "The body is over %d MiB.", maxBytes>>20)
	}
	if !utf8.Valid(body) {
		return nil, fault.New(fault.Invalid, "The body is not UTF-8 text.")
	}
	n, err := decodeJSON(body)
	if err != nil {
		return nil, err
	}
	return n.plain(), nil
}

// form reads an urlencoded form as the object that the schema describes.
func (c *check) form(body []byte) (any, error) {
	fields, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, fault.New(fault.Invalid, "The body is not a form: %s.", err)
	}
	return c.object(fields), nil
}

// multipart reads the parts of a multipart body; a file is a text of bytes.
func (c *check) multipart(boundary string, body []byte) (any, error) {
	fields := url.Values{}
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return c.object(fields), nil
		}
		if err != nil {
			return nil, fault.New(fault.Invalid, "The body is not multipart: %s.", err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, fault.New(fault.Invalid, "The body is not multipart: %s.", err)
		}
		fields.Add(part.FormName(), string(content))
	}
}

// formField is what a form must know to read a field: its JSON types, and
// those of its items.
type formField struct{ types, items []string }

// object gives the fields of a form the types that the schema asks for: a text
// stays a text where the schema allows one.
func (c *check) object(fields url.Values) any {
	o := map[string]any{}
	for key, list := range fields {
		field := c.fields[key]
		if !slices.Contains(field.types, "array") {
			o[key] = scalarOf(field.types, list[0])
			continue
		}
		var values []any
		for _, text := range list {
			values = append(values, scalarOf(field.items, text))
		}
		o[key] = values
	}
	return o
}

// scalarOf reads a text as the first of the types that it can be.
func scalarOf(kinds []string, text string) any {
	if slices.Contains(kinds, "string") {
		return text
	}
	for _, k := range kinds {
		switch k {
		case "integer", "number":
			if jsonNumber.MatchString(text) && checkNumber(1, 1, text) == nil {
				return json.Number(text)
			}
		case "boolean":
			if b, err := strconv.ParseBool(text); err == nil {
				return b
			}
		case "object":
			if v, err := jsonBody([]byte(text)); err == nil {
				return v
			}
		}
	}
	return text
}
