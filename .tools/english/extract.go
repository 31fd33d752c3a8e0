package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// piece is a text to check and the line at which it starts.
type piece struct {
	line int
	text string
}

// extractorOf returns the function that reads the texts of a file, or nil for a
// file that is not checked: generated and vendored files, data, and the lists of
// this checker.
func extractorOf(name string) func(source string) []piece {
	if strings.HasSuffix(name, "_templ.go") || strings.Contains(name, "/vendor/") || strings.Contains(name, "testdata/") || strings.HasPrefix(name, ".tools/english/") {
		return nil
	}
	switch filepath.Ext(name) {
	case ".go":
		return extractGo
	case ".js", ".css":
		return extractComments
	case ".templ":
		return extractText
	case ".md", ".yaml":
		if name == "README.md" || strings.HasPrefix(name, "db/seed/") || strings.HasPrefix(name, "app/operation/help/") {
			return extractText
		}
	}
	return nil
}

// extractText returns the whole source.
func extractText(source string) []piece { return []piece{{1, source}} }

// extractGo returns comments, each group as one text, and string literals. A
// file that does not parse is read as text.
func extractGo(source string) []piece {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return extractText(source)
	}
	if ast.IsGenerated(file) {
		return nil
	}
	var pieces []piece
	for _, group := range file.Comments {
		var text strings.Builder
		line := files.Position(group.Pos()).Line
		for _, comment := range group.List {
			for files.Position(comment.Pos()).Line > line {
				text.WriteByte('\n')
				line++
			}
			text.WriteString(strings.TrimPrefix(comment.Text, "//"))
			line += strings.Count(comment.Text, "\n")
		}
		pieces = append(pieces, piece{files.Position(group.Pos()).Line, text.String()})
	}
	ast.Inspect(file, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		text := literal.Value
		if unquoted, err := strconv.Unquote(text); err == nil && !strings.HasPrefix(text, "`") {
			text = strings.ReplaceAll(unquoted, "\n", " ") // it is one line of the source
		}
		pieces = append(pieces, piece{files.Position(literal.Pos()).Line, text})
		return true
	})
	return pieces
}

var comment = regexp.MustCompile(`(?s:/\*.*?\*/)|(?m:(?:^|\s)//.*$(?:\n\s*//.*$)*)`)

// extractComments returns the comments of a script or a style sheet.
func extractComments(source string) []piece {
	var pieces []piece
	for _, at := range comment.FindAllStringIndex(source, -1) {
		text := source[at[0]:at[1]]
		pieces = append(pieces, piece{1 + strings.Count(source[:at[0]], "\n"), strings.ReplaceAll(text, "//", " ")})
	}
	return pieces
}
