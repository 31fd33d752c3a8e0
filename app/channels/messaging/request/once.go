package request

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/pipeline"
)

// Once does the work of a request to the messaging API one time, however often the request
// is repeated with its Idempotency-Key.
type Once struct {
	Keys *pipeline.Keys // the keys that were used, with their replies
}

// NewOnce returns a Once with the keys in a database.
func NewOnce(pool *pgxpool.Pool) Once { return Once{pipeline.NewKeys(pool)} }

// DoOnce calls work in a transaction and stores its result, as JSON, under the
// key of a request. A repeated request with the same key gets the stored result
// and work is not called. A different request with the same key is refused.
// Errors are not stored.
func (o Once) DoOnce(ctx context.Context, key pipeline.Key, work func(tx pgx.Tx) (any, error)) (pipeline.Reply, error) {
	reply, err := o.Keys.Once(ctx, key, work)
	return reply, Fault(err)
}

// Fault returns the error of the channel for a key that cannot be used, and
// any other error as it is.
func Fault(err error) error {
	var k *pipeline.KeyError
	if errors.As(err, &k) {
		return refusal.New(refusal.Invalid, "Idempotency-Key", "%s", k.Detail)
	}
	return err
}
