package desk

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// CalendarRegion holds a month of the calendar.
const CalendarRegion = ui.Region("calendar")

// CalendarPage shows a month of releases and of dates of versions.
type CalendarPage struct {
	layout.Frame
	Lead     string
	Concerns []Finding
	Title    string // the month
	// Earlier and Later lead to the months beside it, Today to the present one, and
	// Other to the other view.
	Earlier, Later, Today, Other ui.Link
	// Weeks are the days of the view of a month, Days are the days of the list that have
	// entries. One of both is empty.
	Weeks [][]Day
	Days  []Day
	Empty ui.EmptyState // shown without entries
	Live  templ.Attributes
}

// Day is a day of the calendar.
type Day struct {
	Date    string // yyyy-mm-dd
	Number  string
	Label   string // with the weekday
	Outside bool   // of the month
	IsToday bool
	Entries []CalendarEntry
}

// CalendarEntry is what happens on a day.
type CalendarEntry struct {
	Tone ui.Tone
	Word string
	Time string // of the day, empty for the whole day
	At   string // for programs, with the zone
	Link ui.Link
	Note string
	Edit ui.Link // to the form of the schedule, for those who may change it
}

var weekdays = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
