package content

import (
	"encoding/json"
	"testing"
)

// What is retired has stopped working.
func TestSunsetOfRetiredVersions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		label, retired, sunset string
		want                   int
	}{
		"the same day":      {Retired, "2026-11-01", "2026-11-01", 0},
		"an earlier sunset": {Retired, "2026-11-01", "2026-10-01", 0},
		"no sunset":         {Retired, "2026-11-01", "", 0},
		"no retirement":     {Retired, "", "2026-12-31", 0},
		"a later sunset":    {Retired, "2026-11-01", "2026-12-31", 1},
		"not retired yet":   {Deprecated, "2026-11-01", "2026-12-31", 0},
	} {
		raw, err := json.Marshal(Version{Label: c.label, RetiredOn: c.retired, SunsetOn: c.sunset, Frame: json.RawMessage(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if got := Check(KindVersion, raw); len(got) != c.want || c.want == 1 && got[0].Field != "sunset_on" {
			t.Errorf("%s: %v", name, got)
		}
	}
}
