package queries_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A site is a call that runs SQL.
type site struct {
	fn   *ast.FuncDecl
	call *ast.CallExpr
	sql  ast.Expr // nil for a COPY
	rows ast.Expr // the type that its rows are collected into; nil for none
	lax  bool     // rows may lack fields of that type
}

// A statement is one text that a site can run.
type statement struct {
	site  *site
	where string // file and line
	sql   string
}

// finder finds the SQL of Go packages in their source. It resolves literals,
// constants, their sums and Sprintf, loops over lists of constants, and
// parameters by the arguments of every call.
type finder struct {
	fset    *token.FileSet
	values  map[string]ast.Expr        // constants and variables of the packages
	funcs   map[string]*ast.FuncDecl   // functions and methods by name
	calls   map[string][]*call         // by the name of the function called
	structs map[string]*ast.StructType // by the name of the type
	samples map[string]string          // what stands for an operand that only a running program knows
	sites   []*site                    // in the order of the source
	locals  map[*ast.FuncDecl]map[string]ast.Expr
}

// call is a call with the function that it stands in.
type call struct {
	in   *ast.FuncDecl
	call *ast.CallExpr
}

func newFinder() *finder {
	return &finder{
		fset: token.NewFileSet(), values: map[string]ast.Expr{}, funcs: map[string]*ast.FuncDecl{}, calls: map[string][]*call{},
		structs: map[string]*ast.StructType{}, samples: map[string]string{}, locals: map[*ast.FuncDecl]map[string]ast.Expr{},
	}
}

// The packages of db that have SQL, as folders below it, and the ones that only read.
var (
	reading = []string{"queries/across", "queries/channels", "queries/documentation", "queries/operation", "queries/people"}
	asking  = slices.Concat(reading, []string{
		"queries/channels/writes", "queries/collect", "queries/documentation/writes", "queries/errands", "queries/operation/writes", "queries/parts", "queries/people/writes",
	})
)

// read adds the files of folders that are no tests.
func (f *finder) read(t *testing.T, tree fs.FS, folders ...string) {
	t.Helper()
	var names []string
	for _, folder := range folders {
		found, err := fs.Glob(tree, path.Join(folder, "*.go"))
		if err != nil || len(found) == 0 {
			t.Fatalf("found %d Go files in %s: %v", len(found), folder, err)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := fs.ReadFile(tree, name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(f.fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f.add(d)
		}
	}
}

func (f *finder) add(d ast.Decl) {
	switch d := d.(type) {
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if typed, ok := spec.(*ast.TypeSpec); ok {
				if s, ok := typed.Type.(*ast.StructType); ok {
					f.structs[typed.Name.Name] = s
				}
			}
			valued(spec, f.values)
		}
	case *ast.FuncDecl:
		f.funcs[d.Name.Name] = d
		f.locals[d] = map[string]ast.Expr{}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				for _, spec := range n.Specs {
					if n.Tok == token.CONST {
						valued(spec, f.locals[d])
					}
				}
			case *ast.RangeStmt:
				if id, ok := n.Value.(*ast.Ident); ok {
					f.locals[d][id.Name] = n.X
				}
			case *ast.CallExpr:
				f.addCall(d, n)
			}
			return true
		})
	}
}

func valued(spec ast.Spec, values map[string]ast.Expr) {
	if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
		for i, name := range v.Names {
			values[name.Name] = v.Values[i]
		}
	}
}

// The place of the SQL among the arguments of what runs it.
var runners = map[string]int{"Exec": 1, "Query": 1, "QueryRow": 1, "Queue": 0}

func (f *finder) addCall(fn *ast.FuncDecl, c *ast.CallExpr) {
	name := called(c)
	f.calls[name] = append(f.calls[name], &call{fn, c})
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	at, runs := runners[name]
	switch {
	case runs && len(c.Args) > at:
		if queue, ok := sel.X.(*ast.CallExpr); ok && called(queue) == "Queue" {
			return // what is done with the rows of a batch; the inner call has the SQL
		}
		s := &site{fn: fn, call: c, sql: c.Args[at]}
		s.rows, s.lax = collected(fn, c)
		f.sites = append(f.sites, s)
	case name == "CopyFrom" && len(c.Args) > 2:
		f.sites = append(f.sites, &site{fn: fn, call: c})
	}
}

