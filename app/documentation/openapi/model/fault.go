package model

import (
	"regexp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/tree"
)

// Fault is the description of an error code.
type Fault struct {
	Meaning string // plain text
	Remedy  string // plain text, "" where the document gives none
}

// problemType matches the type of a problem (RFC 9457) that leads to its error code.
var problemType = regexp.MustCompile(`/errors#error-(\d{1,7})$`)

var faultCode = regexp.MustCompile(`^\d{1,7}$`)

// Faults reads the tables of error codes in a Markdown text: those with columns
// named Code and Meaning. The column What to do is the remedy. A cell may hold
// several codes with commas between. The first row of a code counts.
func Faults(text string) map[string]Fault {
	faults := map[string]Fault{}
	for head, row := range markdown.TableRows(text) {
		f := Fault{Meaning: cell(head, row, "meaning"), Remedy: cell(head, row, "what to do")}
		for _, c := range strings.Split(cell(head, row, "code"), ",") {
			c = strings.TrimSpace(c)
			if _, known := faults[c]; !known && f.Meaning != "" && faultCode.MatchString(c) {
				faults[c] = f
			}
		}
	}
	return faults
}

// cell returns the cell of a row that is under a heading.
func cell(head, row []string, name string) string {
	i := slices.Index(head, name)
	if i < 0 || i >= len(row) {
		return ""
	}
	return row[i]
}

// codeHolders are the members that contain an error code, and codeNames those
// that are one.
var (
	codeHolders = []string{"error", "errors", "data", "response", "status"}
	codeNames   = []string{"code", "error_code", "errorCode", "error_subcode"}
)

// Codes lists the error codes in the example of a response.
func (x Example) Codes() []string { return codesWithin(x.Node) }

func codesWithin(n *tree.Node) (list []string) {
	if n == nil {
		return nil
	}
	for _, item := range n.Elements() {
		list = append(list, codesWithin(item)...)
	}
	for _, name := range codeNames {
		if c := n.Get(name).Display(); faultCode.MatchString(c) && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	if m := problemType.FindStringSubmatch(n.Str("type")); m != nil {
		list = append(list, m[1])
	}
	for _, name := range codeHolders {
		for _, c := range codesWithin(n.Get(name)) {
			if !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	return list
}
