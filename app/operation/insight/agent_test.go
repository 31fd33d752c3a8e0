package insight

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
	"time"
)

//go:embed testdata/agents.tsv
var labelled string

// Of the labelled headers at least 99 in 100 are recognised.
func TestIdentify(t *testing.T) {
	t.Parallel()
	right, all := 0, 0
	for line := range strings.Lines(labelled) {
		want, header, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(want, "#") {
			continue
		}
		all++
		if got, name := who(header); string(got) == want {
			right++
		} else {
			t.Logf("%s (%s) instead of %s: %s", got, name, want, header)
		}
	}
	if all < 500 || right*100 < all*99 {
		t.Errorf("%d of %d are right", right, all)
	}
	t.Logf("%d of %d are right", right, all)
}

// The table says one thing about each part, and no line is hidden by one before it.
func TestTableOfPrograms(t *testing.T) {
	t.Parallel()
	lines := 0
	for line := range strings.Lines(agentTable) {
		if !strings.HasPrefix(line, "#") {
			lines++
		}
	}
	list := agents()
	if len(list) != lines || lines < 250 {
		t.Fatalf("%d of %d lines are read", len(list), lines)
	}
	for i, a := range list {
		if a.reader != AI && a.reader != Search && a.reader != Tool || a.name == "" || a.part != strings.ToLower(a.part) || len(a.part) < 3 {
			t.Errorf("the line of %q is %+v", a.part, a)
		}
		for _, b := range list[:i] {
			if strings.Contains(a.part, b.part) && a.reader != b.reader {
				t.Errorf("%q is never reached, because of %q", a.part, b.part)
			}
		}
	}
}

// Headers that are made up do not fill the memory.
func TestIdentifyKeepsFew(t *testing.T) {
	for i := range 3 * mostKnown {
		who(fmt.Sprint("Mozilla/5.0 (made up) Firefox/", i))
	}
	n := 0
	known.Load().Range(func(any, any) bool { n++; return true })
	if n > mostKnown {
		t.Errorf("%d headers are kept", n)
	}
}

// BenchmarkView measures what a view costs.
func BenchmarkView(b *testing.B) {
	c := NewCounter(nil, time.UTC)
	v := Visit{Page: Page{Path: "/docs/sms/1.0/send", Kind: "endpoint", Product: "sms", Version: "1.0"}, UserAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", Language: "en-GB,en", Loaded: true, Referrer: "https://www.search.example/find"}
	b.ReportAllocs()
	for b.Loop() {
		c.View(v)
	}
}
