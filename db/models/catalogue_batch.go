package models

import "encoding/json"

// CatalogueBatch is the outcome of a batch of changes.
type CatalogueBatch struct {
	Handle string
	Errors json.RawMessage // of the changes that were not taken, an array
}
