package models

// Partition is a part of a table that holds a range of ids. The first has no low
// bound and the last no high one.
type Partition struct {
	Name      string
	Low, High string // ids as text: Low belongs to the partition, High does not
}
