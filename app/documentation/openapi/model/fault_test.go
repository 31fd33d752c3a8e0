package model

import (
	"maps"
	"testing"
)

// Rows without the cell that a heading names, and tables without the heading, say
// nothing of a code.
func TestFaultsOfTables(t *testing.T) {
	t.Parallel()
	text := `
| Code | Meaning | What to do |
|---|---|---|
| 404, 410 | It is gone. | Stop. |
| 429 | Too many. |
| 500 |
| lamp | No code. | Wait. |
| 404 | Said twice. | Go on. |

| Code | What to do |
|---|---|
| 503 | Wait. |

| Meaning | What to do |
|---|---|
| No code at all. | Wait. |
`
	want := map[string]Fault{
		"404": {Meaning: "It is gone.", Remedy: "Stop."}, "410": {Meaning: "It is gone.", Remedy: "Stop."}, "429": {Meaning: "Too many."},
	}
	if got := Faults(text); !maps.Equal(got, want) {
		t.Errorf("the faults are %v, want %v", got, want)
	}
	for name, row := range map[string][]string{"meaning": {"404", "Gone."}, "what to do": {"404", "Gone."}, "reason": {"404"}} {
		want := map[string]string{"meaning": "Gone."}[name]
		if got := cell([]string{"code", "meaning", "what to do"}, row, name); got != want {
			t.Errorf("the cell %s of %q is %q, want %q", name, row, got, want)
		}
	}
}
