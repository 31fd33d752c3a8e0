package diff_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"heliograph/app/diff"
)

// sides rebuilds what a difference shows of the two texts.
func sides(hunks []diff.Hunk) (before, after []string) {
	for _, h := range hunks {
		for _, l := range h.Lines {
			var text strings.Builder
			for _, p := range l.Parts {
				text.WriteString(p.Text)
			}
			if l.Kind != diff.Added {
				before = append(before, text.String())
			}
			if l.Kind != diff.Removed {
				after = append(after, text.String())
			}
		}
	}
	return before, after
}

// What a difference shows is what stands in the texts, line by line.
func TestLinesShowBothTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := func() (lines []string) {
		for range random.IntN(14) {
			lines = append(lines, strings.Repeat(string(rune('a'+random.IntN(3))), 1+random.IntN(2))+" end")
		}
		return lines
	}
	for range 5000 {
		a, b := text(), text()
		hunks := diff.Lines(strings.Join(a, "\n"), strings.Join(b, "\n"))
		for _, h := range hunks {
			for _, l := range h.Lines {
				var shown strings.Builder
				for _, p := range l.Parts {
					shown.WriteString(p.Text)
				}
				if l.Old > 0 && a[l.Old-1] != shown.String() || l.New > 0 && b[l.New-1] != shown.String() {
					t.Fatalf("line %d/%d of %q and %q is shown as %q", l.Old, l.New, a, b, shown.String())
				}
			}
		}
		added, removed := diff.Count(hunks)
		if len(b)-len(a) != added-removed || (added+removed == 0) != (strings.Join(a, "\n") == strings.Join(b, "\n")) {
			t.Fatalf("%q and %q: %d added, %d removed", a, b, added, removed)
		}
	}
}

func TestWordsAreMarked(t *testing.T) {
	t.Parallel()
	hunks := diff.Lines("One\nSend the first message now.\nThree", "One\nSend your first message now.\nThree")
	if len(hunks) != 1 || len(hunks[0].Lines) != 4 {
		t.Fatalf("the difference is %v", hunks)
	}
	removed, added := hunks[0].Lines[1], hunks[0].Lines[2]
	if removed.Parts[1] != (diff.Part{Text: "the", Changed: true}) || added.Parts[1] != (diff.Part{Text: "your", Changed: true}) || added.Parts[0].Changed {
		t.Errorf("marked are %v and %v", removed.Parts, added.Parts)
	}
}

// A line is compared with the one that took its place, not with what was added
// before that.
func TestWordsOfMovedLines(t *testing.T) {
	t.Parallel()
	lines := diff.Lines("Send the first message now.", "New heading\n\nSend your first message now.")[0].Lines
	if len(lines) != 4 || lines[0].Parts[1] != (diff.Part{Text: "the", Changed: true}) || len(lines[1].Parts) != 1 || len(lines[3].Parts) != 3 {
		t.Errorf("the lines are %v", lines)
	}
}

func TestFarLinesAreLeftOut(t *testing.T) {
	t.Parallel()
	before := strings.Repeat("same\n", 40)
	hunks := diff.Lines(before, "new\n"+before+"last")
	if len(hunks) != 2 || len(hunks[0].Lines) != 4 || len(hunks[1].Lines) != 4 {
		t.Fatalf("the hunks are %v", hunks)
	}
	if b, a := sides(hunks); len(b) != 6 || len(a) != 8 || diff.Lines("x", "x") != nil {
		t.Errorf("%d lines before and %d after", len(b), len(a))
	}
	// Two long texts without a line in common are compared in bounded time.
	long, other := strings.Repeat("a\n", 20000), strings.Repeat("b\n", 20000)
	if added, removed := diff.Count(diff.Lines(long, other)); added != 20000 || removed != 20000 {
		t.Errorf("%d added, %d removed", added, removed)
	}
}
