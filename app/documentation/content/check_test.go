package content

import (
	"encoding/json"
	"slices"
	"strings"
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

// A version is released, deprecated and then ends.
func TestLifecycleOfVersions(t *testing.T) {
	t.Parallel()
	type wrong = map[string]string // what the message of a field says
	for name, c := range map[string]struct {
		version Version
		want    wrong
	}{
		"no days":                  {Version{}, nil},
		"one day":                  {Version{DeprecatedOn: "2027-01-31"}, nil},
		"all in order":             {Version{ReleasedOn: "2024-01-01", DeprecatedOn: "2026-01-01", RetiredOn: "2027-06-30", SunsetOn: "2027-05-01"}, nil},
		"all on one day":           {Version{ReleasedOn: "2024-01-01", DeprecatedOn: "2024-01-01", RetiredOn: "2024-01-01", SunsetOn: "2024-01-01"}, nil},
		"the first and the last":   {Version{ReleasedOn: "1990-01-01", SunsetOn: "2100-12-31"}, nil},
		"no date":                  {Version{ReleasedOn: "spring", SunsetOn: "2026-01-01"}, nil},
		"deprecated before":        {Version{ReleasedOn: "2031-01-01", DeprecatedOn: "2020-01-01"}, wrong{"deprecated_on": "be deprecated before its release on 1 January 2031"}},
		"sunset before":            {Version{ReleasedOn: "2024-01-01", DeprecatedOn: "2026-01-01", SunsetOn: "2025-12-31"}, wrong{"sunset_on": "its deprecation on 1 January 2026"}},
		"sunset before release":    {Version{ReleasedOn: "2024-01-01", SunsetOn: "2023-12-31"}, wrong{"sunset_on": "its release on 1 January 2024"}},
		"retired before release":   {Version{ReleasedOn: "2024-01-01", RetiredOn: "2023-12-31"}, wrong{"retired_on": "its release on 1 January 2024"}},
		"retired before":           {Version{DeprecatedOn: "2024-01-02", RetiredOn: "2024-01-01"}, wrong{"retired_on": "its deprecation on 2 January 2024"}},
		"years far away":           {Version{ReleasedOn: "0202-01-01", SunsetOn: "2101-01-01"}, wrong{"released_on": "1 January 0202", "sunset_on": "in the years 1990 to 2100"}},
		"everything":               {Version{ReleasedOn: "2031-01-01", DeprecatedOn: "2020-01-01", RetiredOn: "1990-01-01", SunsetOn: "0001-01-02"}, wrong{"deprecated_on": "release", "retired_on": "release", "sunset_on": "2 January 0001"}},
		"a year that others skip":  {Version{ReleasedOn: "9999-01-01", DeprecatedOn: "2024-01-01"}, wrong{"released_on": "1 January 9999"}},
		"retired after its sunset": {Version{SunsetOn: "2024-01-01", RetiredOn: "2024-02-01"}, nil},
	} {
		c.version.Label, c.version.Frame = Deprecated, json.RawMessage(`{}`)
		raw, err := json.Marshal(c.version)
		if err != nil {
			t.Fatal(err)
		}
		got := CheckLifecycle(KindVersion, raw)
		if !slices.Equal(got, Check(KindVersion, raw)) || len(got) != len(c.want) {
			t.Errorf("%s: %v", name, got)
		}
		for _, p := range got {
			if c.want[p.Field] == "" || !strings.Contains(p.Message, c.want[p.Field]) {
				t.Errorf("%s: %s: %s", name, p.Field, p.Message)
			}
		}
	}
}

// A name of blanks is none.
func TestBlankNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "   "} {
		if got := Check(KindProduct, json.RawMessage(`{"name":"`+name+`"}`)); len(got) != 1 || got[0].Field != "name" {
			t.Errorf("%q: %v", name, got)
		}
	}
}
