package insight

import (
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"heliograph/db"
)

// Counter counts in memory what this process serves. Use NewCounter.
type Counter struct {
	db   db.Beginner
	zone *time.Location
	now  func() time.Time

	today  atomic.Pointer[datedMinute]
	mu     sync.Mutex
	batch  batch
	failed []batch // that are not known to have been written, the oldest first
}

// viewKey identifies a row of views.
type viewKey struct {
	hour   int64 // its start in Unix seconds
	page   Page
	reader Reader
}

// eventKey identifies a row of other counts. The day begins at noon of UTC, so that it is
// the same date everywhere.
type eventKey struct {
	day   int64
	event Event
}

// batch is what is written together.
type batch struct {
	id     [16]byte
	views  map[viewKey]int64
	events map[eventKey]int64
	hosts  int // that readers come from
}

// NewCounter returns a counter that writes to a database. Days begin by the clock of a
// zone.
func NewCounter(database db.Beginner, zone *time.Location) *Counter {
	return &Counter{db: database, zone: zone, now: time.Now, batch: newBatch()}
}

// Zone is the zone of days and hours.
func (c *Counter) Zone() *time.Location { return c.zone }

// The bounds of what a batch holds. What is beyond them is not counted, or counted
// together: it was made up.
const (
	mostRows  = 200_000
	mostHosts = 1_000
	maxPage   = 500 // bytes of a path
)

// Visit is a view with what the request said.
type Visit struct {
	Page
	UserAgent string
	// Language is what the browser asks for, and Referrer the address that the reader
	// comes from, as the headers say it. OwnHost is the host of the portal.
	Language, Referrer, OwnHost string
	// Loaded tells that the page was loaded, and not put into an open one.
	Loaded bool
	// Samples is the language of the samples on the page, if it has any.
	Samples string
}

// View counts a view.
func (c *Counter) View(v Visit) {
	if len(v.Path) > maxPage {
		return
	}
	reader, name := who(v.UserAgent)
	now := c.now()
	day := c.day(now)
	c.mu.Lock()
	defer c.mu.Unlock()
	k := viewKey{hourOf(now, c.zone), v.Page, reader}
	if _, ok := c.batch.views[k]; !ok && len(c.batch.views) >= mostRows {
		return
	}
	c.batch.views[k]++
	c.batch.add(day, Event{What: Agents, Product: v.Product, Name: name, Detail: string(reader)})
	if reader != Person {
		return
	}
	if language := primaryLanguage(v.Language); language != "" {
		c.batch.add(day, Event{What: Languages, Product: v.Product, Name: language})
	}
	if v.Samples != "" {
		c.batch.add(day, Event{What: Samples, Product: v.Product, Version: v.Version, Name: v.Samples})
	}
	if !v.Loaded {
		return
	}
	if host, from := sourceOf(v.Referrer, v.OwnHost); from {
		e := Event{What: Sources, Product: v.Product, Name: host}
		if _, ok := c.batch.events[eventKey{day, e}]; !ok && host != "" {
			if c.batch.hosts >= mostHosts {
				e.Name = otherHosts
			} else {
				c.batch.hosts++
			}
		}
		c.batch.add(day, e)
	}
}

// Add counts an event.
func (c *Counter) Add(e Event) {
	if len(e.Name) > maxPage || len(e.Detail) > 200 {
		return
	}
	day := c.day(c.now())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.batch.add(day, e)
}

// day returns the day of a moment. The date of a minute is worked out once, since every
// call of an API is counted.
func (c *Counter) day(t time.Time) int64 {
	minute := t.Unix() / 60
	if known := c.today.Load(); known != nil && known.minute == minute {
		return known.day
	}
	known := &datedMinute{minute, dateOf(t, c.zone).Unix()}
	c.today.Store(known)
	return known.day
}

// datedMinute is a minute of Unix time and the day that it belongs to.
type datedMinute struct{ minute, day int64 }

func newBatch() batch {
	return batch{views: map[viewKey]int64{}, events: map[eventKey]int64{}}
}

func (b *batch) add(day int64, e Event) {
	k := eventKey{day, e}
	if _, ok := b.events[k]; ok || len(b.events) < mostRows {
		b.events[k]++
	}
}

// otherHosts is the row of the hosts beyond those that are kept.
const otherHosts = "other"

// sourceOf returns the host that a reader comes from, empty if it is not told. from is
// false for the portal itself.
func sourceOf(referrer, own string) (host string, from bool) {
	_, rest, ok := strings.Cut(referrer, "://")
	if !ok {
		return "", true
	}
	host = rest
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if strings.EqualFold(host, own) {
		return "", false
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	if !isHost(host) {
		return otherHosts, true
	}
	return host, true
}

// isHost reports whether a text is the name of a public host. Addresses and names of
// machines in a network could name a person.
func isHost(text string) bool {
	if len(text) > 100 || !strings.Contains(text, ".") {
		return false
	}
	if _, err := netip.ParseAddr(text); err == nil {
		return false
	}
	for _, label := range strings.Split(text, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	top := text[strings.LastIndexByte(text, '.')+1:]
	return len(top) >= 2 && top != "local" && top != "internal" && top != "lan" && strings.Trim(top, "0123456789") != ""
}

// primaryLanguage returns the first language of an Accept-Language header, two letters.
func primaryLanguage(header string) string {
	first := strings.TrimSpace(header)
	if i := strings.IndexAny(first, "-,;_ "); i >= 0 {
		first = first[:i]
	}
	first = strings.ToLower(first)
	if len(first) != 2 || strings.Trim(first, "abcdefghijklmnopqrstuvwxyz") != "" {
		return ""
	}
	return first
}

// SearchDetail writes the length of a query and the number of its results as they are
// counted. lengths are in characters.
func SearchDetail(length, results int) string {
	return bucket(length, 3, 6, 10, 20, 40) + "/" + bucket(results, 0, 5, 20)
}

// bucket returns the range of bounds that a number is in, such as "4-6".
func bucket(n int, bounds ...int) string {
	low := 0
	for i, high := range bounds {
		if n <= high {
			if low == high {
				return itoa(high)
			}
			return itoa(max(low, 1)) + "-" + itoa(high)
		}
		low = bounds[i] + 1
	}
	return itoa(low) + "+"
}
