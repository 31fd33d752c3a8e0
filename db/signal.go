package db

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Signal says that something an open page shows has changed. Pages ask for what
// they show again, so a signal carries no content.
type Signal struct {
	// Topic is a word, such as "messages".
	Topic string
	// OrganisationID is the owner; zero means that every organisation may be
	// concerned, or none is.
	OrganisationID int64
}

// signalPrefix begins the payload of a notification that carries a signal:
// "live:<topic>:<organisation>".
const signalPrefix = "live:"

// ParseSignal reads the payload of a notification, and reports whether it is a
// signal.
func ParseSignal(payload string) (s Signal, ok bool) {
	rest, ok := strings.CutPrefix(payload, signalPrefix)
	if !ok {
		return s, false
	}
	topic, id, _ := strings.Cut(rest, ":")
	organisation, err := strconv.ParseInt(id, 10, 64)
	return Signal{topic, organisation}, err == nil
}

func (s Signal) payload() string {
	return signalPrefix + s.Topic + ":" + strconv.FormatInt(s.OrganisationID, 10)
}

// How often a process sends signals, and how many at once. Notifications are
// committed one transaction at a time in the whole database, so a busy path must
// not send its own, and these do not wait for the disk.
const (
	signalPause = 300 * time.Millisecond
	signalMax   = 200
)

// Signals collects signals and sends them to every process a few times a second,
// each once however often it was given. Signals are hints: what could not be
// sent is dropped, and pages also ask from time to time.
type Signals struct {
	pool *pgxpool.Pool

	mu      sync.Mutex
	pending map[Signal]struct{}
	wake    chan struct{}
}

// NewSignals makes a collector; Run sends what it collects.
func NewSignals(pool *pgxpool.Pool) *Signals {
	return &Signals{pool: pool, pending: map[Signal]struct{}{}, wake: make(chan struct{}, 1)}
}

// Add notes that something changed, after the change is committed. It takes well
// under a microsecond and does nothing on a nil collector.
func (s *Signals) Add(topic string, organisationID int64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.pending[Signal{topic, organisationID}] = struct{}{}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run sends until ctx ends.
func (s *Signals) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		if payloads := s.take(); len(payloads) > 0 {
			if _, err := s.pool.Exec(ctx, `
				select pg_notify($1, payload), set_config('synchronous_commit', 'off', true) from unnest($2::text[]) payload`, Channel, payloads); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "signals to open pages were not sent", "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(signalPause):
		}
	}
}

// take empties the collector. More owners than are worth naming become all.
func (s *Signals) take() (payloads []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	owners := map[string]int{}
	for signal := range s.pending {
		owners[signal.Topic]++
	}
	for signal := range s.pending {
		if owners[signal.Topic] <= signalMax {
			payloads = append(payloads, signal.payload())
		}
	}
	for topic, n := range owners {
		if n > signalMax {
			payloads = append(payloads, Signal{Topic: topic}.payload())
		}
	}
	clear(s.pending)
	return payloads
}
