package models

import (
	"encoding/json"
	"time"
)

// Item is a product, a version or a part of one; its content is in its
// revisions. Revision ids are zero where there is none.
type Item struct {
	ID              int64
	Kind            string // one of the kinds of app/documentation/content
	ParentID        int64  // zero for a product
	Slug            string
	LiveRevisionID  int64
	DraftRevisionID int64
	Archived        bool // left out of the latest release
	Trashed         bool
	PracticeOf      int64 // the administrator who practises on it, zero for what everybody works on
}

// IsHiddenFrom reports whether an item belongs to the practice product of somebody else.
func (i Item) IsHiddenFrom(adminUserID int64) bool {
	return i.PracticeOf != 0 && i.PracticeOf != adminUserID
}

// ItemHead is an item with what an edit of it is judged by.
type ItemHead struct {
	Item
	HeadHash    []byte // of the content of the draft, else of what is live; empty for none
	LiveHash    []byte // of what is live; empty for none
	LiveOrigin  string // of what is live: seed, import, edit or restore
	ChangeSetID int64  // the open change set that holds it, zero for none
	Action      string // what that does to it; empty for none
	NewSlug     string // where a move leads
	NewParentID int64  // the new parent of a move, zero where it stays
}

// Head is the revision that an edit starts from: the draft, else what is live;
// zero for none.
func (i Item) Head() int64 {
	if i.DraftRevisionID != 0 {
		return i.DraftRevisionID
	}
	return i.LiveRevisionID
}

// Public reports whether readers can see the item, as far as it decides that
// itself.
func (i Item) Public() bool { return i.LiveRevisionID != 0 && !i.Archived && !i.Trashed }

// Revision is one immutable content of an item.
type Revision struct {
	ID             int64
	ItemID         int64
	Number         int
	Content        json.RawMessage
	ContentHash    []byte // SHA-256 of Content
	BaseID         int64  // the revision that was live when it was written, zero for none
	RestoredFromID int64  // the revision that it repeats the content of, zero for none
	AuthorID       int64  // zero: the program itself
	Origin         string // seed, import, edit or restore
	Form           string // the open form that saved it by itself, empty for other revisions
	CreatedAt      time.Time
}

// ChangeSet is changes of one product that are reviewed and published together.
type ChangeSet struct {
	ID            int64
	ProductID     int64
	Summary       string
	State         string
	AuthorID      int64     // zero: the program itself
	AuthorName    string    // empty for the program itself
	ScheduledFor  time.Time // zero unless the state is scheduled
	ScheduledBy   int64     // zero unless the state is scheduled
	BlockedReason string    // empty unless the state is blocked
	UpdatedAt     time.Time
	OwnApproval   bool  // the product lets authors approve their own changes
	PracticeOf    int64 // the administrator who practises on the product, zero for others
}

// Change is what a change set does to an item.
type Change struct {
	Item       Item
	Action     string // update, archive or move
	Slug       string // where a move leads
	ParentID   int64  // the new parent of a move, zero where it stays
	RevisionID int64  // what goes live
	BaseID     int64  // the revision it was written on, zero for none
	AuthorID   int64  // of the revision
	Hash       []byte // of its content
	Content    json.RawMessage
}

// Review is what somebody said of a change set.
type Review struct {
	ID           int64
	ReviewerID   int64
	ReviewerName string
	Verdict      string // comment, changes_requested, approved or rejected
	Reason       string
	ContentHash  []byte // of the change set at that time
	CreatedAt    time.Time
}

// LiveItem is an item with its public content.
type LiveItem struct {
	ID       int64
	Kind     string
	ParentID int64
	Slug     string
	Content  json.RawMessage
}

// Release is the latest release of a scope.
type Release struct {
	ID          int64
	ScopeID     int64
	Number      int
	PublishedAt time.Time
}

// ItemRedirect is an address that an item had before it moved.
type ItemRedirect struct {
	Kind     string
	ParentID int64 // zero for a product
	Slug     string
	ItemID   int64
}

// PublishedScope is a product or a version with its latest release.
type PublishedScope struct {
	ID          int64
	Kind        string // product or version
	ParentID    int64  // zero for a product
	Slug        string
	ReleaseID   int64
	Number      int // of the release, counting from one
	PublishedAt time.Time
}

// PublishedItem is an item of a release.
type PublishedItem struct {
	Kind       string
	Slug       string
	ID         int64
	RevisionID int64
}
