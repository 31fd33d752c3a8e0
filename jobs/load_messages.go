package jobs

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// loaded is the messages of one job. Jobs that load at the same time share a query.
type loaded struct {
	ids      []uuid.UUID
	messages []models.CarriedMessage
}

// newLoads returns a group in which jobs load their messages together.
func newLoads(pool *pgxpool.Pool) *db.Group[*loaded] {
	return db.NewGroup(func(ctx context.Context, batch []*loaded) error {
		var ids []uuid.UUID
		for _, l := range batch {
			ids = append(ids, l.ids...)
		}
		messages, err := queries.MessageListCarried(ctx, pool, ids)
		if err != nil {
			return fmt.Errorf("loading %d messages: %w", len(ids), err)
		}
		byID := make(map[uuid.UUID]models.CarriedMessage, len(messages))
		for _, m := range messages {
			byID[m.ID] = m
		}
		for _, l := range batch {
			l.messages = nil // the query may have been tried before
			for _, id := range l.ids {
				if m, ok := byID[id]; ok {
					l.messages = append(l.messages, m)
				}
			}
		}
		return nil
	})
}

// load returns the messages with the ids, without those that are gone.
func (w *carrying) load(ctx context.Context, ids ...uuid.UUID) ([]models.CarriedMessage, error) {
	l := &loaded{ids: ids}
	if err := w.loads.Do(ctx, l); err != nil {
		return nil, err
	}
	return l.messages, nil
}
