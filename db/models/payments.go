package models

import (
	"time"

	"github.com/google/uuid"
)

// Order is what somebody was asked to pay.
type Order struct {
	MessageID     uuid.UUID // that opened it
	PhoneNumberID int64     // that sent it
	Configuration string    // name of the payment configuration
	Reference     string    // the partner's own id
	Recipient     string    // who pays: digits or a user id
	PaymentType   string    // for instance upi
	Currency      string    // ISO 4217
	Amount        int64     // in the smallest unit
	Offset        int       // smallest units in one
	Status        string    // how far the order is: pending to completed, or canceled
	PaymentStatus string    // NEW, PENDING, CAPTURED, FAILED or CANCELED
	ExpiresAt     *time.Time
}

// Transaction is an attempt to pay an order.
type Transaction struct {
	ID        string
	Status    string // pending, success or failed
	CreatedAt time.Time
	UpdatedAt time.Time
}
