package main

import (
	"go/ast"
	"os"
	"slices"
	"strconv"
	"testing"

	"heliograph/db/dbtest"
)

// The database signals changes of every table that a process keeps rows of in memory.
func TestCachedTablesSignalChanges(t *testing.T) {
	t.Parallel()
	var signals []string
	err := dbtest.Pool(t).QueryRow(t.Context(), `
		select array_agg(t.tgrelid::regclass::text) from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'notify_changed'`).Scan(&signals)
	if err != nil {
		t.Fatal(err)
	}
	caches := 0
	for _, f := range readTree(t, os.DirFS("..")).written() {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !makesCache(call.Fun) {
				return true
			}
			caches++
			for _, arg := range call.Args[3:] {
				table, err := strconv.Unquote(arg.(*ast.BasicLit).Value)
				if err != nil || !slices.Contains(signals, table) {
					t.Errorf("%s: nothing signals that %s has changed: add a trigger with notify_changed", f.path, table)
				}
			}
			return true
		})
	}
	if caches < 8 {
		t.Errorf("only %d caches were found: the test looks for the wrong call", caches)
	}
}

// makesCache reports whether a call is one of db.NewCache with its types.
func makesCache(call ast.Expr) bool {
	typed, ok := call.(*ast.IndexListExpr)
	if !ok {
		return false
	}
	name, ok := typed.X.(*ast.SelectorExpr)
	return ok && name.Sel.Name == "NewCache"
}
