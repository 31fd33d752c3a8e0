package outbound

import (
	"sync"
	"time"
)

// What an upstream allows between one number and one recipient: a burst, and then one
// message in pairPause.
const (
	pairBurst = 45
	mostPairs = 50_000 // that a process remembers
)

// pacer spreads the messages of a carrier: so many a second of each number, and few of a
// number to one recipient. It waits longer for what the upstream calls too fast. Each
// process has its own, so that the upstream has the last word.
type pacer struct {
	mu      sync.Mutex
	rate    float64 // a second, of one number
	numbers map[string]*bucket
	pairs   map[string]*bucket
}

// bucket holds the messages that may be sent now. It fills over time.
type bucket struct {
	level   float64
	at      time.Time
	blocked time.Time // until then nothing is sent
}

func newPacer(perSecond int) *pacer {
	return &pacer{rate: float64(perSecond), numbers: map[string]*bucket{}, pairs: map[string]*bucket{}}
}

// take takes a place for a message of a number to a recipient. wait is how long until
// there is one, and code the reason.
func (p *pacer) take(number, recipient string, now time.Time) (wait time.Duration, code int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one, pair := p.bucket(p.numbers, number, p.rate, now), p.bucket(p.pairs, number+" "+recipient, pairBurst, now)
	one.fill(p.rate, p.rate, now)
	pair.fill(1/pairPause.Seconds(), pairBurst, now)
	if wait := pair.wait(1/pairPause.Seconds(), now); wait > 0 {
		return wait, graphPairFast
	}
	if wait := one.wait(p.rate, now); wait > 0 {
		return wait, graphNumberFast
	}
	one.level--
	pair.level--
	return 0, 0
}

// slow makes the messages of a number or a pair wait that the upstream calls too fast.
func (p *pacer) slow(number, recipient string, e *CarrierError, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !e.Temporary || e.Wait == 0:
	case e.Code == graphPairFast:
		p.bucket(p.pairs, number+" "+recipient, pairBurst, now).blocked = now.Add(e.Wait)
	case e.Code == graphNumberFast || e.Code == 80007 || e.Code == 4:
		p.bucket(p.numbers, number, p.rate, now).blocked = now.Add(e.Wait)
	}
}

func (p *pacer) bucket(of map[string]*bucket, key string, full float64, now time.Time) *bucket {
	b := of[key]
	if b == nil {
		if len(of) >= mostPairs {
			clear(of)
		}
		b = &bucket{level: full, at: now}
		of[key] = b
	}
	return b
}

func (b *bucket) fill(rate, full float64, now time.Time) {
	b.level, b.at = min(b.level+now.Sub(b.at).Seconds()*rate, full), now
}

// wait returns how long until there is a place.
func (b *bucket) wait(rate float64, now time.Time) time.Duration {
	wait := b.blocked.Sub(now)
	if b.level < 1 {
		wait = max(wait, time.Duration((1-b.level)/rate*float64(time.Second)))
	}
	return max(wait, 0)
}
