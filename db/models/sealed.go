package models

// SealedColumn is a column whose values are sealed. Row is an SQL expression
// for what each value's place calls its row.
type SealedColumn struct{ Table, Column, Row string }

// SealedValue is one value of a sealed column.
type SealedValue struct {
	Row    string // as the value's place calls it
	Sealed []byte
}

// KeyCheck is a value sealed with one encryption key.
type KeyCheck struct {
	KeyID  string
	Sealed []byte
}
