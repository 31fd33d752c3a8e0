package markdown

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Patterns of a column of error codes and its cells.
var (
	codeColumn = regexp.MustCompile(`(?i)^(code|error)$`)
	codeList   = regexp.MustCompile(`^[0-9]{1,7}(, *[0-9]{1,7})*$`)
	codeDigits = regexp.MustCompile(`[0-9]+`)
)

// ErrorCodes returns the error codes that a table cell lists, or nil if the
// column does not hold error codes. Both are plain text.
func ErrorCodes(column, cell string) []string {
	if !codeColumn.MatchString(column) || !codeList.MatchString(cell) {
		return nil
	}
	return codeDigits.FindAllString(cell, -1)
}

// ErrorID returns the id of an error code in a description.
func ErrorID(code string) string { return "error-" + code }

// anchorCodes gives the error codes of a table ids. Only the first occurrence of
// a code has one.
func anchorCodes(table *east.Table, source []byte, taken anchors) {
	var columns []string
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		i := 0
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if row.Kind() == east.KindTableHeader {
				columns = append(columns, plainWords(cell, source))
			} else if i < len(columns) && ErrorCodes(columns[i], plainWords(cell, source)) != nil {
				anchorCell(cell, source, taken)
			}
			i++
		}
	}
}

// anchorCell turns every number in a cell into code with an id. The cell holds
// only text and code.
func anchorCell(cell ast.Node, source []byte, taken anchors) {
	for child := cell.FirstChild(); child != nil; {
		next := child.NextSibling()
		switch child := child.(type) {
		case *ast.CodeSpan:
			identify(child, strings.TrimSpace(plainWords(child, source)), taken)
		case *ast.Text:
			start, value := child.Segment.Start, child.Segment.Value(source)
			end := 0
			add := func(n ast.Node) { cell.InsertBefore(cell, child, n) }
			for _, at := range codeDigits.FindAllIndex(value, -1) {
				if at[0] > end {
					add(ast.NewTextSegment(text.NewSegment(start+end, start+at[0])))
				}
				code := ast.NewCodeSpan()
				code.AppendChild(code, ast.NewTextSegment(text.NewSegment(start+at[0], start+at[1])))
				identify(code, string(value[at[0]:at[1]]), taken)
				add(code)
				end = at[1]
			}
			child.Segment = text.NewSegment(start+end, child.Segment.Stop)
		}
		child = next
	}
}

func identify(code *ast.CodeSpan, digits string, taken anchors) {
	if id := ErrorID(digits); taken[id] == 0 {
		taken[id]++
		code.SetAttributeString("id", []byte(id))
	}
}
