package models

import "time"

// ReviewThread is a thread of comments on an item of a change set.
type ReviewThread struct {
	ID             int64
	ChangeSetID    int64
	ItemID         int64
	Field          string     // name of a field, empty for the item as a whole
	Excerpt        string     // the lines of the field that it is about, empty for all of it; the change of a contract in words
	VersionID      int64      // of the contract that it is about, zero for none
	ContractChange string     // fingerprint of the change of that contract, empty for none
	SeenHash       []byte     // SHA-256 of the text of the field when the thread began
	ResolvedByName string     // empty while it is open
	ResolvedAt     *time.Time // nil while it is open
	CreatedAt      time.Time
}

// IsOpen reports whether nobody has resolved the thread.
func (t ReviewThread) IsOpen() bool { return t.ResolvedAt == nil }

// ReviewComment is a comment of a thread.
type ReviewComment struct {
	ID         int64
	ThreadID   int64
	AuthorID   int64
	AuthorName string
	Text       string // Markdown
	CreatedAt  time.Time
}

// ReviewNotice is an event of a review that people are to receive an email about.
type ReviewNotice struct {
	ID          int64
	ChangeSetID int64
	Event       string // submitted, changes_requested, comment, approved, rejected, published or blocked
	ActorID     int64  // zero: the program itself
	ActorName   string // empty for the program itself
	Note        string // what the actor wrote, or why a release was blocked
	CreatedAt   time.Time
}

// ReviewReader is a person who receives emails about a change set.
type ReviewReader struct {
	ID    int64
	Email string
}
