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

// AuditHead is the newest link of the chain; sequence 0 when it is empty.
type AuditHead struct {
	Seq  int64
	Hash []byte
}
