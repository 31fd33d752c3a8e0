//go:build drill && linux

package main

import (
	"flag"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"
)

var drillTurns = flag.Int("drill.turns", 8, "how often the drill of accepting measures each commit")

const (
	acceptedBefore = "e2e60e91" // the commit to compare with if -drill.before names none

	acceptTurn  = 4 * time.Second
	leastAccept = 0.97 // of the rate of the other commit
)

// TestAcceptBeforeDrill compares how many messages and SMS a web process accepts with
// another commit. Both programs run on one database, and are measured in turns. Of each
// turn the two rates make a ratio, so that what changes over time changes both; the
// median of the ratios counts.
//
//	go test -tags drill -run AcceptBeforeDrill -v ./app
func TestAcceptBeforeDrill(t *testing.T) {
	const connections = 64
	f := newFleet(t)
	if *drillBefore == "" {
		*drillBefore = acceptedBefore
	}
	old, commit := f.buildBefore()
	p := newPartner(t, f)
	before, after := old.start("web"), f.start("web")
	message := func(web *process) request {
		return request{
			method: http.MethodPost, url: web.url + "/v3/" + p.PhoneNumberID + "/messages",
			header: map[string]string{"apikey": p.APIKey, "Content-Type": "application/json"},
			body:   string(p.messageBody(ordinary, "order-1")),
		}
	}
	text := func(web *process) request {
		return request{method: http.MethodGet, url: web.url + "/genericapi/QSGenericReceiver?" + url.Values{
			"version": {"1.0"}, "accesskey": {p.APIKey}, "dest": {"919812345678"}, "header": {p.SMSHeader}, "msg": {"Your parcel arrives on Friday."}, "type": {"PM"},
			"dlt_entity_id": {p.DLTEntityID}, "dlt_template_id": {p.DLTTemplateID},
		}.Encode()}
	}
	for name, made := range map[string]func(*process) request{"messages": message, "SMS": text} {
		var ratios []float64
		for turn := range *drillTurns {
			sides := []*process{before, after}
			if turn%2 == 1 {
				slices.Reverse(sides)
			}
			rates := map[*process]float64{}
			for _, web := range sides {
				stored := f.stored()
				rates[web] = hammerFor(t, acceptTurn, connections, made(web)).perSecond
				if got, want := float64(f.stored()-stored), rates[web]*acceptTurn.Seconds(); got < want*9/10 {
					t.Errorf("%s: %.0f answers stored %.0f messages: the others were refused", name, want, got)
				}
			}
			ratios = append(ratios, rates[after]/rates[before])
			t.Logf("%s: %.0f a second, %.0f with %s", name, rates[after], rates[before], commit)
		}
		slices.Sort(ratios)
		median := (ratios[(len(ratios)-1)/2] + ratios[len(ratios)/2]) / 2
		t.Logf("%s: %.3f times as many as before, of %.3f to %.3f", name, median, ratios[0], ratios[len(ratios)-1])
		if median < leastAccept {
			t.Errorf("%s: %.3f times as many are accepted as before, want %.2f", name, median, leastAccept)
		}
	}
	if len(f.column(`select id::text from messages limit 1`)) == 0 {
		t.Error("no message was stored")
	}
}

// stored returns how many messages are stored.
func (f *fleet) stored() (n int) {
	f.t.Helper()
	if err := f.pool.QueryRow(f.t.Context(), `select count(*) from messages`).Scan(&n); err != nil {
		f.t.Fatal(err)
	}
	return n
}
