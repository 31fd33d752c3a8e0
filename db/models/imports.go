package models

import (
	"encoding/json"
	"time"
)

// The states of an import.
const (
	ImportQueued    = "queued"
	ImportReading   = "reading"
	ImportReady     = "ready"     // waits for a decision
	ImportUnchanged = "unchanged" // has nothing that the version does not have
	ImportFailed    = "failed"
	ImportCancelled = "cancelled"
	ImportAccepted  = "accepted"
	ImportDiscarded = "discarded"
)

// The sources of an import.
const (
	ImportFile    = "file"
	ImportText    = "text"
	ImportAddress = "address"
	ImportWatch   = "watch"
	ImportAPI     = "api" // by a program with a token
)

// Import is an API description that was brought in.
type Import struct {
	ID          int64
	Source      string
	State       string
	CreatedBy   int64  // administrator, zero when that account is gone
	CreatorName string // empty when that account is gone
	WatchID     int64  // zero for none
	TokenID     int64  // of the program that brought it in, zero for none
	CreatedAt   time.Time
	StartedAt   *time.Time
	FinishedAt  *time.Time
	DecidedAt   *time.Time

	Name      string // of the file
	Address   string
	Object    string // key of its bytes in the storage; empty until an address was read
	Converted string // key of the document as OpenAPI 3.1
	Size      int64  // in bytes
	SHA256    []byte

	ProductID   int64 // zero for a product that does not exist yet
	ProductSlug string
	ProductName string
	VersionSlug string

	Progress      int // in per cent
	Stage         string
	Format        string
	FormatVersion string
	Title         string
	TitleVersion  string
	Operations    int
	Schemas       int
	Added         int
	Changed       int
	Removed       int
	Unchanged     int
	Breaking      int
	FindingCount  int
	Error         string
	Skipped       []string
	ChangeSetID   int64 // zero until it is accepted
}

// IsOpen reports whether an import is not read yet.
func (i Import) IsOpen() bool { return i.State == ImportQueued || i.State == ImportReading }

// ImportResult is what reading an import found.
type ImportResult struct {
	ID            int64
	State         string
	Format        string
	FormatVersion string
	Title         string
	TitleVersion  string
	Operations    int
	Schemas       int
	Added         int
	Changed       int
	Removed       int
	Unchanged     int
	Breaking      int
	Findings      json.RawMessage
	FindingCount  int
	Plan          json.RawMessage
	Converted     string
	Address       string // as it is kept, without secrets
}

// ImportActor is the administrator of a watched address.
type ImportActor struct {
	ID     int64
	Role   string
	Active bool
}

// ImportWatched is an address that is read on a schedule.
type ImportWatched struct {
	ID          int64
	Address     string
	ProductID   int64
	ProductSlug string
	VersionSlug string
	EveryHours  int
	CreatedBy   int64
	CreatorName string
	CreatedAt   time.Time
	NextAt      time.Time
	LastAt      *time.Time
	LastSHA256  []byte
	LastOutcome string
	Failures    int
}

// ImportProduct is a product that documents can be imported into.
type ImportProduct struct {
	ID   int64
	Name string
}
