//go:build browser

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mostHourPresses and mostHourFields are what the way without a terminal takes. It must
// not become longer.
const (
	mostHourPresses = 9
	mostHourFields  = 7
)

// A partner registers, opens an address of the webhook range, sets it as webhook, sees a
// message on the phone of the simulator, sends it in the sandbox, and reads the callback
// with its verified signature: in the browser alone, without a terminal and a receiver.
func TestPartnersHourInTheBrowser(t *testing.T) {
	t.Parallel()
	a, stop := startDev(t, filepath.Join(t.TempDir(), ".data"))
	defer stop(syscall.SIGINT)
	r := newReader(t, "pointer")
	began := time.Now()
	r.register(a)
	r.press(`#sections a[href="/account/webhook-range"]`)
	r.press(`form[action="/account/webhook-range/open"] button`)
	address := strings.TrimSpace(r.text("section[aria-labelledby=address] pre"))
	r.press(`section[aria-labelledby=address] a[href="/account/webhooks"]`)
	r.press(`main td a[href^="/account/webhooks/"]`)
	r.fill("#field-url", address)
	r.press("#form-webhook .primary")
	r.shown(".toast .done") // the webhook is stored
	r.open(a.URL + "/simulators/messaging")
	r.shown(".sim-phone")
	r.press(`button[formaction="/simulators/messaging/send"]`)
	r.shown(".sim-preview .alert.good")
	r.open(a.URL + "/account/webhook-range")
	r.press(`section[aria-labelledby=came] tbody a`)
	if said := r.text("#form-check .badge"); !strings.Contains(said, "The signature matches") {
		t.Errorf("the range says %q: %s", said, r.text("#form-check"))
	}
	t.Logf("from the form to the verified callback without a terminal: %d presses, 2 addresses and %d fields in %s", r.effort.presses, r.effort.fields, time.Since(began).Round(time.Second))
	if r.effort.presses > mostHourPresses || r.effort.fields > mostHourFields {
		t.Errorf("the way takes %d presses and %d fields, at most %d and %d are accepted", r.effort.presses, r.effort.fields, mostHourPresses, mostHourFields)
	}
}
