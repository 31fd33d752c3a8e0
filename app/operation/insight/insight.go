// Package insight counts what readers do with the portal, and reports it.
//
// A process counts in memory and writes every few seconds (counter.go, write.go); what
// other tables know is counted by a job (collect.go). No count names a person, an
// address, a cookie or the words of a query: views are by page and hour, everything else
// is by day.
//
// Choices where the specification is silent:
//
//   - A view is a page that was sent, or that the browser takes again from its
//     cache, because someone asked for it: by its address, or by a link that htmx
//     follows. What browsers and htmx load ahead is none, and neither is a part of a
//     page, going back, a missing page or a redirect.
//   - A page and its Markdown are one page. Agents mostly read the Markdown.
//   - Hours, days and months begin when the clock of the installation says so
//     (ANALYTICS_ZONE), so a day has 23 or 25 hours where the clock changes.
//   - Of the hosts that readers come from the 200 with the most readers of a day are
//     kept. The others are one row.
package insight

import "time"

// Reader is who reads: people, or a kind of program.
type Reader string

// The readers. Unknown says nothing of itself that the table of programs knows.
const (
	Person  Reader = "person"
	AI      Reader = "ai"
	Search  Reader = "search"
	Tool    Reader = "tool"
	Unknown Reader = "unknown"
)

// Readers lists them in the order in which they are shown.
var Readers = []Reader{Person, AI, Search, Tool, Unknown}

// What is counted by day beside views.
const (
	Agents    = "agent"    // views by the name of the program; the detail is its Reader
	Languages = "language" // views of people by the language that their browser asks for
	Sources   = "source"   // views of people by the host that they come from; empty for none
	Searches  = "search"   // by where they were made; the detail is their length and results
	Samples   = "shown"    // views of people by the language of the samples that they see
	Copies    = "copy"     // code that was copied, by page; the detail is its language
	Exports   = "export"   // documents by their format
	Libraries = "sdk"      // archives of client libraries by language
	Mocks     = "mock"     // calls of mocks by the class of the response
	Consoles  = "console"  // calls of the API console by endpoint
	// Simulators are messages that were looked at in a simulator, by channel; the detail
	// says whether one could be sent as it was.
	Simulators = "simulator"
	Tools      = "mcp"     // calls of assistants by tool; the detail is the client
	Calls      = "call"    // calls of the channel APIs by operation; the detail says how they ended
	Thumbs     = "thumb"   // answers of readers by page; the detail is yes or no
	Enquiries  = "enquiry" // enquiries by their status
	Failures   = "failure" // messages that failed by channel; the detail is the code
)

// Page is a page of the portal.
type Page struct {
	Path, Kind string
	// Product and Version are empty for pages of no product.
	Product, Version string
}

// Event is something that is counted by day.
type Event struct {
	What, Product, Version, Name, Detail string
}

// The grains of counts of views.
const (
	Hour  = "hour"
	Day   = "day"
	Month = "month"
)

// hourOf returns when the hour of a time began by the clock of a zone.
func hourOf(t time.Time, zone *time.Location) int64 {
	_, offset := t.In(zone).Zone()
	local := t.Unix() + int64(offset)
	return local - (local%3600+3600)%3600 - int64(offset)
}

// dayOf returns when the day of a time began.
func dayOf(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, zone)
}

// monthOf returns when the month of a time began.
func monthOf(t time.Time, zone *time.Location) time.Time {
	y, m, _ := t.In(zone).Date()
	return time.Date(y, m, 1, 0, 0, 0, 0, zone)
}

// dateOf returns the date of a time in a zone as a column of dates has it.
func dateOf(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}
