package limit

import "sync"

// Crowd bounds how many requests of a process do something at once that needs no key,
// such as waiting for an answer. One client or one address gets a quarter of the places
// at most, so that nobody takes them from all others.
type Crowd struct {
	most int

	mu     sync.Mutex
	inside int
	of     map[string]int
}

// NewCrowd returns a crowd with so many places.
func NewCrowd(most int) *Crowd { return &Crowd{most: most, of: map[string]int{}} }

// Enter takes a place, which counts for each of the keys. It reports false if all places
// are taken, or if one of the keys has its quarter. Call leave once to give it back.
func (c *Crowd) Enter(keys ...string) (leave func(), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inside >= c.most {
		return nil, false
	}
	for _, key := range keys {
		if c.of[key] >= max(c.most/4, 1) {
			return nil, false
		}
	}
	c.count(keys, 1)
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.count(keys, -1)
	}), true
}

// count adds n requests. The caller holds the lock.
func (c *Crowd) count(keys []string, n int) {
	c.inside += n
	for _, key := range keys {
		if c.of[key] += n; c.of[key] == 0 {
			delete(c.of, key)
		}
	}
}
