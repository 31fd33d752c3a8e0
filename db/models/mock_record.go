package models

// MockRecord is something that a caller of a mock created.
type MockRecord struct {
	Scope      []byte // of the caller within a version
	Client     []byte // address of the caller
	Collection string // path of the collection
	ID         string
	Value      string // JSON
	Deleted    bool
}
