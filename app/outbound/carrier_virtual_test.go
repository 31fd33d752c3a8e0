package outbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestVirtualCarrier(t *testing.T) {
	t.Parallel()
	usual := []string{"sent", "0s delivered", "0s read"}
	for recipient, want := range map[string][]string{
		"919812340001":     {"131026 Message undeliverable"},
		"919812340002":     {"131049 Message not delivered to keep the channel healthy"},
		"919812340003":     {"sent"},
		"919812340004":     {"sent", "0s delivered"},
		"919812340005":     {"sent", "10s delivered", "10s read"},
		"919812340006":     append([]string{"131016 Service unavailable, temporary", "131016 Service unavailable, temporary"}, usual...),
		"919812340007":     usual,
		"919812340008":     append(slices.Clone(usual), "0s replied"),
		"919812345678":     usual,
		"+91 98123 4-0003": {"sent"},
		"0003":             {"sent"},
		"3":                usual,
		"":                 usual,
	} {
		if diff := cmp.Diff(want, story(t, NewVirtual(nil), recipient)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", recipient, diff)
		}
	}
}

// story sends a message until it is accepted or rejected for good and follows
// its events to the end.
func story(t *testing.T, c *Virtual, recipient string) (events []string) {
	t.Helper()
	for attempt := 1; ; attempt++ {
		receipt, err := c.Send(t.Context(), Message{ID: "msg_1", Attempt: attempt, Recipient: recipient})
		var refusal *CarrierError
		switch {
		case errors.As(err, &refusal) && refusal.Temporary:
			events = append(events, fmt.Sprintf("%d %s, temporary", refusal.Code, refusal.Title))
			continue
		case errors.As(err, &refusal):
			return append(events, fmt.Sprintf("%d %s", refusal.Code, refusal.Title))
		case err != nil || receipt.ProviderID != "virtual-msg_1":
			t.Fatalf("Send = %+v, %v", receipt, err)
		}
		events = append(events, string(receipt.State))
		for state := receipt.State; ; {
			step, ok := c.Next("messaging", recipient, state)
			if !ok {
				return events
			}
			events = append(events, fmt.Sprint(step.Delay, " ", step.State))
			state = step.State
		}
	}
}

func TestVirtualCarrierLogsEachCall(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	c := NewVirtual(&log)
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			for range 2 {
				if _, err := c.Send(t.Context(), Message{ID: fmt.Sprintf("msg_%d", i), Attempt: 1, Recipient: "919812345678"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	line := regexp.MustCompile(`^\S+Z (msg_\d+)$`)
	calls := map[string]int{}
	for l := range strings.Lines(log.String()) {
		m := line.FindStringSubmatch(strings.TrimSuffix(l, "\n"))
		if m == nil {
			t.Fatalf("log line %q", l)
		}
		at, _, _ := strings.Cut(l, " ")
		if _, err := time.Parse(time.RFC3339Nano, at); err != nil {
			t.Error(err)
		}
		calls[m[1]]++
	}
	if len(calls) != 50 || calls["msg_7"] != 2 {
		t.Errorf("the log counts %d messages and %d calls for msg_7, want 50 and 2", len(calls), calls["msg_7"])
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestVirtualCarrierThatKnowsNothingSaysSo(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, send := range map[string]func() (Receipt, error){
		"ended":    func() (Receipt, error) { return NewVirtual(nil).Send(ended, Message{Recipient: "0001"}) },
		"full log": func() (Receipt, error) { return NewVirtual(full{}).Send(t.Context(), Message{Recipient: "0001"}) },
	} {
		var refusal *CarrierError
		if _, err := send(); err == nil || errors.As(err, &refusal) {
			t.Errorf("%s: Send gave %v, want an error that is not a refusal", name, err)
		}
	}
}
