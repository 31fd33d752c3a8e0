// Package limit implements rate limits with the generic cell rate algorithm,
// which allows a burst and then a steady rate. Counts are in PostgreSQL, so that
// all processes share them.
package limit

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"math"
	"net/netip"
	"time"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/metric"
	"heliograph/db"
	"heliograph/db/queries/operation/writes"
)

// Limit is a rate limit for each key.
type Limit struct {
	// Name identifies the limit.
	Name string
	// Burst is the number of uses at once, and on average in each Period.
	Burst  int
	Period time.Duration
	// Open allows everything while the count cannot be stored. Limits that protect
	// a secret or cost money refuse instead.
	Open bool
}

// Limiter counts uses.
type Limiter struct {
	db  db.Querier
	key []byte
}

// New returns a limiter. Keys are stored as HMACs, so that the table contains no
// addresses or accounts.
func New(q db.Querier, keys *keyring.Keyring) *Limiter {
	return &Limiter{db: q, key: keys.Subkey("limit")}
}

// dbTimeout is the longest wait for the database.
const dbTimeout = time.Second

// siteShare is how many times the limit of one network a whole site may use. A
// /48 has 65,536 networks of /64, and many hosts give one to each customer on
// request.
const siteShare = 10

// Take counts one use of a key, which may be any text. If there were too many, it
// returns a Limited error that says how long to wait. An IPv6 network, as
// returned by Client, also counts for its /48 site, which may use siteShare times
// as much.
func (l *Limiter) Take(ctx context.Context, n Limit, key string) error {
	if err := l.take(ctx, n, key); err != nil {
		return err
	}
	network, err := netip.ParsePrefix(key)
	if err != nil || network.Bits() != 64 {
		return nil
	}
	site, err := network.Addr().Prefix(48)
	if err != nil {
		return nil // no network of IPv6
	}
	n.Name, n.Burst = n.Name+"_site", n.Burst*siteShare
	return l.take(ctx, n, site.String())
}

func (l *Limiter) take(ctx context.Context, n Limit, key string) error {
	ctx, cancel := context.WithTimeout(ctx, dbTimeout)
	defer cancel()
	hashed := n.Name + ":" + base64.RawURLEncoding.EncodeToString(keyring.MAC(l.key, n.Name, key)[:16])
	wait, err := writes.RateLimitTake(ctx, l.db, hashed, n.Burst, n.Period)
	switch {
	case err != nil && n.Open:
		slog.WarnContext(ctx, "a limit is not counted", "limit", n.Name, "error", err)
		return nil
	case err != nil:
		return &fault.Error{Kind: fault.Unavailable, Message: "The service is temporarily unavailable. Try again in a moment.", RetryAfter: 5 * time.Second, Err: err}
	case wait > 0:
		metric.Limited(n.Name)
		return &fault.Error{Kind: fault.Limited, Message: "Too many attempts. Wait " + formatWait(wait, time.Now()), RetryAfter: wait}
	}
	return nil
}

// formatWait returns how long to wait and, from a minute and a half, until when.
func formatWait(wait time.Duration, now time.Time) string {
	switch {
	case wait <= time.Second:
		return "a second, then try again."
	case wait < 90*time.Second:
		return fmt.Sprintf("%d seconds, then try again.", int(math.Ceil(wait.Seconds())))
	}
	span := fmt.Sprintf("%d minutes", int(math.Ceil(wait.Minutes())))
	if wait > 2*time.Hour {
		span = fmt.Sprintf("%d hours", int(math.Ceil(wait.Hours())))
	}
	// Round up to full minutes, so that the time is never too early.
	then, clock := now.Add(wait+time.Minute-time.Nanosecond).UTC().Truncate(time.Minute), "15:04 MST"
	if then.YearDay() != now.UTC().YearDay() {
		clock = "15:04 MST on 2 January"
	}
	return span + ", then try again after " + then.Format(clock) + "."
}

// Client returns the key for the address of a client. IPv6 addresses count by
// /64, the network of one customer.
func Client(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	prefix, err := addr.Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}

// Sweep deletes the counts that no longer limit anybody.
func Sweep(ctx context.Context, q db.Querier) error {
	_, err := writes.RateLimitDelete(ctx, q)
	return err
}
