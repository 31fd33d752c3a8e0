package sms

import (
	"errors"
	"testing"
	"time"
)

func TestParseSchedule(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 10, 0, 0, 0, indianTime)
	for text, want := range map[string]any{
		"":                              time.Time{},
		"2026-01-31 10:15:00":           now.Add(15 * time.Minute),
		"2026-01-31T04:45:00Z":          now.Add(15 * time.Minute),
		"2026-01-31T10:30:00.5+05:30":   now.Add(30*time.Minute + 500*time.Millisecond),
		"2026-05-01 10:00:00":           now.Add(129_600 * time.Minute),
		"2026-05-01 10:00:01":           codeScheduleRange,
		"2026-01-31 10:13:59":           codeScheduleRange,
		"2026-01-30 10:15:00":           codeScheduleRange,
		"2026-01-31 25:15:00":           codeSchedule,
		"2026-02-30 10:15:00":           codeSchedule,
		"tomorrow":                      codeSchedule,
		"2026-01-31T10:15:00":           codeSchedule,
		"31/01/2026 10:15":              codeSchedule,
		"2026-01-31 10:15:00 or so":     codeSchedule,
		"99999999999999999999999999999": codeSchedule,
	} {
		got, err := parseSchedule(text, now)
		var refusal *Refusal
		switch want := want.(type) {
		case time.Time:
			if err != nil || !got.Equal(want) {
				t.Errorf("%q: %v, %v, want %v", text, got, err, want)
			}
		case Code:
			if !errors.As(err, &refusal) || refusal.Code != want {
				t.Errorf("%q: %v, want code %s", text, err, want)
			}
		}
	}
}

func TestPromotionHours(t *testing.T) {
	t.Parallel()
	for clock, want := range map[string]bool{
		"09:59:59": false, "10:00:00": true, "15:00:00": true, "20:59:59": true, "21:00:00": false, "23:00:00": false, "00:00:00": false,
	} {
		at, err := time.ParseInLocation(localLayout, "2026-01-31 "+clock, indianTime)
		if err != nil {
			t.Fatal(err)
		}
		if got := promotionAllowed(at.UTC()); got != want {
			t.Errorf("%s in India: %v", clock, got)
		}
	}
}

func TestAheadIsAccepted(t *testing.T) {
	t.Parallel()
	const day = len("2026-02-01")
	for minutes := 0; minutes < 3*24*60; minutes += 7 {
		now := time.Date(2026, 12, 30, 0, minutes, 0, 0, indianTime)
		for _, text := range []string{"2026-02-01 10:30:00", "2035-02-01T23:59:30+02:00", "2020-02-29T00:00:00.5Z"} {
			moved := Ahead(text, now)
			at, err := parseSchedule(moved, now)
			if err != nil || at.After(now.Add(25*time.Hour)) || moved[day:] != text[day:] {
				t.Errorf("%s becomes %s at %s: %v", text, moved, now, err)
			}
			if again := Ahead(moved, now); again != moved {
				t.Errorf("%s is moved to %s", moved, again)
			}
		}
	}
	for _, text := range []string{"", "tomorrow", "2026-02-30 10:15:00"} {
		if got := Ahead(text, time.Now()); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
