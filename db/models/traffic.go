package models

// Traffic is what was sent and refused lately, of one organisation or of all.
type Traffic struct {
	Usage    []Usage
	Failures []FailureCount // by reason, the most frequent first
	Refused  []RefusedCall  // by channel and code, with Repeats as their number, the most frequent first
	// RefusedCount is the number of all refused requests.
	RefusedCount int
	// StoredBytes and UploadedBytes are the files of one organisation that are stored, and
	// what it uploaded today (UTC).
	StoredBytes, UploadedBytes int64
}

// FailureCount is how many messages failed for a reason.
type FailureCount struct {
	Channel string
	Code    int
	Title   string // as the carrier or the channel says it; empty where only the code is counted
	Count   int
}
