// Package rcs implements the RCS channel: bots with their verification and
// launch, test devices, templates, messages with their fallback, and the events
// that are relayed in one of three forms.
//
// An id of a bot or a template of another organisation is answered like one that
// does not exist. The fields of a request are checked against tables of rules
// that say the same as the published contract; a field that it does not list is
// refused.
package rcs

import (
	"crypto/rand"
	"encoding/base64"

	"heliograph/app/channels/rcs/lifecycle"
	"heliograph/app/fault"
)

// Channel is the name of the channel in messages, webhooks and API key scopes.
const Channel = "rcs"

// Limits of a request.
const (
	MaxBody       = 250 << 10 // bytes of JSON
	MaxForm       = 23 << 20  // bytes of a form with images
	maxRecipients = 1000
	maxDevices    = 200 // of a bot
	maxInvited    = 20  // devices of a bot at once, and on average in 24 hours
)

// The states of test devices, templates and messages that bots have as well.
const (
	pending  = lifecycle.Pending
	rejected = lifecycle.Rejected
)

// By is the author of a change.
type By struct {
	OrganisationID int64
	Actor          string
}

// Page selects a part of a list.
type Page struct{ Number, Size int } // both from 1

// newID returns an id of 128 random bits in 22 characters.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// errNoBot is the error of an id that names no bot of the organisation.
func errNoBot() error { return fault.New(fault.NotFound, "This bot does not exist") }

// conflict returns the error of a field that the stored state does not allow.
func conflict(field, code, message, detail string) error {
	return &fault.Error{Kind: fault.Conflict, Message: message, Fields: []fault.Field{{Name: field, Code: code, Message: detail}}}
}

// invalid returns the error of one field.
func invalid(field, code, detail string) error {
	return &fault.Error{Kind: fault.Invalid, Message: failedCheck, Fields: []fault.Field{{Name: field, Code: code, Message: detail}}}
}

// failedCheck is the message of requests with wrong fields.
const failedCheck = "Validation failed"
