package models

import "time"

// SMSOTP is a one-time password that an organisation sent to a phone. The code
// itself is not stored.
type SMSOTP struct {
	ID             string
	OrganisationID int64
	Phone          string // E.164
	Header         string
	Message        string // with {otp} where the code goes
	EntityID       string
	TemplateID     string
	Digits         int
	LifeSeconds    int
	Hash           []byte
	Returned       bool // the organisation got the code
	Codes          int  // that were sent
	Attempts       int  // at the newest code
	SentAt         time.Time
}

// Life returns how long each code is valid.
func (o SMSOTP) Life() time.Duration { return time.Duration(o.LifeSeconds) * time.Second }
