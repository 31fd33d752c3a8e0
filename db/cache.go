package db

import (
	"context"
	"strings"
	"sync"
	"time"
)

// Cache keeps rows in memory for as long as a Listener hears of changes to the
// tables they come from. While the listener is away every Get loads.
type Cache[K comparable, V any] struct {
	listener *Listener
	ttl      time.Duration
	max      int

	mu      sync.RWMutex
	rows    map[K]cached[V]
	version uint64 // moves with every drop, so that a load begun before it is not kept
}

type cached[V any] struct {
	value   V
	expires time.Time
}

// NewCache makes a cache of at most max rows, each kept for ttl at the longest,
// emptied whenever one of the tables changes. Call it before listener.Run.
func NewCache[K comparable, V any](listener *Listener, ttl time.Duration, max int, tables ...string) *Cache[K, V] {
	c := &Cache[K, V]{listener: listener, ttl: ttl, max: max, rows: map[K]cached[V]{}}
	listener.Subscribe(func(payload string) {
		table, changed := strings.CutPrefix(payload, "changed:")
		if payload != "" && !changed {
			return
		}
		for _, t := range tables {
			if payload == "" || t == table {
				c.drop()
				return
			}
		}
	})
	return c
}

// Get returns the row of key, loading it when it is not in memory. Errors of
// load are returned and not kept.
func (c *Cache[K, V]) Get(ctx context.Context, key K, load func(context.Context, K) (V, error)) (V, error) {
	c.mu.RLock()
	row, ok := c.rows[key]
	version := c.version
	c.mu.RUnlock()
	heard := c.listener.Connected()
	if ok && heard && time.Now().Before(row.expires) {
		return row.value, nil
	}
	value, err := load(ctx, key)
	if err != nil || !heard {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		return value, nil
	}
	if len(c.rows) >= c.max {
		clear(c.rows)
	}
	c.rows[key] = cached[V]{value, time.Now().Add(c.ttl)}
	return value, nil
}

func (c *Cache[K, V]) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.rows)
	c.version++
}
