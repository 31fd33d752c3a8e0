package audit_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/storage"
	"heliograph/storage/storagetest"
)

// site is the site that the tests write anchors for.
const site = "https://docs.example.com"

// vault is an audit in a transaction, with a storage for its anchors.
type vault struct {
	*audit.Anchors
	tx    pgx.Tx
	store storage.Store
}

func newVault(t *testing.T, store storage.Store) *vault {
	t.Helper()
	tx := dbtest.Tx(t)
	return &vault{audit.NewAnchors(tx, store, newKeys(t), site), tx, store}
}

func newKeys(t *testing.T) *keyring.Keyring {
	t.Helper()
	key := make([]byte, 32)
	rand.Read(key)
	keys, err := keyring.New([]string{"k1:" + base64.StdEncoding.EncodeToString(key)})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// edit replaces a part of the newest anchor.
func (v *vault) edit(t *testing.T, old, now string) {
	t.Helper()
	keys := v.anchored(t)
	body, o, err := v.store.Get(t.Context(), keys[len(keys)-1], storage.Range{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(body)
	if err := errors.Join(err, body.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := v.store.Put(t.Context(), o.Key, strings.NewReader(strings.Replace(string(text), old, now, 1)), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
}

// exec changes rows as somebody who owns the database could.
func (v *vault) exec(t *testing.T, statements ...string) {
	t.Helper()
	for _, sql := range append([]string{`set local session_replication_role = replica`}, statements...) {
		if _, err := v.tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
}

// check runs the check as it is due and returns what was stored last.
func (v *vault) check(t *testing.T) models.AuditCheck {
	t.Helper()
	if err := v.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	found, err := queries.AuditCheckGet(t.Context(), v.tx)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// anchored lists the anchors in the storage.
func (v *vault) anchored(t *testing.T) (keys []storage.Key) {
	t.Helper()
	for o, err := range v.store.List(t.Context(), "audits/") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, o.Key)
	}
	return keys
}

// rewrite edits the entry at seq and recomputes every hash from there on, so
// that the chain holds within itself.
func (v *vault) rewrite(t *testing.T, seq int64) {
	t.Helper()
	rows, err := v.tx.Query(t.Context(), `select seq, prev, canonical from audit_entries where seq >= $1 order by seq`, seq)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e models.AuditEntry, err error) {
		return e, row.Scan(&e.Seq, &e.Prev, &e.Canonical)
	})
	if err != nil {
		t.Fatal(err)
	}
	v.exec(t) // from here on nothing is refused
	last := entries[0].Prev
	for i, e := range entries {
		if i == 0 {
			e.Canonical = bytes.Replace(e.Canonical, []byte("admin:1"), []byte("admin:2"), 1)
			if _, err := v.tx.Exec(t.Context(), `update audit_entries set actor = 'admin:2' where seq = $1`, seq); err != nil {
				t.Fatal(err)
			}
		}
		hash := sha256.Sum256(append(bytes.Clone(last), e.Canonical...))
		if _, err := v.tx.Exec(t.Context(), `update audit_entries set prev = $2, canonical = $3, hash = $4 where seq = $1`, e.Seq, last, e.Canonical, hash[:]); err != nil {
			t.Fatal(err)
		}
		last = hash[:]
	}
	if _, err := v.tx.Exec(t.Context(), `update audit_head set hash = $1`, last); err != nil {
		t.Fatal(err)
	}
}

const truncate = `with gone as (delete from audit_entries where seq > 6) update audit_head set (seq, hash) = (select seq, hash from audit_entries where seq = 6)`

// What Verify cannot see from within the database the anchors find, in either
// storage.
func TestAnchorsFindWhatTheChainCannot(t *testing.T) {
	t.Parallel()
	homes := map[string]func(t *testing.T) storage.Store{
		"folder": func(t *testing.T) storage.Store { return storagetest.Folder(t) },
		"S3": func(t *testing.T) storage.Store {
			o := storagetest.S3(t)
			o.ObjectLock = true
			s, err := storage.OpenS3(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			return s
		},
	}
	tests := []struct {
		name   string
		tamper func(t *testing.T, v *vault)
		seq    int64
		reason string
	}{
		{"end cut off", func(t *testing.T, v *vault) { v.exec(t, truncate) }, 5, "entries from here on were removed"},
		{"end cut off and rewritten", func(t *testing.T, v *vault) { v.exec(t, truncate); record(t, v.tx, 5) }, 5, "recomputed"},
		{"recomputed", func(t *testing.T, v *vault) { v.rewrite(t, 6) }, 5, "recomputed"},
		{"recomputed from the start", func(t *testing.T, v *vault) { v.rewrite(t, 1) }, 1, "recomputed"},
		{"anchor removed", func(t *testing.T, v *vault) {
			keys := v.anchored(t)
			if err := v.store.Delete(t.Context(), keys[len(keys)-1]); err != nil {
				t.Fatal(err)
			}
		}, 8, "from the storage"},
		{"anchor changed", func(t *testing.T, v *vault) { v.edit(t, `"hash":"`, `"hash":"0`) }, 8, "was changed"},
		{"anchor of another key", func(t *testing.T, v *vault) {
			v.Anchors = audit.NewAnchors(v.tx, v.store, newKeys(t), site)
			v.SetClock(time.Now().Add(audit.AnchorEvery))
		}, 8, "ENCRYPTION_KEYS"},
	}
	for home, open := range homes {
		for _, tt := range tests {
			t.Run(home+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				v := newVault(t, open(t))
				v.anchorTwice(t)
				if _, anchor, err := v.Verify(t.Context()); err != nil || anchor == nil || anchor.Seq != 8 {
					t.Fatalf("before: %+v, %v", anchor, err)
				}
				tt.tamper(t, v)
				if _, err := audit.Verify(t.Context(), v.tx); err != nil {
					t.Fatalf("the chain alone gives %v: this test is about what it cannot see", err)
				}
				var broken *audit.BrokenError
				if _, _, err := v.Verify(t.Context()); !errors.As(err, &broken) || broken.Seq != tt.seq || !strings.Contains(broken.Reason, tt.reason) {
					t.Errorf("verify gives %v, want entry %d: … %s", err, tt.seq, tt.reason)
				}
				before := len(v.anchored(t))
				if found := v.check(t); found.BrokenSeq == nil || *found.BrokenSeq != tt.seq {
					t.Errorf("the check stored %+v", found)
				}
				if after := len(v.anchored(t)); after != before {
					t.Errorf("a broken chain was anchored: %d anchors were %d", after, before)
				}
			})
		}
	}
}

// anchorTwice records eight entries and anchors the fourth, an hour ago, and
// the last.
func (v *vault) anchorTwice(t *testing.T) {
	t.Helper()
	record(t, v.tx, 4)
	v.check(t)
	record(t, v.tx, 4)
	v.SetClock(time.Now().Add(audit.AnchorEvery))
	v.check(t)
	if keys := v.anchored(t); len(keys) != 2 {
		t.Fatalf("the storage has %v, want two anchors", keys)
	}
}

// A copy of the database that anchors in the same storage under its own public
// URL contradicts nobody, and is not taken for the original.
func TestACopyHasItsOwnAnchors(t *testing.T) {
	t.Parallel()
	store, keys := storagetest.Folder(t), newKeys(t)
	live, copied := &vault{tx: dbtest.Tx(t), store: store}, &vault{tx: dbtest.Tx(t), store: store}
	live.Anchors = audit.NewAnchors(live.tx, store, keys, site)
	copied.Anchors = audit.NewAnchors(copied.tx, store, keys, "https://staging.example.com")
	record(t, live.tx, 4)
	record(t, copied.tx, 9)
	for hour := range time.Duration(3) {
		for _, v := range []*vault{live, copied} {
			v.SetClock(time.Now().Add(hour * audit.AnchorEvery))
			if found := v.check(t); found.BrokenSeq != nil {
				t.Errorf("hour %d: %+v", hour, found)
			}
			record(t, v.tx, 1)
		}
	}
	if n := len(live.anchored(t)); n != 6 {
		t.Errorf("the storage has %d anchors, want 6", n)
	}
	if _, anchor, err := live.Verify(t.Context()); err != nil || anchor.Site != site {
		t.Errorf("the newest anchor is %+v, %v", anchor, err)
	}
}

// Every hour the head is anchored, once; every day the whole chain is read,
// else what came since the newest anchor.
func TestCheckDoesWhatIsDue(t *testing.T) {
	t.Parallel()
	v := newVault(t, storagetest.Folder(t))
	start := time.Now().Add(-30 * time.Hour)
	if _, err := queries.AuditCheckGet(t.Context(), v.tx); !db.IsNoRows(err) {
		t.Fatalf("before the first check: %v", err)
	}
	if head, anchor, err := v.Verify(t.Context()); err != nil || anchor != nil || head.Seq != 0 {
		t.Errorf("an empty chain gives %+v, %+v, %v", head, anchor, err)
	}
	record(t, v.tx, 3)
	steps := []struct {
		name    string
		after   time.Duration
		before  func()
		seq     int64 // of the check that was stored last
		anchors int
		broken  bool
	}{
		{"the first", 0, func() {}, 3, 1, false},
		{"at once again", 0, func() { record(t, v.tx, 1) }, 3, 1, false},
		{"an hour later", time.Hour, func() {}, 3, 2, false},
		{"a changed entry before the anchor waits for the whole reading", 2 * time.Hour, func() { v.exec(t, `update audit_entries set actor = 'admin:2' where seq = 2`) }, 3, 3, false},
		{"a day later", 25 * time.Hour, func() {}, 4, 3, true},
		{"until it is repaired", 26 * time.Hour, func() {}, 4, 3, true},
		{"repaired", 27 * time.Hour, func() { v.exec(t, `update audit_entries set actor = 'admin:1' where seq = 2`) }, 4, 4, false},
		{"a changed entry behind the anchor is found at once", 28 * time.Hour, func() {
			record(t, v.tx, 2)
			v.exec(t, `update audit_entries set actor = 'admin:2' where seq = 6`)
		}, 6, 4, true},
	}
	var last time.Time // of a check
	for _, step := range steps {
		step.before()
		v.SetClock(start.Add(step.after))
		found := v.check(t)
		if found.Head.Seq != step.seq || (found.BrokenSeq != nil) != step.broken || len(v.anchored(t)) != step.anchors {
			t.Fatalf("%s: %+v and %d anchors, want %+v", step.name, found, len(v.anchored(t)), step)
		}
		// The database notes its own time, not the clock's.
		if !found.At.Equal(last) {
			last = start.Add(step.after).Truncate(time.Microsecond)
			if _, err := v.tx.Exec(t.Context(), `update audit_checks set at = $1 where at = $2`, last, found.At); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A chain that differs for a known reason is accepted once, by an entry that
// says why; one that does not hold within itself never is.
func TestAcceptAnchorsARestoredChain(t *testing.T) {
	t.Parallel()
	v := newVault(t, storagetest.Folder(t))
	v.anchorTwice(t)
	if _, err := v.Accept(t.Context(), "operator", "for nothing"); !fault.Is(err, fault.Conflict) {
		t.Errorf("accepting a chain that agrees gives %v", err)
	}
	v.exec(t, truncate)
	v.SetClock(time.Now().Add(2 * audit.AnchorEvery))
	head, err := v.Accept(t.Context(), "operator", "restored the backup of Friday")
	if err != nil || head.Seq != 7 {
		t.Fatalf("accepting gives %+v, %v", head, err)
	}
	if _, anchor, err := v.Verify(t.Context()); err != nil || anchor.Seq != 7 {
		t.Errorf("after that %+v, %v", anchor, err)
	}
	if found := v.check(t); found.BrokenSeq != nil || len(v.anchored(t)) != 3 {
		t.Errorf("the check stored %+v, and there are %v", found, v.anchored(t))
	}
	var action, reason, what string
	if err := v.tx.QueryRow(t.Context(), `select action, details->>'reason', details->>'found' from audit_entries where seq = 7`).Scan(&action, &reason, &what); err != nil {
		t.Fatal(err)
	}
	if action != "audit.accept" || reason != "restored the backup of Friday" || !strings.Contains(what, "entry 8 was anchored") {
		t.Errorf("the entry says %s, %q, %q", action, reason, what)
	}
	v.exec(t, `update audit_entries set actor = 'admin:2' where seq = 2`)
	var broken *audit.BrokenError
	if _, err := v.Accept(t.Context(), "operator", "whatever"); !errors.As(err, &broken) {
		t.Errorf("accepting a broken chain gives %v", err)
	}
}

// The log has what the storage has, so that either can be held against the
// other.
func TestAnchorsGoToTheLog(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	defer slog.SetDefault(before)
	v := newVault(t, storagetest.Folder(t))
	record(t, v.tx, 1)
	v.check(t)
	head, anchor, err := v.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Seq             int64
		Hash, Signature string
		Retained        *bool
	}
	for text := range strings.Lines(log.String()) {
		if strings.Contains(text, "the audit is anchored") && json.Unmarshal([]byte(text), &line) != nil {
			t.Fatal(text)
		}
	}
	if line.Seq != head.Seq || line.Hash != anchor.Hash || line.Signature != anchor.Signature || line.Retained == nil || *line.Retained {
		t.Errorf("the log says %+v, the storage %+v", line, anchor)
	}
}
