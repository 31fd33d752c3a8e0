package main

import (
	"context"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// swaps gives the token that each of gremlins' mutations puts in place of
// another.
var swaps = map[string]map[token.Token]token.Token{
	"ARITHMETIC_BASE":         {token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL},
	"CONDITIONALS_BOUNDARY":   {token.GEQ: token.GTR, token.GTR: token.GEQ, token.LEQ: token.LSS, token.LSS: token.LEQ},
	"CONDITIONALS_NEGATION":   {token.EQL: token.NEQ, token.NEQ: token.EQL, token.GEQ: token.LSS, token.LSS: token.GEQ, token.GTR: token.LEQ, token.LEQ: token.GTR},
	"INCREMENT_DECREMENT":     {token.INC: token.DEC, token.DEC: token.INC},
	"INVERT_ASSIGNMENTS":      {token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN},
	"INVERT_LOGICAL":          {token.LAND: token.LOR, token.LOR: token.LAND},
	"INVERT_LOOPCTRL":         {token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK},
	"INVERT_NEGATIVES":        {token.SUB: token.ADD},
	"REMOVE_SELF_ASSIGNMENTS": {token.ADD_ASSIGN: token.ASSIGN, token.SUB_ASSIGN: token.ASSIGN, token.MUL_ASSIGN: token.ASSIGN, token.QUO_ASSIGN: token.ASSIGN, token.OR_ASSIGN: token.ASSIGN},
}

// listGremlins returns the mutants that a dry run of gremlins finds in the
// package. It runs no test: gremlins would ask the tests of the package alone
// what they cover, and what no test covers must be in the sample too.
func listGremlins(ctx context.Context, root, name string) ([]mutant, error) {
	sources, err := readPackage(root, name)
	if err != nil {
		return nil, err
	}
	out, err := os.CreateTemp("", "gremlins-*.json")
	if err != nil {
		return nil, err
	}
	defer os.Remove(out.Name())
	out.Close()
	args := []string{"tool", "-modfile=.tools/go.mod", "gremlins", "unleash", "--dry-run", "--exclude-files", "/", "--output", out.Name()}
	for operator := range swaps {
		args = append(args, "--"+strings.ReplaceAll(strings.ToLower(operator), "_", "-"))
	}
	cmd := exec.CommandContext(ctx, "nice", append([]string{"-n", "5", "go"}, append(args, name)...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -run=^$")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gremlins: %w\n%s", err, text)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		return nil, err
	}
	return readGremlins(sources, text)
}

// readGremlins turns gremlins' list into changes of the files.
func readGremlins(sources []source, list []byte) ([]mutant, error) {
	var found struct {
		Files []struct {
			Name      string `json:"file_name"`
			Mutations []struct {
				Type   string
				Line   int
				Column int
			}
		}
	}
	if err := json.Unmarshal(list, &found); err != nil {
		return nil, fmt.Errorf("reading gremlins' list: %w", err)
	}
	var mutants []mutant
	for _, s := range sources {
		for _, f := range found.Files {
			if filepath.Base(f.Name) != filepath.Base(s.name) {
				continue
			}
			for _, m := range f.Mutations {
				if mutant, ok := s.swap(m.Type, m.Line, m.Column); ok {
					mutants = append(mutants, mutant)
				}
			}
		}
	}
	return tidy(mutants), nil
}

// swap returns the mutant of the token at a place; columns count bytes from 1.
func (s source) swap(operator string, line, column int) (mutant, bool) {
	file := s.set.File(s.file.Pos())
	start := file.Offset(file.LineStart(line)) + column - 1
	var scan scanner.Scanner
	rest := []byte(s.text[start:])
	set := token.NewFileSet()
	scan.Init(set.AddFile("", -1, len(rest)), rest, nil, 0)
	_, was, _ := scan.Scan()
	became, ok := swaps[operator][was]
	if !ok {
		return mutant{}, false
	}
	return s.replace(operator, start, start+len(was.String()), became.String()), true
}
