package models

import "time"

// PreviewLink is a link that shows a draft of an item to people who do not sign in.
// Its token is stored as a hash.
type PreviewLink struct {
	ID           int64
	ItemID       int64
	RevisionID   int64 // that it shows, zero for the draft as it changes
	Number       int   // of that revision, zero for none
	CreatorName  string
	CreatedAt    time.Time
	ExpiresAt    time.Time
	RevokedAt    *time.Time // nil while it is not revoked
	EndedAt      *time.Time // when the draft that it follows was published or given up; nil before
	Views        int
	LastViewedAt *time.Time // nil before the first view
}

// Works reports whether the link shows something at a time.
func (l PreviewLink) Works(now time.Time) bool {
	return l.RevokedAt == nil && l.EndedAt == nil && now.Before(l.ExpiresAt)
}

// NewPreviewLink is a preview link that is made.
type NewPreviewLink struct {
	ItemID     int64
	RevisionID int64 // zero for the draft as it changes
	CreatedBy  int64
	TokenHash  []byte
	Life       time.Duration
}
