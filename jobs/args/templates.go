package args

import "github.com/riverqueue/river"

// ReviewTemplate reviews one revision of a message template.
type ReviewTemplate struct {
	TemplateID int64 `json:"template_id"`
	Revision   int   `json:"revision"`
}

// Kind names the job.
func (ReviewTemplate) Kind() string { return "review_template" }

// InsertOpts puts it on the default queue.
func (ReviewTemplate) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

// SettleTemplates ends the pauses and deletions of templates that are due.
type SettleTemplates struct{}

// Kind names the job.
func (SettleTemplates) Kind() string { return "settle_templates" }

// InsertOpts puts it on the default queue.
func (SettleTemplates) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

// TellStranded tells owners of live numbers that no carrier is set up for.
type TellStranded struct{}

// Kind names the job.
func (TellStranded) Kind() string { return "tell_stranded" }

// InsertOpts puts it on the default queue.
func (TellStranded) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }
