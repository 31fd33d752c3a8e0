package messaging

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// acceptor makes sends durable. Sends that wait at the same moment share one
// transaction of one statement: message rows, idempotency rows and jobs; each
// caller has its own reply, given after the commit.
type acceptor struct {
	pool  *pgxpool.Pool
	group *db.Group[*acceptance]
}

// acceptance is one send on its way into the database.
type acceptance struct {
	message models.Message
	reply   models.IdempotentReply // Key is empty when the caller gave none
	fresh   bool                   // set by the commit: the key was not used before
}

func newAcceptor(pool *pgxpool.Pool) *acceptor {
	a := &acceptor{pool: pool}
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
	type owner struct {
		organisationID int64
		key            string
	}
	owners := map[owner]bool{}
	messages := make([]queries.AcceptedMessage, 0, len(batch))
	for _, one := range batch {
		row := queries.AcceptedMessage{Message: one.message}
		if one.fresh = true; one.reply.Key != "" {
			me := owner{one.message.OrganisationID, one.reply.Key}
			one.fresh = !owners[me]
			row.Reply, owners[me] = one.reply, true
		}
		if one.fresh {
			messages = append(messages, row)
		}
	}
	left, err := queries.MessageInsertMany(ctx, a.pool, messages, carrying)
	for _, one := range batch {
		one.fresh = one.fresh && !slices.Contains(left, one.message.ID)
	}
	return err
}

// carrying is the job that every accepted message gets.
var carrying = queries.NewJob{Kind: args.CarryMessage{}.Kind(), Queue: args.CarryMessage{}.InsertOpts().Queue}

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
