package api

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"heliograph/app/fault"
)

// bodied returns a request with a body of so many bytes, -1 for an unknown number.
func bodied(t *testing.T, size int64) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader("x"))
	r.ContentLength = size
	return r
}

// arrive reads size bytes of a body for an organisation, and leaves the request open.
func arrive(t *testing.T, l *Load, organisation int64, size int) (release func(), err error) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(strings.Repeat("x", size)))
	r.ContentLength = 1 << 20
	release = l.body(r, organisation, nil)
	_, err = io.Copy(io.Discard, r.Body)
	return release, err
}

func TestLoadBoundsMemory(t *testing.T) {
	t.Parallel()
	l := NewLoad(LoadLimits{Memory: 10 * 16 << 20, Patience: 10 * time.Millisecond})
	var releases []func()
	for organisation := int64(1); ; organisation++ {
		release, err := arrive(t, l, organisation, 1<<20)
		releases = append(releases, release)
		if err != nil {
			if !fault.Is(err, fault.Unavailable) || fault.As(err).RetryAfter == 0 {
				t.Errorf("without memory: %v", err)
			}
			break
		}
	}
	if len(releases) != 11 {
		t.Errorf("%d bodies of 1 MiB are decoded at once, want 10", len(releases)-1)
	}
	if release, err := arrive(t, l, 50, 1000); err != nil {
		t.Errorf("a small body: %v", err)
	} else {
		release()
	}
	releases[10]()
	releases[0]()
	releases[0]() // once is enough
	if release, err := arrive(t, l, 50, 1<<20); err != nil {
		t.Errorf("with memory again: %v", err)
	} else if _, err := arrive(t, l, 51, 1<<20); err == nil {
		t.Error("memory was given back twice")
	} else {
		release()
	}
}

// The large bodies of one organisation leave half of the memory to others, and the
// bodies of all callers without a key three quarters.
func TestLoadSharesMemory(t *testing.T) {
	t.Parallel()
	l := NewLoad(LoadLimits{Memory: 12 * 16 << 20, Patience: 10 * time.Millisecond})
	for _, tt := range []struct {
		organisation, fit int64
		kind              fault.Kind
	}{{0, 3, fault.Unavailable}, {1, 6, fault.Limited}, {2, 3, fault.Unavailable}} {
		for range tt.fit {
			if _, err := arrive(t, l, tt.organisation, 1<<20); err != nil {
				t.Fatalf("organisation %d: %v", tt.organisation, err)
			}
		}
		release, err := arrive(t, l, tt.organisation, 1<<20)
		if release(); !fault.Is(err, tt.kind) {
			t.Errorf("organisation %d beyond its share: %v", tt.organisation, err)
		}
	}
}

// Memory is reserved for what has arrived, whatever a client announces: the
// connections of strangers that send one byte hold none.
func TestLoadCountsWhatArrives(t *testing.T) {
	t.Parallel()
	l := NewLoad(LoadLimits{Memory: 8 * 16 << 20, Patience: 10 * time.Millisecond})
	for range 100 {
		if _, err := arrive(t, l, 0, 1); err != nil {
			t.Fatalf("one byte: %v", err)
		}
	}
	if _, err := arrive(t, l, 0, 1<<20); err != nil || l.free != 7*16<<20 {
		t.Errorf("a whole body among many that do not arrive: %v, %d bytes are left", err, l.free)
	}
	if _, err := arrive(t, l, 1, 100<<10); err != nil || l.user(1).memory != 2*bodyStep*decodedCost {
		t.Errorf("100 KiB reserve %d bytes: %v", l.user(1).memory, err)
	}
}

