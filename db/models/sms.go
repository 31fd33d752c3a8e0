package models

import (
	"encoding/json"
	"time"
)

// SMSAccount is what an organisation may do on the SMS channel.
type SMSAccount struct {
	OrganisationID   int64
	Sandbox          bool       // whether the organisation's messages reach nobody
	State            string     // active, inactive, suspended or deactivated
	Class            string     // standard, or otp: one recipient at a time
	ExpiresAt        *time.Time // nil for never
	APIAccess        bool       // whether the API may be used
	Promotional      bool       // whether promotional headers may be used
	Scheduling       bool       // whether schedule_time may be used
	International    bool       // whether other countries than India may be sent to
	AutoUnicode      bool       // send plain texts with other characters as Unicode instead of refusing them
	WideReference    bool       // 16 bits of reference join the parts of a text, instead of 8
	ReturnOTP        bool       // whether answers may hold one-time passwords
	Reports          int16      // delivery reports by default: 0 none, 1 always, 2 when the request names an address
	AllowedAddresses []string   // addresses and networks that requests may come from; empty for all
	EntityID         string     // registered id of the principal entity in India (DLT); may be empty
}

// The states of a header of a live organisation. A sandbox uses its headers in any
// state.
const (
	HeaderRequested = "requested" // waits for an administrator
	HeaderGranted   = "granted"   // belongs to the organisation
	HeaderContested = "contested" // two organisations used it before headers had owners
	HeaderDeclined  = "declined"  // with a reason
	HeaderReleased  = "released"  // given back by its owner
)

// SMSHeader is a sender that an organisation uses or has asked for.
type SMSHeader struct {
	ID             int64
	OrganisationID int64
	Organisation   string // name, for administrators
	Sandbox        bool
	Header         string // at most 15 characters
	Kind           string // transactional, promotional or international
	State          string
	Reason         string // of HeaderDeclined
	CreatedAt      time.Time
	DecidedAt      *time.Time
}

// IsUsable reports whether the organisation may send with the header.
func (h SMSHeader) IsUsable() bool {
	return h.Sandbox || h.State == HeaderGranted || h.State == HeaderContested
}

// IsUndecided reports whether the header waits for an administrator.
func (h SMSHeader) IsUndecided() bool {
	return !h.Sandbox && (h.State == HeaderRequested || h.State == HeaderContested)
}

// SMSHeaderUsage says how much an organisation has sent with a header in 30 days.
type SMSHeaderUsage struct {
	Messages int64 // 1000 stands for more
	LastAt   *time.Time
}

// SMSContest is a header that organisations used before headers had owners.
type SMSContest struct {
	ID            int64 // of a row of the header
	Header        string
	Organisations string // their names
}

// SMSTemplate is a text that an organisation has stored. One that is registered in
// India has a DLT id.
type SMSTemplate struct {
	ID             int64 // template_id of the interface
	OrganisationID int64
	Name           string
	DLTTemplateID  string // empty for a text that is not registered
	Header         string // header that it is registered for; empty for any
	Text           string // with {#var#} for each variable
	CreatedAt      time.Time
}

// SMSState is a message with its status.
type SMSState struct {
	Message
	Failure   json.RawMessage // null unless it has failed
	UpdatedAt time.Time
}
