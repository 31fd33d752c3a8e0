package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// ask makes a request and holds its answer against what must always be so. ok
// is true when it did what it was meant to: not when its body was spoilt first,
// nor when it was a repetition.
func (w *walk) ask(p *player, id string, r request) (a answer, ok bool) {
	w.t.Helper()
	headers := []string{"Content-Type", "application/json"}
	if r.contentType != "" {
		headers[1] = r.contentType
	}
	var key string
	if r.creates && w.sometimes(4) {
		key = fmt.Sprintf("key-%d", w.n(30))
		headers = append(headers, "Idempotency-Key", key)
	}
	sent := r
	if r.body != "" && key == "" && w.sometimes(6) {
		sent.body, sent.spoilt = w.mangled(r.body), true
	}
	a = w.send(p, sent, headers)
	used := slices.IndexFunc(p.keyed, func(k keyed) bool { return k.key == key })
	switch replayed := a.header.Get("Idempotent-Replayed") == "true"; {
	case key != "" && used >= 0 && a.status == http.StatusOK:
		w.t.Errorf("%s: another request under %s was answered 200", id, key)
	case replayed:
		w.t.Errorf("%s: said to be repeated, and was not", id)
	case key != "" && used >= 0:
		sent.spoilt = true // refused for its key, or for what else is wrong
	}
	if !sent.wants(a.status) {
		w.t.Errorf("%s of %s (spoilt: %v) answers %d %.300s to %v", id, p.marker, sent.spoilt, a.status, a.body, r.refs)
	}
	if a.status != http.StatusOK {
		return a, false
	}
	w.done[id]++
	if sent.body != r.body {
		delete(p.known, r.place)
		return a, false
	}
	if key != "" {
		p.keyed = append(p.keyed, keyed{key, r, string(a.body)})
	}
	return a, true
}

// send makes a request and looks for what no answer may have.
func (w *walk) send(p *player, r request, headers []string) (a answer) {
	w.t.Helper()
	if r.file {
		a = p.fetch(w.t, r.method, r.path, headers...)
	} else {
		a = p.call(w.t, r.method, r.path, r.body, headers...)
	}
	if w.trace = append(w.trace, fmt.Sprintf("%6d %s: %s %.200s %.400q = %d %.300q", w.step, p.marker, r.method, r.path, r.body, a.status, a.body)); len(w.trace) > 25 {
		w.trace = w.trace[1:]
	}
	if a.status >= http.StatusInternalServerError {
		w.t.Errorf("%s %.200s answers %d", r.method, r.path, a.status)
	}
	said := string(a.body) + fmt.Sprint(a.header)
	other := w.other(p)
	secrets := []string{other.marker, other.key, other.sandbox.WebhookSecret, other.sandbox.PhoneNumber}
	for kind, ids := range other.made {
		if kind != "order" { // which partners name themselves
			secrets = append(secrets, ids...)
		}
	}
	for _, secret := range secrets {
		if strings.Contains(said, secret) && !strings.Contains(r.path+r.body, secret) {
			w.t.Errorf("%s %.200s tells %s of %s, which is the other's", r.method, r.path, p.marker, secret)
		}
	}
	return a
}

// repeat makes an earlier request again, under its key.
func (w *walk) repeat(p *player) {
	w.t.Helper()
	if len(p.keyed) == 0 {
		return
	}
	k := p.keyed[w.n(len(p.keyed))]
	kind := k.contentType
	if kind == "" {
		kind = "application/json"
	}
	a := w.send(p, k.request, []string{"Content-Type", kind, "Idempotency-Key", k.key})
	if a.status != http.StatusOK || string(a.body) != k.answer || a.header.Get("Idempotent-Replayed") != "true" {
		w.t.Errorf("the same request under %s again = %d %s, want %s", k.key, a.status, a.body, k.answer)
	}
	w.done["repeat"]++
}

// knows compares what a player reads with what it last wrote there.
func (w *walk) knows(p *player, place, read string) {
	w.t.Helper()
	if want, known := p.known[place]; known && want != read {
		w.t.Errorf("%s of %s reads %s, want %s", place, p.marker, read, want)
	}
	p.known[place] = read
}

var (
	value    = regexp.MustCompile(`:\s*("(?:[^"\\]|\\.)*"|-?\d+|true|false)`)
	strange  = []string{`{}`, `[]`, `null`, `-1`, `0`, `1e308`, `true`, `""`, `"\u0000"`, `"\ud800"`, `[[1]]`, `{"a":{"b":1}}`, `99999999999999999999`, `1.5`, `"x"`}
	hostiles = []string{`[]`, `null`, `"x"`, `{`, "\xff\xfe", strings.Repeat(`{"a":`, 3000) + `1` + strings.Repeat(`}`, 3000), `{"a":"` + strings.Repeat("x", 1<<20) + `"}`}
)

// mangled spoils a body: a value of another type, a byte, its end, or all.
func (w *walk) mangled(body string) string {
	switch w.n(8) {
	case 0:
		return pickOne(w, hostiles...)
	case 1:
		return body[:w.n(len(body))]
	case 2:
		at := w.n(len(body))
		return body[:at] + string([]byte{byte(w.n(256))}) + body[at+1:]
	}
	places := value.FindAllStringSubmatchIndex(body, -1)
	if len(places) == 0 {
		return body + "x"
	}
	at := places[w.n(len(places))]
	with := pickOne(w, strange...)
	if w.sometimes(10) {
		with = `"` + strings.Repeat("x", 70_000) + `"`
	}
	return body[:at[2]] + with + body[at[3]:]
}
