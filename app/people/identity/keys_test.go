package identity

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/dbtest"
)

func createOrganisation(t *testing.T, d *Directory) int64 {
	t.Helper()
	id, err := d.CreateOrganisation(t.Context(), NewOrganisation{Name: "Lighthouse", Owner: NewOwner{Name: "Asha", Email: "asha@example.com", Password: goodPassword}}, "system")
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func createKey(t *testing.T, d *Directory, organisation int64) string {
	t.Helper()
	key, err := d.CreateKey(t.Context(), organisation, KeyRequest{Name: "server", Channels: []string{"messaging"}}, "system")
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestKeyFormat(t *testing.T) {
	t.Parallel()
	shape := regexp.MustCompile(`^hg_test_[0-9A-Za-z]{49}$`)
	seen := map[string]bool{}
	for range 1000 {
		key := newKey(testPrefix)
		if !shape.MatchString(key) || !isWellFormed(key) || seen[key] {
			t.Fatalf("the key %q is malformed or came twice", key)
		}
		seen[key] = true
	}
	key := newKey(livePrefix)
	for i := range key {
		if isWellFormed(key[:i] + "!" + key[i+1:]) {
			t.Errorf("a change at %d goes unseen", i)
		}
	}
	for _, wrong := range []string{"", livePrefix, testPrefix + key[len(livePrefix):], key[1:], key + "0", strings.ToUpper(key), key[:len(key)-1]} {
		if isWellFormed(wrong) {
			t.Errorf("%q passes", wrong)
		}
	}
}

// A key says whether what it sends reaches anybody. The keys that sandboxes had
// before look like other keys, and work on.
func TestKeyTellsASandbox(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	organisation := createOrganisation(t, d)
	for prefix, sandbox := range map[string]bool{livePrefix: false, testPrefix: true} {
		exec(t, tx, `update organisations set sandbox = $1`, sandbox)
		if key := createKey(t, d, organisation); !strings.HasPrefix(key, prefix) || !isWellFormed(key) {
			t.Errorf("sandbox %t: the key is %s", sandbox, key)
		}
	}
	old := newKey(livePrefix)
	hash := hashKey(old)
	exec(t, tx, `update api_keys set hash = $1 where slot = 1`, hash[:])
	if caller, err := NewKeys(tx, db.NewListener(nil)).Authenticate(t.Context(), old); err != nil || caller.OrganisationID != organisation {
		t.Errorf("an older key gives %+v, %v", caller, err)
	}
}

func TestKeySlots(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	d := New(tx, Notifier{})
	organisation := createOrganisation(t, d)
	first := createKey(t, d, organisation)
	createKey(t, d, organisation)
	request := KeyRequest{Name: "third", Channels: []string{"sms", "rcs"}}
	if _, err := d.CreateKey(t.Context(), organisation, request, "system"); !fault.Is(err, fault.Conflict) {
		t.Errorf("a third key gives %v", err)
	}
	var id int64
	var prefix string
	hash := hashKey(first)
	if err := tx.QueryRow(t.Context(), `select id, prefix from api_keys where hash = $1`, hash[:]).Scan(&id, &prefix); err != nil || prefix != first[:12] {
		t.Fatalf("the first key is stored as %q, %v", prefix, err)
	}
	if err := d.RevokeKey(t.Context(), organisation+1, id, "system"); !fault.Is(err, fault.NotFound) {
		t.Errorf("another organisation revoking it gives %v", err)
	}
	if err := d.RevokeKey(t.Context(), organisation, id, "system"); err != nil {
		t.Fatal(err)
	}
	if err := d.RevokeKey(t.Context(), organisation, id, "system"); !fault.Is(err, fault.NotFound) {
		t.Errorf("revoking it twice gives %v", err)
	}
	if _, err := d.CreateKey(t.Context(), organisation, request, "system"); err != nil {
		t.Errorf("the free slot is not used: %v", err)
	}
	for _, channels := range [][]string{nil, {"voice"}, {"smsrcs"}} {
		if _, err := d.CreateKey(t.Context(), organisation, KeyRequest{Name: "x", Channels: channels}, "system"); !fault.Is(err, fault.Invalid) {
			t.Errorf("channels %v give %v", channels, err)
		}
	}
}

// counter counts queries.
type counter struct{ n atomic.Int64 }

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

type keysBench struct {
	*Keys
	directory    *Directory
	pool         *pgxpool.Pool
	queries      *counter
	organisation int64
	key          string
	heard        chan string
}

func setupKeys(t *testing.T) *keysBench {
	t.Helper()
	queries := &counter{}
	pool, err := db.Open(t.Context(), dbtest.URL(t), db.Options{Tracer: queries})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	b := &keysBench{directory: New(pool, Notifier{}), pool: pool, queries: queries, heard: make(chan string, 100)}
	b.organisation = createOrganisation(t, b.directory)
	b.key = createKey(t, b.directory, b.organisation)
	listener := db.NewListener(pool)
	b.Keys = NewKeys(pool, listener)
	listener.Subscribe(func(payload string) { b.heard <- payload })
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { listener.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	b.await(t, "")
	return b
}

// await waits until a notification was heard, and with it by the cache, which
// subscribed earlier.
func (b *keysBench) await(t *testing.T, want string) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		select {
		case payload := <-b.heard:
			if payload == want {
				return
			}
		case <-deadline:
			t.Fatalf("nothing was heard of %q", want)
		}
	}
}

func TestKeysAreKeptInMemoryWhileChangesAreHeard(t *testing.T) {
	t.Parallel()
	b := setupKeys(t)
	caller, err := b.Authenticate(t.Context(), b.key)
	if err != nil || caller.OrganisationID != b.organisation || len(caller.Channels) != 1 || caller.Channels[0] != "messaging" {
		t.Fatalf("the caller is %+v, %v", caller, err)
	}
	before := b.queries.n.Load()
	for range 100 {
		if _, err := b.Authenticate(t.Context(), b.key); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Authenticate(t.Context(), b.key+"x"); !fault.Is(err, fault.Unauthenticated) {
			t.Fatal(err)
		}
	}
	if n := b.queries.n.Load() - before; n != 0 {
		t.Errorf("200 calls made %d queries", n)
	}
	if _, err := b.Authenticate(t.Context(), newKey(testPrefix)); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("an unknown key gives %v", err)
	}

	exec(t, b.pool, `update organisations set status = 'suspended'`)
	b.await(t, "changed:organisations")
	if _, err := b.Authenticate(t.Context(), b.key); !fault.Is(err, fault.Forbidden) || !strings.Contains(err.Error(), "is deactivated") {
		t.Errorf("a suspended organisation gives %v", err)
	}
	exec(t, b.pool, `update organisations set status = 'active'`)
	if _, err := b.Authenticate(t.Context(), b.key); err != nil {
		t.Errorf("active again: %v", err)
	}
	if err := b.directory.RevokeKey(t.Context(), b.organisation, caller.KeyID, "system"); err != nil {
		t.Fatal(err)
	}
	b.await(t, "changed:api_keys")
	if _, err := b.Authenticate(t.Context(), b.key); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("a revoked key gives %v", err)
	}
}

