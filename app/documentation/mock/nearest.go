package mock

import (
	"strings"
)

// mostCompared bounds the operations and the bytes of a path that a search for
// the nearest operation compares.
const (
	mostCompared = 5_000
	mostPath     = 300
)

// nearest returns the operation with the path that resembles another one most, nil where
// none does.
func (e *engine) nearest(method, path string) *operation {
	segments := segmentsOf(path[:min(len(path), mostPath)])
	var best *operation
	most := 0
	for _, op := range e.operations[:min(len(e.operations), mostCompared)] {
		own := segmentsOf(op.placed.Route)
		score := max(alike(segments, own), alike(segments[min(1, len(segments)-1):], own)-1)
		if op.placed.Method == method {
			score++
		}
		if score > most {
			best, most = op, score
		}
	}
	if most < 2 {
		return nil
	}
	return best
}

// alike scores how much two paths have in common.
func alike(segments, own []string) int {
	score := -2 * abs(len(segments)-len(own))
	for i := range min(len(segments), len(own)) {
		switch a, b := strings.ToLower(segments[i]), strings.ToLower(own[i]); {
		case a == b:
			score += 6
		case strings.Contains(b, "{"):
			score++
		default:
			score += 5 * shared(a, b) / max(len(a), len(b), 1)
		}
	}
	return score
}

// shared counts the bytes that two texts share at their start and end.
func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	m := 0
	for m < min(len(a), len(b))-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	return n + m
}

func abs(n int) int { return max(n, -n) }
