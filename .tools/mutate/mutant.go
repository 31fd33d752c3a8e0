package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one change of one file: the bytes from Start to End become Became.
type mutant struct {
	Package  string `json:"package"`
	File     string `json:"file"` // from the module's root
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Operator string `json:"operator"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Was      string `json:"was"`
	Became   string `json:"became"`
	Source   string `json:"source"` // the line, as it was
}

// key tells mutants apart, over changes elsewhere in the file too.
func (m mutant) key() string {
	return fmt.Sprint(m.File, m.Line, m.Operator, m.Source, m.Was, m.Became)
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d %s: %s => %s in: %s", m.File, m.Line, m.Operator, shorten(m.Was), shorten(m.Became), m.Source)
}

// apply returns the file's text with the mutation.
func (m mutant) apply(root string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, m.File))
	if err != nil {
		return nil, err
	}
	if m.End > len(text) || string(text[m.Start:m.End]) != m.Was {
		return nil, fmt.Errorf("%s was changed during the run", m.File)
	}
	return slices.Concat(text[:m.Start], []byte(m.Became), text[m.End:]), nil
}

// source is a parsed file of the package.
type source struct {
	pkg, name string
	text      string
	set       *token.FileSet
	file      *ast.File
}

// readPackage parses the files of a folder that are neither tests nor generated.
func readPackage(root, name string) ([]source, error) {
	paths, err := filepath.Glob(filepath.Join(root, name, "*.go"))
	if err != nil {
		return nil, err
	}
	var sources []source
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if !ast.IsGenerated(file) {
			sources = append(sources, source{name, name + "/" + filepath.Base(path), string(text), set, file})
		}
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("no Go files in %s", filepath.Join(root, name))
	}
	return sources, nil
}

func (s source) offset(p token.Pos) int { return s.set.Position(p).Offset }

// replace returns the mutant that puts became in place of the text.
func (s source) replace(operator string, start, end int, became string) mutant {
	line := strings.Count(s.text[:start], "\n") + 1
	column := start - strings.LastIndex(s.text[:start], "\n")
	return mutant{
		Package: s.pkg, File: s.name, Line: line, Column: column, Operator: operator,
		Start: start, End: end, Was: s.text[start:end], Became: became,
		Source: strings.TrimSpace(strings.Split(s.text, "\n")[line-1]),
	}
}

// shorten makes one short line of a text.
func shorten(text string) string {
	line := strings.Join(strings.Fields(text), " ")
	if runes := []rune(line); len(runes) > 70 {
		line = string(runes[:70]) + "…"
	}
	if line == "" {
		return "nothing"
	}
	return line
}
