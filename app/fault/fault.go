// Package fault defines the errors that are shown to callers.
//
// Rules return an *Error for what a caller can fix or must know. All other errors
// are internal and their text is never sent to callers. The web layer converts a
// Kind to a status and a body in app/web/errors.go and, for the channel
// envelopes, in app/web/api.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind is the class of a fault. It determines the HTTP status.
type Kind int

// The kinds, with the HTTP status of each.
const (
	Internal        Kind = iota // 500: anything that is not a *Error
	Invalid                     // 400 or 422: the input must change
	Unauthenticated             // 401: no or wrong credential
	Forbidden                   // 403: known caller, not allowed
	NotFound                    // 404
	Conflict                    // 409: the state does not allow it, or has changed
	TooLarge                    // 413: the body is over its limit
	Unsupported                 // 415: the media type is not accepted
	Limited                     // 429: too many requests; RetryAfter says when to retry
	Unavailable                 // 503: a service that this one needs is unavailable
)

// Field is one input that must change.
type Field struct {
	Name    string // form field, parameter name or JSON path such as "template.name"
	Message string // what is wrong and what to enter instead, a full sentence
	Code    string // what is wrong in one word, for APIs that send it; may be empty
}

// Near is the name of something that exists, with its address.
type Near struct{ Name, URL string }

// Error is a fault that may be shown to the caller.
type Error struct {
	Kind       Kind
	Message    string        // for the caller: what happened and what to do
	Code       string        // for programs, for instance "stale_revision"; may be empty
	Subcode    int           // more specific than Code, for channels with two error numbers; 0 is none
	Title      string        // heading for users if the kind's own is not enough; may be empty
	Fields     []Field       // for Invalid: each input that must change
	Nearest    []Near        // for NotFound: similar names that exist, the most similar first
	RetryAfter time.Duration // for Limited and Unavailable; zero means unknown
	Err        error         // cause, for the log only
}

// Error returns the message and the cause, for the log.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New returns a fault of a kind with a message for the caller.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// InvalidFields returns an Invalid fault that names the inputs to change.
func InvalidFields(fields ...Field) *Error {
	message := "Some fields need attention."
	if len(fields) == 1 {
		message = fields[0].Message
	}
	return &Error{Kind: Invalid, Message: message, Fields: fields}
}

// Fields collects the inputs that must change.
type Fields []Field

// Add adds an input, unless there is no message.
func (f *Fields) Add(name, message string) {
	if message != "" {
		*f = append(*f, Field{Name: name, Message: message})
	}
}

// AddIf adds an input that is wrong.
func (f *Fields) AddIf(wrong bool, name, message string) {
	if wrong {
		f.Add(name, message)
	}
}

// Err returns an Invalid fault that names the inputs, or nil for none.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	return InvalidFields(f...)
}

// As returns the fault that err wraps, or nil if err is internal.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// KindOf returns the kind of err, or Internal if it is not a fault.
func KindOf(err error) Kind {
	if e := As(err); e != nil {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is a fault of the kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
