package content

import (
	"strconv"
	"strings"
	"time"
)

// MaxLatency is the longest time that a mock waits.
const MaxLatency = 10 * time.Second

// Latency reads milliseconds or a range of them: 80, or 50-200. An empty text is
// no latency. It reports false for what it cannot read, and for more than
// MaxLatency.
func Latency(text string) (least, most time.Duration, ok bool) {
	if text == "" {
		return 0, 0, true
	}
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	a, errA := strconv.ParseUint(low, 10, 31)
	b, errB := strconv.ParseUint(high, 10, 31)
	least, most = time.Duration(a)*time.Millisecond, time.Duration(b)*time.Millisecond
	return least, most, errA == nil && errB == nil && least <= most && most <= MaxLatency
}
