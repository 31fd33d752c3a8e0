// Package fields turns the content of an item into the fields of a form and
// back. What a form does not show stays as it was, and opening and saving a form
// without a change gives the same bytes.
package fields

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// Type is how a field is edited.
type Type string

// The types of fields.
const (
	line     Type = "line"     // one line of text
	text     Type = "text"     // lines of text
	Markdown Type = "markdown" // text with markup
	Choice   Type = "choice"   // one of Options
	Check    Type = "check"    // "true" or empty
	number   Type = "number"   // a whole number
	date     Type = "date"     // yyyy-mm-dd, or empty
	latency  Type = "latency"  // milliseconds or a range of them, or empty
	Code     Type = "code"     // a part of an API description, as JSON or YAML
	address  Type = "address"  // the base URL of an API, or empty
	Phrases  Type = "phrases"  // what people call something, with commas or line ends between
)

// Field is a field of the content of a kind.
type Field struct {
	Name     string // the JSON name in the content
	Label    string
	Hint     string
	Type     Type
	Options  []string // of a Choice; an empty one is "none"
	Required bool     // to go public; a draft may lack it
	// IsTechnical marks what few authors change. Forms fold it.
	IsTechnical bool
}

// Of lists the fields of a kind in the order of its form.
func Of(kind string) []Field { return byKind[kind] }

var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"}

var searchedAs = Field{Name: "searched_as", Label: "Also searched as", Hint: "Other words for the page, separated by commas: refund, money back. Search finds the page by them, and readers do not see them.", Type: Phrases}

var order = Field{Name: "order", Label: "Order", Hint: "Lower numbers come first. The page of the product moves items by hand.", Type: number, IsTechnical: true}

var byKind = map[string][]Field{
	content.KindProduct: {
		{Name: "name", Label: "Name", Type: line, Required: true},
		{Name: "summary", Label: "Summary", Hint: "One sentence, shown in lists and search results.", Type: line},
		{Name: "description", Label: "Description", Type: Markdown},
		{Name: "base_url", Label: "Base URL", Hint: "The address that calls begin with, for example https://api.example.com/v1, or a path of this installation such as /v3. It comes before the servers of each version's API description, which stay as further choices. An operation with servers of its own keeps them.", Type: address},
		{Name: "accent", Label: "Accent colour", Type: Choice, Options: []string{"", "amber", "coral", "rose", "violet", "blue", "teal", "green", "slate"}},
		{Name: "icon", Label: "Icon", Hint: "An SVG drawing in one colour, for example 24 by 24. It takes the colour of the text around it.", Type: text},
		{Name: "homepage", Label: "Show on the homepage", Type: Check},
		{Name: "coming_soon", Label: "Coming soon: announced, without documentation", Type: Check},
		{Name: "hidden", Label: "Hidden: reachable by its address only", Type: Check},
		order,
		{Name: "own_approval", Label: "Authors may approve their own changes", Hint: "Otherwise somebody else approves them. The setting applies once it is published.", Type: Check, IsTechnical: true},
		{Name: "sdk_license", Label: "Licence of the client libraries", Hint: "Without one, partners may use them to call the API.", Type: Choice, Options: []string{"", "MIT", "ISC", "0BSD"}, IsTechnical: true},
		{Name: "sdk_off", Label: "Languages without a client library", Hint: "For example php, csharp. The languages are node, python, java, php, csharp and go. The setting applies once it is published.", Type: line, IsTechnical: true},
	},
	content.KindVersion: {
		{Name: "label", Label: "Label", Type: Choice, Options: []string{content.Current, content.Beta, content.Deprecated, content.Retired}, Required: true},
		{Name: "released_on", Label: "Released on", Type: date},
		{Name: "deprecated_on", Label: "Deprecated on", Type: date},
		{Name: "retired_on", Label: "Retired on", Type: date},
		{Name: "sunset_on", Label: "Sunset on", Hint: "The day on which the version stops working.", Type: date},
		{Name: "migrate_to", Label: "Recommended version", Hint: "The version that readers of this one should move to, for example 2.0.", Type: line},
		{Name: "description", Label: "Description", Type: Markdown},
		{Name: "release_notes", Label: "Release notes", Type: Markdown},
		{Name: "mock_latency", Label: "Latency of the mock", Hint: "Milliseconds that the mock server takes where a request asks for nothing else, for example 80 or 50-200. Empty for none.", Type: latency, IsTechnical: true},
		{Name: "frame", Label: "API description", Hint: "OpenAPI without paths and schemas: information, servers, security. JSON or YAML.", Type: Code, Required: true},
	},
	content.KindEndpoint: operation("Path", "Starts with a slash. Parameters are in braces, for example /messages/{id}."),
	content.KindCallback: operation("Name", "The name of the callback in the API description."),
	content.KindSchema: {
		{Name: "name", Label: "Name", Hint: "References use it: #/components/schemas/ and the name.", Type: line, Required: true},
		searchedAs,
		order,
		{Name: "raw", Label: "Schema", Hint: "An OpenAPI schema object as JSON or YAML.", Type: Code, Required: true},
	},
	content.KindCategory: {
		{Name: "name", Label: "Name", Hint: "Endpoints name their category.", Type: line, Required: true},
		{Name: "description", Label: "Description", Type: Markdown},
		order,
		{Name: "raw", Label: "Tag", Hint: "The OpenAPI tag object as JSON or YAML.", Type: Code, IsTechnical: true},
	},
	content.KindGuide: {
		{Name: "title", Label: "Title", Type: line, Required: true},
		{Name: "summary", Label: "Summary", Hint: "One sentence, shown in lists and search results.", Type: line},
		{Name: "group", Label: "Group", Hint: "Guides of one group stand under one heading.", Type: line},
		{Name: "section", Label: "Section for every product", Hint: "For a guide that readers of every product need, for example Account and keys. It then stands there, and not among the guides of this product.", Type: line},
		searchedAs,
		order,
		{Name: "text", Label: "Text", Type: Markdown},
	},
}

