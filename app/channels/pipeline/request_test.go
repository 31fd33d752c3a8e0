package pipeline

import (
	"testing"
	"time"
)

// The id of a request tells when it began and is otherwise random.
func TestRequestIDs(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_800_000_000_123)
	first, second := NewRequestID(now, 0x1234_5678_9abc_def0), NewRequestID(now, 0x1234_5678_9abd_def0)
	if first == second || len(first) != 24 {
		t.Errorf("ids %s and %s", first, second)
	}
	if at, ok := ParseRequestTime(first); !ok || !at.Equal(now) {
		t.Errorf("%s began at %v, %v", first, at, ok)
	}
	for _, text := range []string{"", "order-17", first[2:], first + "00", "xx" + first[2:]} {
		if _, ok := ParseRequestTime(text); ok {
			t.Errorf("%q is read as the id of a request", text)
		}
	}
}
