package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Key identifies a creating request for idempotency.
type Key struct {
	OrganisationID int64
	Route          string // operation and the id that it acts on
	Body           []byte // compared when a key is used again
	Value          string // chosen by the sender; empty for none
}

// Reply is the response to a creating request.
type Reply struct {
	Body     []byte
	Replayed bool // stored by an earlier request with the same key
}

// KeyError is the error of a key that cannot be used for a request.
type KeyError struct{ Detail string } // what is wrong and what to do

// Error returns the detail.
func (e *KeyError) Error() string { return "idempotency key: " + e.Detail }

// errKeyReused is the error of a key that belongs to another request.
var errKeyReused = &KeyError{"this Idempotency-Key was already used for a different request: use a new key for each request"}

const maxKey = 255 // characters

// Check returns a *KeyError if the key cannot be stored.
func (k *Key) Check() error {
	if !utf8.ValidString(k.Value) {
		return &KeyError{"Idempotency-Key is not UTF-8: use printable characters, as in a UUID"}
	}
	if n := utf8.RuneCountInString(k.Value); n > maxKey {
		return &KeyError{fmt.Sprintf("Idempotency-Key has %d characters: use at most %d", n, maxKey)}
	}
	return nil
}

// reply returns the row of the reply to the request of the key.
func (k *Key) reply(status int, body []byte) models.IdempotentReply {
	sum := sha256.Sum256(k.Body)
	return models.IdempotentReply{Key: k.Value, Route: k.Route, Fingerprint: sum[:], Status: cmp.Or(status, 200), Response: body}
}

// find returns the stored reply of a key. It is a *KeyError if the key belongs
// to a different request.
func (k *Key) find(ctx context.Context, q db.Querier) (*Reply, error) {
	stored, err := queries.IdempotencyGet(ctx, q, k.OrganisationID, k.Value)
	if err != nil {
		return nil, fmt.Errorf("looking an idempotency key up: %w", err)
	}
	if now := k.reply(0, nil); stored.Route != now.Route || !bytes.Equal(stored.Fingerprint, now.Fingerprint) {
		return nil, errKeyReused
	}
	return &Reply{Body: stored.Response, Replayed: true}, nil
}

// Keys stores the replies to requests under their keys.
type Keys struct{ pool db.Beginner }

// NewKeys returns the keys of a database.
func NewKeys(pool db.Beginner) *Keys { return &Keys{pool} }

// Find returns the stored reply to a request, or nil if its key was not used
// before. It is a *KeyError if the key is invalid or belongs to a different
// request.
func (s *Keys) Find(ctx context.Context, k Key) (*Reply, error) {
	if err := k.Check(); err != nil || k.Value == "" {
		return nil, err
	}
	reply, err := k.find(ctx, s.pool)
	if db.IsNoRows(err) {
		return nil, nil
	}
	return reply, err
}

// errKeyTaken rolls back a transaction because another request has stored its key in
// the meantime.
var errKeyTaken = errors.New("the key is taken")

// Once calls work in a transaction and stores its result, as JSON, under the key
// of the request. The key is claimed before work is called. So of requests with
// the same key at the same time one does the work, and the others wait for it
// and get its result. Errors are not stored.
func (s *Keys) Once(ctx context.Context, k Key, work func(tx pgx.Tx) (any, error)) (Reply, error) {
	if stored, err := s.Find(ctx, k); err != nil || stored != nil {
		return valueOf(stored), err
	}
	var body []byte
	err := db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := k.claim(ctx, tx); err != nil {
			return err
		}
		answer, err := work(tx)
		if err != nil {
			return err
		}
		if body, err = json.Marshal(answer); err != nil {
			return fmt.Errorf("encoding the reply: %w", err)
		}
		if k.Value == "" {
			return nil
		}
		if err := writes.IdempotencyUpdate(ctx, tx, k.OrganisationID, k.reply(0, body)); err != nil {
			return fmt.Errorf("storing the reply: %w", err)
		}
		return nil
	})
	if errors.Is(err, errKeyTaken) {
		stored, err := k.find(ctx, s.pool)
		return valueOf(stored), err
	}
	if err != nil {
		return Reply{}, err
	}
	return Reply{Body: body}, nil
}

// claim stores a key without its reply. A transaction that is using the key is
// waited for; errKeyTaken means that it has stored its reply.
func (k *Key) claim(ctx context.Context, tx pgx.Tx) error {
	if k.Value == "" {
		return nil
	}
	owner := writes.IdempotencyOwner{OrganisationID: k.OrganisationID, Key: k.Value}
	taken, err := writes.IdempotencyInsertMany(ctx, tx, []writes.OwnedReply{{IdempotencyOwner: owner, Reply: k.reply(0, []byte{})}})
	if err != nil {
		return fmt.Errorf("claiming an idempotency key: %w", err)
	}
	if len(taken) == 0 {
		return errKeyTaken
	}
	return nil
}

func valueOf(r *Reply) Reply {
	if r == nil {
		return Reply{}
	}
	return *r
}
