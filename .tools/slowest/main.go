// Command slowest reads the output of go test -json on the standard input. It
// prints what go test would print without -json, passing tests left out, and at
// the end the ten slowest tests and the ten slowest packages, in seconds.
//
//	go test -json ./... | go -C .tools run ./slowest
//
// It exits with status 1 where a test failed or a line is not JSON. With the
// argument failed it prints the packages that failed instead, one in each line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// event is one line of go test -json, as documented by go doc test2json.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64 // seconds
}

// timing is how long a test or a package took.
type timing struct {
	name    string
	seconds float64
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "failed" {
		packages, err := failedPackages(os.Stdin)
		if err != nil {
			fmt.Fprintln(os.Stderr, "slowest:", err)
			os.Exit(1)
		}
		fmt.Println(strings.Join(packages, "\n"))
		return
	}
	ok, err := report(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "slowest:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// report copies the output of packages and of failed tests from r to w, then
// lists the slowest. It reports whether every test passed.
func report(r io.Reader, w io.Writer) (ok bool, err error) {
	ok = true
	held := map[string][]string{} // the output of each test until its result is known
	var tests, packages []timing
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return false, fmt.Errorf("reading the line %.80q: %w", lines.Text(), err)
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if e.Test == "" {
				fmt.Fprint(w, e.Output)
			} else {
				held[key] = append(held[key], e.Output)
			}
		case "fail", "build-fail":
			ok = false
			fmt.Fprint(w, strings.Join(held[key], ""))
			delete(held, key)
		case "pass", "skip":
			delete(held, key)
		}
		if e.Action != "pass" && e.Action != "fail" {
			continue
		}
		switch {
		case e.Test == "":
			packages = append(packages, timing{e.Package, e.Elapsed})
		case !strings.Contains(e.Test, "/"):
			tests = append(tests, timing{key, e.Elapsed})
		}
	}
	list(w, "The slowest tests:", tests)
	list(w, "The slowest packages:", packages)
	return ok, lines.Err()
}

// failedPackages returns the packages that failed, in the order of their results.
func failedPackages(r io.Reader) (packages []string, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("reading the line %.80q: %w", lines.Text(), err)
		}
		if e.Action == "fail" && e.Test == "" && e.Package != "" {
			packages = append(packages, e.Package)
		}
	}
	return packages, lines.Err()
}

func list(w io.Writer, title string, timings []timing) {
	slices.SortFunc(timings, func(a, b timing) int {
		switch {
		case a.seconds > b.seconds:
			return -1
		case a.seconds < b.seconds:
			return 1
		}
		return strings.Compare(a.name, b.name)
	})
	fmt.Fprintln(w, "\n"+title)
	for _, t := range timings[:min(10, len(timings))] {
		fmt.Fprintf(w, "%8.1f s  %s\n", t.seconds, t.name)
	}
}
