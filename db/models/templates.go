package models

import (
	"encoding/json"
	"time"
)

// Template is a message template of a business account.
type Template struct {
	ID                  int64
	OrganisationID      int64
	BusinessAccountID   int64
	Seq                 int64 // grows with each new template
	Name                string
	Language            string // locale code such as en_US
	Category            string // AUTHENTICATION, UTILITY or MARKETING
	Status              string
	ParameterFormat     string // POSITIONAL or NAMED
	Components          json.RawMessage
	TTL                 *int // seconds that an undelivered message is tried, -1 for 30 days, nil for the channel's own
	AllowCategoryChange bool
	PreviousCategory    *string
	RejectedReason      string // NONE unless it is REJECTED
	Quality             string // GREEN, YELLOW, RED or UNKNOWN
	QualityAt           *time.Time
	Revision            int         // 1 when created, grows with each edit
	Edits               []time.Time // those made while approved, of the last 30 days
	ReviewedAt          *time.Time
	Pauses              int // so far
	PausedUntil         *time.Time
	DeletedAt           *time.Time
	NameBlockedUntil    *time.Time
	CreatedAt           time.Time
	Sandbox             bool // of a sandbox organisation
}

// DeskTemplate is a template with the name of its organisation.
type DeskTemplate struct {
	Template
	Organisation string
}

// TemplateFilter narrows a list of templates. Empty members let everything
// through; the texts are compared without regard to case.
type TemplateFilter struct {
	Name          string
	Content       string // part of one of its texts
	NameOrContent string // part of its name or of one of its texts
	Statuses      []string
	Categories    []string
	Languages     []string
	Qualities     []string
}

// TemplateCounts describes the templates of an account.
type TemplateCounts struct {
	Matching   int  // those that a filter lets through
	All        int  // all that are not deleted
	Translated bool // whether each has every language of the account
	Sandbox    bool // the account belongs to a sandbox organisation
}

// TemplateRoom is what stands in the way of a new template.
type TemplateRoom struct {
	Sandbox bool // the account belongs to a sandbox organisation
	Count   int  // templates of the account that are not deleted
	Taken   bool // name and language are in use
	Blocked bool // the name was deleted too recently
}
