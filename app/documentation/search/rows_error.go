package search

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db/models"
)

// A code that programs decide by: digits, alone in a cell or a value, or with
// others.
var code = regexp.MustCompile(`^\d{1,7}$`)

// table makes rows of the error codes that the tables of a Markdown text list:
// those with a column named code and one that says what the code means. The
// tables of a version are worth more than an endpoint's.
func (w *writer) table(slug string, at models.SearchRow, text string) {
	for head, row := range markdown.TableRows(text) {
		w.tableRow(slug, at, head, row)
	}
}

func (w *writer) tableRow(slug string, at models.SearchRow, head, row []string) {
	var codes, text []string
	page := at.URL
	for i, cell := range row {
		if i >= len(head) {
			break
		}
		switch name := head[i]; name {
		case "code", "error":
			codes = markdown.ErrorCodes(name, cell)
		case "http", "status":
		case "what to do":
			text = append(text, cell)
			if cell != "" {
				page = w.url + "/errors"
			}
		default:
			text = append(text, cell)
		}
	}
	if len(text) == 0 {
		return
	}
	for _, c := range codes {
		if !w.codes[slug+" "+c] {
			w.codes[slug+" "+c] = true
			row := at
			row.URL = page + "#" + markdown.ErrorID(c)
			w.failure(c, row, strings.Join(text, ". "), errorWeight)
		}
	}
}

// failures makes rows of the error codes within examples of an answer.
func (p *page) failures(r model.Response, list []model.Example) {
	for _, example := range list {
		var value any
		if example.Generated || json.Unmarshal([]byte(example.Value), &value) != nil {
			continue
		}
		for _, c := range codesWithin(value) {
			if p.codes[p.endpoint.Slug+" "+c] {
				continue
			}
			p.codes[p.endpoint.Slug+" "+c] = true
			at := p.row
			at.URL += "#response-" + strings.ToLower(r.Status)
			p.failure(c, at, strings.TrimSpace(example.Summary+". "+messageWithin(value)), errorWeight*0.7)
		}
	}
}

// errorPage makes a row of the page that lists the error codes of the version, if
// there is one.
func (w *writer) errorPage() {
	page := w.url + "/errors"
	if !slices.ContainsFunc(w.rows, func(r models.SearchRow) bool { return strings.HasPrefix(r.URL, page+"#") }) {
		return
	}
	w.add(models.SearchRow{
		Kind: "error", Title: "Error codes", URL: page, Breadcrumb: w.crumbs(), Weight: errorWeight, Deprecated: w.version.deprecated(),
		Body:  "Every error code of " + w.version.Product.Name + " " + w.version.Slug + ": what it means and what to do.",
		Names: "error codes", Others: "list of errors",
		Page: &models.SearchPage{Headings: indexed("list of errors", w.version.Product.Name, w.version.Product.Slug)},
	})
}

func (w *writer) failure(c string, at models.SearchRow, text string, weight float32) {
	at.Kind, at.Title, at.Weight, at.Body = "error", c, weight, w.text(text)
	at.Names, at.Others = c, "error code"
	at.Page = &models.SearchPage{Headings: "error code " + indexed(at.Body), Fields: indexed(at.Breadcrumb...)}
	w.add(at)
}

// codesWithin lists the numbers that an example calls a code.
func codesWithin(value any) (list []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range []string{"code", "error_code", "errorCode", "error_subcode"} {
			if c := number(value[name]); code.MatchString(c) {
				list = append(list, c)
			}
		}
		for _, name := range []string{"error", "errors", "data", "response", "status"} {
			list = append(list, codesWithin(value[name])...)
		}
	case []any:
		for _, item := range value {
			list = append(list, codesWithin(item)...)
		}
	}
	return list
}

// messageWithin is what an example says beside its code.
func messageWithin(value any) string {
	object, ok := value.(map[string]any)
	if !ok {
		return ""
	}
	for _, name := range []string{"message", "details", "detail"} {
		if text, ok := object[name].(string); ok {
			return text
		}
	}
	for _, name := range []string{"error", "response", "data"} {
		if text := messageWithin(object[name]); text != "" {
			return text
		}
	}
	return ""
}

func number(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case float64:
		text, err := json.Marshal(value)
		if err == nil {
			return string(text)
		}
	}
	return ""
}
