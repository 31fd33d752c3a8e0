package models

import (
	"encoding/json"
	"time"
)

// AuditEntry is one link of the audit chain.
type AuditEntry struct {
	Seq       int64
	Prev      []byte // hash of the entry before; zeros before the first
	Hash      []byte // SHA-256 over Prev and Canonical
	Canonical []byte // what was hashed
	At        time.Time
	Actor     string
	Action    string
	Target    string
	Details   json.RawMessage
}

// AuditWaiting is an entry that could not be appended when it happened.
type AuditWaiting struct {
	At      time.Time
	Actor   string
	Action  string
	Target  string
	Details json.RawMessage
}

// AuditHead is the newest link of the chain; sequence 0 when it is empty.
type AuditHead struct {
	Seq  int64
	Hash []byte
}

// AuditFilter picks entries, the newest first. Zero fields pick all.
type AuditFilter struct {
	Actor  string // as recorded, or the email address of a user
	Action string // whole, or the noun that it begins with
	Target string // whole, or the noun that it begins with
	From   time.Time
	To     time.Time // exclusive
	After  int64     // the sequence of the entry that the page follows, in the order of the list
	Limit  int       // at most so many
	// OldestFirst lists the entries from the oldest to the newest.
	OldestFirst bool
}

// AuditCheck is what a reading of the whole chain found.
type AuditCheck struct {
	At        time.Time
	Head      AuditHead
	BrokenSeq *int64 // the first entry that is wrong; nil when all hold
	Reason    string
}

// AuditAnchor is a head that was put outside of the database.
type AuditAnchor struct {
	At       time.Time
	Seq      int64
	Key      string // of the object in the storage
	Retained bool   // the storage holds on to it
}
