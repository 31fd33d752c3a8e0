package args

import "github.com/riverqueue/river"

// AnswerInvitation answers the invitation of a test device of a sandbox.
type AnswerInvitation struct {
	BotID  string `json:"bot_id"`
	Number string `json:"number"`
}

// Kind names the job.
func (AnswerInvitation) Kind() string { return "answer_invitation" }

// InsertOpts puts it on the default queue.
func (AnswerInvitation) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }

// ReviewRCSTemplate reviews one content of an RCS template.
type ReviewRCSTemplate struct {
	TemplateID string `json:"template_id"`
	Revision   int    `json:"revision"`
}

// Kind names the job.
func (ReviewRCSTemplate) Kind() string { return "review_rcs_template" }

// InsertOpts puts it on the default queue.
func (ReviewRCSTemplate) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: QueueDefault} }