// One organisation at its bounds leaves room to another.
func TestLoadBoundsAnOrganisation(t *testing.T) {
	t.Parallel()
	limits := LoadLimits{Requests: 3, Uploads: 2, Files: 100 << 20, All: 3, Patience: 10 * time.Millisecond}
	for _, tt := range []struct {
		name    string
		size    int64
		streams bool
		want    int // of the first organisation
		other   int // of the second, beside it
		kind    fault.Kind
	}{
		{"requests", 10, false, 3, 3, fault.Limited},
		{"uploads", 10, true, 2, 1, fault.Limited},
		{"bytes of uploads", 60 << 20, true, 1, 1, fault.Limited},
		{"one large upload", 300 << 20, true, 1, 1, fault.Limited},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := NewLoad(limits)
			var releases []func()
			fill := func(organisation int64) (n int, err error) {
				for {
					release, err := l.request(bodied(t, tt.size), organisation, tt.streams)
					if err != nil {
						return n, err
					}
					n, releases = n+1, append(releases, release)
				}
			}
			if n, err := fill(1); n != tt.want || !fault.Is(err, tt.kind) || fault.As(err).RetryAfter == 0 {
				t.Errorf("%d at once, then %v; want %d", n, err, tt.want)
			}
			if n, err := fill(2); n != tt.other || err == nil {
				t.Errorf("%d of another organisation, want %d", n, tt.other)
			}
			for _, release := range releases {
				release()
			}
			if len(l.users) != 0 || l.uploads != 0 {
				t.Errorf("%d organisations and %d uploads are remembered after the last request", len(l.users), l.uploads)
			}
		})
	}
}

// A process that is full says so, instead of blaming the organisation.
func TestLoadBoundsTheProcess(t *testing.T) {
	t.Parallel()
	l := NewLoad(LoadLimits{Requests: 3, Uploads: 3, Files: 100, All: 1, Patience: 10 * time.Millisecond})
	if _, err := l.request(bodied(t, 10), 1, true); err != nil {
		t.Fatal(err)
	}
	if _, err := l.request(bodied(t, 10), 2, true); !fault.Is(err, fault.Unavailable) {
		t.Errorf("in a full process: %v", err)
	}
}

// A request that finds no room gets what comes free meanwhile.
func TestLoadLetsRequestsWait(t *testing.T) {
	t.Parallel()
	l := NewLoad(LoadLimits{Requests: 1, Patience: time.Minute})
	first, err := l.request(bodied(t, 10), 1, false)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			release, err := l.request(bodied(t, 10), 1, false)
			if err != nil {
				t.Error(err)
				return
			}
			release()
		})
	}
	first()
	wg.Wait()
}

// The large bodies of one organisation come at a rate: they wait, and are refused where
// they would wait too long. Others, and small bodies, are not held up.
func TestLoadPacesLargeBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := NewLoad(LoadLimits{Memory: 1 << 30, Rate: 1 << 20, Patience: time.Second})
		began := time.Now()
		post := func(organisation int64, size int) error {
			release, err := arrive(t, l, organisation, size)
			release()
			return err
		}
		took := func(want time.Duration, what string) {
			t.Helper()
			if took := time.Since(began); took != want {
				t.Errorf("%s after %v, want %v", what, took, want)
			}
		}
		for range 2 {
			if err := post(1, 1<<20); err != nil {
				t.Fatal(err)
			}
		}
		took(0, "a burst is read")
		if err := post(1, 512<<10); err != nil {
			t.Fatal(err)
		}
		took(500*time.Millisecond, "the next body is read")
		for range 16 { // each waits for the next 64 KiB
			go post(1, 512<<10) //nolint:errcheck // they use the rate
		}
		synctest.Wait()
		if err := post(1, 512<<10); !fault.Is(err, fault.Limited) || fault.As(err).RetryAfter == 0 {
			t.Errorf("beyond the rate: %v", err)
		}
		began = time.Now()
		if err := errors.Join(post(1, 1000), post(2, 1<<20), post(0, 1<<20)); err != nil {
			t.Error(err)
		}
		took(0, "a small body and other callers are read")
		time.Sleep(time.Minute)
		began = time.Now()
		if err := post(1, 1<<20); err != nil {
			t.Error(err)
		}
		took(0, "a body after a pause is read")
	})
}
