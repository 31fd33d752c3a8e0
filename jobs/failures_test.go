package jobs

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/riverqueue/river/rivertype"
)

var discarding = slog.New(slog.DiscardHandler)

// lockedBuffer is a buffer that timers write to.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

func (b *lockedBuffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buffer.Reset()
}

func TestFailuresAreLoggedOnceACauseAndMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out lockedBuffer
		f := newFailures(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}})))
		fail := func(id int64, kind, text string) {
			f.HandleError(t.Context(), &rivertype.JobRow{ID: id, Kind: kind, Attempt: 3}, errors.New(text))
		}
		open := func() int {
			f.mu.Lock()
			defer f.mu.Unlock()
			return len(f.open)
		}
		logged := func(want ...string) {
			t.Helper()
			synctest.Wait() // for timers that are logging
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(lines, "\n")); diff != "" {
				t.Errorf("the log (-want +got):\n%s", diff)
			}
			out.Reset()
		}
		for i := range int64(4000) {
			fail(i, "relay_callback", fmt.Sprintf("delivery %d: the key is missing", i))
			fail(i, "carry_message", "disk full at https://carrier.example.com/send?key=canary")
		}
		logged(`level=ERROR msg="a job failed" kind=relay_callback job=0 attempt=3 error="delivery 0: the key is missing"`,
			`level=ERROR msg="a job failed" kind=carry_message job=0 attempt=3 error="disk full at https://carrier.example.com/send?…"`)
		time.Sleep(failureWindow + time.Second)
		synctest.Wait()
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(got) != 2 || !strings.Contains(out.String(), `kind=relay_callback cause="delivery #: the key is missing" attempts=3999 last_job=3999`) {
			t.Errorf("after a minute:\n%s", out.String())
		}
		out.Reset()
		time.Sleep(failureWindow) // nothing failed meanwhile: nothing is logged
		logged("")
		fail(7, "relay_callback", "delivery 7: the key is missing")
		logged(`level=ERROR msg="a job failed" kind=relay_callback job=7 attempt=3 error="delivery 7: the key is missing"`)

		for i := range 3 * failureCauses { // causes are bounded, whatever errors say
			fail(1, "carry_message", strings.Repeat("x ", i/40)+strings.Repeat("y ", i%40))
		}
		if n := open(); n != failureCauses+1 {
			t.Errorf("%d causes are kept, want %d", n, failureCauses+1)
		}
		time.Sleep(3 * failureWindow)
		synctest.Wait()
		if n := open(); n != 0 {
			t.Errorf("%d causes are kept after it is quiet", n)
		}
	})
}
