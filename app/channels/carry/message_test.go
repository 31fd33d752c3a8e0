package carry

import (
	"testing"
	"time"
)

func TestPausesGrowAndEndWithTheMessage(t *testing.T) {
	t.Parallel()
	const month, day = 30 * 24 * time.Hour, 24 * time.Hour
	for _, c := range []struct {
		earlier          int
		life, left, want time.Duration // want is the longest
	}{
		{0, month, month, time.Second},
		{1, month, month, 5 * time.Second},
		{3, month, month, 2 * time.Minute},
		{5, month, month, 30 * time.Minute},
		{1000, month, day, 30 * time.Minute},
		{1000, 10 * time.Minute, 5 * time.Minute, time.Minute},
		{1000, 30 * time.Second, 20 * time.Second, 3 * time.Second},
	} {
		for range 100 {
			if got := pause(c.earlier, c.life, c.left); got > c.want || got < c.want*3/4 {
				t.Errorf("after %d failures with %s of %s left the pause is %s, want up to a quarter less than %s", c.earlier, c.left, c.life, got, c.want)
			}
		}
	}
	for left, want := range map[time.Duration]time.Duration{time.Second: time.Second, 0: 0, -time.Second: 0} {
		if got := pause(5, month, left); got != want {
			t.Errorf("with %s left the pause is %s, want %s", left, got, want)
		}
	}
}
