package channels_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// begun is a body that never ends by itself and says that it is being read.
type begun struct {
	*io.PipeReader
	readers *atomic.Int64
	once    atomic.Bool
}

// Read waits until the body is closed.
func (b *begun) Read(p []byte) (int, error) {
	if b.once.CompareAndSwap(false, true) {
		b.readers.Add(1)
	}
	return b.PipeReader.Read(p)
}

// A client that holds requests open, at addresses that exist or not, leaves room at the
// ranges of others.
func TestOneClientLeavesRangesOpen(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c, _ := site.SignIn(t, 0, identity.Developer)
	address := opened(t, c)
	const slow = 220
	var readers, answered atomic.Int64
	var bodies []*io.PipeWriter
	for range slow {
		read, write := io.Pipe()
		bodies = append(bodies, write)
		r := httptest.NewRequest(http.MethodPost, "/range/"+strings.Repeat("x", 32), &begun{PipeReader: read, readers: &readers})
		r.RemoteAddr = "198.51.100.7:1000"
		go func() {
			outside(site, r)
			answered.Add(1)
		}()
	}
	defer func() {
		for _, body := range bodies {
			body.Close()
		}
	}()
	for deadline := time.Now().Add(60 * time.Second); readers.Load()+answered.Load() < slow; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d requests are read and %d answered", readers.Load(), answered.Load())
		}
	}
	if got := outside(site, httptest.NewRequest(http.MethodPost, address, strings.NewReader("{}"))); got.Code != http.StatusOK {
		t.Errorf("beside %d slow requests of another client, a range answers %d %s", readers.Load(), got.Code, got.Body)
	}
}
