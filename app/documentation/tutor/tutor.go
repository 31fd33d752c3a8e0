// Package tutor leads an administrator through the writing of documentation, on a practice
// product that nobody else sees.
//
// A step is done when its outcome is there, whichever way it came about: revisions,
// reviews and releases of the practice product say so. What leaves nothing there, such as
// opening a page, is noted when it happens. Progress is kept for each administrator until
// they start again, remove it, or leave it for [Keep].
package tutor

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/db/seed"
)

// Keep is how long a practice product stays that nobody uses.
const Keep = 30 * 24 * time.Hour

// Name is what every practice product is called.
const Name = "Practice: appointment reminders"

const (
	versionSlug  = "1.0"
	guideSlug    = "first-reminder"
	endpointSlug = "read-reminder"
	last         = 1_000_000 // below every other product
)

// Mark is something that leaves nothing on the practice product.
type Mark string

// The marks.
const (
	Found     Mark = "found"     // the practice product was opened
	Previewed Mark = "previewed" // a draft of it was looked at as a reader
	Seen      Mark = "seen"      // it was looked at as it is live
)

// Start makes the practice product of an administrator, with its first release. One who
// has it already goes on where they were, and sees the steps again if they were put away.
func Start(ctx context.Context, b db.Beginner, actor editorial.Actor) error {
	return change(ctx, b, actor, func(tx pgx.Tx) error {
		if has, err := queries.PracticeGet(ctx, tx, actor.ID); err != nil {
			return fmt.Errorf("looking for a practice product: %w", err)
		} else if has != 0 {
			return pause(ctx, tx, actor, false)
		}
		return begin(ctx, tx, actor)
	})
}

// Restart erases the practice product with everything that was written on it, and begins
// again.
func Restart(ctx context.Context, b db.Beginner, actor editorial.Actor) error {
	return change(ctx, b, actor, func(tx pgx.Tx) error {
		if err := erase(ctx, tx, actor.ID); err != nil {
			return err
		}
		return begin(ctx, tx, actor)
	})
}

// Remove erases the practice product and the progress of an administrator.
func Remove(ctx context.Context, b db.Beginner, actor editorial.Actor) error {
	return change(ctx, b, actor, func(tx pgx.Tx) error { return erase(ctx, tx, actor.ID) })
}

// Pause puts the steps away, or takes them out again. Nothing else changes.
func Pause(ctx context.Context, b db.Beginner, actor editorial.Actor, paused bool) error {
	return change(ctx, b, actor, func(tx pgx.Tx) error { return pause(ctx, tx, actor, paused) })
}

func pause(ctx context.Context, tx pgx.Tx, actor editorial.Actor, paused bool) error {
	if err := writes.TutorUpdatePaused(ctx, tx, actor.ID, paused); err != nil {
		return fmt.Errorf("putting the tutor of administrator %d away: %w", actor.ID, err)
	}
	return nil
}

// Skip leaves a step out. It counts as done when it is done later.
func Skip(ctx context.Context, b db.Beginner, actor editorial.Actor, name string) error {
	if !slices.ContainsFunc(steps, func(s definition) bool { return s.name == name }) {
		return fault.New(fault.NotFound, "The tutor has no such step.")
	}
	return change(ctx, b, actor, func(tx pgx.Tx) error {
		if err := writes.TutorUpdateSkipped(ctx, tx, actor.ID, name); err != nil {
			return fmt.Errorf("skipping step %s: %w", name, err)
		}
		return nil
	})
}

// Note notes a mark.
func Note(ctx context.Context, q db.Querier, adminUserID int64, mark Mark) error {
	if err := writes.TutorMark(ctx, q, adminUserID, string(mark)); err != nil {
		return fmt.Errorf("noting %s in the tutor: %w", mark, err)
	}
	return nil
}

// change runs do for one who may write documentation, one request at a time.
func change(ctx context.Context, b db.Beginner, actor editorial.Actor, do func(tx pgx.Tx) error) error {
	if actor.Role != identity.Editor && actor.Role != identity.SuperAdmin {
		return fault.New(fault.Forbidden, "Viewers read documentation and change nothing.")
	}
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		if err := writes.TutorLock(ctx, tx, actor.ID); err != nil {
			return fmt.Errorf("waiting for another request of the tutor: %w", err)
		}
		return do(tx)
	})
}

