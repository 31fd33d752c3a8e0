package models

import (
	"encoding/json"
	"time"
)

// Carrier is a carrier that an operator set up.
type Carrier struct {
	Name      string
	Kind      string
	URL       string
	Settings  json.RawMessage
	Secret    []byte // sealed; nil for none
	UpdatedAt time.Time
	// DisabledAt is when the carrier was disabled; nil for one that takes messages.
	DisabledAt *time.Time
}

// CarrierMinute counts what a carrier did in a minute.
type CarrierMinute struct {
	Carrier                 string
	Taken, Refused, Delayed int
	Error                   string // the last one, or empty
}

// CarrierHealth is what a carrier did lately.
type CarrierHealth struct {
	CarrierMinute            // in the whole window, with the last error
	PerMinute     int        // taken in the last whole minute
	ErrorAt       *time.Time // minute of the last error; nil for none
}

// CarrierRoute is the carrier of a sender. Its name is empty if no route
// matches.
type CarrierRoute struct {
	Carrier
	Sandbox bool // of the organisation: only the virtual carrier takes its messages
}

// CarrierRule routes the messages of a channel to a carrier.
type CarrierRule struct {
	Channel        string
	Sender         string // empty for every sender
	OrganisationID int64  // 0 for every organisation
	Carrier        string // name
}
