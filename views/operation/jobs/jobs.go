// Package jobs renders the queues and their jobs.
package jobs

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// JobsPage shows the queues and their jobs.
type JobsPage struct {
	layout.Frame
	Queues ui.Table
	Causes ui.Table // of failing jobs
	List   ui.Listing
}

// JobPage shows one job.
type JobPage struct {
	layout.Frame
	// Region is the region of the details.
	Region  ui.Region
	Problem string
	Facts   []ui.Pair
	// Retry and Cancel are missing if the job's state does not allow them.
	Retry  JobRetry
	Cancel JobCancel
	// Kept keeps an open confirmation when the details are refreshed.
	Kept   bool
	Errors ui.Table
	// Live refreshes the details when the job changes.
	Live templ.Attributes
}

// JobRetry retries a job. Note describes the effect.
type JobRetry struct {
	Note string
	Post ui.Post
}

// JobCancel asks before a job is cancelled. Note describes the effect.
type JobCancel struct {
	Note string
	Ask  ui.Ask
}
