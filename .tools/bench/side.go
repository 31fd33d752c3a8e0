package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// side is one of the two commits, checked out in a folder of its own.
type side struct {
	name       string // before or after
	folder     string
	benchmarks map[string][]string // by package folder
}

// checkOut puts the files of a commit into a folder and lists its benchmarks.
func (s *side) checkOut(ctx context.Context, root, commit, folder string) error {
	s.folder = folder
	name, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", "--verify", commit+"^{commit}").Output()
	if err != nil {
		return fmt.Errorf("there is no commit %s", commit)
	}
	for _, args := range [][]string{
		{"clone", "--quiet", "--shared", "--no-checkout", root, folder},
		{"-C", folder, "checkout", "--quiet", "--detach", strings.TrimSpace(string(name))},
	} {
		if out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("checking out %s: %w\n%s", commit, err, out)
		}
	}
	s.benchmarks, err = listBenchmarks(folder)
	return err
}

// listBenchmarks returns the benchmarks below a folder that are built without
// tags, by package folder.
func listBenchmarks(root string) (map[string][]string, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		if built, err := build.Default.MatchFile(filepath.Dir(path), d.Name()); err != nil || !built {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Benchmark") {
				found[pkg] = append(found[pkg], f.Name.Name)
			}
		}
		return nil
	})
	return found, err
}

// compareLists prints which benchmarks exist in both commits and which in one,
// and returns the former.
func compareLists(w io.Writer, before, after map[string][]string) map[string][]string {
	both := map[string][]string{}
	lists := map[string][]string{}
	add := func(where, pkg, name string) { lists[where] = append(lists[where], pkg+"."+name) }
	for pkg, names := range before {
		for _, name := range names {
			if slices.Contains(after[pkg], name) {
				both[pkg] = append(both[pkg], name)
				add("In both", pkg, name)
			} else {
				add("Only before, not run", pkg, name)
			}
		}
	}
	for pkg, names := range after {
		for _, name := range names {
			if !slices.Contains(before[pkg], name) {
				add("Only after, not run", pkg, name)
			}
		}
	}
	for _, where := range []string{"In both", "Only before, not run", "Only after, not run"} {
		slices.Sort(lists[where])
		fmt.Fprintf(w, "%s (%d):\n", where, len(lists[where]))
		for _, name := range lists[where] {
			fmt.Fprintln(w, "  "+name)
		}
	}
	return both
}

// runRounds runs the benchmarks of both sides in turns and keeps what they print.
func runRounds(ctx context.Context, o options, sides [2]*side, both map[string][]string) error {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	for _, s := range sides {
		if err := os.WriteFile(filepath.Join(o.out, s.name+".txt"), nil, 0o600); err != nil {
			return err
		}
		for pkg := range both {
			build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", s.binary(pkg), "./"+filepath.ToSlash(pkg))
			build.Dir = s.folder
			if out, err := build.CombinedOutput(); err != nil {
				return fmt.Errorf("building the tests of %s %s: %w\n%s", pkg, s.name, err, out)
			}
		}
	}
	for round := range o.rounds {
		for _, pkg := range slices.Sorted(maps.Keys(both)) {
			for turn := range sides {
				s := sides[(turn+round)%2]
				fmt.Printf("round %d of %d: %s %s\n", round+1, o.rounds, pkg, s.name)
				if err := s.run(ctx, o.out, pkg, both[pkg]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// binary returns the path of the tests of a package.
func (s *side) binary(pkg string) string {
	return filepath.Join(s.folder, "bin", strings.ReplaceAll(filepath.ToSlash(pkg), "/", ".")+".test")
}

// run runs benchmarks of a package once and appends what they print.
func (s *side) run(ctx context.Context, out, pkg string, names []string) (err error) {
	file, err := os.OpenFile(filepath.Join(out, s.name+".txt"), os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	cmd := exec.CommandContext(ctx, s.binary(pkg), "-test.run=^$", "-test.bench=^("+strings.Join(names, "|")+")$", "-test.timeout=0")
	cmd.Dir = filepath.Join(s.folder, pkg)
	cmd.Stdout, cmd.Stderr = file, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("benchmarks of %s %s: %w", pkg, s.name, err)
	}
	return nil
}
