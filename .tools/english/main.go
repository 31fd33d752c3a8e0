// Command english finds turns of phrase that read like a translation. It reads
// the comments and string literals of Go files, the text of templ files,
// contracts and guides, and the comments of scripts and style sheets.
//
//	go -C .tools run ./english
//
// It prints file, line, the turn and what to write instead, and exits with
// status 1 if it finds any. turns.txt lists the turns.
package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed turns.txt
var turnsText string

func main() {
	found, err := run(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "english:", err)
		os.Exit(2)
	}
	if found > 0 {
		fmt.Printf("%d turns to rewrite\n", found)
		os.Exit(1)
	}
}

// run checks every tracked file of the repository and returns the number of
// findings.
func run(out io.Writer) (int, error) {
	turns, err := parseTurns(turnsText)
	if err != nil {
		return 0, err
	}
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return 0, fmt.Errorf("finding the repository: %w", err)
	}
	root := strings.TrimSpace(string(top))
	listed, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		return 0, fmt.Errorf("listing the files: %w", err)
	}
	found := 0
	for name := range strings.SplitSeq(string(listed), "\x00") {
		extract := extractorOf(name)
		if extract == nil {
			continue
		}
		source, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // removed and not committed yet
		}
		if err != nil {
			return found, err
		}
		for _, f := range check(extract(string(source)), turns) {
			found++
			fmt.Fprintf(out, "%s:%d: %q: %s\n", name, f.line, f.text, f.instead)
		}
	}
	return found, nil
}

// turn is a pattern that must not occur and what to write instead.
type turn struct {
	pattern *regexp.Regexp
	instead string
}

// parseTurns parses lines of a regular expression, " -> " and what to write
// instead. A pattern without capitals ignores case and matches whole words.
func parseTurns(text string) ([]turn, error) {
	var turns []turn
	for _, line := range lines(text) {
		pattern, instead, ok := strings.Cut(line, " -> ")
		if !ok {
			return nil, fmt.Errorf("turns.txt: %q has no \" -> \"", line)
		}
		expression := `\b(?:` + strings.ReplaceAll(strings.TrimSpace(pattern), " ", `\s+`) + `)\b`
		if pattern == strings.ToLower(pattern) {
			expression = `(?i)` + expression
		}
		compiled, err := regexp.Compile(expression)
		if err != nil {
			return nil, fmt.Errorf("turns.txt: %w", err)
		}
		turns = append(turns, turn{compiled, strings.TrimSpace(instead)})
	}
	return turns, nil
}

// lines returns the lines of a text without comments and empty lines.
func lines(text string) []string {
	var kept []string
	for scanner := bufio.NewScanner(strings.NewReader(text)); scanner.Scan(); {
		if line := strings.TrimSpace(scanner.Text()); line != "" && !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	return kept
}

// finding is a turn that was found.
type finding struct {
	line          int
	text, instead string
}

// check finds turns in pieces of text, also where a turn continues on the next
// line.
func check(pieces []piece, turns []turn) []finding {
	var found []finding
	for _, p := range pieces {
		for _, t := range turns {
			for _, at := range t.pattern.FindAllStringIndex(p.text, -1) {
				found = append(found, finding{
					p.line + strings.Count(p.text[:at[0]], "\n"), strings.Join(strings.Fields(p.text[at[0]:at[1]]), " "), t.instead,
				})
			}
		}
	}
	return found
}
