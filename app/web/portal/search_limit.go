package portal

import (
	"context"
	"sync"
	"time"

	"heliograph/app/limit"
)

// searchesTaken is how many searches one use of the shared limit stands for,
// so that counting costs less than searching.
const searchesTaken = 20

// searches allows 600 a minute and address in each process: generous, as a fast
// typist sends five a second. It guards nothing but the machine, so that it
// stays open while it cannot be counted.
var searches = limit.Limit{Name: "search", Burst: 600 / searchesTaken, Period: time.Minute, Open: true}

// meter counts the searches of each address between uses of the shared limit.
type meter struct {
	limiter *limit.Limiter
	mu      sync.Mutex
	left    map[string]int
}

// maxAddresses bounds the memory of a meter; beyond it everybody starts anew.
const maxAddresses = 10_000

func newMeter(limiter *limit.Limiter) *meter {
	return &meter{limiter: limiter, left: map[string]int{}}
}

// take counts one search of an address; too many are a Limited fault.
func (m *meter) take(ctx context.Context, address string) error {
	if m.spend(address) {
		return nil
	}
	if err := m.limiter.Take(ctx, searches, address); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.left) >= maxAddresses {
		clear(m.left)
	}
	m.left[address] += searchesTaken - 1
	return nil
}

// spend takes one of the searches that are left to an address, if any are.
func (m *meter) spend(address string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left[address] == 0 {
		return false
	}
	m.left[address]--
	return true
}
