package collect

import (
	"time"
)

// Null returns nil for the zero time, which databases store as null.
func Null(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
