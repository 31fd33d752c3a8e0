// Package examples checks the examples of an operation that is being edited
// against their schemas.
package examples

import (
	"net/http"
	"strconv"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/documentation/published"
	"heliograph/db/models"
)

// edited is the id of the operation in its document.
const edited = "edited"

// Problem is what is wrong with an example.
type Problem struct {
	Input   *outline.Input
	Pointer string // JSON pointer of the value within the example
	Reason  string
	Message string // the reason with the line and the column in the example
}

// Check lists what is wrong with the examples of an operation of a kind, and
// counts those that were checked. Items are the version and its schemas. Nothing is
// checked where they make no document.
func Check(items []models.LiveItem, kind string, op content.Endpoint, o *outline.Outline) (list []Problem, checked int, err error) {
	_, parts, err := published.Assemble(items)
	if err != nil {
		return nil, 0, err
	}
	one := []openapi.Operation{{ID: edited, Slug: edited, Name: op.Name, Method: op.Method, Path: op.Path, Raw: op.Raw}}
	if kind == content.KindEndpoint {
		parts.Operations = one
	} else {
		parts.Callbacks = one
	}
	whole, err := openapi.Assemble(parts)
	if err != nil {
		return nil, 0, nil //nolint:nilerr // the change set says what does not compile
	}
	v := validate.New(whole)
	for _, in := range o.Inputs() {
		if in.CheckedBy == "" || in.Value == "" {
			continue
		}
		checked++
		list = append(list, problems(v, in)...)
	}
	return list, checked, nil
}

// problems lists what is wrong with an example. Only JSON is checked.
func problems(v *validate.Validator, in *outline.Input) (list []Problem) {
	at := tree.Tokens(in.CheckedBy)
	mediaType := at[len(at)-1]
	value, err := tree.Read([]byte(in.Value))
	if err != nil || !strings.Contains(mediaType, "json") {
		return nil // the input says what is wrong with its JSON
	}
	header := http.Header{"Content-Type": {mediaType}}
	var found []validate.Problem
	if at[0] == "requestBody" {
		found, err = v.Request(edited, validate.Request{Header: header, Body: []byte(in.Value)})
	} else {
		found, err = v.Response(edited, status(at[1]), header, []byte(in.Value))
	}
	if err != nil {
		return nil
	}
	for _, p := range found {
		if p.Location != validate.Body {
			continue
		}
		list = append(list, Problem{in, p.Pointer, p.Message, tree.WithPlace(value, p.Pointer, p.Message)})
	}
	return list
}

// status returns a status that a documented one stands for.
func status(code string) int {
	if n, err := strconv.Atoi(strings.ReplaceAll(code, "X", "0")); err == nil {
		return n
	}
	return 599 // default
}

// Pointer returns the JSON pointer of an example in its operation.
func Pointer(in *outline.Input) string {
	at := strings.TrimPrefix(strings.TrimSuffix(in.Name, "#value"), outline.Prefix)
	if tokens := tree.Tokens(at); len(tokens) > 1 && tokens[len(tokens)-2] == "examples" {
		at += "/value"
	}
	return at
}

// Title names an example by its place.
func Title(in *outline.Input) string {
	tokens := tree.Tokens(strings.TrimPrefix(strings.TrimSuffix(in.Name, "#value"), outline.Prefix))
	title := "Body"
	if tokens[0] == "responses" && len(tokens) > 1 {
		title = "Response " + tokens[1]
	}
	if len(tokens) > 1 && tokens[len(tokens)-2] == "examples" {
		title += ", " + tokens[len(tokens)-1]
	}
	return title
}
