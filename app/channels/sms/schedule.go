package sms

import (
	"errors"
	"time"
)

// The range of schedule_time, ahead of the submission.
const (
	earliest = 15 * time.Minute
	latest   = 129_600 * time.Minute
)

// parseSchedule reads a schedule_time. An empty text means at once, the zero time.
func parseSchedule(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.ParseInLocation(localLayout, text, indianTime)
	if err != nil {
		if at, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return time.Time{}, refuse(codeSchedule, "")
		}
	}
	// A client that writes whole minutes must not miss the limit by seconds.
	if ahead := at.Sub(now); ahead < earliest-time.Minute || ahead > latest {
		return time.Time{}, refuse(codeScheduleRange, "")
	}
	return at, nil
}

// promotionAllowed reports whether promotional messages may be sent at a time:
// from 10:00 until before 21:00 in India.
func promotionAllowed(at time.Time) bool {
	hour := at.In(indianTime).Hour()
	return hour >= 10 && hour < 21
}

// Ahead returns a schedule_time that is accepted at a moment. A time that is too near or
// too far moves to the next days, with its time of day and its notation. Every other text
// stays as it is.
func Ahead(text string, now time.Time) string {
	var refusal *Refusal
	if _, err := parseSchedule(text, now); !errors.As(err, &refusal) || refusal.Code != codeScheduleRange {
		return text
	}
	layout := localLayout
	at, err := time.ParseInLocation(layout, text, indianTime)
	if err != nil {
		layout = time.RFC3339Nano
		if at, err = time.Parse(layout, text); err != nil {
			return text
		}
	}
	day := now.In(at.Location())
	moved := time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), at.Location())
	for moved.Before(now.Add(earliest)) {
		moved = moved.AddDate(0, 0, 1)
	}
	return moved.Format(layout)
}
