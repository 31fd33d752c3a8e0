package models

import "time"

// ProductEntry is a product in the list of those that administrators edit.
type ProductEntry struct {
	Item
	Name       string
	Summary    string
	ComingSoon bool
	Hidden     bool
	Versions   []string // slugs of the public versions, unsorted
	Drafts     int      // items of the product with a draft
	ReleasedAt *time.Time
}

// EditItem is an item in the tree of a product, with what the tree shows of it.
type EditItem struct {
	Item
	Name     string // of the draft, else of what is live
	Method   string // of an endpoint or a callback
	Group    string // of a guide, the category of an endpoint
	Label    string // of a version
	Place    int    // its order among its siblings
	SetID    int64  // the open change set that holds it, zero for none
	SetState string
	Action   string // what that does to it
}

// ChangeSetFilter narrows a list of change sets. Zero fields narrow nothing.
type ChangeSetFilter struct {
	State    string // a state, "open" for all that are not closed, "closed" for the others
	Product  int64
	Author   int64 // only of this author
	Reviewer int64 // in review, and of other authors
	Before   int64 // ids below this one
	Limit    int
	Viewer   int64 // the administrator who reads the list
}

// ChangeSetEntry is a change set in a list.
type ChangeSetEntry struct {
	ChangeSet
	Product string // its name
	Items   int
	Threads int // open ones
}

// RevisionEntry is a revision in the history of an item.
type RevisionEntry struct {
	Revision
	AuthorName  string     // empty for the program itself
	Restored    int        // number of the revision that it restores, zero for none
	PublishedAt *time.Time // when it first went public
}

// ReleaseEntry is a release in the history of a product.
type ReleaseEntry struct {
	Release
	Scope       string // slug of the version, or of the product
	Kind        string // of the scope: version or product
	Summary     string
	ChangeSetID int64
	Publisher   string // empty for the program itself
	Latest      bool   // of its scope
}

// SchemaUse is a part of a version with the schemas that it refers to.
type SchemaUse struct {
	ID     int64
	Kind   string
	Name   string
	Refers []string // names
}

// AcceptedChange is the reason that somebody gave for a breaking change.
type AcceptedChange struct {
	Fingerprint string
	Reason      string
	AcceptedBy  string
	CreatedAt   time.Time
}

// LinkingItem is an item that links to another.
type LinkingItem struct {
	ID   int64
	Name string
}

// VersionDate is a day in the life of a version.
type VersionDate struct {
	ID        int64
	Version   string // its slug
	ProductID int64
	Product   string // its name
	Event     string // released, deprecated, sunset or retired
	Day       string // yyyy-mm-dd
}

// ListFilter is a filter of a list that an administrator has saved.
type ListFilter struct {
	ID    int64
	List  string // drafts, products or items
	Name  string
	Query string // encoded as in an address
}
