package webhookrange

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels"
	"heliograph/app/channels/simulate"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	operationwrites "heliograph/db/queries/operation/writes"
)

// newService returns a service over a transaction, with an organisation.
func newService(t *testing.T) (s *Service, tx pgx.Tx, organisation int64) {
	t.Helper()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	tx = dbtest.Tx(t)
	organisation = identitytest.AddOrganisation(t, tx, models.Organisation{Name: "Lighthouse"}, "asha@example.com")
	return New(Options{Channels: channels.Declared(), DB: tx, Keyring: keys, PublicURL: "https://docs.example.com"}), tx, organisation
}

// opened opens the address of an organisation and returns its token.
func opened(t *testing.T, s *Service, organisation int64) string {
	t.Helper()
	if err := s.Open(t.Context(), organisation, "user:1"); err != nil {
		t.Fatal(err)
	}
	r, err := s.Get(t.Context(), organisation)
	if err != nil {
		t.Fatal(err)
	}
	_, token, ok := strings.Cut(r.Address, Prefix+"/")
	if !ok || r.Address != "https://docs.example.com/range/"+token {
		t.Fatalf("the address is %q", r.Address)
	}
	return token
}

func post(body, id string) Request {
	return Request{Method: http.MethodPost, Header: http.Header{"Webhook-Id": {id}, "Cookie": {"session=planted"}, "X-Forwarded-For": {"203.0.113.7"}, "Authorization": {"Bearer planted-token"}}, Body: []byte(body)}
}

// A range shows the newest requests and those that are kept, marks what came before,
// and stores no content that can be read.
func TestRangeKeepsWhatItPromises(t *testing.T) {
	t.Parallel()
	s, tx, organisation := newService(t)
	ctx := t.Context()
	token := opened(t, s, organisation)
	take := func(r Request) {
		t.Helper()
		if _, err := s.Take(ctx, token, r); err != nil {
			t.Fatal(err)
		}
	}
	take(post(`{"planted":"first"}`, "evt-1"))
	list, err := s.List(ctx, organisation)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d requests, %v", len(list), err)
	}
	first := list[0]
	if err := s.SetKept(ctx, organisation, first.ID, true); err != nil {
		t.Fatal(err)
	}
	for i := range MaxRequests + 5 {
		take(post("{}", "evt-"+strconv.Itoa(100+i)))
	}
	take(post(`{"planted":"first"}`, "evt-1"))
	list, err = s.List(ctx, organisation)
	if err != nil || len(list) != MaxRequests {
		t.Fatalf("%d requests are shown, want %d; %v", len(list), MaxRequests, err)
	}
	if last := list[len(list)-1]; last.ID != first.ID || !last.Kept {
		t.Errorf("the kept request made room for others")
	}
	if again := list[0]; again.FirstNumber == nil || *again.FirstNumber != 1 || list[1].FirstNumber != nil {
		t.Errorf("the repeated request is marked %v, the one before %v", again.FirstNumber, list[1].FirstNumber)
	}
	found, err := s.Find(ctx, organisation, first.ID)
	if err != nil || string(found.Body) != `{"planted":"first"}` || found.Get("authorization") != "Bearer planted-token" || found.Get("Cookie") != "" || found.Get("X-Forwarded-For") != "" {
		t.Errorf("%+v, %v", found, err)
	}
	if at := dbtest.Find(dbtest.Dump(t, tx), "planted"); at != "" {
		t.Errorf("content can be read in the database: %s", at)
	}
	if _, err := s.Replay(ctx, organisation, first.ID); err != nil {
		t.Fatal(err)
	}
	list, _ = s.List(ctx, organisation)
	replayed, err := s.Find(ctx, organisation, list[0].ID)
	if err != nil || replayed.ReplayOf == nil || *replayed.ReplayOf != 1 || !bytes.Equal(replayed.Body, found.Body) || replayed.Inside {
		t.Errorf("replayed: %+v, %v", replayed, err)
	}
}

