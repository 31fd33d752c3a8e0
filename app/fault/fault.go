// Package fault names the ways in which a request can be wrong.
//
// Rules return a *Error for what a caller can mend or must know; every other
// error is internal and its text never leaves the process. The web layer turns
// a Kind into a status and a body once, in app/web/errors.go and, for the
// channel envelopes, in app/web/api.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind is the class of a fault; it decides the HTTP status.
type Kind int

// The kinds, with the HTTP status each becomes.
const (
	Internal        Kind = iota // 500: anything that is not a *Error
	Invalid                     // 400 or 422: the input must change
	Unauthenticated             // 401: no or wrong credential
	Forbidden                   // 403: known caller, not allowed
	NotFound                    // 404
	Conflict                    // 409: based on something that has changed since
	TooLarge                    // 413: the body is over its limit
	Unsupported                 // 415: the media type is not accepted
	Limited                     // 429: too often; RetryAfter says when
	Unavailable                 // 503: a service behind us is away
)

// Field is one input that must change.
type Field struct {
	Name    string // form field, parameter name or JSON path such as "template.name"
	Message string // what is wrong and what to enter instead, a full sentence
}

// Error is a fault that may be shown to the caller.
type Error struct {
	Kind       Kind
	Message    string        // for the caller: what happened and what to do
	Code       string        // machine word, for instance "stale_revision"; may be empty
	Subcode    int           // finer than Code, for channels that number their faults twice; 0 is none
	Title      string        // heading for people who do not program, where the kind says too little
	Fields     []Field       // for Invalid: each input that must change
	RetryAfter time.Duration // for Limited and Unavailable; zero means unknown
	Err        error         // cause, for the log only
}

// Error returns the message and, for the log, its cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New makes a fault of a kind with a message for the caller.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// InvalidFields makes an Invalid fault that names the inputs to change.
func InvalidFields(fields ...Field) *Error {
	message := "Some fields need attention."
	if len(fields) == 1 {
		message = fields[0].Message
	}
	return &Error{Kind: Invalid, Message: message, Fields: fields}
}

// As returns the fault within err, or nil when err is internal.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// KindOf returns the kind of err; Internal for every other error.
func KindOf(err error) Kind {
	if e := As(err); e != nil {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is a fault of the kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
