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

// Request is a creating request as far as repeating it goes.
type Request struct {
	OrganisationID int64
	Route          string // operation and the id it acts on
	Body           []byte // what is compared when a key is used again
	Key            string // Idempotency-Key, or empty
}

// errTaken rolls work back whose key was taken meanwhile.
var errTaken = errors.New("the key is taken")

// Once does work in one transaction and keeps its answer, as JSON, under the
// request's key. The same request under the same key gets the same answer
// again and nothing is done; another request under it is refused. What fails is
// not kept.
func (s *Service) Once(ctx context.Context, r Request, work func(tx pgx.Tx) (any, error)) (Reply, error) {
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
			return fmt.Errorf("writing the answer: %w", err)
		}
		claim.Status = 200
		return s.keep(ctx, tx, r.OrganisationID, claim)
	})
	if errors.Is(err, errTaken) {
		stored, err := s.replayed(ctx, r.OrganisationID, claim)
		return Reply{Body: stored, Replayed: true}, err
	}
	return Reply{Body: claim.Response}, err
}

func (s *Service) keep(ctx context.Context, tx pgx.Tx, organisationID int64, claim models.IdempotentReply) error {
	if claim.Key == "" {
		return nil
	}
	owner := queries.IdempotencyOwner{OrganisationID: organisationID, Key: claim.Key}
	taken, err := queries.IdempotencyInsertMany(ctx, tx, []queries.OwnedReply{{IdempotencyOwner: owner, Reply: claim}})
	if err != nil {
		return fmt.Errorf("keeping the answer: %w", err)
	}
	if len(taken) == 0 {
		return errTaken
	}
	return nil
}
