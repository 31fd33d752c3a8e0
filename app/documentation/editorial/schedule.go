package editorial

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/fault"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/jobs/args"
)

// maxAhead is how far ahead a release may be scheduled.
const maxAhead = 366 * 24 * time.Hour

// Scheduler schedules releases of change sets.
type Scheduler struct {
	DB   db.Beginner
	Jobs args.Inserter
	Now  func() time.Time
}

// Schedule publishes an approved change set at a time, exactly as it is now.
// Drafts that are saved later are not part of the release. Scheduling again
// changes the time.
func (s *Scheduler) Schedule(ctx context.Context, actor Actor, setID int64, at time.Time) error {
	at = at.UTC().Truncate(time.Second)
	if ahead := at.Sub(s.Now()); ahead <= 0 || ahead > maxAhead {
		return fault.InvalidFields(fault.Field{Name: "scheduled_for", Message: "Choose a time ahead, within a year."})
	}
	return move(ctx, s.DB, actor, setID, MoveSchedule, func(st *setMove) error {
		if st.set.State == StateApproved {
			if err := st.checkApproved(ctx); err != nil {
				return err
			}
			if err := st.guard(ctx); err != nil {
				return err
			}
			if err := st.guardBreaking(ctx); err != nil {
				return err
			}
			if err := st.guardChecks(ctx); err != nil {
				return err
			}
		}
		st.details["at"] = at
		if err := writes.ChangeSetUpdateScheduled(ctx, st.tx, setID, actor.ID, at); err != nil {
			return fmt.Errorf("scheduling change set %d: %w", setID, err)
		}
		_, err := s.Jobs.InsertTx(ctx, st.tx, args.PublishScheduled{ChangeSetID: setID, At: at}, &river.InsertOpts{ScheduledAt: at})
		if err != nil {
			return fmt.Errorf("scheduling change set %d: %w", setID, err)
		}
		return nil
	})
}

// Cancel removes a change set from the schedule, or unblocks it. Its approval
// stays.
func Cancel(ctx context.Context, b db.Beginner, actor Actor, setID int64) error {
	return move(ctx, b, actor, setID, MoveCancel, func(*setMove) error { return nil })
}

// PublishDue publishes a change set that was scheduled for a time. It does
// nothing if the change set was cancelled or rescheduled. If a guard fails,
// nothing is published, and the change set is blocked with the reason.
func PublishDue(ctx context.Context, b db.Beginner, setID int64, at time.Time) error {
	known, err := queries.ChangeSetGet(ctx, b, setID)
	if err != nil {
		return db.Absent(err, nil, "reading change set %d", setID)
	}
	return write(ctx, b, System, known.ProductID, func(w *writer) error {
		set, err := w.set(ctx, setID)
		if err != nil {
			return err
		}
		if set.State != StateScheduled || !set.ScheduledFor.Equal(at) {
			return nil
		}
		details := map[string]any{"summary": set.Summary, "scheduled_by": set.ScheduledBy, "from": set.State, "to": StatePublished}
		err = write(ctx, w.tx, System, set.ProductID, func(inner *writer) error { // a savepoint: nothing is half published
			s := &setMove{writer: inner, set: set, details: details}
			if s.changes, err = inner.changes(ctx, setID); err != nil {
				return err
			}
			if err := s.checkApproved(ctx); err != nil {
				return err
			}
			if err := s.publish(ctx); err != nil {
				return err
			}
			return s.to(ctx, StatePublished)
		})
		if f := fault.As(err); f != nil {
			if err := writes.ChangeSetUpdateBlocked(ctx, w.tx, setID, f.Message); err != nil {
				return fmt.Errorf("blocking change set %d: %w", setID, err)
			}
			if err := w.notice(ctx, set, "blocked", f.Message); err != nil {
				return err
			}
			return w.record(ctx, "change_set.block", setTarget(setID), map[string]any{"reason": f.Message, "code": f.Code})
		}
		if err != nil {
			return err
		}
		if err := w.notice(ctx, set, "published", ""); err != nil {
			return err
		}
		return w.record(ctx, "release.publish", setTarget(setID), details)
	})
}
