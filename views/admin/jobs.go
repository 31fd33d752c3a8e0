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
	Actions []ui.Post
	Errors  ui.Table
}
