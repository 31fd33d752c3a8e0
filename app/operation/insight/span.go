package insight

import (
	"cmp"
	"sort"
	"strconv"
	"time"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// Span is a period that is reported, and the one before it that is as long.
type Span struct {
	Name, Label string
	Grain       string
	// Before is the start of the period before, From and Until the bounds of this one;
	// until is not part of it.
	Before, From, Until time.Time
	// Steps are the starts of the hours, days or months of the period.
	Steps []time.Time
	zone  *time.Location
}

// Spans are the names and labels of periods, the shortest first.
var Spans = []struct{ Name, Label string }{
	{"day", "One day, by hour"}, {"7", "7 days"}, {"28", "28 days"}, {"90", "90 days"}, {"12m", "12 months"}, {"24m", "24 months"},
}

// standardSpan is the period of a page that names none.
const standardSpan = "28"

// NewSpan returns the period of a name that ends with a day, such as 2026-03-29. Without
// a day it ends today.
func NewSpan(name, day string, now time.Time, zone *time.Location) (s Span, err error) {
	last := dayOf(now, zone)
	if day != "" {
		asked, err := time.ParseInLocation(time.DateOnly, day, zone)
		if err != nil || asked.Year() < 2000 || asked.Year() > 2999 {
			return s, fault.New(fault.NotFound, "There is no day %q. Days are written as %s.", day, last.Format(time.DateOnly))
		}
		last = dayOf(asked, zone)
	}
	name = cmp.Or(name, standardSpan)
	s = Span{Name: name, Grain: Day, zone: zone, Until: dayOf(last.AddDate(0, 0, 1), zone)}
	for _, known := range Spans {
		if known.Name == name {
			s.Label = known.Label
		}
	}
	switch name {
	case "day":
		s.Grain, s.From, s.Before = Hour, last, dayOf(last.AddDate(0, 0, -1), zone)
	case "7", "28", "90":
		n, _ := strconv.Atoi(name)
		s.From, s.Before = dayOf(s.Until.AddDate(0, 0, -n), zone), dayOf(s.Until.AddDate(0, 0, -2*n), zone)
	case "12m", "24m":
		n, _ := strconv.Atoi(name[:2])
		first := monthOf(last, zone)
		s.Grain, s.From, s.Before = Month, first.AddDate(0, 1-n, 0), first.AddDate(0, 1-2*n, 0)
	default:
		return s, fault.New(fault.NotFound, "There is no period %q. Choose one from the list.", name)
	}
	for at := s.From; at.Before(s.Until); {
		s.Steps = append(s.Steps, at)
		switch s.Grain {
		case Hour:
			at = time.Unix(hourOf(at.Add(time.Hour), zone), 0).In(zone)
		case Day:
			at = dayOf(at.AddDate(0, 0, 1), zone)
		default:
			at = at.AddDate(0, 1, 0)
		}
	}
	return s, nil
}

// Date is a day of the period as a column of dates has it.
func (s Span) Date(t time.Time) time.Time { return dateOf(t, s.zone) }

// Step returns the index of the step that a time is in, or -1 before the period.
func (s Span) Step(t time.Time) int {
	return sort.Search(len(s.Steps), func(i int) bool { return s.Steps[i].After(t) }) - 1
}

// Filter returns the filter of the counts of the period.
func (s Span) Filter() models.InsightFilter {
	f := models.InsightFilter{
		Grain: s.Grain, Before: s.Before, From: s.From, Until: s.Until,
		BeforeDay: s.Date(s.Before), FromDay: s.Date(s.From), UntilDay: s.Date(s.Until),
	}
	before, months := s.months(s.Before, s.From), s.months(s.From, s.Until)
	if s.Grain == Day {
		f.MonthsBefore, f.Months = before, months
	}
	f.MonthDaysBefore = models.InsightMonths{From: s.Date(before.From), Until: s.Date(before.Until)}
	f.MonthDays = models.InsightMonths{From: s.Date(months.From), Until: s.Date(months.Until)}
	return f
}

// months returns the whole months between two times.
func (s Span) months(from, until time.Time) models.InsightMonths {
	first, last := monthOf(from, s.zone), monthOf(until, s.zone)
	if first.Before(from) {
		first = first.AddDate(0, 1, 0)
	}
	if last.Before(first) {
		return models.InsightMonths{From: until, Until: until}
	}
	return models.InsightMonths{From: first, Until: last}
}
