package mock

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Rate is how many requests one address may make.
type Rate struct {
	PerSecond int // on average; 0 is no limit
	Burst     int // at once
}

// mostCallers bounds the memory of a meter. Beyond it the meter forgets callers
// with a full bucket, then all.
const mostCallers = 50_000

// meter counts requests by caller with the generic cell rate algorithm. Counts
// belong to the process, so that a request needs no database.
type meter struct {
	rate Rate
	now  func() time.Time
	mu   sync.Mutex
	full map[string]time.Time // when the bucket of a caller is full again
}

func newMeter(rate Rate, now func() time.Time) *meter {
	return &meter{rate: rate, now: now, full: map[string]time.Time{}}
}

// take counts a request. It returns how many are left at once, and how long to
// wait, zero if the request may pass.
func (m *meter) take(caller string) (left int, wait time.Duration) {
	each := time.Second / time.Duration(m.rate.PerSecond)
	now := m.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	full := m.full[caller]
	if full.Before(now) {
		full = now
	}
	room := each*time.Duration(m.rate.Burst) - full.Sub(now)
	if room < each {
		return 0, each - room
	}
	if len(m.full) >= mostCallers {
		m.forget(now)
	}
	m.full[caller] = full.Add(each)
	return int((room - each) / each), 0
}

func (m *meter) forget(now time.Time) {
	for caller, full := range m.full {
		if full.Before(now) {
			delete(m.full, caller)
		}
	}
	if len(m.full) >= mostCallers {
		clear(m.full)
	}
}

// admit counts a request and writes the headers of the limit
// (draft-ietf-httpapi-ratelimit-headers). It returns the answer of a request
// that is over the limit.
func (s *Service) admit(caller string, header http.Header) *answer {
	if s.meter.rate.PerSecond <= 0 {
		return nil
	}
	left, wait := s.meter.take(caller)
	seconds := int(math.Ceil(wait.Seconds()))
	header["Ratelimit-Policy"] = s.policy
	header["Ratelimit"] = []string{`"mock";r=` + strconv.Itoa(left) + ";t=" + strconv.Itoa(seconds)}
	if wait == 0 {
		return nil
	}
	header["Retry-After"] = []string{strconv.Itoa(seconds)}
	return refusal(kindLimited, http.StatusTooManyRequests, fmt.Sprintf("One address may make %d requests a second here, %d at once. Wait %d s.", s.meter.rate.PerSecond, s.meter.rate.Burst, seconds))
}