// Another organisation finds nothing, an ended address takes nothing, and a day later
// everything is gone. Erasing a recipient empties the range.
func TestRangeEnds(t *testing.T) {
	t.Parallel()
	s, tx, organisation := newService(t)
	ctx := t.Context()
	token := opened(t, s, organisation)
	other := identitytest.AddOrganisation(t, tx, models.Organisation{Name: "Other"}, "ravi@example.com")
	if _, err := s.Take(ctx, token, post("{}", "1")); err != nil {
		t.Fatal(err)
	}
	list, _ := s.List(ctx, organisation)
	if _, err := s.Find(ctx, other, list[0].ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("another organisation gets %v", err)
	}
	if _, err := operationwrites.RecipientDelete(ctx, tx, other, "919812345678"); err != nil {
		t.Fatal(err)
	}
	if list, _ := s.List(ctx, organisation); len(list) != 1 {
		t.Error("an erasure of another organisation emptied the range")
	}
	if _, err := operationwrites.RecipientDelete(ctx, tx, organisation, "919812345678"); err != nil {
		t.Fatal(err)
	}
	if list, _ := s.List(ctx, organisation); len(list) != 0 {
		t.Error("an erasure left what the range took")
	}
	again := opened(t, s, organisation)
	for name, wrong := range map[string]string{"of the earlier address": token, "short": "x", "unknown": strings.Repeat("A", base64Length)} {
		if _, err := s.Take(ctx, wrong, post("{}", "1")); Status(err) != http.StatusGone {
			t.Errorf("a token %s: %v", name, err)
		}
	}
	if _, err := s.Take(ctx, again, Request{Method: "POST", Body: make([]byte, MaxBody+1)}); Status(err) != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %v", err)
	}
	if err := s.End(ctx, organisation, "user:1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Take(ctx, again, post("{}", "1")); Status(err) != http.StatusGone {
		t.Errorf("an ended address: %v", err)
	}
	if err := s.Extend(ctx, organisation, "user:1"); !fault.Is(err, fault.Conflict) {
		t.Errorf("an ended address is extended: %v", err)
	}
	if _, err := tx.Exec(ctx, `update webhook_ranges set expires_at = now() - interval '25 hours'`); err != nil {
		t.Fatal(err)
	}
	if err := Sweep(ctx, tx); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Get(ctx, organisation); r != nil || err != nil {
		t.Errorf("a day later there is %v, %v", r, err)
	}
}

