package models

import (
	"time"

	"github.com/google/uuid"
)

// WebhookRange is an address of ours that takes callbacks for an organisation for a
// while, with what it answers.
type WebhookRange struct {
	OrganisationID int64
	Token          []byte // sealed
	Status         int
	DelayMS        int
	Answer         string
	Taken          int64 // requests that have come ever
	ExpiresAt      time.Time
}

// RangeRequest is a request that a webhook range has taken.
type RangeRequest struct {
	ID             uuid.UUID
	OrganisationID int64
	Number         int64 // in the order in which they came
	Method         string
	Content        []byte // sealed; nil in lists
	Size           int    // of the body in bytes
	Inside         bool   // relayed by us, not posted from outside
	DeliveryID     *int64 // of the callback that it is
	Event          string
	EventAt        *time.Time
	FirstNumber    *int64 // of the first request with the same webhook-id
	ReplayOf       *int64 // number of the request that was taken again
	Status         int    // of the answer
	DelayMS        int
	Kept           bool
	TakenAt        time.Time
}
