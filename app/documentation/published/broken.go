package published

import (
	"context"
	"errors"
	"log/slog"

	"heliograph/app/operation/metric"
)

// failure identifies a part of a release that cannot be shown. The part is
// empty for the whole release.
type failure struct {
	release int64
	part    string
}

// brokenError is the reason why a part of a release cannot be shown.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return e.err.Error() }

func (e *brokenError) Unwrap() error { return e.err }

// IsBroken reports whether the documentation is published but cannot be
// compiled. Retrying does not help.
func IsBroken(err error) bool {
	var b *brokenError
	return errors.As(err, &b)
}

// broken records that a part of the version cannot be shown.
func (v *Version) broken(ctx context.Context, part string, err error) error {
	v.shelf.fail(ctx, failure{v.release, part}, err, "version", v.Slug)
	return &brokenError{err}
}

// fail logs a failure when it is seen for the first time, and counts it.
func (s *shelf) fail(ctx context.Context, f failure, err error, about ...any) {
	s.mu.Lock()
	known := s.failures[f]
	s.failures[f] = true
	count := len(s.failures)
	s.mu.Unlock()
	if known {
		return
	}
	metric.Broken(count)
	slog.ErrorContext(ctx, "published documentation cannot be shown", append(about, "release", f.release, "part", f.part, "error", err)...)
}

// report counts the parts of a snapshot that cannot be shown, and forgets
// failures of releases that are no longer current.
func (s *shelf) report(ctx context.Context, now *Snapshot) {
	current := map[int64]bool{}
	for _, release := range now.releases {
		current[release] = true
	}
	s.mu.Lock()
	for f := range s.failures {
		if !current[f.release] {
			delete(s.failures, f)
		}
	}
	count := len(s.failures)
	s.mu.Unlock()
	metric.Broken(count)
	for _, b := range now.withheld {
		s.fail(ctx, failure{release: b.release}, b.Err, "product", b.Slug)
	}
	for _, p := range now.Products {
		for _, b := range p.withheld {
			s.fail(ctx, failure{release: b.release}, b.Err, "product", p.Slug, "version", b.Slug)
		}
	}
}
