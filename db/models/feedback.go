package models

import "time"

// Feedback is what a reader said about a page.
type Feedback struct {
	Page      string // its path
	Helpful   bool
	Comment   string // may be empty
	CreatedAt time.Time
}

// FeedbackCount counts the answers about a page.
type FeedbackCount struct {
	Page       string
	Helpful    int
	NotHelpful int
	Newest     time.Time
}
