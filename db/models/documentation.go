package models

import (
	"encoding/json"
	"time"
)

// Item is a product, version, endpoint or guide page; its content is in its
// revisions. Revision ids are zero where there is none.
type Item struct {
	ID              int64
	Kind            string // product, version, endpoint or guide
	ParentID        int64  // zero for a product
	Slug            string
	LiveRevisionID  int64
	DraftRevisionID int64
	Archived        bool // left out of the latest release
}

// Revision is one immutable content of an item.
type Revision struct {
	ID       int64
	ItemID   int64
	Number   int
	Content  json.RawMessage
	Hash     []byte // SHA-256 of Content
	BaseID   int64  // the revision that was live when it was written, zero for none
	AuthorID int64  // zero: the program itself
}

// ChangeSet is drafts of one product that are reviewed and published together.
type ChangeSet struct {
	ID        int64
	ProductID int64
	Summary   string
	State     string
}

// Change is an item of a change set with the revision that is to go live.
type Change struct {
	Item       Item
	RevisionID int64
	BaseID     int64 // the revision it was written on, zero for none
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
