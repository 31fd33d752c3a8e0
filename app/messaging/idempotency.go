package messaging

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Request identifies a creating request for idempotency.
type Request struct {
	OrganisationID int64
	Route          string // operation and the id that it acts on
	Body           []byte // compared when a key is used again
	Key            string // Idempotency-Key, or empty
}

// errKeyTaken rolls back a transaction whose key another request has stored in
// the meantime.
var errKeyTaken = errors.New("the key is taken")

// DoOnce calls work in a transaction and stores its result, as JSON, under the
// request's key. A repeated request with the same key gets the stored result
// and work is not called. A different request with the same key is refused.
// Errors are not stored.
func (s *Service) DoOnce(ctx context.Context, r Request, work func(tx pgx.Tx) (any, error)) (Reply, error) {
	claim, err := s.claim(r.Route, r.Body, r.Key)
	if err != nil {
		return Reply{}, err
	}
	if stored, err := s.replayed(ctx, r.OrganisationID, claim); err != nil || stored != nil {
		return Reply{Body: stored, Replayed: stored != nil}, err
	}
	err = db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		answer, err := work(tx)
		if err != nil {
			return err
		}
		if claim.Response, err = json.Marshal(answer); err != nil {
			return fmt.Errorf("encoding the reply: %w", err)
		}
		claim.Status = 200
		return s.storeReply(ctx, tx, r.OrganisationID, claim)
	})
	if errors.Is(err, errKeyTaken) {
		stored, err := s.replayed(ctx, r.OrganisationID, claim)
		return Reply{Body: stored, Replayed: true}, err
	}
	return Reply{Body: claim.Response}, err
}

func (s *Service) storeReply(ctx context.Context, tx pgx.Tx, organisationID int64, claim models.IdempotentReply) error {
	if claim.Key == "" {
		return nil
	}
	owner := queries.IdempotencyOwner{OrganisationID: organisationID, Key: claim.Key}
	taken, err := queries.IdempotencyInsertMany(ctx, tx, []queries.OwnedReply{{IdempotencyOwner: owner, Reply: claim}})
	if err != nil {
		return fmt.Errorf("storing the reply: %w", err)
	}
	if len(taken) == 0 {
		return errKeyTaken
	}
	return nil
}
