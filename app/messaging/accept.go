package messaging

import (
	"bytes"
	"context"
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
// reply, given after the commit.
type acceptor struct {
	pool  *pgxpool.Pool
	jobs  args.Inserter
	group *db.Group[*acceptance]
}

// acceptance is one send on its way into the database.
type acceptance struct {
	message models.Message
	reply   models.IdempotentReply // Key is empty when the caller gave none
	fresh   bool                   // set by the commit: the key was not used before
}

func newAcceptor(pool *pgxpool.Pool, jobs args.Inserter) *acceptor {
	a := &acceptor{pool: pool, jobs: jobs}
	a.group = db.NewGroup(a.write)
	return a
}

// accept waits until the message is committed, or was before under its key.
func (a *acceptor) accept(ctx context.Context, message models.Message, reply models.IdempotentReply) (_ models.IdempotentReply, replayed bool, err error) {
	one := &acceptance{message: message, reply: reply}
	if err := a.group.Do(ctx, one); err != nil {
		return reply, false, unavailable(err)
	}
	if one.fresh {
		return reply, false, nil
	}
	stored, err := a.replay(ctx, one)
	return stored, err == nil, err
}

// write commits a batch and marks what of it is new; the rest have keys that
// were used before.
func (a *acceptor) write(ctx context.Context, batch []*acceptance) error {
	return db.InTx(ctx, a.pool, func(tx pgx.Tx) error {
		if err := claim(ctx, tx, batch); err != nil {
			return err
		}
		messages := make([]models.Message, 0, len(batch))
		jobs := make([]river.InsertManyParams, 0, len(batch))
		for _, one := range batch {
			if one.fresh {
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
}

// claim marks as fresh what has no key or takes a free one.
func claim(ctx context.Context, tx pgx.Tx, batch []*acceptance) error {
	owners := map[queries.IdempotencyOwner]*acceptance{}
	var replies []queries.OwnedReply
	for _, one := range batch {
		one.fresh = one.reply.Key == "" // also when the batch is tried a second time
		owner := queries.IdempotencyOwner{OrganisationID: one.message.OrganisationID, Key: one.reply.Key}
		if !one.fresh && owners[owner] == nil {
			owners[owner] = one
			replies = append(replies, queries.OwnedReply{IdempotencyOwner: owner, Reply: one.reply})
		}
	}
	if len(replies) == 0 {
		return nil
	}
	taken, err := queries.IdempotencyInsertMany(ctx, tx, replies)
	for _, owner := range taken {
		owners[owner].fresh = true
	}
	return err
}

// replay answers a send whose key was used before.
func (a *acceptor) replay(ctx context.Context, one *acceptance) (models.IdempotentReply, error) {
	stored, err := queries.IdempotencyGet(ctx, a.pool, one.message.OrganisationID, one.reply.Key)
	if err != nil {
		return stored, unavailable(err)
	}
	return stored, sameRequest(stored, one.reply)
}

// sameRequest refuses a key that was used for another request.
func sameRequest(stored, now models.IdempotentReply) error {
	if stored.Route != now.Route || !bytes.Equal(stored.Fingerprint, now.Fingerprint) {
		return reject(codeInvalid, "Idempotency-Key", "this Idempotency-Key was used for another request: use a new key for each request")
	}
	return nil
}

func unavailable(err error) error {
	return &fault.Error{
		Kind: fault.Unavailable, Code: "2", Message: "Service temporarily unavailable",
		Fields:     []fault.Field{{Message: "the message was not accepted: send it again, with the same Idempotency-Key if it has one"}},
		RetryAfter: time.Second, Err: err,
	}
}
