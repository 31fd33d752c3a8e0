package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// module writes a module with one package and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files["go.mod"] = "module example.com/lamp\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const lamp = `package lamp

type Lamp struct{ On bool; Uses int }

func (l *Lamp) Switch() {
	l.On = !l.On
	l.Uses += 1
}

func (l *Lamp) Broken(limit int) bool {
	if limit == 0 {
		return false
	}
	return l.Uses > limit && l.On
}

const used = ` + "`select id from lamps where uses between 1 and 2 and (room = $1 or room is null) order by id`" + `

func (l *Lamp) Check(err error) error {
	if err != nil {
		return err
	}
	return nil
}
`

func TestOwnOperators(t *testing.T) {
	t.Parallel()
	mutants, err := listOwn(t.Context(), module(t, map[string]string{"lamp/lamp.go": lamp, "lamp/lamp_test.go": "package lamp\nfunc f() { f() }"}), "lamp")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutants {
		got = append(got, m.Operator+": "+shorten(m.Was)+" => "+shorten(m.Became))
	}
	want := []string{
		"remove statement: l.On = !l.On => nothing",
		"return early: nothing => return;",
		"remove statement: l.Uses += 1 => nothing",
		"remove guard: if limit == 0 { return false } => nothing",
		"widen SQL: uses between 1 and 2 => (uses between 1 and 2 or true)",
		"widen SQL: (room = $1 or room is null) => ((room = $1 or room is null) or true)",
		"return early: nothing => return nil;",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("mutants are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestGremlinsListBecomesChanges(t *testing.T) {
	t.Parallel()
	sources, err := readPackage(module(t, map[string]string{"lamp/lamp.go": lamp}), "lamp")
	if err != nil {
		t.Fatal(err)
	}
	mutants, err := readGremlins(sources, []byte(`{"files": [{"file_name": "lamp/lamp.go", "mutations": [
		{"type": "CONDITIONALS_BOUNDARY", "line": 14, "column": 16}, {"type": "INVERT_LOGICAL", "line": 14, "column": 24},
		{"type": "CONDITIONALS_NEGATION", "line": 1, "column": 1}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range mutants {
		got = append(got, m.Was+" "+m.Became)
	}
	if want := []string{"> >=", "&& ||"}; !slices.Equal(got, want) {
		t.Errorf("changes are %q, want %q", got, want)
	}
}

// Each mutant of a small module meets its tests; a second run has nothing to do. One
// that does not compile is not viable, though no test runs it.
func TestRunFindsSurvivors(t *testing.T) {
	t.Parallel()
	root := module(t, map[string]string{"lamp/lamp.go": lamp, "lamp/lamp_test.go": `package lamp

import "testing"

func TestSwitch(t *testing.T) {
	var l Lamp
	l.Switch()
	if !l.On {
		t.Error("the lamp is off")
	}
}`, "lamp/end.go": "package lamp\n\nimport \"os\"\n\nfunc end() { os.Exit(1) }\n"})
	o := options{root: root, operators: "own", out: filepath.Join(t.TempDir(), "out.jsonl"), seed: 1, n: 20}
	if err := run(t.Context(), o, []string{"lamp"}); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(o.out)
	if err != nil {
		t.Fatal(err)
	}
	log, err := openLog(o.out)
	if err != nil {
		t.Fatal(err)
	}
	defer log.close()
	got := map[string]string{}
	for _, r := range log.results {
		got[filepath.Base(r.File)+" "+r.Operator+" "+shorten(r.Was)] = r.Status
	}
	for mutant, want := range map[string]string{
		"lamp.go remove statement l.On = !l.On": killed, "lamp.go remove statement l.Uses += 1": survived,
		"lamp.go remove guard if limit == 0 { return false }": survived,
		"end.go remove statement os.Exit(1)":                  notViable, "end.go return early nothing": survived, // no test runs it
	} {
		if got[mutant] != want {
			t.Errorf("%s %s, want it %s", mutant, got[mutant], want)
		}
	}
	if err := run(t.Context(), o, []string{"lamp"}); err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(o.out); err != nil || len(second) != len(first) {
		t.Errorf("the second run wrote %d bytes more, %v", len(second)-len(first), err)
	}
}

// Tests may leave programs that go on printing where they did. These hold up neither
// an interrupted run nor the result of one that has ended.
func TestRunDoesNotWaitForWhatTestsStarted(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script string
		end    time.Duration // of the context
		want   string
	}{
		"interrupted": {"setsid sleep 60 &\nsleep 60", 200 * time.Millisecond, ""},
		"failed":      {"setsid sleep 60 &\necho '--- FAIL: TestLamp (0.00s)'\nsleep 60", time.Minute, killed},
		"passed":      {"setsid sleep 60 &\necho PASS", time.Minute, survived},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bench{root: module(t, map[string]string{"lamp.go": lamp}), folder: t.TempDir()}
			if err := os.WriteFile(b.binary(), []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), tt.end)
			defer cancel()
			began := time.Now()
			r, err := b.run(ctx, ".", time.Minute)
			if r.Status != tt.want || errors.Is(err, context.DeadlineExceeded) != (tt.want == "") {
				t.Errorf("the result is %+v, %v; want %q", r, err, tt.want)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("the run took %v", took)
			}
		})
	}
}
