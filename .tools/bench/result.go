package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// measure is one unit of one benchmark.
type measure struct{ pkg, name, unit string }

// readResults returns all values of each measure in the output of benchmarks.
func readResults(path string) (map[measure][]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := map[measure][]float64{}
	pkg := ""
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 2 && fields[0] == "pkg:" {
			pkg = fields[1]
		}
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: reading %q: %w", path, strings.TrimSpace(line), err)
			}
			m := measure{pkg, fields[0], fields[i+1]}
			found[m] = append(found[m], value)
		}
	}
	return found, nil
}

// isRate reports whether more of a unit is better: pages a second, or a ratio of
// rates. Of times, sizes and ratios of times less is better.
func isRate(unit string) bool {
	return strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "ratio") && unit != "p99-ratio"
}

// findSlower describes the measures whose speed is less than a multiple of the
// one before, with their medians. The speed is the median of the rounds': both
// sides of a round meet the same machine, and the next round may meet another.
func findSlower(before, after map[measure][]float64, least float64) (list []string) {
	for _, m := range slices.SortedFunc(maps.Keys(before), func(a, b measure) int {
		return strings.Compare(a.pkg+" "+a.name+" "+a.unit, b.pkg+" "+b.name+" "+b.unit)
	}) {
		was, is := median(before[m]), median(after[m])
		if len(after[m]) == 0 || was <= 0 || is <= 0 {
			continue
		}
		if speed := findSpeed(m.unit, before[m], after[m]); speed < least {
			list = append(list, fmt.Sprintf("%.2f ×  %s.%s: %.4g before, %.4g after, %s", speed, m.pkg, m.name, was, is, m.unit))
		}
	}
	return list
}

// findSpeed returns the median speed of the rounds, as a multiple of the one before.
func findSpeed(unit string, before, after []float64) float64 {
	if isRate(unit) {
		before, after = after, before
	}
	var speeds []float64
	for round := range min(len(before), len(after)) {
		speeds = append(speeds, before[round]/after[round])
	}
	return median(speeds)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
