// Command mutate measures whether tests notice broken code. For each package
// that it is given it takes a random sample of mutants, builds the package's
// tests with one mutant at a time, and runs those that execute the mutated
// statement until one fails:
//
//	go run -C .tools ./mutate app/operation/limit app/channels/relay
//
// A mutant is one small change of one file. With -operators gremlins (the
// default) the list comes from a dry run of gremlins: swapped comparisons,
// arithmetic, logic and loop control. With -operators own it holds removed
// statements and guards, functions that return at once, and conditions of SQL
// statements that always hold.
//
// The sample is the first -n viable mutants of the list, shuffled by -seed:
// the same seed and source give the same sample. A mutant that does not
// compile is not viable and is replaced by the next. A mutant that survives
// the tests of its package meets those of the packages in testedBy; -with adds
// more. Results are appended to -out as they come, and a later run skips what
// is there: it continues after an interruption. With -again it repeats the
// survivors, to see whether new tests kill them. Measuring which tests execute
// a mutant pays for many mutants; -whole leaves it out. At the end it prints a table
// and the survivors.
//
// The source tree is not changed: mutants reach the compiler as an overlay.
// Tests run niced, one mutant at a time, on a database cluster of their own,
// so that a mutant of package db breaks nothing for others.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// testedBy names the packages whose tests cover much of another package.
var testedBy = map[string][]string{
	"app/documentation/published": {"app/web/portal"},
	"app/people/contact":          {"app/web", "jobs"},
	"app/channels/delivery":       {"app/channels/messaging", "app/web/api", "jobs"},
	"app/documentation/editorial": {"app/documentation/published", "app/web/portal"},
	"app/people/identity":         {"app/web/account", "app/web/admin"},
	"app/channels/messaging":      {"app/web/api", "app/web/account", "jobs"},
	"app/channels/rcs":            {"app/web/api", "jobs"},
	"app/channels/relay":          {"jobs"},
	"app/operation/retention":     {"jobs"},
	"app/channels/sms":            {"app/web/api", "jobs"},
	"app/documentation/openapi":   {"app/documentation/published", "app/web/portal"},
}

// options hold the command line.
type options struct {
	root      string // of the module under test
	operators string
	out       string
	seed      uint64
	n         int
	again     bool
	whole     bool
	only      string
	with      []string
}

func main() {
	var o options
	var with string
	flag.IntVar(&o.n, "n", 20, "viable mutants of each package")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the sample")
	flag.StringVar(&o.operators, "operators", "gremlins", "gremlins or own")
	flag.StringVar(&o.out, "out", "../bin/mutants.jsonl", "file of the results")
	flag.StringVar(&o.root, "root", "..", "root of the module under test")
	flag.StringVar(&with, "with", "", "further packages whose tests run, comma-separated")
	flag.StringVar(&o.only, "only", "", "only mutants whose place or text contains this; ignores the sample")
	flag.BoolVar(&o.again, "again", false, "run the survivors again")
	flag.BoolVar(&o.whole, "whole", false, "run every test of a package, without measuring first which execute a mutant")
	flag.Parse()
	if with != "" {
		o.with = strings.Split(with, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, packages []string) error {
	if len(packages) == 0 {
		return fmt.Errorf("name packages, for example app/operation/limit")
	}
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	log, err := openLog(o.out)
	if err != nil {
		return err
	}
	defer log.close()
	bench, err := newBench(ctx, root)
	if err != nil {
		return err
	}
	defer bench.close()
	bench.whole = o.whole
	var all []result
	for _, name := range packages {
		results, err := runPackage(ctx, o, bench, log, strings.Trim(filepath.ToSlash(filepath.Clean(name)), "/"))
		all = append(all, results...)
		if err != nil {
			report(os.Stdout, all, o.seed)
			return err
		}
	}
	report(os.Stdout, all, o.seed)
	return nil
}

func runPackage(ctx context.Context, o options, b *bench, log *resultLog, name string) ([]result, error) {
	list := listOwn
	if o.operators == "gremlins" {
		list = listGremlins
	}
	mutants, err := list(ctx, b.root, name)
	if err != nil {
		return nil, fmt.Errorf("listing mutants of %s: %w", name, err)
	}
	rand.New(rand.NewPCG(o.seed, 0)).Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	var results []result
	viable := 0
	for _, m := range mutants {
		if viable == o.n && o.only == "" {
			break
		}
		if !strings.Contains(m.String(), o.only) {
			continue
		}
		r, known := log.results[m.key()]
		if !known || o.again && r.Status == survived {
			if r, err = b.try(ctx, m, append(testedBy[name], o.with...)); err != nil {
				return results, err
			}
			if err := log.add(r); err != nil {
				return results, err
			}
			fmt.Println(r)
		}
		results = append(results, r)
		if r.Status != notViable {
			viable++
		}
	}
	return results, nil
}
