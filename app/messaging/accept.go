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

// acceptor stores accepted sends. Sends that wait at the same time share one
// transaction with one statement that inserts message rows, idempotency rows
// and jobs. Each caller gets its own reply after the commit.
type acceptor struct {
	pool    *pgxpool.Pool
	signals *db.Signals
	group   *db.Group[*acceptance]
}

// acceptance is one send that waits to be stored.
type acceptance struct {
	message models.Message
	reply   models.IdempotentReply // Key is empty when the caller gave none
	fresh   bool                   // set by the commit when the key was not used before
}

func newAcceptor(pool *pgxpool.Pool, signals *db.Signals) *acceptor {
	a := &acceptor{pool: pool, signals: signals}
	a.group = db.NewGroup(a.write)
	return a
}

// accept waits until the message is committed. A key that was used before gives
// the stored reply and replayed is true.
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

// write commits a batch and sets fresh on the sends that are new. The others
// have keys that were used before.
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
	left, err := queries.MessageInsertMany(ctx, a.pool, messages, carryJob)
	for _, one := range batch {
		one.fresh = one.fresh && !slices.Contains(left, one.message.ID)
		if err == nil {
			a.signals.Add("messages", one.message.OrganisationID)
		}
	}
	return err
}

// carryJob is the job that is inserted for every accepted message.
var carryJob = queries.NewJob{Kind: args.CarryMessage{}.Kind(), Queue: args.CarryMessage{}.InsertOpts().Queue}

// replay returns the stored reply to a send whose key was used before.
func (a *acceptor) replay(ctx context.Context, one *acceptance) (models.IdempotentReply, error) {
	stored, err := queries.IdempotencyGet(ctx, a.pool, one.message.OrganisationID, one.reply.Key)
	if err != nil {
		return stored, unavailable(err)
	}
	return stored, sameRequest(stored, one.reply)
}

// sameRequest returns an error if the stored key belongs to a different
// request.
func sameRequest(stored, now models.IdempotentReply) error {
	if stored.Route != now.Route || !bytes.Equal(stored.Fingerprint, now.Fingerprint) {
		return reject(codeInvalid, "Idempotency-Key", "this Idempotency-Key was already used for a different request: use a new key for each request")
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
