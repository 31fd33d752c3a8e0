package quality

import (
	"testing"

	"heliograph/views/ui"
)

// Everything that blocks is shown at once, and of many warnings the first ones.
func TestSplit(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ warnings, blocks, shown, rest int }{{0, 0, 0, 0}, {10, 0, 10, 0}, {11, 0, 11, 0}, {12, 0, 10, 2}, {40, 3, 13, 30}} {
		var q Findings
		for range one.warnings {
			q.List = append(q.List, Finding{Tone: ui.Warn})
		}
		for range one.blocks {
			q.List = append(q.List, Finding{Tone: ui.Bad})
		}
		if shown, rest := q.split(); len(shown) != one.shown || len(rest) != one.rest {
			t.Errorf("of %d warnings and %d that block, %d are shown and %d are opened", one.warnings, one.blocks, len(shown), len(rest))
		}
	}
}
