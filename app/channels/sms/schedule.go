package sms

import "time"

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
