//go:build linux

package main

import (
	"net/http"
	"net/url"
	"testing"

	"heliograph/app/outbound/kanneltest"
)

// BenchmarkSMSAccept measures how many SMS a web process accepts by query string, each
// durable before its reply, against the sendsms interface of Kannel, which keeps
// messages in its file store. The operator behind Kannel is away, so that neither side
// hands anything over. Each turn of Kannel has a gateway of its own, since it goes on
// working on what it took for long after.
func BenchmarkSMSAccept(b *testing.B) {
	const connections = 64
	f := newFleet(b)
	p := newPartner(b, f)
	web := f.start("web")
	const recipient, text = "919812345678", "Your parcel arrives on Friday."
	theirs := url.Values{
		"username": {kanneltest.Username}, "password": {kanneltest.Password}, "from": {p.SMSHeader}, "to": {recipient}, "text": {text},
	}
	ours := request{method: http.MethodGet, url: web.url + "/genericapi/QSGenericReceiver?" + url.Values{
		"version": {"1.0"}, "accesskey": {p.APIKey}, "dest": {recipient}, "header": {p.SMSHeader}, "msg": {text}, "type": {"PM"},
		"dlt_entity_id": {p.DLTEntityID}, "dlt_template_id": {p.DLTTemplateID},
	}.Encode()}
	var accepts, kannel []float64
	for range benchTurns {
		gateway := kanneltest.StartWith(b, kanneltest.Config{Retries: -1, Store: true}, func(kanneltest.Submitted) string { return "DELIVRD" })
		kanneltest.Await(b, "Kannel is bound", gateway.Bound)
		gateway.Leave()
		kannel = append(kannel, hammer(b, connections, request{method: http.MethodGet, url: gateway.URL + "?" + theirs.Encode()}).perSecond)
		gateway.End()
		accepts = append(accepts, hammer(b, connections, ours).perSecond)
	}
	if n := f.countMessages(b); n == 0 {
		b.Fatal("no message was stored")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(mean(accepts), "accepts/s")
	b.ReportMetric(mean(kannel), "kannel/s")
	b.ReportMetric(mean(accepts)/mean(kannel), "ratio")
}
