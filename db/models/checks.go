package models

import "time"

// CheckFinding is what a check found in an item.
type CheckFinding struct {
	Check   string `json:"check"`
	Field   string `json:"field"` // JSON name in the content
	Line    int    `json:"line"`  // in the field, counting from one; zero for the whole field
	Message string `json:"message"`
}

// CheckResult is what the checks found in an item of a change set.
type CheckResult struct {
	ItemID      int64
	ContentHash []byte // of the content that was checked
	Basis       []byte // hash of all that the findings depend on
	Findings    []CheckFinding
	CheckedAt   time.Time
}

// CheckPolicy is the level that a product has chosen for a check.
type CheckPolicy struct {
	CheckName string
	Level     string
}

// OperationEntry is an endpoint or a callback with what names it.
type OperationEntry struct {
	ID          int64
	Kind        string
	Slug        string
	OperationID string
	Method      string
	Path        string
}
