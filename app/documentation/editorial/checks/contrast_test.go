package checks

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// The table has the colours of the style sheet.
func TestTintsAreThoseOfTheStyleSheet(t *testing.T) {
	t.Parallel()
	css, err := os.ReadFile("../../../../static/css/tints.css")
	if err != nil {
		t.Fatal(err)
	}
	for name, tint := range tints {
		if rule := fmt.Sprintf(".accent-%s, body:has(> .accent-%s) { --h: %v; --c: %v; }", name, name, tint.hue, tint.chroma); !strings.Contains(string(css), rule) {
			t.Errorf("the style sheet has no rule %s", rule)
		}
	}
	for _, rule := range []string{
		"--tint: light-dark(oklch(0.49 var(--c) var(--h)), oklch(0.83 calc(var(--c) * 0.85) var(--h)))",
		"--tint-wash: light-dark(oklch(0.965 calc(var(--c) * 0.2) var(--h)), oklch(0.275 calc(var(--c) * 0.34) var(--h)))",
	} {
		if !strings.Contains(string(css), rule) {
			t.Errorf("the style sheet has no rule %s: change contrast.go with it", rule)
		}
	}
}

// The ratio is WCAG's: black on white is 21 to 1, and a pale colour fails.
func TestRatio(t *testing.T) {
	t.Parallel()
	if got := ratio(oklch(1, 0, 0), oklch(0, 0, 0)); math.Abs(got-21) > 0.01 {
		t.Errorf("black on white is %.3f to 1", got)
	}
	// #767676 on white is 4.54 to 1; its lightness in OKLCH is 0.5659.
	if got := ratio(oklch(0.5659, 0, 0), oklch(1, 0, 0)); math.Abs(got-4.54) > 0.02 {
		t.Errorf("grey on white is %.3f to 1", got)
	}
}
