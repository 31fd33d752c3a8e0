package messaging

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/delivery"
	"heliograph/app/fault"
)

// once does the work of a request one time for each of its keys.
type once struct{ keys *delivery.Keys }

// DoOnce calls work in a transaction and stores its result, as JSON, under the
// key of a request. A repeated request with the same key gets the stored result
// and work is not called. A different request with the same key is refused.
// Errors are not stored.
func (o once) DoOnce(ctx context.Context, key delivery.Key, work func(tx pgx.Tx) (any, error)) (delivery.Reply, error) {
	reply, err := o.keys.Once(ctx, key, work)
	return reply, keyFault(err)
}

// keyFault returns the error of the channel for a key that cannot be used, and
// any other error as it is.
func keyFault(err error) error {
	var k *delivery.KeyError
	if errors.As(err, &k) {
		return reject(codeInvalid, "Idempotency-Key", "%s", k.Detail)
	}
	return err
}

// notAccepted returns the error for a message that could not be stored.
func notAccepted(err error) error {
	return &fault.Error{
		Kind: fault.Unavailable, Code: "2", Message: "Service temporarily unavailable",
		Fields:     []fault.Field{{Message: "the message was not accepted: send it again, with the same Idempotency-Key if it has one"}},
		RetryAfter: time.Second, Err: err,
	}
}
