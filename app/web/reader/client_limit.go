package reader

import (
	"context"
	"sync"
	"time"

	"heliograph/app/operation/limit"
)

// takenAtOnce is the number of requests that one use of the shared limit
// covers, so that counting costs less than serving.
const takenAtOnce = 20

// These limits protect the machine only, so requests pass while they cannot be
// counted. A fast typist searches five times a second. A page that shows one
// field is rendered for each request and costs as much as ten searches.
var (
	searches   = limit.Limit{Name: "search", Burst: 600 / takenAtOnce, Period: time.Minute, Open: true}
	fieldPages = limit.Limit{Name: "field_page", Burst: 200 / takenAtOnce, Period: time.Minute, Open: true}

	// Programs that mirror a portal read a file for each endpoint.
	fileRequests = limit.Limit{Name: "file", Burst: 1200 / takenAtOnce, Period: time.Minute, Open: true}
)

// meter counts the requests of each address between uses of the shared limit.
type meter struct {
	limiter *limit.Limiter
	limit   limit.Limit
	mu      sync.Mutex
	left    map[string]int
}

// maxAddresses bounds the memory of a meter. Beyond it the meter forgets all
// addresses.
const maxAddresses = 10_000

func newMeter(limiter *limit.Limiter, l limit.Limit) *meter {
	return &meter{limiter: limiter, limit: l, left: map[string]int{}}
}

// take counts one request of an address. Too many are a Limited fault.
func (m *meter) take(ctx context.Context, address string) error {
	if m.spend(address) {
		return nil
	}
	if err := m.limiter.Take(ctx, m.limit, address); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.left) >= maxAddresses {
		clear(m.left)
	}
	m.left[address] += takenAtOnce - 1
	return nil
}

// spend uses one of the requests that an address has left, and reports whether
// it had any.
func (m *meter) spend(address string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left[address] == 0 {
		return false
	}
	m.left[address]--
	return true
}
