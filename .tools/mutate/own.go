package main

import (
	"context"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// listOwn returns the mutants of our own operators.
func listOwn(_ context.Context, root, name string) ([]mutant, error) {
	sources, err := readPackage(root, name)
	if err != nil {
		return nil, err
	}
	var mutants []mutant
	for _, s := range sources {
		ast.Inspect(s.file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.FuncDecl:
				mutants = append(mutants, s.returnEarly(n)...)
			case *ast.BlockStmt:
				mutants = append(mutants, s.removeStatements(n.List)...)
			case *ast.CaseClause:
				mutants = append(mutants, s.removeStatements(n.Body)...)
			case *ast.BasicLit:
				mutants = append(mutants, s.widenSQL(n)...)
			}
			return true
		})
	}
	return tidy(mutants), nil
}

// returnEarly lets a function do nothing that returns nothing or an error.
func (s source) returnEarly(f *ast.FuncDecl) []mutant {
	if f.Body == nil || len(f.Body.List) == 0 {
		return nil
	}
	statement := "return;"
	if results := f.Type.Results; results != nil && len(results.List) > 0 {
		if t, ok := results.List[0].Type.(*ast.Ident); !ok || t.Name != "error" || results.NumFields() != 1 {
			return nil
		}
		statement = "return nil;"
	}
	start := s.offset(f.Body.List[0].Pos())
	return []mutant{s.replace("return early", start, start, statement+" ")}
}

// removeStatements removes calls, assignments and guards one by one.
func (s source) removeStatements(list []ast.Stmt) []mutant {
	var mutants []mutant
	for _, statement := range list {
		operator := "remove statement"
		switch n := statement.(type) {
		case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt:
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				continue
			}
		case *ast.IfStmt:
			if !s.isGuard(n) {
				continue
			}
			operator = "remove guard"
		default:
			continue
		}
		start, end := s.offset(statement.Pos()), s.offset(statement.End())
		mutants = append(mutants, s.replace(operator, start, end, ""))
	}
	return mutants
}

// isGuard reports whether an if leaves the function or the loop, for another
// reason than an error: those need a broken database to matter.
func (s source) isGuard(n *ast.IfStmt) bool {
	if n.Else != nil || len(n.Body.List) == 0 || strings.TrimSpace(s.text[s.offset(n.Cond.Pos()):s.offset(n.Cond.End())]) == "err != nil" {
		return false
	}
	switch n.Body.List[len(n.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

var (
	sqlStatement = regexp.MustCompile(`(?is)\b(select|update|delete|insert)\b.*\b(where|join)\b`)
	sqlCondition = regexp.MustCompile(`(?i)\b(where|and|on)\s+`)
	sqlNext      = regexp.MustCompile(`(?i)^(and|or|where|order|group|limit|returning|for|union|left|join|cross|on|set|offset|having|when|then)\b`)
	sqlBetween   = regexp.MustCompile(`(?i)\bbetween\s+\S+\s+$`)
)

// widenSQL makes conditions of the SQL in a literal hold always, one by one.
func (s source) widenSQL(lit *ast.BasicLit) []mutant {
	if lit.Kind != token.STRING || !sqlStatement.MatchString(lit.Value) {
		return nil
	}
	var mutants []mutant
	from := s.offset(lit.Pos())
	for _, at := range sqlCondition.FindAllStringIndex(lit.Value, -1) {
		end := conditionEnd(lit.Value, at[1])
		condition := strings.TrimSpace(lit.Value[at[1]:end])
		if condition == "" || strings.HasPrefix(condition, "conflict") || sqlBetween.MatchString(lit.Value[:at[0]]) {
			continue
		}
		start := from + at[1]
		mutants = append(mutants, s.replace("widen SQL", start, start+len(condition), "("+condition+" or true)"))
	}
	return mutants
}

// conditionEnd returns where the condition that begins at i ends: at the next
// keyword or closing bracket of its own depth, or at the end of the literal.
func conditionEnd(text string, i int) int {
	depth, between := 0, false // whether an and belongs to a between
	for ; i < len(text)-1; i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		case ';', ',':
			if depth == 0 {
				return i
			}
		case ' ', '\n', '\t':
			rest := text[i+1:]
			if depth != 0 || !sqlNext.MatchString(rest) {
				between = between || depth == 0 && strings.HasPrefix(rest, "between ")
				continue
			}
			if !between || !strings.HasPrefix(rest, "and ") {
				return i
			}
			between = false
		}
	}
	return i
}

// tidy sorts mutants by place and drops those that make the same change.
func tidy(mutants []mutant) []mutant {
	slices.SortFunc(mutants, func(a, b mutant) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return strings.Compare(a.Became+a.Operator, b.Became+b.Operator)
	})
	return slices.CompactFunc(mutants, func(a, b mutant) bool {
		return a.File == b.File && a.Start == b.Start && a.End == b.End && a.Became == b.Became
	})
}
