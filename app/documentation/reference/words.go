package reference

import (
	"strings"
	"time"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
)

// parameterTitles are the headings of the groups of parameters.
var parameterTitles = map[string]string{"path": "Path parameters", "query": "Query parameters", "header": "Headers", "cookie": "Cookies"}

// ParameterTitle returns the heading of the parameters of a place: path, query,
// header or cookie.
func ParameterTitle(in string) string { return parameterTitles[in] }

// OperationLine describes in a line what is called, or what is sent and where.
func OperationLine(op *published.Operation) string {
	if op.Callback {
		return "the callback " + op.Method + " to " + Receiver
	}
	return op.Method + " " + op.Path
}

// ExampleTitle returns the title of an example.
func ExampleTitle(e model.Example) string {
	switch {
	case e.Generated:
		return "Made from the schema"
	case e.Summary != "":
		return e.Summary
	case e.Name != "":
		return e.Name
	}
	return "Example"
}

// Syntax returns the language by which code of a content type is coloured.
func Syntax(contentType string) string {
	if strings.Contains(contentType, "json") {
		return "json"
	}
	return "text"
}

// TypeWords returns the type of a field with its format: "string or null
// (date-time)".
func TypeWords(f *model.Field) string {
	words := f.Type
	if f.Nullable && !strings.Contains(words, "null") {
		words += " or null"
	}
	if f.Format != "" {
		words += " (" + f.Format + ")"
	}
	return words
}

// Day writes a date (yyyy-mm-dd) for readers. Other text stays as it is.
func Day(date string) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return Date(t)
}

// Date writes the day of a time for readers.
func Date(t time.Time) string { return t.UTC().Format("2 January 2006") }
