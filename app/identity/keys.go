package identity

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/queries"
)

// Caller is who uses an API key.
type Caller struct {
	OrganisationID int64
	KeyID          int64
	Channels       []string // those of messaging, sms and rcs that the key is for
}

// Keys authenticates API keys. It keeps those that are good in memory for at
// most 30 seconds, and only while changes to them are heard.
type Keys struct {
	db    db.Querier
	cache *db.Cache[[sha256.Size]byte, Caller]

	mu   sync.Mutex
	used map[int64]time.Time // key id → last use not yet written
}

const (
	keyMemory = 30 * time.Second
	keyCount  = 10_000
	useNoted  = time.Minute
)

// NewKeys makes an authenticator; call it before listener.Run.
func NewKeys(q db.Querier, listener *db.Listener) *Keys {
	return &Keys{
		db:    q,
		cache: db.NewCache[[sha256.Size]byte, Caller](listener, keyMemory, keyCount, "api_keys", "organisations"),
		used:  map[int64]time.Time{},
	}
}

// Authenticate returns who a key belongs to. A malformed, unknown or revoked
// key is Unauthenticated, the key of an organisation that is not active
// Forbidden. A malformed one costs no query.
func (k *Keys) Authenticate(ctx context.Context, key string) (Caller, error) {
	if !wellFormed(key) {
		return Caller{}, fault.New(fault.Unauthenticated, "This is not an API key: copy the whole key, from %s or %s to its last character.", testPrefix, livePrefix)
	}
	caller, err := k.cache.Get(ctx, hashKey(key), k.load)
	if err != nil {
		return Caller{}, err
	}
	k.mu.Lock()
	k.used[caller.KeyID] = time.Now()
	k.mu.Unlock()
	return caller, nil
}

func (k *Keys) load(ctx context.Context, hash [sha256.Size]byte) (Caller, error) {
	row, err := queries.APIKeyGet(ctx, k.db, hash[:])
	if db.IsNoRows(err) {
		return Caller{}, fault.New(fault.Unauthenticated, "This API key is unknown or revoked: create another in your account.")
	}
	if err != nil {
		return Caller{}, fmt.Errorf("looking an API key up: %w", err)
	}
	if row.OrganisationStatus != "active" {
		return Caller{}, fault.New(fault.Forbidden, "The organisation of this API key is %s: its owner can ask support to activate it.", statusWords[row.OrganisationStatus])
	}
	return Caller{OrganisationID: row.OrganisationID, KeyID: row.ID, Channels: row.Channels}, nil
}

// Run writes once a minute, and when ctx ends, when each key was used last.
func (k *Keys) Run(ctx context.Context) {
	ticker := time.NewTicker(useNoted)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
		if err := k.noteUse(context.WithoutCancel(ctx)); err != nil {
			slog.WarnContext(ctx, "noting when API keys were used", "error", err)
		}
		if ctx.Err() != nil {
			return
		}
	}
}

func (k *Keys) noteUse(ctx context.Context) error {
	k.mu.Lock()
	used := k.used
	k.used = make(map[int64]time.Time, len(used))
	k.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	ids, at := make([]int64, 0, len(used)), make([]time.Time, 0, len(used))
	for id, t := range used {
		ids, at = append(ids, id), append(at, t)
	}
	return queries.APIKeyUpdateUsed(ctx, k.db, ids, at)
}
