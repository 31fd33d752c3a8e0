package editorial

import (
	"context"
	"fmt"
	"time"

	"heliograph/db"
	"heliograph/db/queries/documentation/writes"
)

// presenceLife is how long somebody counts as present after the last sign of an open
// page, which gives one every 15 seconds.
const presenceLife = 45 * time.Second

// Present notes that an actor has a place open, such as item:7 or set:7, and returns
// the names of the others who have. It keeps nobody from writing.
func Present(ctx context.Context, q db.Querier, actor Actor, place string, now time.Time) ([]string, error) {
	others, err := writes.PresenceTouch(ctx, q, place, actor.ID, now, now.Add(-presenceLife))
	if err != nil {
		return nil, fmt.Errorf("noting who has %s open: %w", place, err)
	}
	return others, nil
}
