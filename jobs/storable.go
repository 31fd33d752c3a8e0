package jobs

import (
	"context"
	"strings"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// storable makes the error of a job one that the database takes. Texts from outside may
// be in it, and one with a zero byte would keep every job that ended at the same time
// from being stored as done, whoever it belongs to.
type storable struct{ river.MiddlewareDefaults }

// Work runs the job.
func (storable) Work(ctx context.Context, _ *rivertype.JobRow, do func(context.Context) error) error {
	err := do(ctx)
	if err == nil {
		return nil
	}
	text := strings.ReplaceAll(strings.ToValidUTF8(err.Error(), "\uFFFD"), "\x00", "\uFFFD")
	if text == err.Error() {
		return err
	}
	return &storableError{text, err}
}

// storableError is an error with another text.
type storableError struct {
	text string
	err  error
}

// Error returns the text that can be stored.
func (e *storableError) Error() string { return e.text }

// Unwrap returns the error.
func (e *storableError) Unwrap() error { return e.err }
