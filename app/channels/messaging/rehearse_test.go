package messaging_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/fault"
	"heliograph/app/input/inputtest"
)

// rehearsed are messages to change: one of each kind.
func rehearsed(b *bundle) []string {
	catalogue := fmt.Sprintf(`"catalog_id":"%d"`, b.sandbox.CatalogueID)
	return []string{
		to(`"type":"text","recipient_type":"individual","text":{"body":"Hello","preview_url":true},"context":{"message_id":"` + wamid + `"},"biz_opaque_callback_data":"a"`),
		to(`"type":"image","image":{"link":"https://example.com/a.jpg","caption":"A"}`),
		to(`"type":"document","document":{"link":"https://example.com/a.pdf","filename":"a.pdf","caption":"A"}`),
		to(`"type":"location","location":{"latitude":18.94,"longitude":72.8,"name":"Counter","address":"A"}`),
		to(`"type":"contacts","contacts":[{"name":{"formatted_name":"Ravi","first_name":"Ravi"},"birthday":"1990-05-17","phones":[{"phone":"+919812345001","wa_id":"919812345001"}]}]`),
		to(`"type":"reaction","reaction":{"message_id":"` + wamid + `","emoji":"👍"}`),
		interactive(`"type":"button","header":{"type":"text","text":"H"},` + body + `,"footer":{"text":"F"},"action":{"buttons":[{"type":"reply","reply":{"id":"a","title":"A"}},{"type":"reply","reply":{"id":"b","title":"B"}}]}`),
		interactive(`"type":"list",` + body + `,"action":{"button":"Open","sections":[{"title":"S","rows":[{"id":"a","title":"A","description":"D"}]},{"title":"T","rows":[{"id":"b","title":"B"}]}]}`),
		interactive(`"type":"cta_url",` + body + `,"action":{"name":"cta_url","parameters":{"display_text":"Open","url":"https://example.com"}}`),
		interactive(`"type":"flow",` + body + `,"action":{"name":"flow","parameters":{"flow_message_version":"3","flow_id":"1","flow_cta":"Begin","mode":"draft"}}`),
		interactive(`"type":"product_list","header":{"type":"text","text":"Lamps"},` + body + `,"action":{` + catalogue + `,"sections":[{"title":"S","product_items":[{"product_retailer_id":"lamp"}]}]}`),
		interactive(`"type":"order_details",` + body + `,"action":{"name":"review_and_pay","parameters":` + order + `}`),
		authentication("123456", "123456"),
		template("order_update", `{"type":"body","parameters":[{"type":"text","text":"A-1"},{"type":"date_time","date_time":{"fallback_value":"Friday"}}]}`),
		`{"messaging_product":"msgapp","status":"read","message_id":"` + wamid + `"}`,
	}
}

// rehearsals is how many messages are compared.
var rehearsals = 250

// A rehearsal has the verdict of a send, with the same code and field, for messages and
// for the outcome when something in them is changed. What it says that it does
// not check may differ.
func TestRehearsalsHaveTheVerdictOfSends(t *testing.T) {
	t.Parallel()
	b := setup(t)
	random := rand.New(rand.NewPCG(47, 1))
	whole := rehearsed(b)
	refused := 0
	for i := range rehearsals {
		text := whole[i%len(whole)]
		if i >= len(whole) {
			text = inputtest.Change(t, random, text, 5000, "919812340007", "AUTHENTICATION", "a\tb")
		}
		_, sent := b.service.Sender.Send(t.Context(), b.number, []byte(text), "")
		_, checked := messaging.Rehearse(t.Context(), b.service.Words(), nil, []byte(text), time.Now())
		want, got := verdict(sent), verdict(checked)
		if want != "accepted" {
			refused++
		}
		unchecked := checked == nil && (strings.HasSuffix(want, "reference_id") || strings.HasSuffix(want, "catalog_id") || strings.HasSuffix(want, " message_id"))
		if got != want && !unchecked {
			t.Errorf("%s\nsent: %s\nrehearsed: %s", text, want, got)
		}
	}
	if refused < rehearsals/4 || refused > rehearsals*9/10 {
		t.Errorf("%d of %d were refused", refused, rehearsals)
	}
}

// verdict is the code and the field of an error.
func verdict(err error) string {
	f := fault.As(err)
	switch {
	case err == nil:
		return "accepted"
	case f == nil:
		return err.Error()
	case len(f.Fields) == 0:
		return f.Code
	}
	return f.Code + " " + f.Fields[0].Name
}