// The relay recognises the addresses of this installation and no others, and gets the
// answer that the owner chose.
func TestInsideIsRecognised(t *testing.T) {
	t.Parallel()
	s, _, organisation := newService(t)
	token := opened(t, s, organisation)
	for address, want := range map[string]bool{
		"https://docs.example.com/range/" + token:            true,
		"https://DOCS.example.com/range/" + token + "?a=b":   true,
		"http://docs.example.com/range/" + token:             false,
		"https://docs.example.com:8443/range/" + token:       false,
		"https://docs.example.com.evil.org/range/" + token:   false,
		"https://u@docs.example.com/range/" + token:          false,
		"https://docs.example.com/range/" + token + "/../x":  false,
		"https://docs.example.com/range/x":                   false,
		"https://docs.example.com/account/range/" + token:    false,
		"https://docs.example.com/range/" + token[1:] + "/a": false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Owns(u); got != want {
			t.Errorf("%s: owned is %v", address, got)
		}
	}
	if err := s.SetAnswer(t.Context(), organisation, Answer{Status: 503, Delay: time.Second, Body: "later"}); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []Answer{{Status: 100}, {Status: 600}, {Status: 200, Delay: time.Minute}, {Status: 200, Body: strings.Repeat("x", maxAnswer+1)}} {
		if err := s.SetAnswer(t.Context(), organisation, wrong); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v is taken: %v", wrong, err)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", "https://docs.example.com/range/"+token, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.RoundTrip(r)
	if err != nil || answer.StatusCode != 503 || answer.Header.Get("Content-Type") != ContentType {
		t.Errorf("%+v, %v", answer, err)
	}
}

// signed returns a request with the headers that a signer made.
func signed(method, query, body string, headers map[string]string) Taken {
	t := Taken{Query: query, Body: []byte(body)}
	t.Method, t.TakenAt = method, time.Unix(1_800_000_000, 0)
	for name, value := range headers {
		t.Headers = append(t.Headers, headerLine{name, value})
	}
	return t
}

// Every mistake that signers make is named, and what is right matches.
func TestSignaturesAreExplained(t *testing.T) {
	t.Parallel()
	const body, stamp = `{"a": 1}`, "1800000000"
	key, _ := decoded(simulate.Secret)
	standard := func(signature string) map[string]string {
		return map[string]string{"Webhook-Id": "7", "Webhook-Timestamp": stamp, "Webhook-Signature": signature}
	}
	v1 := func(key []byte, content string) string {
		return "v1," + base64.StdEncoding.EncodeToString(sha256MAC(key, []byte(content)))
	}
	hub := func(key, content string) map[string]string {
		return map[string]string{"X-Hub-Signature-256": "sha256=" + hexMAC([]byte(key), []byte(content))}
	}
	right := v1(key, "7."+stamp+"."+body)
	bare := strings.TrimPrefix(simulate.Secret, secretPrefix)
	tests := map[string]struct {
		headers map[string]string
		body    string
		want    string // in a detail; empty where everything matches
	}{
		"right":             {standard(right), body, ""},
		"two, one right":    {standard("v1,eHh4 " + right), body, ""},
		"unsigned":          {nil, body, "None came"},
		"text as key":       {standard(v1([]byte(simulate.Secret), "7."+stamp+"."+body)), body, "The text of the secret was the key"},
		"not decoded":       {standard(v1([]byte(bare), "7."+stamp+"."+body)), body, "was not decoded from base64"},
		"body alone":        {standard(v1(key, body)), body, "The body alone was signed"},
		"hexadecimal":       {standard("v1," + hexMAC(key, []byte("7."+stamp+"."+body))), body, "is in hexadecimal"},
		"no padding":        {standard(strings.TrimRight(right, "=")), body, "lacks the ="},
		"compact":           {standard(v1(key, "7."+stamp+`.{"a":1}`)), body, "another spacing"},
		"line break":        {standard(v1(key, "7."+stamp+"."+body+"\n")), body, "line break at its end"},
		"another body":      {standard(right), `{"a": 2}`, "The secret is another, or what was signed is not what came"},
		"version 2":         {standard("v2,x"), body, "Parts that begin with v1,"},
		"no id":             {map[string]string{"Webhook-Timestamp": stamp, "Webhook-Signature": right}, body, "webhook-id is missing"},
		"time in words":     {map[string]string{"Webhook-Id": "7", "Webhook-Timestamp": "today", "Webhook-Signature": right}, body, "It is “today”"},
		"old":               {map[string]string{"Webhook-Id": "7", "Webhook-Timestamp": "1799999000", "Webhook-Signature": v1(key, "7.1799999000."+body)}, body, "17 minutes before"},
		"hub":               {hub(simulate.Secret, body), body, ""},
		"hub, decoded":      {hub(string(key), body), body, "The decoded secret was the key"},
		"hub, no prefix":    {hub(bare, body), body, "The secret without whsec_ was the key"},
		"hub, other body":   {hub(simulate.Secret, body), `{}`, another},
		"hub, bare hex":     {map[string]string{"X-Hub-Signature-256": "abc"}, body, "It is “abc”"},
		"google, no base64": {map[string]string{"X-Goog-Signature": "abc"}, body, "They could not be read"},
		"google, whole":     {map[string]string{"X-Goog-Signature": base64.StdEncoding.EncodeToString(sha512MAC([]byte(simulate.Secret), []byte(`{"message":{"data":"eA=="}}`)))}, `{"message":{"data":"eA=="}}`, "The whole body was signed"},
		"google":            {map[string]string{"X-Goog-Signature": base64.StdEncoding.EncodeToString(sha512MAC([]byte(simulate.Secret), []byte("x")))}, `{"message":{"data":"eA=="}}`, ""},
	}
	for name, tt := range tests {
		v := check(signed("POST", "", tt.body, tt.headers), []secret{{demoSecret, simulate.Secret}})
		text := fmt.Sprint(v.Checks)
		if v.OK != (tt.want == "") || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %v, want %q in %s", name, v.OK, tt.want, text)
		}
		if expected := strings.TrimPrefix(right, "v1,"); strings.Contains(text, expected) {
			t.Errorf("%s: the whole signature is shown", name)
		}
	}
	query := "id=1&status=DELIVRD"
	v := check(signed("GET", query, "", map[string]string{"X-Signature-256": "sha256=" + hexMAC([]byte(simulate.Secret), []byte(query))}), []secret{{"", "whsec_eHh4"}, {demoSecret, simulate.Secret}})
	if !v.OK || v.Secret != demoSecret {
		t.Errorf("the query of a GET: %+v", v)
	}
}

// Two requests are compared line by line.
func TestRequestsAreCompared(t *testing.T) {
	t.Parallel()
	a := signed("POST", "", `{"a":1,"b":2,"c":3}`, map[string]string{"X-A": "1", "X-B": "1"})
	b := signed("POST", "", `{"a":1,"b":5,"c":3,"d":4}`, map[string]string{"X-A": "1", "X-C": "1"})
	if got, want := CompareBodies(a, b), "  {\n    \"a\": 1,\n-   \"b\": 2,\n-   \"c\": 3\n+   \"b\": 5,\n+   \"c\": 3,\n+   \"d\": 4\n  }"; got != want {
		t.Errorf("the bodies differ as\n%s\nwant\n%s", got, want)
	}
	if got := fmt.Sprint(CompareHeaders(a, b)); got != "[{X-B 1 } {X-C  1}]" {
		t.Errorf("the headers differ as %s", got)
	}
	spaced := signed("POST", "", `{"a": 1,"b":2,"c":3}`, nil)
	if got := CompareBodies(a, spaced); !strings.Contains(got, "another spacing") {
		t.Errorf("another spacing is %q", got)
	}
	if got := CompareBodies(a, a); got != "" {
		t.Errorf("equal bodies differ as %q", got)
	}
}
