package spectest

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// body reads a body by its content type and validates it. Files and other
// binary bodies are taken as they are.
func (c check) body(contentType, boundary string, body []byte) error {
	var value any
	var err error
	switch {
	case contentType == "application/json", strings.HasSuffix(contentType, "+json"):
		value, err = jsonschema.UnmarshalJSON(bytes.NewReader(body))
	case contentType == "application/x-www-form-urlencoded":
		var fields url.Values
		fields, err = url.ParseQuery(string(body))
		value = c.object(fields)
	case contentType == "multipart/form-data":
		value, err = c.multipart(boundary, body)
	case strings.HasPrefix(contentType, "text/"):
		value = string(body)
	default:
		return nil
	}
	if err != nil {
		return fmt.Errorf("the body is no %s: %w", contentType, err)
	}
	if c.schema == nil {
		return nil
	}
	if err := c.schema.Validate(value); err != nil {
		return fmt.Errorf("the body breaks the contract: %w", err)
	}
	return nil
}

// multipart reads the parts of a multipart body; a file is a text of bytes.
func (c check) multipart(boundary string, body []byte) (any, error) {
	fields := url.Values{}
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextPart()
		if err == io.EOF { // any other that wraps it is a body that ends too early
			return c.object(fields), nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		fields.Add(part.FormName(), string(content))
	}
}

// object gives the fields of a form the types that the schema asks for.
func (c check) object(fields url.Values) any {
	object := map[string]any{}
	for name, texts := range fields {
		schema := c.fields[name]
		if member(schema, "type") != "array" {
			object[name] = typed(schema, texts[0])
			continue
		}
		values := []any{}
		for _, text := range texts {
			values = append(values, typed(member(schema, "items"), text))
		}
		object[name] = values
	}
	return object
}