// called is the name of the function or method of a call.
func called(c *ast.CallExpr) string {
	fun := c.Fun
	switch generic := fun.(type) {
	case *ast.IndexExpr:
		fun = generic.X
	case *ast.IndexListExpr:
		fun = generic.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// collected returns the type that a function collects the rows of a call into
// by name: within the closure that follows a Queue, or else anywhere.
func collected(fn *ast.FuncDecl, c *ast.CallExpr) (rows ast.Expr, lax bool) {
	var within ast.Node = fn
	if called(c) == "Queue" {
		within = nil
		ast.Inspect(fn, func(n ast.Node) bool {
			if next, ok := n.(*ast.CallExpr); ok {
				if sel, ok := next.Fun.(*ast.SelectorExpr); ok && sel.X == c {
					within = next.Args[0]
				}
			}
			return true
		})
	} else if called(c) != "Query" {
		return nil, false
	}
	if within == nil {
		return nil, false
	}
	ast.Inspect(within, func(n ast.Node) bool {
		if g, ok := n.(*ast.IndexExpr); ok {
			if sel, ok := g.X.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "RowToStructByName") {
				rows, lax = g.Index, strings.HasSuffix(sel.Sel.Name, "Lax")
			}
		}
		return true
	})
	return rows, lax
}

// scope holds the arguments that a function was called with.
type scope struct {
	fn     *ast.FuncDecl
	args   map[string]ast.Expr
	caller *scope
}

// unresolved is a call with SQL that is known only at run time.
type unresolved struct {
	site *site
	at   ast.Node
	err  error
}

// statements returns what a site can run, once for every way in which its
// function is called, and the ways with SQL that is made at run time.
func (f *finder) statements(s *site) (found []statement, open []unresolved) {
	if s.sql == nil {
		sql, err := f.copied(s)
		if err != nil {
			return nil, []unresolved{{s, s.call, err}}
		}
		return []statement{{s, f.at(s.call), sql}}, nil
	}
	for _, way := range f.scopes(s.fn, s.sql, s.call) {
		typed := *s
		if id, ok := s.rows.(*ast.Ident); ok && way.typed != nil && isTypeParam(s.fn, id.Name) {
			typed.rows = way.typed
		}
		texts, err := f.eval(s.sql, way.scope)
		if err != nil {
			open = append(open, unresolved{&typed, way.at, err})
			continue
		}
		for _, text := range texts {
			found = append(found, statement{&typed, f.at(way.at), text})
		}
	}
	return found, open
}

// reached is a scope with the outermost call and its type argument.
type reached struct {
	scope *scope
	at    ast.Node
	typed ast.Expr
}

// scopes follows the parameters that an expression uses to their callers.
func (f *finder) scopes(fn *ast.FuncDecl, e ast.Expr, at ast.Node) (all []reached) {
	used := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		used = used || ok && paramAt(fn, id.Name) >= 0
		return true
	})
	if !used || len(f.calls[fn.Name.Name]) == 0 {
		return []reached{{&scope{fn: fn}, at, nil}}
	}
	for _, c := range f.calls[fn.Name.Name] {
		args := map[string]ast.Expr{}
		for i, name := range params(fn) {
			if i < len(c.call.Args) {
				args[name] = c.call.Args[i]
			}
		}
		var typed ast.Expr
		if g, ok := c.call.Fun.(*ast.IndexExpr); ok {
			typed = g.Index
		}
		var texts ast.Expr = &ast.CompositeLit{Elts: stringsOf(fn, e, args)}
		for _, outer := range f.scopes(c.in, texts, c.call) {
			if outer.typed == nil {
				outer.typed = typed
			}
			all = append(all, reached{&scope{fn, args, outer.scope}, outer.at, outer.typed})
		}
	}
	return all
}

