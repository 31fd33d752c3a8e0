package messaging

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// acceptor makes sends durable. Sends that wait at the same moment share one
// transaction: rows by COPY, jobs in bulk, one commit; each caller has its own
// reply, given after the commit. A send that finds nobody waiting is committed
// at once, alone.
type acceptor struct {
	pool  *pgxpool.Pool
	jobs  args.Inserter
	queue chan *acceptance
}

// acceptance is one send on its way into the database.
type acceptance struct {
	message models.Message
	reply   models.IdempotentReply // Key is empty when the caller gave none
	done    chan outcome
}

type outcome struct {
	reply    models.IdempotentReply
	replayed bool
	err      error
}

const (
	committers = 2   // transactions at once: more of them only make smaller batches
	maxBatch   = 256 // sends in one transaction
	// A commit that takes longer is given up and answered as unavailable.
	commitTimeout = 10 * time.Second
)

func newAcceptor(pool *pgxpool.Pool, jobs args.Inserter) *acceptor {
	return &acceptor{pool: pool, jobs: jobs, queue: make(chan *acceptance, maxBatch)}
}

func (a *acceptor) run(ctx context.Context) {
	var wg sync.WaitGroup
	for range committers {
		wg.Go(func() {
			for {
				select {
				case first := <-a.queue:
					a.commit(context.WithoutCancel(ctx), a.gather(first))
				case <-ctx.Done():
					select {
					case first := <-a.queue:
						a.commit(context.WithoutCancel(ctx), a.gather(first))
					default:
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

// gather takes everybody who waits now.
func (a *acceptor) gather(first *acceptance) []*acceptance {
	batch := []*acceptance{first}
	for len(batch) < maxBatch {
		select {
		case next := <-a.queue:
			batch = append(batch, next)
		default:
			return batch
		}
	}
	return batch
}

// accept waits until the message is committed, or was before under its key.
func (a *acceptor) accept(ctx context.Context, message models.Message, reply models.IdempotentReply) (models.IdempotentReply, bool, error) {
	waiting := &acceptance{message: message, reply: reply, done: make(chan outcome, 1)}
	select {
	case a.queue <- waiting:
	case <-ctx.Done():
		return reply, false, ctx.Err()
	}
	select {
	case o := <-waiting.done:
		return o.reply, o.replayed, o.err
	case <-ctx.Done():
		return reply, false, ctx.Err()
	}
}

// commit writes a batch and answers everybody in it. When the batch fails as a
// whole, each is tried alone, so that one cannot spoil the others.
func (a *acceptor) commit(ctx context.Context, batch []*acceptance) {
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	fresh, err := a.write(ctx, batch)
	if err != nil && len(batch) > 1 && !unreachable(err) {
		for _, one := range batch {
			a.commit(ctx, []*acceptance{one})
		}
		return
	}
	for _, one := range batch {
		switch {
		case err != nil:
			one.done <- outcome{err: unavailable(err)}
		case fresh[one]:
			one.done <- outcome{reply: one.reply}
		default:
			one.done <- a.replay(ctx, one)
		}
	}
}

// write commits the batch and says which of it is new; the rest have keys that
// were used before.
func (a *acceptor) write(ctx context.Context, batch []*acceptance) (fresh map[*acceptance]bool, err error) {
	fresh = make(map[*acceptance]bool, len(batch))
	err = db.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		if err := claim(ctx, tx, batch, fresh); err != nil {
			return err
		}
		messages := make([]models.Message, 0, len(batch))
		jobs := make([]river.InsertManyParams, 0, len(batch))
		for _, one := range batch {
			if fresh[one] {
				messages = append(messages, one.message)
				jobs = append(jobs, river.InsertManyParams{Args: args.CarryMessage{MessageID: one.message.ID}})
			}
		}
		if len(messages) == 0 {
			return nil
		}
		if err := queries.MessageCopy(ctx, tx, messages); err != nil {
			return err
		}
		_, err := a.jobs.InsertManyFastTx(ctx, tx, jobs)
		return err
	})
	return fresh, err
}

// claim marks as fresh what has no key or takes a free one.
func claim(ctx context.Context, tx pgx.Tx, batch []*acceptance, fresh map[*acceptance]bool) error {
	owners := map[queries.IdempotencyOwner]*acceptance{}
	var replies []queries.OwnedReply
	for _, one := range batch {
		if one.reply.Key == "" {
			fresh[one] = true
			continue
		}
		owner := queries.IdempotencyOwner{OrganisationID: one.message.OrganisationID, Key: one.reply.Key}
		if owners[owner] == nil {
			owners[owner] = one
			replies = append(replies, queries.OwnedReply{IdempotencyOwner: owner, Reply: one.reply})
		}
	}
	if len(replies) == 0 {
		return nil
	}
	taken, err := queries.IdempotencyInsertMany(ctx, tx, replies)
	for _, owner := range taken {
		fresh[owners[owner]] = true
	}
	return err
}

// replay answers a send whose key was used before.
func (a *acceptor) replay(ctx context.Context, one *acceptance) outcome {
	stored, err := queries.IdempotencyGet(ctx, a.pool, one.message.OrganisationID, one.reply.Key)
	if err != nil {
		return outcome{err: unavailable(err)}
	}
	if err := sameRequest(stored, one.reply); err != nil {
		return outcome{err: err}
	}
	return outcome{reply: stored, replayed: true}
}

// sameRequest refuses a key that was used for another request.
func sameRequest(stored, now models.IdempotentReply) error {
	if stored.Route != now.Route || !bytes.Equal(stored.Fingerprint, now.Fingerprint) {
		return reject(codeInvalid, "Idempotency-Key", "this Idempotency-Key was used for another request: use a new key for each request")
	}
	return nil
}

func unreachable(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || db.IsUnreachable(err)
}

func unavailable(err error) error {
	return &fault.Error{
		Kind: fault.Unavailable, Code: "2", Message: "Service temporarily unavailable",
		Fields:     []fault.Field{{Message: "the message was not accepted: send it again, with the same Idempotency-Key if it has one"}},
		RetryAfter: time.Second, Err: err,
	}
}