func operation(place, hint string) []Field {
	return []Field{
		{Name: "name", Label: "Title", Hint: "What a call does, for example Send a message.", Type: line, Required: true},
		{Name: "purpose", Label: "Purpose", Hint: "What the endpoint is for, and when to use it.", Type: Markdown},
		{Name: "method", Label: "Method", Type: Choice, Options: methods, Required: true},
		{Name: "path", Label: place, Hint: hint, Type: line, Required: true},
		{Name: "category", Label: "Category", Type: line},
		searchedAs,
		{Name: "unpublished", Label: "Not public yet: readers do not see it, even when its version goes out", Type: Check},
		{Name: "operation_id", Label: "Operation id", Hint: "Names the operation in generated code.", Type: line, IsTechnical: true},
		order,
		{Name: "raw", Label: "Operation", Hint: "Parameters, body, responses and examples: an OpenAPI operation object as JSON or YAML.", Type: Code, Required: true},
	}
}

// Values returns the content of a kind as the values of its fields.
func Values(kind string, raw json.RawMessage) (map[string]string, error) {
	values := map[string]string{}
	var members map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &members); err != nil {
			return nil, fmt.Errorf("reading a %s: %w", kind, err)
		}
	}
	for _, f := range Of(kind) {
		text, err := f.text(members[f.Name])
		if err != nil {
			return nil, fmt.Errorf("reading %s of a %s: %w", f.Name, kind, err)
		}
		values[f.Name] = text
	}
	return values, nil
}

// Value returns the JSON value of a field of a kind as its form shows it.
func Value(kind, name string, raw json.RawMessage) (string, error) {
	f, err := find(kind, name)
	if err != nil {
		return "", err
	}
	return f.text(raw)
}

// Parse returns the text of a field as JSON. A text that the field cannot hold is an
// Invalid fault.
func Parse(kind, name, text string) (json.RawMessage, error) {
	f, err := find(kind, name)
	if err != nil {
		return nil, err
	}
	return f.parse(text)
}

func find(kind, name string) (Field, error) {
	for _, f := range Of(kind) {
		if f.Name == name {
			return f, nil
		}
	}
	return Field{}, fault.New(fault.Invalid, "A %s has no field %s.", kind, name)
}

// text writes a JSON value for the form.
func (f Field) text(raw json.RawMessage) (text string, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	switch f.Type {
	case Check:
		if string(raw) == "true" {
			text = "true"
		}
	case number:
		text = string(raw)
	case Code:
		node, err := tree.Read(wrapped(raw))
		if err != nil {
			return "", err
		}
		return node.Items[0].Pretty(), nil
	default:
		err = json.Unmarshal(raw, &text)
	}
	return text, err
}

// wrapped puts a value into an array: the reader takes what begins with a brace
// or a bracket for JSON, and a schema may be true or false.
func wrapped(raw json.RawMessage) []byte { return slices.Concat([]byte("["), raw, []byte("]")) }

