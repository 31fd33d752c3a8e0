// Package limit counts how often something is done, in PostgreSQL, so that all
// processes share one count: the generic cell rate algorithm, which allows a
// burst at once and then a steady rate.
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
	"heliograph/app/metric"
	"heliograph/db"
	"heliograph/db/queries"
)

// Limit is how often something may be done for one key.
type Limit struct {
	// Name tells limits apart.
	Name string
	// Burst is how often in a row, and on average in each Period.
	Burst  int
	Period time.Duration
	// Open lets everything pass while the count cannot be kept. What guards a
	// secret or costs money stays closed then.
	Open bool
}

// Limiter keeps the counts.
type Limiter struct {
	db  db.Querier
	key []byte
}

// New makes a limiter. Keys are stored as HMACs, so that the table holds no
// address or account.
func New(q db.Querier, keys *keyring.Keyring) *Limiter {
	return &Limiter{db: q, key: keys.Subkey("limit")}
}

// patience bounds the wait for the database.
const patience = time.Second

// siteShare is how many networks' worth a whole site may use. A /48 has 65,536
// networks of /64, and many hosts give one to each customer who asks.
const siteShare = 10

// Take counts one use of a key, which may be any text, and returns a Limited
// fault that says how long to wait when there were too many. An IPv6 network, as
// Client gives it, counts for its site of /48 too, which may use siteShare times
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
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	hashed := n.Name + ":" + base64.RawURLEncoding.EncodeToString(keyring.MAC(l.key, n.Name, key)[:16])
	wait, err := queries.RateLimitTake(ctx, l.db, hashed, n.Burst, n.Period)
	switch {
	case err != nil && n.Open:
		slog.WarnContext(ctx, "a limit is not counted", "limit", n.Name, "error", err)
		return nil
	case err != nil:
		return &fault.Error{Kind: fault.Unavailable, Message: "The service is not available just now. Try again in a moment.", RetryAfter: 5 * time.Second, Err: err}
	case wait > 0:
		metric.Limited(n.Name)
		return &fault.Error{Kind: fault.Limited, Message: "This was tried too often. Wait " + inWords(wait, time.Now()), RetryAfter: wait}
	}
	return nil
}

// inWords says how long to wait, and from a minute and a half on until when.
func inWords(wait time.Duration, now time.Time) string {
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
	// Full minutes upwards, so that the time shown is never too early.
	then, clock := now.Add(wait+time.Minute-time.Nanosecond).UTC().Truncate(time.Minute), "15:04 MST"
	if then.YearDay() != now.UTC().YearDay() {
		clock = "15:04 MST on 2 January"
	}
	return span + ", then try again from " + then.Format(clock) + " on."
}

// Client is the key of a client's address. IPv6 counts by /64, because that is
// what one customer of a network has.
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