// begin adds the practice product and releases it.
func begin(ctx context.Context, tx pgx.Tx, actor editorial.Actor) error {
	im, err := product()
	if err != nil {
		return err
	}
	if _, err := writes.PracticeInsert(ctx, tx, actor.ID, im.ProductSlug); err != nil {
		return fmt.Errorf("adding a practice product: %w", err)
	}
	set, err := editorial.Draft(ctx, tx, editorial.System, im)
	if err != nil {
		return fmt.Errorf("drafting a practice product: %w", err)
	}
	if err := editorial.Publish(ctx, tx, editorial.System, set, true); err != nil {
		return fmt.Errorf("releasing a practice product: %w", err)
	}
	targets, err := queries.PracticeTargets(ctx, tx, actor.ID, guideSlug, endpointSlug)
	if err != nil {
		return fmt.Errorf("finding the items of a practice product: %w", err)
	}
	if err := writes.TutorInsert(ctx, tx, actor.ID, targets); err != nil {
		return fmt.Errorf("beginning the tutor: %w", err)
	}
	return nil
}

// erase deletes a practice product once nobody writes to it.
func erase(ctx context.Context, tx pgx.Tx, adminUserID int64) error {
	id, err := queries.PracticeGet(ctx, tx, adminUserID)
	if err == nil && id != 0 {
		err = writes.ProductLock(ctx, tx, id)
	}
	if err == nil {
		err = writes.PracticeDelete(ctx, tx, adminUserID)
	}
	if err == nil {
		err = writes.TutorDelete(ctx, tx, adminUserID)
	}
	if err != nil {
		return fmt.Errorf("erasing the practice product of administrator %d: %w", adminUserID, err)
	}
	return nil
}

// Sweep erases practice products that were not used for Keep, and practice products of
// deactivated administrators.
func Sweep(ctx context.Context, b db.Beginner, now time.Time) error {
	idle, err := queries.TutorListIdle(ctx, b, now.Add(-Keep))
	if err != nil {
		return fmt.Errorf("looking for practice products that nobody uses: %w", err)
	}
	for _, id := range idle {
		err := db.InTx(ctx, b, func(tx pgx.Tx) error {
			if err := writes.TutorLock(ctx, tx, id); err != nil {
				return err
			}
			return erase(ctx, tx, id)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// product is the practice product as everybody begins with it. Its address cannot be
// guessed.
func product() (im editorial.Import, err error) {
	contract, err := fs.ReadFile(seed.Files, "practice/reminders.yaml")
	if err != nil {
		return im, fmt.Errorf("reading the practice product: %w", err)
	}
	guide, err := fs.ReadFile(seed.Files, "practice/"+guideSlug+".md")
	if err != nil {
		return im, fmt.Errorf("reading the guide of the practice product: %w", err)
	}
	document, err := openapi.Read(contract)
	if err != nil {
		return im, fmt.Errorf("reading the contract of the practice product: %w", err)
	}
	return editorial.Import{
		ProductSlug: "practice-" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12],
		Product: content.Product{
			Name: Name, Summary: "Yours alone: what you write here, nobody else sees.",
			Description: "A small API to practise on. Change it as you like, and start again whenever you want.", BaseURL: "/practice",
			Order: last,
		},
		VersionSlug: versionSlug, Version: content.Version{Label: content.Current, ReleasedOn: "2026-01-15"}, Document: document,
		Guides: []editorial.ImportGuide{{Slug: guideSlug, Guide: content.Guide{
			Title: "Send your first reminder", Summary: "Book a reminder of an appointment, and read its state.", Group: "Start",
			Text: string(guide),
		}}},
	}, nil
}

// Read returns where an administrator is, nil for one who has not started.
func Read(ctx context.Context, q db.Querier, adminUserID int64) (*Progress, error) {
	state, err := queries.TutorGet(ctx, q, adminUserID)
	if err != nil {
		return nil, db.Absent(err, nil, "reading the tutor of administrator %d", adminUserID)
	}
	p := &Progress{TutorState: state}
	if state.EndpointID != 0 {
		if p.wrong, err = mismatch(ctx, q, state.EndpointID); err != nil {
			return nil, err
		}
	}
	p.fill()
	return p, nil
}

// mismatch returns the example of an endpoint that does not match its schema.
func mismatch(ctx context.Context, q db.Querier, endpointID int64) (editorial.Mismatch, error) {
	item, err := queries.ItemGet(ctx, q, endpointID)
	if err != nil {
		return editorial.Mismatch{}, fmt.Errorf("reading the endpoint of the tutor: %w", err)
	}
	head, err := queries.RevisionGet(ctx, q, item.Head())
	if err != nil {
		return editorial.Mismatch{}, fmt.Errorf("reading the endpoint of the tutor: %w", err)
	}
	var op content.Endpoint
	if err := json.Unmarshal(head.Content, &op); err != nil {
		return editorial.Mismatch{Message: "It cannot be read."}, nil //nolint:nilerr // the form says why
	}
	return editorial.FindMismatch(ctx, q, item.ParentID, op)
}
