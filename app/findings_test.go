package main

import (
	"regexp"
	"strings"
	"testing"
)

// Each fault that an attack or a partner found is held by tests that exist.
func TestFaultsThatWereFoundHaveTests(t *testing.T) {
	t.Parallel()
	exists := testsOfTheTree(t)
	name := regexp.MustCompile("`(Test\\w+)`")
	rows := 0
	for row := range strings.Lines(topic(t, "found")) {
		columns := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), " | ")
		if !strings.HasPrefix(row, "|") || len(columns) != 2 || strings.HasPrefix(row, "|---") || strings.Contains(row, "Held by") {
			continue
		}
		rows++
		tests := name.FindAllStringSubmatch(columns[1], -1)
		if len(tests) == 0 {
			t.Errorf("%q names no test", columns[0])
		}
		for _, test := range tests {
			if !exists[test[1]] {
				t.Errorf("%q names %s, which does not exist", columns[0], test[1])
			}
		}
	}
	if rows < 70 {
		t.Errorf("%d faults are listed, want 70: a row that cannot be read is none", rows)
	}
}
