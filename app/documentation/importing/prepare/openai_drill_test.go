//go:build drill && linux

package prepare

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/app/documentation/openapi/corpus"
)

// TestOpenAIDrill reads OpenAI's document within two seconds of processor time, since
// other programs may take turns.
//
//	go test -tags drill -run OpenAIDrill -v ./app/documentation/importing/prepare
func TestOpenAIDrill(t *testing.T) {
	for _, d := range corpus.Real(t) {
		if !strings.HasPrefix(d.Name, "openai") {
			continue
		}
		best := time.Hour
		for range 3 {
			began := processor(t)
			if r := prepared(t, Request{Data: d.Data, Place: "/docs/openai/1.0"}); r.Operations < 288 {
				t.Errorf("%d operations are read", r.Operations)
			}
			best = min(best, processor(t)-began)
		}
		t.Logf("%s is read within %v", d.Name, best.Round(time.Millisecond))
		if best > 2*time.Second {
			t.Errorf("%s takes %v, want 2 s", d.Name, best)
		}
		return
	}
	t.Skip("OpenAI's document is absent")
}

// processor is the processor time of this program so far.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
