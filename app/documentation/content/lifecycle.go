package content

import (
	"encoding/json"
	"fmt"
	"time"
)

// The years that the days of a version can have. Others are typing errors.
const (
	firstYear = 1990
	lastYear  = 2100
)

// CheckLifecycle returns the days of a version that cannot be: of years far away, or
// before what comes first in the life of a version. Other kinds have no such days.
func CheckLifecycle(kind string, raw json.RawMessage) []Problem {
	var v Version
	if kind != KindVersion || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var l problems
	l.lifecycle(v)
	return l
}

// lifeDay is a day in the life of a version.
type lifeDay struct {
	field, verb, noun string
	day               time.Time // zero for none, and for one that is wrong by itself
}

// lifecycle checks that a version is released first, then deprecated, and then ends.
func (l *problems) lifecycle(v Version) {
	released := l.lifeDay(v.ReleasedOn, "released_on", "", "release")
	deprecated := l.lifeDay(v.DeprecatedOn, "deprecated_on", "be deprecated", "deprecation")
	retired := l.lifeDay(v.RetiredOn, "retired_on", "be retired", "retirement")
	sunset := l.lifeDay(v.SunsetOn, "sunset_on", "stop working", "sunset")
	l.follows(deprecated, released)
	before := released
	if deprecated.day.After(released.day) {
		before = deprecated
	}
	l.follows(retired, before)
	l.follows(sunset, before)
}

// lifeDay reads a day. What is no date is left to the form.
func (l *problems) lifeDay(text, field, verb, noun string) lifeDay {
	d := lifeDay{field: field, verb: verb, noun: noun}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return d
	}
	if day.Year() < firstYear || day.Year() > lastYear {
		l.add(field, false, fmt.Sprintf("The day of the %s is %s: enter one in the years %d to %d.", noun, inWords(day), firstYear, lastYear))
		return d
	}
	d.day = day
	return d
}

// follows refuses a day before another one.
func (l *problems) follows(d, before lifeDay) {
	l.add(d.field, d.day.IsZero() || !d.day.Before(before.day),
		fmt.Sprintf("A version cannot %s before its %s on %s: enter that day or a later one, or correct the day of the %s.", d.verb, before.noun, inWords(before.day), before.noun))
}

func inWords(day time.Time) string { return day.Format("2 January 2006") }
