// Package codetest keeps the table of error codes, codes.md: for each published code
// a request that provokes it and the test that sends it. Tests note what they
// provoke while they run. Each package that notes codes checks the rows of its tests
// at the end of its run, and writes them with -codes.
package codetest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"heliograph/app/runtest"
)

var write = flag.Bool("codes", false, "write the rows of this package to the table of error codes")

// tableLine is a line of the table.
type tableLine struct {
	Interface string // such as "sms report"
	Code      string
	Request   string // in words or as it was sent
	Test      string // such as "jobs.TestEndingsOfSMS"
}

type provoked struct{ interfaceName, code, test string }

var (
	mu       sync.Mutex
	seen     = map[provoked]string{} // the shortest request of each
	finished = map[string]bool{}     // tests that have noted something
)

// drawn matches ids and signatures, which differ in each run. Spaces and bars would
// break the table.
var (
	drawn  = regexp.MustCompile(`\b\d{15,19}\b|\b[0-9A-Za-z_-]{22,}`)
	spaces = regexp.MustCompile(`[\s|]+`)
)

// Note says that a request of the running test provoked a code.
func Note(t testing.TB, interfaceName, code, request string) {
	request = strings.TrimSpace(spaces.ReplaceAllString(drawn.ReplaceAllString(request, "{id}"), " "))
	request = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, request)
	if r := []rune(request); len(r) > 200 {
		request = string(r[:199]) + "…"
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	p := provoked{interfaceName, code, test}
	mu.Lock()
	defer mu.Unlock()
	finished[test] = true
	if old, known := seen[p]; !known || len(request) < len(old) {
		seen[p] = request
	}
}

// Run runs the tests of a package and then checks or writes its rows. Call it from
// TestMain.
func Run(m *testing.M) {
	runtest.Overlap(4)
	status := m.Run()
	if status == 0 {
		if err := settle(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// settle checks the rows of this package, or writes them.
func settle() error {
	root, pkg, err := locate()
	if err != nil {
		return err
	}
	path := filepath.Join(root, "app/documentation/openapi/codetest/codes.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading the table of codes: %w", err)
	}
	rows := read(string(text))
	if *write && !ranAll() {
		return errors.New("-codes needs all tests of the package: leave out -run, -skip and -short")
	}
	if *write {
		return os.WriteFile(path, []byte(format(renew(rows, pkg))), 0o644)
	}
	if err := unlisted(rows); err != nil {
		return err
	}
	return check(rows, pkg, ranAll())
}

// unlisted returns an error for a code that a test provoked and the table lacks: the
// contracts may lack it too.
func unlisted(rows []tableLine) error {
	for p, request := range seen {
		if !slices.ContainsFunc(rows, func(r tableLine) bool { return r.Interface == p.interfaceName && r.Code == p.code }) {
			return fmt.Errorf("%s provokes code %s of %s by %q, which codes.md lacks: publish it in the contract and write the table with -codes", p.test, p.code, p.interfaceName, request)
		}
	}
	return nil
}

// locate returns the root of the module and the folder of the package within it.
func locate() (root, pkg string, err error) {
	here, err := os.Getwd()
	if err != nil {
		return "", "", fmt.Errorf("finding the folder of the tests: %w", err)
	}
	for root = here; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			pkg, err = filepath.Rel(root, here)
			return root, filepath.ToSlash(pkg), err
		}
		if root == filepath.Dir(root) {
			return "", "", fmt.Errorf("%s is in no module", here)
		}
	}
}

// ranAll reports whether no test of the package was left out.
func ranAll() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}

// check compares the rows of a package with what its tests provoked.
func check(rows []tableLine, pkg string, all bool) error {
	for _, r := range rows {
		test, ours := strings.CutPrefix(r.Test, pkg+".")
		if !ours || !all && !finished[test] {
			continue
		}
		if _, ok := seen[provoked{r.Interface, r.Code, test}]; !ok {
			return fmt.Errorf("codes.md says that %s provokes code %s of %s, which it did not: correct the test, or write the table with -codes", r.Test, r.Code, r.Interface)
		}
	}
	return nil
}

// renew drops the rows of a package that no longer hold, and adds what is new. A code
// that another row has needs no second one.
func renew(rows []tableLine, pkg string) []tableLine {
	rows = slices.DeleteFunc(rows, func(r tableLine) bool {
		test, ours := strings.CutPrefix(r.Test, pkg+".")
		return ours && seen[provoked{r.Interface, r.Code, test}] == ""
	})
	best := map[provoked]tableLine{}
	for p, request := range seen {
		key := provoked{interfaceName: p.interfaceName, code: p.code}
		r := tableLine{p.interfaceName, p.code, request, pkg + "." + p.test}
		if old, known := best[key]; !known || len(request) < len(old.Request) || len(request) == len(old.Request) && r.Test < old.Test {
			best[key] = r
		}
	}
	for _, r := range best {
		if !slices.ContainsFunc(rows, func(o tableLine) bool { return o.Interface == r.Interface && o.Code == r.Code }) {
			rows = append(rows, r)
		}
	}
	return rows
}

var line = regexp.MustCompile("^\\| ([a-z ]+) \\| `(\\d+)` \\| (.+) \\| `([^`]+)` \\|$")

// read returns the rows of the table.
func read(text string) (rows []tableLine) {
	for l := range strings.Lines(text) {
		if m := line.FindStringSubmatch(strings.TrimSpace(l)); m != nil {
			rows = append(rows, tableLine{m[1], m[2], strings.Trim(m[3], "`"), m[4]})
		}
	}
	return rows
}

const head = "# Error codes and the tests that provoke them\n\n" +
	"The tests write this table while they run: `go test -p 1 ./app/web/api ./app/channels/messaging ./app/channels/sms ./jobs -args -codes`. Without `-codes` they check it. " +
	"`TestEveryPublishedCodeHasATest` holds it against the published contracts.\n\n" +
	"| Interface | Code | Request | Test |\n|---|---|---|---|\n"

func format(rows []tableLine) string {
	slices.SortFunc(rows, func(a, b tableLine) int {
		if c := strings.Compare(a.Interface, b.Interface); c != 0 {
			return c
		}
		return strings.Compare(fmt.Sprintf("%9s", a.Code), fmt.Sprintf("%9s", b.Code))
	})
	var b strings.Builder
	b.WriteString(head)
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | `%s` | `%s` | `%s` |\n", r.Interface, r.Code, strings.ReplaceAll(r.Request, "`", "'"), r.Test)
	}
	b.WriteString("\n## Without a test\n\n| Interface | Code | Why |\n|---|---|---|\n")
	for _, e := range exceptions {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", e.interfaceName, strings.Join(e.codes, ", "), e.why)
	}
	return b.String()
}

// exceptions are codes of the channels' families that nothing provokes here.
var exceptions = []struct {
	interfaceName string
	codes         []string
	why           string
}{
	{"sms", []string{"301"}, "not published: no operation reads XML"},
	{"sms", []string{"342", "343"}, "not published: there is no SMPP bind for clients"},
	{"sms", []string{"399"}, "not published: every cause has a code of its own"},
}
