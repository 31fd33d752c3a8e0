package models

import "time"

// FetchedFile is a file that a message named by link.
type FetchedFile struct {
	OrganisationID int64
	Object         string // key in storage
	MIMEType       string
	Size           int64  // bytes
	SHA256         string // lower hexadecimal
}

// FetchedLink is what is known of a link.
type FetchedLink struct {
	Problem   string // why its file cannot be sent; empty if the file is kept
	FetchedAt time.Time
}
