package notification

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/metric"
	"heliograph/app/operation/setting"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// The final states of a message.
const (
	sent    = "sent"
	failed  = "failed"
	expired = "expired"
)

// pauses are the waits after the first, second and further temporary failures.
// The last one repeats. They are short for SMS, because people wait for a code and
// it is valid for minutes.
var pauses = map[string][]time.Duration{
	models.KindSMS: {2 * time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute},
	models.KindEmail: {
		5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour,
	},
}

// Deliver hands a message to its provider, if it must still be sent, and stores the
// result. Attempts are counted in the message. again is the pause before the next
// attempt. Without one it is zero, and complete is called in the transaction of the
// result.
func (s *Service) Deliver(ctx context.Context, id uuid.UUID, complete func(pgx.Tx) error) (again time.Duration, err error) {
	d, err := s.begin(ctx, id)
	if err != nil || d == nil {
		return 0, err
	}
	attempt := s.Courier.Deliver(ctx, *d)
	if errors.Is(ctx.Err(), context.Canceled) {
		return 0, ctx.Err() // this process is being stopped; the provider is not to blame
	}
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		if again, err = s.end(ctx, tx, *d, attempt); err != nil || again > 0 {
			return err
		}
		return complete(tx)
	})
	if err != nil {
		return 0, err
	}
	switch {
	case again > 0:
		metric.Notification(d.Kind, "again")
	case attempt.Outcome == models.OutcomeAccepted:
		metric.Notification(d.Kind, "sent")
	default:
		metric.Notification(d.Kind, "failed")
	}
	return again, nil
}

// begin prepares a message for an attempt. It returns nil if the message must not
// be sent because it was already sent or cancelled, has expired, or the budget is
// used up. The first attempt at an SMS is charged to the day's budget.
func (s *Service) begin(ctx context.Context, id uuid.UUID) (d *models.Dispatch, err error) {
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		n, err := writes.NotificationLock(ctx, tx, id)
		if err != nil {
			return db.Absent(err, nil, "loading message %s", id) // deleted long after it expired
		}
		if n.State != "queued" {
			return nil
		}
		if !n.ExpiresAt.After(time.Now()) {
			return endUnsent(ctx, tx, n.ID, expired)
		}
		dispatch, err := s.dispatch(ctx, s.Settings.Within(tx), n)
		if err != nil {
			return err
		}
		if n.Kind == models.KindSMS && !n.Charged {
			if ok, err := s.chargeBudget(ctx, tx, n, dispatch.SMS); err != nil || !ok {
				return err
			}
		}
		d = dispatch
		return nil
	})
	return d, err
}

// dispatch decrypts a message and adds the settings of its provider.
func (s *Service) dispatch(ctx context.Context, settings *setting.Settings, n models.Notification) (*models.Dispatch, error) {
	c, err := s.open(n)
	if err != nil {
		return nil, err
	}
	d := &models.Dispatch{ID: n.ID, Kind: n.Kind, Recipient: n.Recipient, Subject: n.Subject, Text: c.text, HTML: c.html, Attempts: n.Attempts, ExpiresAt: n.ExpiresAt}
	if n.Kind == models.KindSMS {
		d.SMS, err = settings.SMS(ctx)
	} else {
		d.Email, err = settings.Email(ctx)
	}
	return d, err
}

// end stores the result of an attempt within tx. again is the pause before the
// next attempt. It is zero if there is none, because the message was accepted or
// rejected or expires before.
func (s *Service) end(ctx context.Context, tx pgx.Tx, d models.Dispatch, a models.NotificationAttempt) (again time.Duration, err error) {
	a.Answer = redact(a.Answer, d.Text)
	if err := writes.NotificationAttemptInsert(ctx, tx, a); err != nil {
		return 0, fmt.Errorf("storing an attempt at message %s: %w", d.ID, err)
	}
	state := ""
	switch a.Outcome {
	case models.OutcomeAccepted:
		state = sent
	case models.OutcomeRejected:
		state = failed
	default:
		schedule := pauses[d.Kind]
		again = max(schedule[min(d.Attempts, len(schedule)-1)], a.RetryAfter)
		if time.Now().Add(again).Before(d.ExpiresAt) {
			return again, nil
		}
		state = expired
	}
	if err := writes.NotificationUpdateFinished(ctx, tx, d.ID, state, state == sent && d.Virtual()); err != nil {
		return 0, fmt.Errorf("ending message %s: %w", d.ID, err)
	}
	return 0, nil
}

// endUnsent stores the final state of a message that was never handed over.
func endUnsent(ctx context.Context, tx pgx.Tx, id uuid.UUID, state string) error {
	if err := writes.NotificationUpdateFinished(ctx, tx, id, state, false); err != nil {
		return fmt.Errorf("ending message %s: %w", id, err)
	}
	return nil
}

// redact masks parts of the message in a provider's response: every run of
// letters and digits that could be a code or part of a link.
func redact(answer, text string) string {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' }) {
		if len(word) >= 4 && strings.ContainsFunc(word, unicode.IsDigit) {
			answer = strings.ReplaceAll(answer, word, strings.Repeat("•", 6))
		}
	}
	return answer
}

// How long messages are kept.
const (
	keepReadable = 24 * time.Hour      // the text of virtual messages
	keepRecord   = 30 * 24 * time.Hour // the record of a message and its attempts
)

// Sweep deletes the text of old virtual messages and old records.
func Sweep(ctx context.Context, q db.Querier) error {
	if err := writes.NotificationUpdateForgotten(ctx, q, keepReadable); err != nil {
		return fmt.Errorf("deleting the text of messages: %w", err)
	}
	if err := writes.NotificationDelete(ctx, q, keepRecord); err != nil {
		return fmt.Errorf("deleting messages: %w", err)
	}
	return nil
}
