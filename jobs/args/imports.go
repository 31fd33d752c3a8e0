package args

import "github.com/riverqueue/river"

// ImportDocument reads an imported document and compares it with what is published.
type ImportDocument struct {
	ImportID int64 `json:"import_id" river:"unique"`
}

// Kind names the job.
func (ImportDocument) Kind() string { return "import_document" }

// InsertOpts puts it on the import queue.
func (ImportDocument) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueImport} }

// CheckWatches starts reading the watched addresses that are due.
type CheckWatches struct{}

// Kind names the job.
func (CheckWatches) Kind() string { return "check_watches" }

// InsertOpts puts it on the default queue.
func (CheckWatches) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }
