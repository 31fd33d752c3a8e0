package account_test

import (
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

// Received messages of every channel are listed, the newest first, and can be
// filtered and turned round. Those of others are not.
func TestReceivedMessages(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	const path = "/account/messages/received"
	if a := o.viewer.Get(path); a.Status != 200 || a.Find(".empty").Length() != 1 {
		t.Errorf("the empty list gives %d", a.Status)
	}
	if a := o.viewer.Get("/account/messages"); a.Find("a[href='"+path+"']").Length() != 1 {
		t.Error("no link leads to the list")
	}
	if _, err := o.site.DB.Exec(t.Context(), `
		insert into inbound_messages (id, organisation_id, phone_number_id, channel, contact, recipient, kind, payload) values
		('01900000-0000-7000-8000-000000000001', $1, 0, 'sms', '919812345671', '56767', 'text', '{"text": "First & <b>"}'),
		('01900000-0000-7000-8000-000000000002', null, $2, 'messaging', '919812345672', '', 'text', '{"text": {"body": "Second"}}'),
		('01900000-0000-7000-8000-000000000003', null, $2, 'messaging', '919812345672', '', 'button', '{"button": {"text": "Third"}}'),
		('01900000-0000-7000-8000-000000000004', null, $2, 'messaging', '919812345673', '', 'location', '{"location": {"latitude": 1}}'),
		('01900000-0000-7000-8000-000000000005', $1 + 1, 0, 'sms', '919812345671', '56767', 'text', '{"text": "Of others"}')`,
		o.id, o.sandbox.PhoneNumberID); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"": "Third Second First & <b>", "?order=asc": "First & <b> Second Third", "?channel=sms": "First & <b>", "?sender=%2B91+98123+45672": "Third Second",
		"?before=01900000-0000-7000-8000-000000000003": "Second First & <b>",
	} {
		a := o.viewer.Get(path + query)
		var got []string
		for _, word := range []string{"First & <b>", "Second", "Third"} {
			if strings.Contains(a.Find("table").Text(), word) {
				got = append(got, word)
			}
		}
		for i, word := range strings.Fields(strings.ReplaceAll(want, "First & <b>", "First")) {
			if i > 0 && i < len(got) {
				before := strings.Fields(strings.ReplaceAll(want, "First & <b>", "First"))[i-1]
				if text := a.Find("table").Text(); strings.Index(text, before) > strings.Index(text, word) {
					t.Errorf("%q lists %s after %s", query, before, word)
				}
			}
		}
		if a.Status != 200 || len(got) != len(strings.Fields(strings.ReplaceAll(want, "First & <b>", "First"))) || strings.Contains(a.Body, "Of others") {
			t.Errorf("%q gives %d %v, want %s", query, a.Status, got, want)
		}
	}
	if text := o.viewer.Get(path).Find("table").Text(); !strings.Contains(text, strings.TrimPrefix(o.sandbox.PhoneNumber, "+")) || !strings.Contains(text, "56767") {
		t.Errorf("the list does not say what was written to: %s", text)
	}
	for _, wrong := range []string{"?sender=abc", "?channel=pigeon", "?before=x", "?from=yesterday"} {
		if a := o.viewer.Get(path + wrong); a.Status != 422 {
			t.Errorf("%s gives %d", wrong, a.Status)
		}
	}
}