// Content returns the content that values make of an earlier one, which may be
// empty. Values that their field cannot hold are an Invalid fault with fields.
func Content(kind string, before json.RawMessage, values map[string]string) (json.RawMessage, error) {
	patch, wrong := map[string]json.RawMessage{}, []fault.Field{}
	for _, f := range Of(kind) {
		raw, err := f.parse(values[f.Name])
		if err != nil {
			wrong = append(wrong, fault.Field{Name: f.Name, Message: message(err)})
			continue
		}
		patch[f.Name] = raw
	}
	if len(wrong) > 0 {
		return nil, fault.InvalidFields(wrong...)
	}
	into := empty(kind)
	if len(before) > 0 {
		if err := json.Unmarshal(before, into); err != nil {
			return nil, fmt.Errorf("reading a %s: %w", kind, err)
		}
		keepNothing(kind, before, patch)
	}
	change, err := json.Marshal(patch)
	if err == nil {
		err = json.Unmarshal(change, into)
	}
	if err != nil {
		return nil, fmt.Errorf("filling a %s: %w", kind, err)
	}
	return json.Marshal(into)
}

// keepNothing leaves out of a patch the optional parts of an API description that
// were null before and are empty now, so that saving them changes nothing.
func keepNothing(kind string, before json.RawMessage, patch map[string]json.RawMessage) {
	var had map[string]json.RawMessage
	if json.Unmarshal(before, &had) != nil {
		return
	}
	for _, f := range Of(kind) {
		if f.Type == Code && string(had[f.Name]) == "null" && string(patch[f.Name]) == nothing {
			delete(patch, f.Name)
		}
	}
}

func message(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return err.Error()
}

// empty returns a pointer to the content of a kind.
func empty(kind string) any {
	switch kind {
	case content.KindProduct:
		return &content.Product{}
	case content.KindVersion:
		return &content.Version{}
	case content.KindSchema:
		return &content.Schema{}
	case content.KindCategory:
		return &content.Category{}
	case content.KindGuide:
		return &content.Guide{}
	}
	return &content.Endpoint{}
}

// parse reads the text of a field as JSON. Forms write line ends as CRLF.
func (f Field) parse(text string) (json.RawMessage, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	switch f.Type {
	case Check:
		return json.RawMessage(strconv.FormatBool(text == "true")), nil
	case number:
		if text = strings.TrimSpace(text); text == "" {
			text = "0"
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, fault.New(fault.Invalid, "Enter a whole number.")
		}
		return json.RawMessage(strconv.FormatInt(n, 10)), nil
	case date:
		if _, err := time.Parse(time.DateOnly, text); text != "" && err != nil {
			return nil, fault.New(fault.Invalid, "Enter a date as year-month-day, for example 2027-01-31.")
		}
	case latency:
		text = strings.TrimSpace(text)
		if _, _, ok := content.Latency(text); !ok {
			return nil, fault.New(fault.Invalid, "Enter milliseconds from 0 to 10000, or a range such as 50-200.")
		}
	case Choice:
		if text != "" && !slices.Contains(f.Options, text) {
			return nil, fault.New(fault.Invalid, "Choose one of %s.", strings.Join(f.Options, ", "))
		}
	case Code:
		return f.parseCode(text)
	case Phrases:
		list, err := content.ReadPhrases(text)
		if err != nil {
			return nil, sentence(err)
		}
		text = list
	case address:
		base, err := content.ReadBaseURL(text)
		if err != nil {
			return nil, sentence(err)
		}
		text = base
	}
	return json.Marshal(text)
}

// sentence makes an error without a full stop an Invalid fault.
func sentence(err error) error {
	message := err.Error()
	return fault.New(fault.Invalid, "%s.", strings.ToUpper(message[:1])+message[1:])
}

// nothing is the least part of an API description.
const nothing = "{}"

// parseCode reads a part of an API description. An empty text is no value, which a
// part that may be left out cannot be: a version with it could not be released.
func (f Field) parseCode(text string) (json.RawMessage, error) {
	if strings.TrimSpace(text) == "" {
		if f.Required {
			return json.RawMessage("null"), nil
		}
		return json.RawMessage(nothing), nil
	}
	node, err := tree.Read([]byte(text))
	if err != nil {
		return nil, err
	}
	if node.Is(tree.KindString) || node.Is(tree.KindArray) || node.Is(tree.KindNumber) {
		return nil, fault.New(fault.Invalid, "Line 1: enter an object: names with values, as JSON or YAML.")
	}
	return bytes.TrimSpace(node.JSON()), nil
}
