package jobs

import (
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Queues is defaultQueues.
var Queues = defaultQueues

// Storable returns the middleware that makes errors storable.
func Storable() rivertype.Middleware { return &storable{} }

// NewUntimed is New without the jobs that run by the clock and when a worker starts: a
// dozen and a half, which take longer than most tests.
func NewUntimed(deps Deps, queues map[string]river.QueueConfig, log *slog.Logger) (*river.Client[pgx.Tx], error) {
	return open(deps, queues, nil, log)
}
