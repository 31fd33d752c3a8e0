package carry

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// carrierHealth counts what carriers do, and stores the counts soon after.
type carrierHealth struct {
	pool  *pgxpool.Pool
	mu    sync.Mutex
	found map[string]models.CarrierMinute
}

// storeAfter is how long counts stay in memory. A process that ends before loses
// them.
const storeAfter = 2 * time.Second

// count counts a hand-over with its result.
func (h *carrierHealth) count(carrier string, err error) {
	if carrier == "virtual" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.found == nil {
		h.found = map[string]models.CarrierMinute{}
		time.AfterFunc(storeAfter, h.store)
	}
	m := h.found[carrier]
	m.Carrier = carrier
	var refusal *outbound.CarrierError
	switch {
	case err == nil:
		m.Taken++
	case errors.As(err, &refusal) && !refusal.Temporary:
		m.Refused++
	default:
		m.Delayed++
	}
	if err != nil {
		m.Error = err.Error()
	}
	h.found[carrier] = m
}

// store stores what was counted.
func (h *carrierHealth) store() {
	h.mu.Lock()
	found := h.found
	h.found = nil
	h.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, m := range found {
		if err := writes.CarrierMinuteAdd(ctx, h.pool, m); err != nil {
			slog.WarnContext(ctx, "the counts of a carrier were not stored", "carrier", m.Carrier, "error", err)
		}
	}
}
