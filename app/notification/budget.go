package notification

import (
	"context"
	"fmt"
	"time"

	"heliograph/db"
	"heliograph/db/queries"
)

// Budget is how far the SMS of a day (UTC) are used up.
type Budget struct {
	Used    int // handed over, or about to be
	Waiting int // queued and not counted in Used yet
	Limit   int
}

// Spent reports whether nothing is left.
func (b Budget) Spent() bool { return b.Used >= b.Limit }

// Low reports whether at most a fifth is left.
func (b Budget) Low() bool { return b.Used*5 >= b.Limit*4 }

// Budget returns how the budget of today stands.
func (s *Service) Budget(ctx context.Context, q db.Querier) (Budget, error) {
	v, err := s.Settings.SMS(ctx)
	if err != nil {
		return Budget{}, err
	}
	used, waiting, err := queries.SMSBudgetGet(ctx, q, today())
	if err != nil {
		return Budget{}, fmt.Errorf("reading the SMS budget: %w", err)
	}
	return Budget{Used: used.Used, Waiting: waiting, Limit: v.Budget}, nil
}

func today() time.Time { return time.Now().UTC().Truncate(24 * time.Hour) }
