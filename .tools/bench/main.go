// Command bench runs the benchmarks that two commits have in common, in turns on
// one machine, and compares them:
//
//	go run -C .tools ./bench -before 6df48d5 -after HEAD
//
// It first names the benchmarks that exist in both commits, and those that exist
// in one of them only, which are not run. Each round runs the benchmarks of a
// package in one commit and then in the other, and each round begins with the
// other commit. At the end it prints what benchstat says, and every measure that
// is slower than -least times what it was, by the median of the rounds. It then
// exits with status 1. Results are kept in -out. Nothing else should use the
// machine meanwhile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// options hold the command line.
type options struct {
	root, before, after, out string
	rounds                   int
	least                    float64
	only                     *regexp.Regexp
	list                     bool
}

func main() {
	var o options
	only := ""
	flag.StringVar(&o.root, "root", "..", "root of the repository")
	flag.StringVar(&o.before, "before", "", "commit to compare with")
	flag.StringVar(&o.after, "after", "HEAD", "commit that is compared")
	flag.StringVar(&o.out, "out", "../bin/bench", "folder of the results")
	flag.IntVar(&o.rounds, "rounds", 6, "how often each benchmark runs in each commit")
	flag.Float64Var(&o.least, "least", 0.95, "speed, as a multiple of the one before, that no measure may fall below")
	flag.StringVar(&only, "only", "", "run only packages and benchmarks that match this expression, such as app/channels/messaging.BenchmarkProducts")
	flag.BoolVar(&o.list, "list", false, "only name the benchmarks")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if o.only, err = regexp.Compile(only); err == nil {
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.before == "" {
		return errors.New("name the commit to compare with: -before <commit>")
	}
	folder, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // temporary
	if o.out, err = filepath.Abs(o.out); err != nil {
		return err
	}
	sides := [2]*side{{name: "before"}, {name: "after"}}
	for i, commit := range []string{o.before, o.after} {
		if err := sides[i].checkOut(ctx, o.root, commit, filepath.Join(folder, sides[i].name)); err != nil {
			return err
		}
	}
	both := compareLists(os.Stdout, sides[0].benchmarks, sides[1].benchmarks)
	for pkg, names := range both {
		if both[pkg] = selectNames(o.only, pkg, names); len(both[pkg]) == 0 {
			delete(both, pkg)
		}
	}
	if o.list || len(both) == 0 {
		return nil
	}
	if err := runRounds(ctx, o, sides, both); err != nil {
		return err
	}
	return judge(ctx, o, sides)
}

func selectNames(only *regexp.Regexp, pkg string, names []string) (list []string) {
	for _, name := range names {
		if only.MatchString(pkg + "." + name) {
			list = append(list, name)
		}
	}
	return list
}

// judge prints what benchstat says and the measures that are slower.
func judge(ctx context.Context, o options, sides [2]*side) error {
	files := [2]string{}
	for i, s := range sides {
		files[i] = filepath.Join(o.out, s.name+".txt")
	}
	stat := exec.CommandContext(ctx, "go", "tool", "-modfile=.tools/go.mod", "benchstat", "before="+files[0], "after="+files[1])
	stat.Dir, stat.Stdout, stat.Stderr = o.root, os.Stdout, os.Stderr
	if err := stat.Run(); err != nil {
		return fmt.Errorf("benchstat: %w", err)
	}
	before, err := readResults(files[0])
	if err != nil {
		return err
	}
	after, err := readResults(files[1])
	if err != nil {
		return err
	}
	slower := findSlower(before, after, o.least)
	if len(slower) == 0 {
		fmt.Printf("\nNothing is slower than %g × what it was.\n", o.least)
		return nil
	}
	fmt.Printf("\nSlower than %g × what it was:\n  %s\n", o.least, strings.Join(slower, "\n  "))
	return fmt.Errorf("%d measures are slower", len(slower))
}
