package limit

import (
	"testing"
	"time"
)

// The time that a message names is never earlier than the end of the wait.
func TestFormatWait(t *testing.T) {
	t.Parallel()
	at := func(clock string) time.Time {
		then, err := time.Parse(time.RFC3339Nano, clock)
		if err != nil {
			t.Fatal(err)
		}
		return then
	}
	for _, c := range []struct {
		wait time.Duration
		now  string
		want string
	}{
		{time.Nanosecond, "2026-11-22T10:00:00Z", "a second, then try again."},
		{time.Second, "2026-11-22T10:00:00Z", "a second, then try again."},
		{time.Second + time.Nanosecond, "2026-11-22T10:00:00Z", "2 seconds, then try again."},
		{89*time.Second + time.Nanosecond, "2026-11-22T10:00:00Z", "90 seconds, then try again."},
		{90 * time.Second, "2026-11-22T10:00:00Z", "2 minutes, then try again after 10:02 UTC."},
		{2 * time.Minute, "2026-11-22T10:00:00Z", "2 minutes, then try again after 10:02 UTC."},
		{2 * time.Minute, "2026-11-22T10:00:00.000000001Z", "2 minutes, then try again after 10:03 UTC."},
		{2 * time.Minute, "2026-11-22T10:00:59Z", "2 minutes, then try again after 10:03 UTC."},
		{2 * time.Minute, "2026-11-22T15:30:00+05:30", "2 minutes, then try again after 10:02 UTC."},
		{2 * time.Hour, "2026-11-22T10:00:00Z", "120 minutes, then try again after 12:00 UTC."},
		{2*time.Hour + time.Second, "2026-11-22T10:00:00Z", "3 hours, then try again after 12:01 UTC."},
		{10 * time.Minute, "2026-11-22T23:55:00Z", "10 minutes, then try again after 00:05 UTC on 23 November."},
		{20 * time.Hour, "2026-11-22T01:00:00Z", "20 hours, then try again after 21:00 UTC."},
		{24 * time.Hour, "2026-11-22T10:00:00Z", "24 hours, then try again after 10:00 UTC on 23 November."},
		{24 * time.Hour, "2026-11-23T04:00:00+05:30", "24 hours, then try again after 22:30 UTC on 23 November."},
	} {
		if got := formatWait(c.wait, at(c.now)); got != c.want {
			t.Errorf("%s from %s: %q, want %q", c.wait, c.now, got, c.want)
		}
	}
}
