package simulate

import (
	"strings"
	"testing"
	"time"
)

func TestTimesOfExamplesMoveAhead(t *testing.T) {
	const text = `{"schedule_time": "2026-02-01 10:30:00", "note": "2026-02-01 10:30:00",
  "messages": [{"dest": ["447400123456"], "header": "Heliograph", "msg": "x"},
    {"dest": ["447400123457"], "header": "Heliograph", "msg": "y", "schedule_time": "2026-02-01T20:00:00Z"}, {"schedule_time": 7}]}`
	now := time.Date(2026, 11, 28, 6, 0, 0, 0, time.UTC)
	want := strings.NewReplacer(`_time": "2026-02-01 `, `_time": "2026-11-29 `, "02-01T20", "11-28T20").Replace(text)
	if got := Current("sms", text, now); got != want {
		t.Errorf("got %s", got)
	}
	for channel, other := range map[string]string{"messaging": text, "rcs": text, "sms": `{"schedule_time": `} {
		if got := Current(channel, other, now); got != other {
			t.Errorf("%s: %s", channel, got)
		}
	}
	whole := strings.Replace(want, `, {"schedule_time": 7}`, "", 1)
	if r := check(t, "sms", strings.Replace(whole, `"note": "2026-02-01 10:30:00",`, "", 1)); len(r.Problems) > 0 || r.Screen == nil {
		t.Errorf("%+v", r.Problems)
	}
}

// The examples are accepted at every time of the day, and years from now.
func TestExamplesAreAcceptedAtAnyTime(t *testing.T) {
	for _, year := range []int{2026, 2028, 2040} {
		for _, hour := range []int{0, 4, 16, 23} { // night and day in India
			s := simulator()
			s.Now = func() time.Time { return time.Date(year, 12, 31, hour, 47, 0, 0, time.UTC) }
			for channel, list := range examples {
				for _, e := range list {
					e.Text = Current(channel, e.Text, s.Now())
					if list, err := s.Follows(t.Context(), channel, e); err != nil || len(list) == 0 {
						t.Errorf("%s %s at %s: %v", channel, e.Name, s.Now(), err)
					}
				}
			}
		}
	}
}
