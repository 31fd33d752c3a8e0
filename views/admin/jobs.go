package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// JobsPage shows the queues and what they hold.
type JobsPage struct {
	layout.Frame
	Queues ui.Table
	List   List
}

// JobPage shows one job.
type JobPage struct {
	layout.Frame
	Problem string
	Facts   []ui.Pair
	Actions []JobAction
	Errors  ui.Table
}

// JobAction is something to do with a job, and what it means.
type JobAction struct {
	Note string
	Post ui.Post
}

// ConfirmPage says what will happen and asks.
type ConfirmPage struct {
	layout.Frame
	Text   string
	Facts  []ui.Pair
	Action ui.Post
	Back   ui.Link
}
