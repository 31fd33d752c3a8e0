package diff

import "slices"

// effort is how many differences are looked for in the shortest way. Texts that
// differ more are shown as replaced as a whole, between what they share at both
// ends.
const effort = 1000

// Steps returns the shortest way from a to b: the algorithm of Myers (An O(ND)
// difference algorithm and its variations, 1986). Same takes the next element of
// both, Removed one of a and Added one of b.
func Steps(a, b []string) []Kind {
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return slices.Concat(slices.Repeat([]Kind{Same}, head), shortest(a[head:len(a)-tail], b[head:len(b)-tail]), slices.Repeat([]Kind{Same}, tail))
}

// shortest searches forwards: reach[k] is how far into a the way has come on
// diagonal k after each number of differences.
func shortest(a, b []string) []Kind {
	most := min(len(a)+len(b), effort)
	reach := make([]int, 2*most+3)
	middle := most + 1
	var trace [][]int
	for d := 0; d <= most; d++ {
		trace = append(trace, slices.Clone(reach[middle-d-1:middle+d+2]))
		for k := -d; k <= d; k += 2 {
			x := reach[middle+k-1] + 1
			if k == -d || k != d && reach[middle+k-1] < reach[middle+k+1] {
				x = reach[middle+k+1]
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			reach[middle+k] = x
			if x >= len(a) && x-k >= len(b) {
				return backwards(trace, len(a), len(b))
			}
		}
	}
	return append(slices.Repeat([]Kind{Removed}, len(a)), slices.Repeat([]Kind{Added}, len(b))...)
}

// backwards follows the trace of a search from its end.
func backwards(trace [][]int, x, y int) (steps []Kind) {
	for d := len(trace) - 1; d > 0; d-- {
		at := func(k int) int { return trace[d][k+d+1] }
		k := x - y
		from, step := k-1, Removed
		if k == -d || k != d && at(k-1) < at(k+1) {
			from, step = k+1, Added
		}
		startX := at(from)
		startY := startX - from
		for x > startX && y > startY && x > 0 && y > 0 {
			if step == Removed && x == startX+1 && y == startY || step == Added && x == startX && y == startY+1 {
				break
			}
			steps = append(steps, Same)
			x, y = x-1, y-1
		}
		steps = append(steps, step)
		x, y = startX, startY
	}
	for ; x > 0 && y > 0; x, y = x-1, y-1 {
		steps = append(steps, Same)
	}
	slices.Reverse(steps)
	return steps
}
