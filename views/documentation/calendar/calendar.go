// Package calendar renders the calendar of releases.
package calendar

import (
	"github.com/a-h/templ"

	"heliograph/views/documentation/quality"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Region holds a month of the calendar.
const Region = ui.Region("calendar")

// Page shows a month of releases and of dates of versions.
type Page struct {
	layout.Frame
	Lead     string
	Concerns []quality.Finding
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
	Entries []Entry
}

// Entry is what happens on a day.
type Entry struct {
	Tone ui.Tone
	Word string
	Time string // of the day, empty for the whole day
	At   string // for programs, with the zone
	Link ui.Link
	Note string
	Edit ui.Link // to the form of the schedule, for those who may change it
}

var weekdays = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