// stringsOf returns the arguments behind the parameters that e uses.
func stringsOf(fn *ast.FuncDecl, e ast.Expr, args map[string]ast.Expr) (used []ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && paramAt(fn, id.Name) >= 0 && args[id.Name] != nil {
			used = append(used, args[id.Name])
		}
		return true
	})
	return used
}

func params(fn *ast.FuncDecl) (names []string) {
	for _, p := range fn.Type.Params.List {
		for _, n := range p.Names {
			names = append(names, n.Name)
		}
	}
	return names
}

func paramAt(fn *ast.FuncDecl, name string) int {
	for i, p := range params(fn) {
		if p == name {
			return i
		}
	}
	return -1
}

func isTypeParam(fn *ast.FuncDecl, name string) bool {
	if fn.Type.TypeParams == nil {
		return false
	}
	for _, p := range fn.Type.TypeParams.List {
		for _, n := range p.Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}

// eval returns every text that an expression can be.
func (f *finder) eval(e ast.Expr, sc *scope) ([]string, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if e.Kind != token.STRING {
			text, err = e.Value, nil
		}
		return []string{text}, err
	case *ast.ParenExpr:
		return f.eval(e.X, sc)
	case *ast.BinaryExpr:
		return f.cross(sc, func(parts []string) string { return parts[0] + parts[1] }, e.X, e.Y)
	case *ast.CompositeLit:
		var all []string
		for _, element := range e.Elts {
			texts, err := f.eval(element, sc)
			if err != nil {
				return nil, err
			}
			all = append(all, texts...)
		}
		return all, nil
	case *ast.SelectorExpr:
		return f.named(e.Sel.Name, nil)
	case *ast.Ident:
		return f.named(e.Name, sc)
	case *ast.CallExpr:
		if called(e) == "Sprintf" {
			return f.cross(sc, func(parts []string) string {
				args := make([]any, len(parts)-1)
				for i, p := range parts[1:] {
					args[i] = p
				}
				return fmt.Sprintf(parts[0], args...)
			}, e.Args...)
		}
	}
	return nil, fmt.Errorf("a %T is known only at run time", e)
}

// named is eval for a name.
func (f *finder) named(name string, sc *scope) ([]string, error) {
	if sc != nil {
		if sample, ok := f.samples[sc.fn.Name.Name+"."+name]; ok {
			return []string{sample}, nil
		}
		if arg := sc.args[name]; arg != nil {
			return f.eval(arg, sc.caller)
		}
		if value := f.locals[sc.fn][name]; value != nil {
			return f.eval(value, sc)
		}
	}
	if value := f.values[name]; value != nil {
		return f.eval(value, nil)
	}
	if sample, ok := f.samples["."+name]; ok {
		return []string{sample}, nil
	}
	return nil, fmt.Errorf("%s is known only at run time", name)
}

// cross joins every text of each part with every one of the others.
func (f *finder) cross(sc *scope, join func(parts []string) string, parts ...ast.Expr) ([]string, error) {
	rows := [][]string{nil}
	for _, part := range parts {
		texts, err := f.eval(part, sc)
		if err != nil {
			return nil, err
		}
		var next [][]string
		for _, row := range rows {
			for _, text := range texts {
				next = append(next, append(append([]string(nil), row...), text))
			}
		}
		rows = next
	}
	joined := make([]string, len(rows))
	for i, row := range rows {
		joined[i] = join(row)
	}
	return joined, nil
}

// copied returns a query for the table and columns of a COPY.
func (f *finder) copied(s *site) (string, error) {
	table, err := f.eval(s.call.Args[1], &scope{fn: s.fn})
	if err != nil {
		return "", err
	}
	columns, err := f.eval(s.call.Args[2], &scope{fn: s.fn})
	return "select " + strings.Join(columns, ", ") + " from " + strings.Join(table, "."), err
}

func (f *finder) at(n ast.Node) string {
	p := f.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}
