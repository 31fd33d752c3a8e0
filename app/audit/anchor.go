package audit

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/storage"
)

const (
	// AnchorEvery is how often the head of the chain is anchored.
	AnchorEvery = time.Hour

	// anchorLife is how long a storage that can refuses to let an anchor go.
	// The newest one vouches for everything before it.
	anchorLife = 366 * 24 * time.Hour

	anchorPurpose = "audit-anchor" // of the signature
	maxAnchor     = 4 << 10        // bytes
)

// Anchors keep heads of the chain in the storage, signed, and in the log.
// Whoever owns the database can compute a whole chain anew or cut off its end,
// but can neither sign such a head nor, where the storage has object lock, take
// an earlier one away.
type Anchors struct {
	db    db.Beginner
	store storage.Store
	keys  *keyring.Keyring
	now   func() time.Time
}

// NewAnchors makes the anchors of the chain in a database.
func NewAnchors(b db.Beginner, store storage.Store, keys *keyring.Keyring) *Anchors {
	return &Anchors{b, store, keys, time.Now}
}

// Anchor is a head that was kept.
type Anchor struct {
	At        time.Time `json:"at"`
	Seq       int64     `json:"seq"`
	Hash      string    `json:"hash"`      // hexadecimal
	Signature string    `json:"signature"` // of the three before it
}

// signed is what the signature is over.
func (a Anchor) signed() []string {
	return []string{a.At.UTC().Format(time.RFC3339), strconv.FormatInt(a.Seq, 10), a.Hash}
}

// put keeps a head.
func (a *Anchors) put(ctx context.Context, head models.AuditHead) error {
	n := Anchor{At: a.now().UTC().Truncate(time.Second), Seq: head.Seq, Hash: hex.EncodeToString(head.Hash)}
	n.Signature = a.keys.Sign(anchorPurpose, n.signed()...)
	text, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("writing an anchor: %w", err)
	}
	// In byte order of the names the newest is the last.
	key := storage.AuditKey(strings.ToLower(n.At.Format("20060102T150405Z")) + "-" + strconv.FormatInt(n.Seq, 10))
	kept, err := a.store.Put(ctx, key, bytes.NewReader(text), storage.PutOptions{ContentType: "application/json", Retain: anchorLife})
	if err != nil {
		return fmt.Errorf("keeping an anchor of the audit: %w", err)
	}
	slog.InfoContext(ctx, "the audit is anchored", "seq", n.Seq, "hash", n.Hash, "signature", n.Signature, "retained", kept.Retained)
	if err := queries.AuditAnchorInsert(ctx, a.db, models.AuditAnchor{At: n.At, Seq: n.Seq, Key: key.String(), Retained: kept.Retained}); err != nil {
		return fmt.Errorf("noting an anchor of the audit: %w", err)
	}
	return nil
}

// list names every anchor, the oldest first. One that the database knows and
// the storage does not was taken away: a *Broken error.
func (a *Anchors) list(ctx context.Context) ([]storage.Key, error) {
	noted, err := queries.AuditAnchorGet(ctx, a.db) // before the storage: another process may keep one meanwhile
	if err != nil && !db.IsNoRows(err) {
		return nil, fmt.Errorf("reading the last anchor of the audit: %w", err)
	}
	var keys []storage.Key
	for o, err := range a.store.List(ctx, storage.AuditKey("").String()) {
		if err != nil {
			return nil, fmt.Errorf("listing the anchors of the audit: %w", err)
		}
		keys = append(keys, o.Key)
	}
	if noted.Key != "" && !slices.ContainsFunc(keys, func(k storage.Key) bool { return k.String() == noted.Key }) {
		return nil, &Broken{noted.Seq, "its anchor of " + day(noted.At) + " is gone from the storage"}
	}
	return keys, nil
}

// read returns an anchor. One that is gone, or that was not written with the
// keys of the keyring, is a *Broken error.
func (a *Anchors) read(ctx context.Context, key storage.Key) (Anchor, error) {
	_, text, _ := strings.Cut(key.String(), "-")
	seq, _ := strconv.ParseInt(text, 10, 64)
	body, _, err := a.store.Get(ctx, key, storage.Range{})
	if fault.Is(err, fault.NotFound) {
		return Anchor{}, &Broken{seq, "its anchor " + key.String() + " was removed from the storage"}
	}
	if err != nil {
		return Anchor{}, fmt.Errorf("reading the anchor %s: %w", key, err)
	}
	defer body.Close()
	content, err := io.ReadAll(io.LimitReader(body, maxAnchor))
	if err != nil {
		return Anchor{}, fmt.Errorf("reading the anchor %s: %w", key, err)
	}
	var n Anchor
	if json.Unmarshal(content, &n) != nil || n.Seq != seq || !a.keys.Signed(n.Signature, anchorPurpose, n.signed()...) {
		return Anchor{}, &Broken{seq, "its anchor " + key.String() + " was changed, or signed with a key that ENCRYPTION_KEYS lacks"}
	}
	return n, nil
}

// newest returns the anchor that was kept last, nil when there is none, and
// the names of all.
func (a *Anchors) newest(ctx context.Context) (*Anchor, []storage.Key, error) {
	keys, err := a.list(ctx)
	if err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	n, err := a.read(ctx, keys[len(keys)-1])
	return &n, keys, err
}

// agrees reports whether the chain has the head that was anchored.
func (a *Anchors) agrees(ctx context.Context, n Anchor) (bool, error) {
	hash, err := queries.AuditEntryHash(ctx, a.db, n.Seq)
	if db.IsNoRows(err) {
		return n.Seq == 0, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading audit entry %d: %w", n.Seq, err)
	}
	return hex.EncodeToString(hash) == n.Hash, nil
}

// differs says from where on a chain that holds within itself is not the one
// whose newest anchor is n.
func (a *Anchors) differs(ctx context.Context, n Anchor, keys []storage.Key) error {
	var failed error
	first := sort.Search(len(keys), func(i int) bool { // the first that does not agree
		older, err := a.read(ctx, keys[i])
		if err != nil {
			return true
		}
		same, err := a.agrees(ctx, older)
		if err != nil {
			failed = err
		}
		return !same
	})
	if failed != nil {
		return failed
	}
	from := int64(1)
	if first > 0 {
		if older, err := a.read(ctx, keys[first-1]); err == nil {
			from = older.Seq + 1
		}
	}
	head, err := queries.AuditHeadGet(ctx, a.db)
	if err != nil {
		return fmt.Errorf("reading the head of the audit chain: %w", err)
	}
	if head.Seq < n.Seq {
		return &Broken{from, fmt.Sprintf("the chain ends with entry %d, but entry %d was anchored on %s: entries from here on were removed", head.Seq, n.Seq, day(n.At))}
	}
	return &Broken{from, fmt.Sprintf("an entry from here to %d is not the one that was anchored on %s: the chain was computed anew", n.Seq, day(n.At))}
}

func day(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }
