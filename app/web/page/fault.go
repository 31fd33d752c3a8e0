package page

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/db"
)

var statuses = map[fault.Kind]int{
	fault.Internal:        http.StatusInternalServerError,
	fault.Invalid:         http.StatusUnprocessableEntity,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Unsupported:     http.StatusUnsupportedMediaType,
	fault.Limited:         http.StatusTooManyRequests,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// Status returns the HTTP status of a fault. Errors of the router, such as 405,
// keep their status.
func Status(f *fault.Error) int {
	var refused *echo.HTTPError
	if errors.As(f.Err, &refused) {
		return refused.Code
	}
	return statuses[f.Kind]
}

// Fault turns any error into a fault that can be shown. Other errors become
// Internal or, if a service is down, Unavailable, and keep their cause for the log.
func Fault(err error) *fault.Error {
	if f := fault.As(err); f != nil {
		return f
	}
	var tooLarge *http.MaxBytesError
	var refused *echo.HTTPError
	switch {
	case errors.As(err, &tooLarge):
		return &fault.Error{Kind: fault.TooLarge, Message: "The body of the request is too large.", Err: err}
	case errors.As(err, &refused):
		return fromRouter(refused)
	case db.IsUnreachable(err), errors.Is(err, context.DeadlineExceeded):
		return &fault.Error{Kind: fault.Unavailable, Message: "The service is temporarily unavailable. Try again in a moment.", RetryAfter: 5 * time.Second, Err: err}
	}
	return &fault.Error{Kind: fault.Internal, Message: "Something went wrong on our side.", Err: err}
}

func fromRouter(refused *echo.HTTPError) *fault.Error {
	f := &fault.Error{Kind: fault.Invalid, Message: "The request could not be read.", Err: refused}
	switch refused.Code {
	case http.StatusNotFound:
		f.Kind, f.Message = fault.NotFound, "This page does not exist."
	case http.StatusMethodNotAllowed:
		f.Message = "This URL does not accept the request method."
	case http.StatusRequestEntityTooLarge:
		f.Kind, f.Message = fault.TooLarge, "The body of the request is too large."
	case http.StatusUnsupportedMediaType:
		f.Kind, f.Message = fault.Unsupported, "The media type of the body is not accepted."
	}
	return f
}

// NotFound turns a missing row into a NotFound error.
func NotFound(err error, message string) error {
	if db.IsNoRows(err) {
		return fault.New(fault.NotFound, "%s", message)
	}
	return err
}
