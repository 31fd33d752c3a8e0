package models

// SealedColumn is a column of sealed values. Row and Shared are SQL
// expressions.
type SealedColumn struct {
	Table, Column string
	Row           string // the row as the value's place calls it
	Shared        string // equal in rows that share a value; empty where none do
}

// SealedValue is one value of a sealed column.
type SealedValue struct {
	Row    string // as the value's place calls it
	Shared string // equal in rows that share the value
	Sealed []byte
}

// KeyCheck is a value sealed with one encryption key.
type KeyCheck struct {
	KeyID  string
	Sealed []byte
}
