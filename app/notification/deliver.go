package notification

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/setting"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// The states that a message ends in.
const (
	sent    = "sent"
	failed  = "failed"
	expired = "expired"
)

// The pauses after the first, second, … attempt that failed for now; the last
// one repeats. People wait for a code, and it lives for minutes.
var pauses = map[string][]time.Duration{
	models.KindSMS: {2 * time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute},
	models.KindEmail: {
		5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour,
	},
}

// Begin readies a message for an attempt: nil when it is not to be sent, because
// it was already, was cancelled, has expired, or finds nothing left of the
// budget. Of an SMS the first attempt takes one of the day's budget.
func (s *Service) Begin(ctx context.Context, id uuid.UUID) (d *models.Dispatch, err error) {
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		n, err := queries.NotificationLock(ctx, tx, id)
		if db.IsNoRows(err) {
			return nil // deleted, long after it expired
		}
		if err != nil {
			return fmt.Errorf("loading message %s: %w", id, err)
		}
		if n.State != "queued" {
			return nil
		}
		if !n.ExpiresAt.After(time.Now()) {
			return finish(ctx, tx, n.ID, expired)
		}
		dispatch, err := s.dispatch(ctx, s.Settings.Within(tx), n)
		if err != nil {
			return err
		}
		if n.Kind == models.KindSMS && !n.Charged {
			if ok, err := s.charge(ctx, tx, n, dispatch.SMS); err != nil || !ok {
				return err
			}
		}
		d = dispatch
		return nil
	})
	return d, err
}

// dispatch opens a message and adds what settings say of how it is sent.
func (s *Service) dispatch(ctx context.Context, settings *setting.Settings, n models.Notification) (*models.Dispatch, error) {
	text, err := s.Keyring.Open(n.Body, bodyPlace(n.ID))
	if err != nil {
		return nil, fmt.Errorf("opening message %s: %w", n.ID, err)
	}
	d := &models.Dispatch{ID: n.ID, Kind: n.Kind, Recipient: n.Recipient, Subject: n.Subject, Text: string(text), Attempts: n.Attempts, ExpiresAt: n.ExpiresAt}
	if n.Kind == models.KindSMS {
		d.SMS, err = settings.SMS(ctx)
	} else {
		d.Email, err = settings.Email(ctx)
	}
	return d, err
}

// End stores what came of an attempt within tx. again is the pause before the
// next one; zero says that there is none, because the message was taken, was
// refused, or expires before.
func (s *Service) End(ctx context.Context, tx pgx.Tx, d models.Dispatch, a models.NotificationAttempt) (again time.Duration, err error) {
	a.Answer = redact(a.Answer, d.Text)
	if err := queries.NotificationAttemptInsert(ctx, tx, a); err != nil {
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
	if err := queries.NotificationUpdateFinished(ctx, tx, d.ID, state, state == sent && d.Virtual()); err != nil {
		return 0, fmt.Errorf("ending message %s: %w", d.ID, err)
	}
	return 0, nil
}

// finish ends a message that was never handed over.
func finish(ctx context.Context, tx pgx.Tx, id uuid.UUID, state string) error {
	if err := queries.NotificationUpdateFinished(ctx, tx, id, state, false); err != nil {
		return fmt.Errorf("ending message %s: %w", id, err)
	}
	return nil
}

// redact takes out of a provider's answer what it repeats of the message: each
// run of letters and digits that could be a code or a part of a link.
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
	keepReadable = 24 * time.Hour      // what virtual messages say
	keepRecord   = 30 * 24 * time.Hour // that a message was sent, and what came of it
)

// Sweep ends messages whose time is over, and forgets what nobody needs any
// more.
func Sweep(ctx context.Context, q db.Querier) error {
	if err := queries.NotificationUpdateExpired(ctx, q); err != nil {
		return fmt.Errorf("ending expired messages: %w", err)
	}
	if err := queries.NotificationUpdateForgotten(ctx, q, keepReadable); err != nil {
		return fmt.Errorf("forgetting what messages say: %w", err)
	}
	if err := queries.NotificationDelete(ctx, q, keepRecord); err != nil {
		return fmt.Errorf("deleting messages: %w", err)
	}
	return nil
}
