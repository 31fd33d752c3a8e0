package outbound

import (
	"container/list"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	maxOwners = 256      // transports kept; the least recently used goes first
	maxIdle   = 8        // kept-alive connections of one owner, if Options name no number
	maxHeader = 64 << 10 // bytes of response headers
)

// transports holds one connection pool per owner, so that a connection opened
// for one tenant never carries another's request, while the deliveries of a busy
// owner still share connections. All use HTTP/1.1, so that the headers, framing
// and limits of only one protocol have to be secured.
type transports struct {
	single *http.Transport // for no owner: a connection per request
	fresh  func() *http.Transport

	mu     sync.Mutex
	recent *list.List // of *pool, the most recently used first
	pools  map[string]*list.Element
}

type pool struct {
	owner     string
	transport *http.Transport
}

func newTransports(d *net.Dialer, headerTimeout time.Duration, idle int) *transports {
	fresh := func() *http.Transport {
		return &http.Transport{
			Proxy:                  nil, // a proxy would dial for us, past the guard
			DialContext:            d.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    5 * time.Second,
			ResponseHeaderTimeout:  headerTimeout,
			MaxResponseHeaderBytes: maxHeader,
			MaxIdleConns:           idle,
			MaxIdleConnsPerHost:    idle,
			IdleConnTimeout:        30 * time.Second,
			DisableCompression:     true, // a small gzip body can expand without limit
		}
	}
	single := fresh()
	single.DisableKeepAlives = true
	return &transports{single: single, fresh: fresh, recent: list.New(), pools: map[string]*list.Element{}}
}

// get returns the owner's transport and creates it on first use. A transport
// that is evicted finishes its requests and closes its connections.
func (t *transports) get(owner string) *http.Transport {
	if owner == "" {
		return t.single
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.pools[owner]; ok {
		t.recent.MoveToFront(e)
		return e.Value.(*pool).transport
	}
	p := &pool{owner, t.fresh()}
	t.pools[owner] = t.recent.PushFront(p)
	if t.recent.Len() > maxOwners {
		old := t.recent.Remove(t.recent.Back()).(*pool)
		delete(t.pools, old.owner)
		old.transport.CloseIdleConnections()
	}
	return p.transport
}
