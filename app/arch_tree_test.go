package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"
)

// tree is the source of the program as the rules see it.
type tree struct {
	set   *token.FileSet
	files []*file
	templ map[string]int // path → lines
	top   []string       // names at the top level
	dirs  []string
}

// file is one parsed Go file.
type file struct {
	path      string
	dir       string
	lines     int
	generated bool
	test      bool
	ast       *ast.File
	imports   map[string]string // local name → import path
}

// readTree parses every Go file below root, except what tools and tests keep
// in dot-folders, testdata, bin and node_modules.
func readTree(t *testing.T, root fs.FS) *tree {
	t.Helper()
	tr := &tree{set: token.NewFileSet(), templ: map[string]int{}}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if !strings.Contains(name, "/") {
			tr.top = append(tr.top, name)
		}
		if entry.IsDir() {
			if base := path.Base(name); base[0] == '.' || base == "testdata" || base == "bin" || base == "node_modules" {
				return fs.SkipDir
			}
			tr.dirs = append(tr.dirs, name)
			return nil
		}
		return tr.add(root, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func (tr *tree) add(root fs.FS, name string) error {
	ext := path.Ext(name)
	if ext != ".go" && ext != ".templ" {
		return nil
	}
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	lines := bytes.Count(text, []byte("\n"))
	if ext == ".templ" {
		tr.templ[name] = lines
		return nil
	}
	parsed, err := parser.ParseFile(tr.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	f := &file{
		path: name, dir: path.Dir(name), lines: lines, ast: parsed, imports: map[string]string{},
		generated: ast.IsGenerated(parsed), test: strings.HasSuffix(name, "_test.go"),
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		f.imports[localName(spec, imported)] = imported
	}
	tr.files = append(tr.files, f)
	return nil
}

// localName is the name under which a file uses an import: its last element,
// without a major version.
func localName(spec *ast.ImportSpec, imported string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	base := path.Base(imported)
	if strings.Trim(base, "v0123456789") == "" {
		base = path.Base(path.Dir(imported))
	}
	base, _, _ = strings.Cut(base, ".") // gopkg.in/yaml.v3
	return strings.TrimSuffix(strings.TrimPrefix(base, "go-"), "-go")
}

// written returns the files that people wrote and that ship: no tests, nothing
// generated.
func (tr *tree) written() []*file {
	var out []*file
	for _, f := range tr.files {
		if !f.test && !f.generated {
			out = append(out, f)
		}
	}
	return out
}

// at formats a finding with its place.
func (tr *tree) at(n ast.Node, format string, args ...any) string {
	p := tr.set.Position(n.Pos())
	return fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(format, args...))
}

// selectors calls fn for each pkg.Name in the file where pkg is an import.
func (f *file) selectors(fn func(n ast.Node, imported, name string)) {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && f.imports[x.Name] != "" {
				fn(sel, f.imports[x.Name], sel.Sel.Name)
			}
		}
		return true
	})
}

// texts calls fn for each string literal below n, import paths excepted.
func texts(n ast.Node, fn func(lit *ast.BasicLit, text string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				fn(lit, text)
			}
		}
		return true
	})
}

// within reports whether dir is one of the folders or lies below one.
func within(dir string, folders ...string) bool {
	for _, f := range folders {
		if dir == f || strings.HasPrefix(dir, f+"/") {
			return true
		}
	}
	return false
}
