package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// coverage is what each test of one package executes in another, so that a
// mutant meets only the tests that can notice it.
type coverage struct {
	tests map[string]coveredTest // by name
	all   []block                // every block of the mutants' package
}

type coveredTest struct {
	took   time.Duration
	blocks []block // that it executes
}

// block is a run of statements.
type block struct {
	file             string
	fromLine, fromAt int
	toLine, toAt     int
}

func (b block) holds(file string, line, at int) bool {
	return b.file == file && (line > b.fromLine || line == b.fromLine && at >= b.fromAt) && (line < b.toLine || line == b.toLine && at <= b.toAt)
}

// reach returns the tests that execute a place, the quickest first, and how
// long they take. Of a place outside all statements, such as a constant, it
// returns every test.
func (c *coverage) reach(m mutant) (names []string, took time.Duration) {
	holds := func(blocks []block) bool {
		for _, b := range blocks {
			if b.holds(m.File, m.Line, m.Column) {
				return true
			}
		}
		return false
	}
	everywhere := !holds(c.all)
	for name, test := range c.tests {
		if everywhere || holds(test.blocks) {
			names = append(names, name)
			took += test.took
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(c.tests[a].took, c.tests[b].took) })
	return names, took
}

var (
	testName    = regexp.MustCompile(`^(Test|Example|Fuzz)\w*$`)
	profileLine = regexp.MustCompile(`^(\S+):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$`)
)

// cover runs each test of a package by itself and notes what it executes of the
// package under mutation. Tests that fail are left out.
func (b *bench) cover(ctx context.Context, tests, mutated string) (*coverage, error) {
	key := tests + " " + mutated
	if known := b.covered[key]; known != nil {
		return known, nil
	}
	fmt.Printf("measuring what the tests of %s execute in %s\n", tests, mutated)
	if problem, err := b.build(ctx, tests, "-cover", "-coverpkg=./"+mutated); err != nil || problem != "" {
		return nil, errors.Join(err, fmt.Errorf("the tests of %s do not build: %s", tests, problem))
	}
	list := exec.CommandContext(ctx, b.binary(), "-test.list", ".")
	list.Dir = filepath.Join(b.root, tests)
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the tests of %s: %w", tests, err)
	}
	c := &coverage{tests: map[string]coveredTest{}}
	for name := range strings.FieldsSeq(string(names)) {
		if !testName.MatchString(name) {
			continue
		}
		began, profile := time.Now(), filepath.Join(b.folder, "profile")
		r, err := b.run(ctx, tests, 20*time.Minute, "-test.run", "^"+name+"$", "-test.coverprofile", profile)
		if err != nil {
			return nil, err
		}
		if r.Status != survived {
			fmt.Printf("left out, since it fails without a mutant: %s\n", cmp.Or(r.By, name))
			continue
		}
		executed, all, err := readProfile(profile, b.module)
		if err != nil {
			return nil, err
		}
		c.tests[name], c.all = coveredTest{time.Since(began), executed}, all
	}
	b.covered[key] = c
	return c, nil
}

// readProfile returns the blocks of a coverage profile that were executed, and
// all.
func readProfile(path, module string) (executed, all []block, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	for line := range strings.Lines(string(text)) {
		match := profileLine.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		var n [5]int
		for i := range n {
			if n[i], err = strconv.Atoi(match[i+2]); err != nil {
				return nil, nil, err
			}
		}
		b := block{strings.TrimPrefix(match[1], module+"/"), n[0], n[1], n[2], n[3]}
		all = append(all, b)
		if n[4] > 0 {
			executed = append(executed, b)
		}
	}
	return executed, all, nil
}
