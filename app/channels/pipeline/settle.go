package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

const (
	// settleDelay is how long a message is left to its own job before it is
	// looked at. Its transaction has ended by then.
	settleDelay = 2 * time.Minute
	// slowestClock is how far behind the clock of a process may be; messages are
	// looked at again for that long, once in every settleAgain.
	slowestClock = 2 * time.Hour
	settleAgain  = time.Hour
	// Rows that one transaction looks at and settles.
	examineBatch = 50_000
	settleBatch  = 500
)

// Settled says what Settle did.
type Settled struct {
	Queued int            // messages that got a job
	Ended  []models.Moved // messages after their life was over, accepted or taken by a carrier
}

// Settle finds accepted messages without a job, whatever happened to it, and gives
// them one. Messages fail when their life is over, with a callback.
func (c Channels) Settle(ctx context.Context, b db.Beginner, jobs args.Inserter, now time.Time) (s Settled, err error) {
	if err := writes.MessageExamineAgain(ctx, b, now.Add(-slowestClock), settleAgain); err != nil {
		return s, fmt.Errorf("stepping back in the messages: %w", err)
	}
	for n := examineBatch; n == examineBatch; {
		if n, err = writes.MessageExamine(ctx, b, now.Add(-settleDelay), examineBatch); err != nil {
			return s, fmt.Errorf("looking at messages: %w", err)
		}
	}
	if err := writes.UnsettledMessageDelete(ctx, b); err != nil {
		return s, fmt.Errorf("forgetting messages that moved on: %w", err)
	}
	for n := settleBatch; n == settleBatch; {
		err := db.InTx(ctx, b, func(tx pgx.Tx) error {
			n, err = c.settle(ctx, tx, jobs, batch{&s, now})
			return err
		})
		if err != nil {
			return s, fmt.Errorf("settling messages: %w", err)
		}
	}
	err = c.expireTaken(ctx, b, jobs, batch{&s, now})
	return s, err
}

// expiryMargin is how long after the usual life of messages they are looked at. The
// transactions and retries that began within that life have ended by then.
const expiryMargin = 10 * time.Minute

// expireTaken ends the messages with the usual time to live that a carrier has taken
// and not reported on. Each message is looked at once, behind a mark of its channel.
func (c Channels) expireTaken(ctx context.Context, b db.Beginner, jobs args.Inserter, now batch) error {
	for name, channel := range c {
		if channel.UsualTTL == 0 {
			continue
		}
		life := time.Duration(channel.UsualTTL) * time.Second
		before := now.now.Add(-life - max(channel.Grace, expiryMargin))
		for n := examineBatch; n == examineBatch; {
			err := db.InTx(ctx, b, func(tx pgx.Tx) error {
				var taken []models.Message
				var err error
				if n, taken, err = writes.MessageExamineTaken(ctx, tx, name, channel.UsualTTL, before, examineBatch); err != nil || len(taken) == 0 {
					return err
				}
				steps := make([]Step, len(taken))
				for i, m := range taken {
					steps[i] = channel.ExpiredStep(m, now.now)
				}
				ended, err := c.Report(ctx, tx, jobs, steps...)
				now.Ended = append(now.Ended, ended...)
				return err
			})
			if err != nil {
				return fmt.Errorf("expiring messages of channel %s: %w", name, err)
			}
		}
	}
	return nil
}

// batch is what one transaction settles.
type batch struct {
	*Settled
	now time.Time
}

// settle settles a batch and returns its size.
func (c Channels) settle(ctx context.Context, tx pgx.Tx, jobs args.Inserter, b batch) (int, error) {
	if err := errands.SettleLock(ctx, tx); err != nil {
		return 0, err
	}
	lives := map[string]time.Duration{}
	for name, channel := range c {
		lives[name] = channel.Life
	}
	stranded, err := writes.MessageListStranded(ctx, tx, b.now, lives, settleBatch)
	if err != nil {
		return 0, err
	}
	var over []Step
	var carry []river.InsertManyParams
	for _, m := range stranded {
		m = m.Current()
		if expiry, _ := c[m.Channel].Expiry(m); !expiry.After(b.now) {
			over = append(over, c[m.Channel].ExpiredStep(m, b.now))
			continue
		}
		opts := &river.InsertOpts{}
		if m.ScheduledAt != nil {
			opts.ScheduledAt = *m.ScheduledAt
		}
		carry = append(carry, river.InsertManyParams{Args: args.CarryMessage{MessageID: m.ID, Leg: laterLeg(m.Leg)}, InsertOpts: opts})
	}
	if len(over) > 0 {
		ended, err := c.Report(ctx, tx, jobs, over...)
		if err != nil {
			return 0, err
		}
		b.Ended = append(b.Ended, ended...)
	}
	if len(carry) > 0 {
		if _, err := jobs.InsertManyFastTx(ctx, tx, carry); err != nil {
			return 0, err
		}
		b.Queued += len(carry)
	}
	return len(stranded), nil
}
