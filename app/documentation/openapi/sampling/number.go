package sampling

import (
	"math"
	"strconv"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// number makes a number within the limits.
func (s *sampler) number(p *parts, isInteger bool) *tree.Node {
	low, high := p.interval(isInteger)
	step, hasStep := p.most(func(l graph.Limits) string { return l.MultipleOf })
	value := math.Min(math.Max(1, low), high)
	if s.isVaried() {
		from, to := low, high
		switch {
		case math.IsInf(from, -1) && math.IsInf(to, 1):
			from, to = 1, 1000
		case math.IsInf(from, -1):
			from = to - 1000
		case math.IsInf(to, 1):
			to = from + 1000
		}
		value = from + s.random.Float64()*(to-from)
		if !isInteger {
			value = math.Round(value*100) / 100
		}
	}
	if isInteger {
		value = math.Round(value)
		if value < low {
			value = math.Ceil(low)
		} else if value > high {
			value = math.Floor(high)
		}
	}
	value = math.Min(math.Max(value, low), high)
	if hasStep && step > 0 {
		if n := math.Floor(value / step); n*step >= low {
			value = n * step
		} else {
			value = math.Ceil(low/step) * step
		}
		if value == 0 && step <= high && !s.isVaried() {
			value = step
		}
	}
	return tree.Number(strconv.FormatFloat(value, 'f', -1, 64))
}

// interval returns the bounds of a number, both within.
func (p *parts) interval(isInteger bool) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	gap := 0.01
	if isInteger {
		gap = 1
	}
	if v, ok := p.most(func(l graph.Limits) string { return l.Minimum }); ok {
		low = v
	}
	if v, ok := p.most(func(l graph.Limits) string { return l.ExclusiveMinimum }); ok && v+gap > low {
		low = v + gap
	}
	if v, ok := p.least(func(l graph.Limits) string { return l.Maximum }); ok {
		high = v
	}
	if v, ok := p.least(func(l graph.Limits) string { return l.ExclusiveMaximum }); ok && v-gap < high {
		high = v - gap
	}
	if p.first(graph.Schema.Format) == "int32" {
		low, high = math.Max(low, math.MinInt32), math.Min(high, math.MaxInt32)
	}
	if low > high {
		high = low
	}
	return low, high
}