func TestKeysAskEachTimeWhileNothingIsHeard(t *testing.T) {
	t.Parallel()
	queries := &counter{}
	pool, err := db.Open(t.Context(), dbtest.URL(t), db.Options{Tracer: queries})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	d := New(pool, Notifier{})
	key := createKey(t, d, createOrganisation(t, d))
	keys := NewKeys(pool, db.NewListener(pool)) // never runs
	before := queries.n.Load()
	for range 3 {
		if _, err := keys.Authenticate(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	if n := queries.n.Load() - before; n != 3 {
		t.Errorf("three calls made %d queries", n)
	}
	exec(t, pool, `update api_keys set revoked_at = now()`)
	if _, err := keys.Authenticate(t.Context(), key); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("a revoked key gives %v", err)
	}
}

func TestKeyUseIsNotedOffTheRequest(t *testing.T) {
	t.Parallel()
	b := setupKeys(t)
	start := time.Now()
	if _, err := b.Authenticate(t.Context(), b.key); err != nil {
		t.Fatal(err)
	}
	used := func() (at *time.Time) {
		if err := b.pool.QueryRow(t.Context(), `select last_used_at from api_keys`).Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	if used() != nil {
		t.Error("the request wrote it")
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("leaving"))
	b.Run(ctx) // the last round, when a process ends
	if at := used(); at == nil || at.Before(start.Add(-time.Millisecond)) {
		t.Errorf("the use was noted at %v", at)
	}
	if err := b.writeUses(t.Context()); err != nil {
		t.Errorf("nothing to note: %v", err)
	}
}
