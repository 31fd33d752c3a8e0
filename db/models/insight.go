package models

import "time"

// InsightView is how often a page was read by a kind of reader in an hour, a day or a
// month.
type InsightView struct {
	Grain         string // hour, day or month
	Start         time.Time
	Page          string
	Reader        string
	Kind          string
	Product       string // slug, empty for pages of no product
	Version       string
	Count         int64
	PersonCount   int64 // of people, where all readers are counted together
	ProgramCount  int64 // of AI agents, likewise
	EarlierCount  int64 // of the period before, likewise
	EarlierPeople int64
}

// InsightTotal is InsightView without the page.
type InsightTotal struct {
	Grain         string
	Start         time.Time
	Product, Kind string
	Reader        string
	Count         int64
}

// InsightDay is how often something else happened on a day.
type InsightDay struct {
	What         string
	Day          time.Time // midnight UTC of its date
	Product      string    // slug, may be empty
	Version      string
	Name, Detail string
	Count        int64
	EarlierCount int64 // of the period before, where periods are compared
}

// InsightFilter says which counts are read: the counts of a period and of the period before
// it that is as long.
type InsightFilter struct {
	Grain             string
	Before            time.Time // the start of the period before
	From, Until       time.Time // until is not part of it
	Products          []string  // slugs; nil is all, an empty list none
	Readers           []string  // nil is all
	Kinds             []string  // nil is all
	Page              string    // empty is all
	BeforeDay         time.Time // the same times as dates
	FromDay, UntilDay time.Time
	// The whole months of the period before and of the period, for sums that are read by
	// month: of views where the grain is a day, and as dates.
	MonthsBefore, Months       InsightMonths
	MonthDaysBefore, MonthDays InsightMonths
}

// InsightMonths are whole months, none if From is Until. Until is not part of them.
type InsightMonths struct{ From, Until time.Time }

// Or returns the months, and for the zero value none at a time.
func (m InsightMonths) Or(at time.Time) InsightMonths {
	if m.Until.IsZero() {
		return InsightMonths{at, at}
	}
	return m
}

// To returns the months that ended before a time.
func (m InsightMonths) To(until time.Time) InsightMonths {
	if until.Before(m.Until) {
		m.Until = until
	}
	if m.Until.Before(m.From) {
		m.Until = m.From
	}
	return m
}

// InsightSteps counts the organisations that registered in a period by the steps that
// they took since, and how long half of them took for each, in seconds.
type InsightSteps struct {
	Registered, Verified, Key, Message, Callback                 int64
	VerifiedSeconds, KeySeconds, MessageSeconds, CallbackSeconds *float64
}

// InsightMessages is how messages of a channel ended that were accepted in a period.
type InsightMessages struct {
	Channel                     string
	Messages, Delivered, Failed int64
}
