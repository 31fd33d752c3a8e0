package identity

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"heliograph/app/fault"
	"heliograph/db"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// Caller is the organisation and the API key of a request.
type Caller struct {
	OrganisationID int64
	KeyID          int64
	Channels       []string // channels of the key, of messaging, sms and rcs
}

// Keys authenticates API keys. It caches valid ones for at most 30 seconds, and
// only while it receives notifications of changes.
type Keys struct {
	db    db.Querier
	cache *db.Cache[[sha256.Size]byte, Caller]

	mu   sync.Mutex
	used map[int64]time.Time // key id → last use not yet written
}

const (
	keyCacheLife = 30 * time.Second
	keyCount     = 10_000
	useInterval  = 5 * time.Second // a developer who tries a key sees it used
)

// NewKeys returns a new Keys. Call it before listener.Run.
func NewKeys(q db.Querier, listener *db.Listener) *Keys {
	return &Keys{
		db:    q,
		cache: db.NewCache[[sha256.Size]byte, Caller](listener, keyCacheLife, keyCount, "api_keys", "organisations"),
		used:  map[int64]time.Time{},
	}
}

// Authenticate returns the caller of a key. A malformed, unknown or revoked key
// is Unauthenticated. The key of an organisation that is not active is
// Forbidden. A malformed key needs no query.
func (k *Keys) Authenticate(ctx context.Context, key string) (Caller, error) {
	if !isWellFormed(key) {
		return Caller{}, fault.New(fault.Unauthenticated, "This is not a valid API key. Copy the whole key, including the %s or %s at its start.", testPrefix, livePrefix)
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
	if err != nil {
		absent := fault.New(fault.Unauthenticated, "This API key is unknown or revoked. Create a new one in your account.")
		return Caller{}, db.Absent(err, absent, "looking an API key up")
	}
	if row.OrganisationStatus != "active" {
		return Caller{}, fault.New(fault.Forbidden, "The organisation of this API key is %s. Its owner can ask for its activation at /contact-us on the portal.", statusWords[row.OrganisationStatus])
	}
	return Caller{OrganisationID: row.OrganisationID, KeyID: row.ID, Channels: row.Channels}, nil
}

// Run stores the time of last use of each key every few seconds and when ctx ends.
func (k *Keys) Run(ctx context.Context) {
	db.WriteEvery(ctx, useInterval, "noting when API keys were used", k.writeUses)
}

func (k *Keys) writeUses(ctx context.Context) error {
	k.mu.Lock()
	used := k.used
	k.used = make(map[int64]time.Time, len(used))
	k.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	ids, at := make([]int64, 0, len(used)), make([]time.Time, 0, len(used))
	for id, t := range used {
		ids, at = append(ids, id), append(at, t)
	}
	return writes.APIKeyUpdateUsed(ctx, k.db, ids, at)
}
