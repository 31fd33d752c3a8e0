package carry

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// records keep which parts of messages carriers have or may have. Hand-overs at the same
// time share the statements that read and write them.
type records struct {
	pool    *pgxpool.Pool
	parts   *db.Loader[uuid.UUID, messageParts]
	started *db.Group[[]*startedPart]
}

// messageParts are the carriages of the parts of a message, on all its legs.
type messageParts struct {
	message   uuid.UUID
	carriages []models.Carriage
}

// startedPart is a part that is about to be handed over.
type startedPart struct {
	carriage models.Carriage
	known    bool // its message was tried before, so that it may be recorded
	number   int  // of the hand-over; 0 if it may not be handed over
}

// place tells the parts of messages apart.
type place struct {
	message   uuid.UUID
	leg, part int
}

func placeOf(c models.Carriage) place { return place{c.MessageID, c.Leg, c.Part} }

func newRecords(pool *pgxpool.Pool) *records {
	r := &records{pool: pool}
	r.parts = db.NewLoader(r.list, func(p messageParts) uuid.UUID { return p.message })
	r.started = db.NewGroup(r.startMany)
	return r
}

// find returns the carriages of the leg that a message is on, by the numbers of their
// parts.
func (r *records) find(ctx context.Context, m models.Message) (map[int]models.Carriage, error) {
	found, err := r.parts.Load(ctx, m.ID)
	if err != nil {
		return nil, fmt.Errorf("reading the parts of message %s: %w", m.ID, err)
	}
	known := map[int]models.Carriage{}
	for _, parts := range found {
		for _, c := range parts.carriages {
			if c.Leg == max(m.Leg, 1) {
				known[c.Part] = c
			}
		}
	}
	return known, nil
}

func (r *records) list(ctx context.Context, messages []uuid.UUID) ([]messageParts, error) {
	carriages, err := queries.CarriageList(ctx, r.pool, messages)
	var all []messageParts
	for _, c := range carriages {
		if len(all) == 0 || all[len(all)-1].message != c.MessageID {
			all = append(all, messageParts{message: c.MessageID})
		}
		last := &all[len(all)-1]
		last.carriages = append(last.carriages, c)
	}
	return all, err
}

// start records that parts are being handed over, and returns the numbers of their
// hand-overs. A number is 0 if another worker hands the part over. A worker that is being
// stopped meanwhile records that the parts wait. do waits until the record is stored.
// known says that a part may have been recorded before.
func (r *records) start(ctx context.Context, do func(context.Context, []*startedPart) error, known bool, carriages ...models.Carriage) ([]int, error) {
	starts := make([]*startedPart, len(carriages))
	for i, c := range carriages {
		starts[i] = &startedPart{carriage: c, known: known}
	}
	whole := context.WithoutCancel(ctx)
	if err := do(whole, starts); err != nil {
		return nil, fmt.Errorf("recording the hand-over of message %s: %w", carriages[0].MessageID, err)
	}
	numbers, ended := make([]int, len(starts)), ctx.Err()
	for i, s := range starts {
		if numbers[i] = s.number; s.number == 0 || ended == nil {
			continue
		}
		if err := writes.CarriageUpdateWaiting(whole, r.pool, s.carriage); err != nil {
			return nil, fmt.Errorf("recording that message %s waits: %w", s.carriage.MessageID, err)
		}
	}
	return numbers, ended
}

func (r *records) startMany(ctx context.Context, batches [][]*startedPart) error {
	starts, known := slices.Concat(batches...), false
	carriages := make([]models.Carriage, len(starts))
	for i, s := range starts {
		carriages[i], known = s.carriage, known || s.known
	}
	if !known {
		first, err := writes.CarriageInsert(ctx, r.pool, carriages...)
		if err != nil {
			return err
		}
		if first {
			for _, s := range starts {
				s.number = 1
			}
			return nil
		}
	}
	started, err := writes.CarriageStart(ctx, r.pool, carriages...)
	if err != nil {
		return err
	}
	numbers := make(map[place]int, len(started))
	for _, c := range started {
		numbers[placeOf(c)] = c.Attempts
	}
	for _, s := range starts {
		s.number = numbers[placeOf(s.carriage)]
	}
	return nil
}
