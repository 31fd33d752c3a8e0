package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// receivedPage is a page of received messages as partners read it.
type receivedPage struct {
	Data []struct {
		From, ID, Type string
		Text           *struct{ Body string }
	}
	Paging *struct{ Next, Previous string }
}

func (p *partner) received(t *testing.T, query string) (page receivedPage) {
	t.Helper()
	a := p.call(t, http.MethodGet, p.number("/messages"+query), "")
	if err := json.Unmarshal(a.body, &page); err != nil || a.status != 200 {
		t.Fatalf("received messages = %d %s", a.status, a.body)
	}
	return page
}

// What people write can be read without a webhook, as its callback has it.
func TestReceivedMessagesAreListed(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	if page := first.received(t, ""); len(page.Data) != 0 || page.Paging != nil {
		t.Errorf("nobody has written: %+v", page)
	}
	var sent []string // the newest first
	for _, from := range []string{"919812345678", "919812345679", "919812345678"} {
		sent = slices.Insert(sent, 0, first.writes(t, from))
	}
	second.writes(t, "919812345678")
	all := first.received(t, "")
	var got []string
	for _, m := range all.Data {
		got = append(got, m.ID)
	}
	if !slices.Equal(got, sent) || all.Data[1].From != "919812345679" || all.Data[0].Type != "text" || all.Data[0].Text == nil {
		t.Errorf("listed %v %+v, want %v", got, all.Data, sent)
	}
	got = nil
	var back string
	for next := "?limit=1"; next != ""; {
		page := first.received(t, next)
		got = append(got, page.Data[0].ID)
		next, back = "", page.Paging.Previous
		if _, query, ok := strings.Cut(page.Paging.Next, "/messages?"); ok {
			next = "?" + query
		}
	}
	if !slices.Equal(got, sent) {
		t.Errorf("walked over %v, want %v", got, sent)
	}
	if _, query, _ := strings.Cut(back, "/messages?"); first.received(t, "?"+query).Data[0].ID != sent[1] {
		t.Errorf("before the last one is %+v, want %s", first.received(t, "?"+query).Data, sent[1])
	}
	if page := first.received(t, "?from=%2B91%2098123%2045679"); len(page.Data) != 1 || page.Data[0].ID != sent[1] {
		t.Errorf("messages of one person: %+v", page)
	}
	for query, want := range map[string]int{"?from=Asha": 400, "?after=MQ": 400, "?limit=0": 400} {
		if a := first.call(t, http.MethodGet, first.number("/messages"+query), ""); a.status != want || a.code(t) != 100 {
			t.Errorf("%s: %d %s", query, a.status, a.body)
		}
	}
	if a := first.call(t, http.MethodGet, fmt.Sprintf("/%d/messages", second.sandbox.PhoneNumberID), ""); a.status != 403 || a.code(t) != 200 {
		t.Errorf("another tenant's number: %d %s", a.status, a.body)
	}
	first.exec(t, `update inbound_messages set payload = '{}'`)
	if page := first.received(t, ""); len(page.Data) != 3 || page.Data[0].Text != nil || page.Data[0].Type != "text" {
		t.Errorf("without contents: %+v", page)
	}
}

// A list item is the message of the callback.
func TestReceivedMessageIsThatOfTheCallback(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	first.set(t, "http://127.0.0.1:9/hook")
	body := `{"from":"919812345678","type":"interactive","context":{"message_id":"wamid.AZt22qgAeOW4x2G1Kp8_MQ"},"interactive":{"type":"list_reply","list_reply":{"id":"a","title":"A"}}}`
	if a := first.call(t, http.MethodPost, first.number("/sandbox/inbound"), body); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	var want []byte
	err := first.pool.QueryRow(t.Context(), `
		select convert_from(body, 'UTF8')::json->'entry'->0->'changes'->0->'value'->'messages' from deliveries where event = 'message.received'`).Scan(&want)
	if err != nil {
		t.Fatal(err)
	}
	var page struct{ Data json.RawMessage }
	if a := first.call(t, http.MethodGet, first.number("/messages"), ""); json.Unmarshal(a.body, &page) != nil || string(page.Data) != string(want) {
		t.Errorf("the list has %s, the callback %s", page.Data, want)
	}
}
