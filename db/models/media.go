package models

import (
	"time"

	"github.com/google/uuid"
)

// Media is a file that a phone number sends.
type Media struct {
	ID             int64
	OrganisationID int64
	PhoneNumberID  int64
	Object         string // key in storage
	MIMEType       string
	Size           int64  // bytes
	SHA256         string // lower hexadecimal
	FileName       string // safe to offer for saving
	CreatedAt      time.Time
	ExpiresAt      time.Time
}

// Upload is a file that arrives in steps.
type Upload struct {
	ID             uuid.UUID
	OrganisationID int64
	MIMEType       string
	Size           int64 // bytes announced
	Received       int64 // bytes stored
	FileName       string
	Object         string   // key in storage of the whole file, empty until it is complete
	Parts          []string // keys of the parts in their order, none once complete
	ExpiresAt      time.Time
}
