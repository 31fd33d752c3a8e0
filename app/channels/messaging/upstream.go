package messaging

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/trace"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// How long what concerns upstreams is kept.
const (
	KeepUpstreamIDs   = 31 * 24 * time.Hour // of received messages
	keepUpstreamMedia = 30 * 24 * time.Hour
	keepUpstreamPosts = 7 * 24 * time.Hour // that cannot be read
)

// Upstreams takes what carriers that speak the Graph API post. A post is stored and read
// by a job, so that it is answered at once.
type Upstreams struct {
	DB      db.Beginner
	Keyring *keyring.Keyring
	Jobs    args.Inserter

	once  sync.Once
	posts *db.Group[upstreamPost]

	mu       sync.Mutex
	reported map[string]time.Time // when a wrong signature was last counted
}

// upstreamPost is a signed post that is being stored.
type upstreamPost struct {
	carrier string
	body    []byte
	trace   string // of its request, empty without one
}

// UpstreamPath returns the path that a carrier posts to.
func UpstreamPath(carrier string) string {
	return pipeline.EventsPath(carrier, Channel)
}

// VerifyToken returns the token with which an upstream verifies the webhook of a
// carrier. It follows from the keys of the platform and is stored nowhere.
func VerifyToken(k *keyring.Keyring, carrier string) string {
	sum := sha256.Sum256([]byte(k.Sign("upstream_verify", carrier)))
	return base64.RawURLEncoding.EncodeToString(sum[:24])
}

var (
	errNoUpstream     = fault.New(fault.NotFound, "No carrier posts to this address.")
	errWrongToken     = fault.New(fault.Forbidden, "The verify token is wrong.")
	errWrongSignature = fault.New(fault.Forbidden, "The signature is wrong: sign the body with the app secret of the carrier.")
)

// Challenge returns the answer to the verification of the webhook of a carrier: the
// bytes of the challenge.
func (u *Upstreams) Challenge(ctx context.Context, carrier string, query url.Values) (string, error) {
	if _, err := u.carrier(ctx, carrier); err != nil {
		return "", err
	}
	token := VerifyToken(u.Keyring, carrier)
	if query.Get("hub.mode") != "subscribe" || !hmac.Equal([]byte(query.Get("hub.verify_token")), []byte(token)) {
		return "", errWrongToken
	}
	return query.Get("hub.challenge"), nil
}

func (u *Upstreams) carrier(ctx context.Context, name string) (models.Carrier, error) {
	c, err := queries.CarrierGet(ctx, u.DB, name)
	if db.IsNoRows(err) || err == nil && c.Kind != pipeline.KindGraph {
		return c, errNoUpstream
	}
	if err != nil {
		return c, fmt.Errorf("reading carrier %s: %w", name, err)
	}
	return c, nil
}

// Receive stores a signed post with the job that reads it. An unknown carrier is
// NotFound, and a wrong signature Forbidden.
func (u *Upstreams) Receive(ctx context.Context, carrier string, body []byte, signature string) error {
	c, err := u.carrier(ctx, carrier)
	if err != nil {
		return err
	}
	secret, err := u.Keyring.Open(c.Secret, keyring.Place("carriers", "secret", carrier))
	if err != nil {
		return fmt.Errorf("opening the secret of carrier %s: %w", carrier, err)
	}
	var known struct {
		AppSecret string `json:"app_secret"`
	}
	if err := json.Unmarshal(secret, &known); err != nil || known.AppSecret == "" {
		return errNoUpstream
	}
	mac := hmac.New(sha256.New, []byte(known.AppSecret))
	mac.Write(body)
	given, err := hex.DecodeString(strings.TrimPrefix(signature, "sha256="))
	if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
		u.reportUnsigned(ctx, carrier)
		return errWrongSignature
	}
	if !json.Valid(body) {
		return fault.New(fault.Invalid, "The body is not JSON.")
	}
	u.once.Do(func() { u.posts = db.NewGroup(u.store) })
	if err := u.posts.Do(ctx, upstreamPost{carrier, body, trace.Parent(ctx)}); err != nil {
		return fmt.Errorf("storing a post of carrier %s: %w", carrier, err)
	}
	return nil
}

// store stores posts that came at the same time, each with the job that reads it.
func (u *Upstreams) store(ctx context.Context, posts []upstreamPost) error {
	carriers, bodies := make([]string, len(posts)), make([][]byte, len(posts))
	for i, p := range posts {
		carriers[i], bodies[i] = p.carrier, p.body
	}
	return db.InTx(ctx, u.DB, func(tx pgx.Tx) error {
		ids, err := writes.UpstreamPostInsert(ctx, tx, carriers, bodies)
		if err != nil {
			return err
		}
		work := make([]river.InsertManyParams, len(posts))
		for i, p := range posts {
			job := args.TakePost{PostID: ids[i], Files: bytes.Contains(p.body, []byte(`"mime_type"`))}
			work[i] = river.InsertManyParams{Args: job, InsertOpts: &river.InsertOpts{Metadata: trace.Metadata(p.trace)}}
		}
		if _, err := u.Jobs.InsertManyFastTx(ctx, tx, work); err != nil {
			return fmt.Errorf("inserting the jobs of posts: %w", err)
		}
		return nil
	})
}

// reportUnsigned counts a wrong signature in the health of the carrier, once a minute at
// most, so that a changed secret is noticed and nobody fills the table.
func (u *Upstreams) reportUnsigned(ctx context.Context, carrier string) {
	u.mu.Lock()
	if u.reported == nil {
		u.reported = map[string]time.Time{}
	}
	fresh := time.Since(u.reported[carrier]) > time.Minute
	if fresh {
		u.reported[carrier] = time.Now()
	}
	u.mu.Unlock()
	if !fresh {
		return
	}
	m := models.CarrierMinute{Carrier: carrier, Delayed: 1, Error: "A post to the webhook is not signed with the app secret. Nothing is received until both secrets are the same."}
	if err := writes.CarrierMinuteAdd(ctx, u.DB, m); err != nil {
		slog.WarnContext(ctx, "a wrong signature was not counted", "carrier", carrier, "error", err)
	}
}
