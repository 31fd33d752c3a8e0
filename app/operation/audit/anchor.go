package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
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
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
	"heliograph/storage"
)

const (
	// anchorEvery is how often the head of the chain is anchored.
	anchorEvery = time.Hour
	// AnchorLate is the age at which the newest anchor is overdue.
	AnchorLate = anchorEvery + 2*time.Hour

	// anchorLife is how long storage with object lock retains an anchor. The
	// newest one covers everything before it.
	anchorLife = 366 * 24 * time.Hour

	anchorPurpose = "audit-anchor" // of the signing key
	maxAnchor     = 4 << 10        // bytes
)

// Anchors stores signed heads of the chain in the storage and in the log. An
// attacker with access to the database can recompute the chain or cut off its
// end, but cannot sign the new head or, with object lock, remove an earlier one.
type Anchors struct {
	db    db.Beginner
	store storage.Store
	keys  *keyring.Keyring
	site  string
	now   func() time.Time
}

// NewAnchors returns the anchors of the chain in a database. site is the public
// URL. Anchors of other sites in the same storage are ignored, so that a copy of
// the database that runs beside the original does not contradict it.
func NewAnchors(b db.Beginner, store storage.Store, keys *keyring.Keyring, site string) *Anchors {
	return &Anchors{b, store, keys, site, time.Now}
}

// Anchor is a stored head of the chain.
type Anchor struct {
	At        time.Time `json:"at"`
	Seq       int64     `json:"seq"`
	Hash      string    `json:"hash"`           // hexadecimal
	Site      string    `json:"site,omitempty"` // missing in older anchors
	Signature string    `json:"signature"`      // of the fields before it
}

// signed returns the parts that are signed.
func (a Anchor) signed() []string {
	parts := []string{a.At.UTC().Format(time.RFC3339), strconv.FormatInt(a.Seq, 10), a.Hash}
	if a.Site != "" {
		parts = append(parts, a.Site)
	}
	return parts
}

// siteTag is the end of the names of a site's anchors, so that anchors of other
// sites need not be read.
func siteTag(site string) string {
	sum := sha256.Sum256([]byte(site))
	return hex.EncodeToString(sum[:4])
}

// parseName returns the sequence number and the site tag in the name of an
// anchor: time, number and tag. The tag is empty in older names.
func parseName(key storage.Key) (seq int64, tag string) {
	_, text, _ := strings.Cut(key.String(), "-")
	number, tag, _ := strings.Cut(text, "-")
	seq, _ = strconv.ParseInt(number, 10, 64)
	return seq, tag
}

// add stores an anchor of a head.
func (a *Anchors) add(ctx context.Context, head models.AuditHead) error {
	n := Anchor{At: a.now().UTC().Truncate(time.Second), Seq: head.Seq, Hash: hex.EncodeToString(head.Hash), Site: a.site}
	n.Signature = a.keys.Sign(anchorPurpose, n.signed()...)
	text, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("writing an anchor: %w", err)
	}
	// In byte order of the names the newest is last.
	key := storage.AuditKey(strings.ToLower(n.At.Format("20060102T150405Z")) + "-" + strconv.FormatInt(n.Seq, 10) + "-" + siteTag(a.site))
	kept, err := a.store.Put(ctx, key, bytes.NewReader(text), storage.PutOptions{ContentType: "application/json", Retain: anchorLife})
	if err != nil {
		return fmt.Errorf("storing an anchor of the audit: %w", err)
	}
	slog.InfoContext(ctx, "the audit is anchored", "seq", n.Seq, "hash", n.Hash, "signature", n.Signature, "retained", kept.Retained)
	if err := writes.AuditAnchorInsert(ctx, a.db, models.AuditAnchor{At: n.At, Seq: n.Seq, Key: key.String(), Retained: kept.Retained}); err != nil {
		return fmt.Errorf("recording an anchor of the audit: %w", err)
	}
	return nil
}

// list returns the keys of the anchors of this site, the oldest first. If the newest anchor in
// the database is missing from the storage, it returns a *brokenError.
func (a *Anchors) list(ctx context.Context) ([]storage.Key, error) {
	noted, err := queries.AuditAnchorGet(ctx, a.db) // before the storage, because another process may add one
	if err != nil && !db.IsNoRows(err) {
		return nil, fmt.Errorf("reading the last anchor of the audit: %w", err)
	}
	var keys []storage.Key
	for o, err := range a.store.List(ctx, storage.AuditKey("").String()) {
		if err != nil {
			return nil, fmt.Errorf("listing the anchors of the audit: %w", err)
		}
		if _, tag := parseName(o.Key); tag == "" || tag == siteTag(a.site) || o.Key.String() == noted.Key {
			keys = append(keys, o.Key)
		}
	}
	if noted.Key != "" && !slices.ContainsFunc(keys, func(k storage.Key) bool { return k.String() == noted.Key }) {
		return nil, &brokenError{noted.Seq, "its anchor of " + formatTime(noted.At) + " is missing from the storage"}
	}
	return keys, nil
}

// read returns an anchor. It returns a *brokenError if the anchor is missing or
// is not signed with a key of the keyring.
func (a *Anchors) read(ctx context.Context, key storage.Key) (Anchor, error) {
	seq, _ := parseName(key)
	body, _, err := a.store.Get(ctx, key, storage.Range{})
	if fault.Is(err, fault.NotFound) {
		return Anchor{}, &brokenError{seq, "its anchor " + key.String() + " was removed from the storage"}
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
	if json.Unmarshal(content, &n) != nil || n.Seq != seq || !a.keys.Verify(n.Signature, anchorPurpose, n.signed()...) {
		return Anchor{}, &brokenError{seq, "its anchor " + key.String() + " was changed, or signed with a key that ENCRYPTION_KEYS lacks"}
	}
	return n, nil
}

// newest returns the newest anchor, or nil if there is none, and the keys of all.
func (a *Anchors) newest(ctx context.Context) (*Anchor, []storage.Key, error) {
	keys, err := a.list(ctx)
	if err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	n, err := a.read(ctx, keys[len(keys)-1])
	return &n, keys, err
}

// matches reports whether the chain contains the head of an anchor.
func (a *Anchors) matches(ctx context.Context, n Anchor) (bool, error) {
	hash, err := queries.AuditEntryHash(ctx, a.db, n.Seq)
	if db.IsNoRows(err) {
		return n.Seq == 0, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading audit entry %d: %w", n.Seq, err)
	}
	return hex.EncodeToString(hash) == n.Hash, nil
}

// describeMismatch returns a *brokenError with the first entry that differs
// between a consistent chain and the one with n as its newest anchor.
func (a *Anchors) describeMismatch(ctx context.Context, n Anchor, keys []storage.Key) error {
	var failed error
	first := sort.Search(len(keys), func(i int) bool { // the first that does not agree
		older, err := a.read(ctx, keys[i])
		if err != nil {
			return true
		}
		same, err := a.matches(ctx, older)
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
		return &brokenError{from, fmt.Sprintf("the chain ends with entry %d, but entry %d was anchored on %s: entries from here on were removed", head.Seq, n.Seq, formatTime(n.At))}
	}
	return &brokenError{from, fmt.Sprintf("an entry from here to %d is not the one that was anchored on %s: the chain was recomputed", n.Seq, formatTime(n.At))}
}

func formatTime(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }
