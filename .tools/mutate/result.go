package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
)

// What the tests say of a mutant.
const (
	killed    = "killed"
	survived  = "survived"
	timedOut  = "timed out"
	notViable = "not viable"
)

// result is a mutant with what the tests say of it.
type result struct {
	mutant
	Status  string  `json:"status"`
	By      string  `json:"by,omitempty"` // the test that failed, or the compiler's error
	Seconds float64 `json:"seconds"`
}

func (r result) String() string {
	return fmt.Sprintf("%-10s %4.0fs  %s  %s", r.Status, r.Seconds, r.mutant, r.By)
}

// resultLog is a file of results, one JSON object on a line; the last of a
// mutant holds.
type resultLog struct {
	file    *os.File
	results map[string]result
}

func openLog(path string) (*resultLog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	log := &resultLog{file, map[string]result{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, errors.Join(fmt.Errorf("reading %s: %w", path, err), file.Close())
		}
		log.results[r.key()] = r
	}
	return log, lines.Err()
}

func (l *resultLog) add(r result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	l.results[r.key()] = r
	_, err = l.file.Write(append(line, '\n'))
	return err
}

func (l *resultLog) close() { l.file.Close() } //nolint:errcheck // every line was written

// report prints the table of the packages and the survivors. A mutant whose
// tests hang counts as noticed.
func report(w io.Writer, results []result, seed uint64) {
	counts := map[string]map[string]int{}
	var order []string
	for _, r := range results {
		if counts[r.Package] == nil {
			counts[r.Package] = map[string]int{}
			order = append(order, r.Package)
		}
		counts[r.Package][r.Status]++
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\npackage\tviable\tkilled\ttimed out\tsurvived\tnoticed\tnot viable\tseed\t")
	for _, name := range order {
		c := counts[name]
		viable := c[killed] + c[timedOut] + c[survived]
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%.0f %%\t%d\t%d\t\n", name, viable, c[killed], c[timedOut], c[survived],
			100*float64(viable-c[survived])/float64(max(viable, 1)), c[notViable], seed)
	}
	table.Flush() //nolint:errcheck // a terminal
	fmt.Fprintln(w)
	for _, r := range results {
		if r.Status == survived {
			fmt.Fprintln(w, "survived:", r.mutant)
		}
	}
}
