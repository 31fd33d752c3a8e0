package jobs_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels"
	"heliograph/app/channels/messaging"
	"heliograph/app/fault"
	"heliograph/app/operation/retention"
	queries "heliograph/db/queries/channels"
)

// A conversation with a person who hides their number: what they write, the reply, its
// statuses and all callbacks have the user id alone, and the lists, the log and the
// erasure know the person by it. Once the number is known, each stands for the other.
func TestAConversationByUserIDAlone(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	l.number.Sandbox = false
	calls, _ := l.hook(t)
	const person, number, next = "IN.13491208655302741918", "919812345678", "IN.77"
	got := func(parts ...string) func() bool {
		return func() bool {
			return slices.ContainsFunc(calls(), func(c string) bool {
				return !slices.ContainsFunc(parts, func(part string) bool {
					without, not := strings.CutPrefix(part, "!")
					return strings.Contains(c, without) == not
				})
			})
		}
	}
	write := func(id, from, text string) {
		t.Helper()
		l.post(t, fmt.Sprintf(`"contacts":[{"user_id":%q,"profile":{"name":"Asha","username":"asha.lamps"}}],"messages":[{%s,"id":%q,"timestamp":"%d","type":"text","text":{"body":%q}}]`, person, from, id, time.Now().Unix(), text))
		l.read(t)
	}
	refused := func(body, code string) {
		t.Helper()
		if _, err := l.service.Sender.Send(t.Context(), l.number, []byte(body), ""); fault.As(err) == nil || fault.As(err).Code != code {
			t.Errorf("%s: %v, want code %s", body, err, code)
		}
	}
	text := `{"messaging_product":"msgapp","recipient":"` + person + `","biz_opaque_callback_data":"order-7","text":{"body":"We are open."}}`
	refused(text, "131047")
	write("wamid.IN1", `"from_user_id":"`+person+`"`, "Is the shop open?")
	l.until(t, "the partner gets the message", got(`"from_user_id":"`+person+`"`, `"user_id":"`+person+`"`, `"username":"asha.lamps"`, `"body":"Is the shop open?"`, `!"from":`, `!"wa_id"`))

	id, _ := messaging.ParseMessageID(l.sendBody(t, text))
	l.reaches(t, id, "sent")
	sent := l.up.took("")
	if len(sent) != 1 || sent[0]["recipient"] != person || sent[0]["to"] != nil || sent[0]["biz_opaque_callback_data"] != messaging.MessageID(id) {
		t.Errorf("the upstream got %v", sent)
	}
	l.post(t, fmt.Sprintf(`"contacts":[{"user_id":%q,"profile":{"username":"asha.lamps"}}],"statuses":[{"id":"wamid.UP1","status":"delivered","timestamp":"%d","recipient_user_id":%q,"biz_opaque_callback_data":%q}]`, person, time.Now().Unix(), person, messaging.MessageID(id)))
	l.reaches(t, id, "delivered")
	l.until(t, "the partner gets the status", got(`"status":"delivered"`, `"recipient_user_id":"`+person+`"`, `"username":"asha.lamps"`, `"biz_opaque_callback_data":"order-7"`, `!"recipient_id"`))
	refused(`{"messaging_product":"msgapp","recipient":"`+person+`","type":"template","template":{"name":"login_code","language":{"code":"en_US"},"components":[{"type":"body","parameters":[{"type":"text","text":"482913"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"482913"}]}]}}`, "131062")
	refused(strings.Replace(text, person, "in.1", 1), "131009")

	log, err := queries.MessageList(t.Context(), l.pool, queries.MessageFilter{OrganisationID: l.number.OrganisationID, Recipient: person[:9]}, 5)
	if err != nil || len(log.Items) != 1 || log.Items[0].Recipient != person {
		t.Errorf("the log finds %+v, %v", log.Items, err)
	}
	found, err := queries.MessageFind(t.Context(), l.pool, queries.MessageSearch{Recipient: person, Limit: 5})
	if err != nil || len(found) != 1 {
		t.Errorf("the search finds %+v, %v", found, err)
	}
	if list, err := l.service.Inbound.Received(t.Context(), l.number, messaging.ReceivedQuery{From: person, Limit: 5}); err != nil || len(list) != 1 {
		t.Errorf("received are %+v, %v", list, err)
	} else if text, _ := json.Marshal(list[0]); !strings.Contains(string(text), `"from_user_id":"`+person+`"`) || strings.Contains(string(text), `"from":`) {
		t.Errorf("the list has %s", text)
	}

	write("wamid.IN2", `"from_user_id":"`+person+`"`, "STOP")
	stopped, _ := messaging.ParseMessageID(l.sendBody(t, text))
	l.reaches(t, stopped, "failed")
	if f := l.failureOf(t, stopped); !strings.Contains(f, "131050") {
		t.Errorf("after STOP the message fails with %s", f)
	}
	// The number comes with the next message. From then on it stands for the id.
	write("wamid.IN3", `"from":"`+number+`","from_user_id":"`+person+`"`, "I am on holiday.")
	blocked, _ := messaging.ParseMessageID(l.sendBody(t, `{"messaging_product":"msgapp","to":"`+number+`","text":{"body":"Hello"}}`))
	l.reaches(t, blocked, "failed")
	l.until(t, "a failure of a send to a number has no user id", got(`"status":"failed"`, `"recipient_id":"`+number+`"`, `!"recipient_user_id"`))
	write("wamid.IN4", `"from":"`+number+`","from_user_id":"`+person+`"`, "start")
	again, _ := messaging.ParseMessageID(l.sendBody(t, text))
	l.reaches(t, again, "sent")
	l.until(t, "its status has the number, too", got(`"id":"`+messaging.MessageID(again)+`"`, `"recipient_id":"`+number+`"`, `"recipient_user_id":"`+person+`"`))
	// A new number gives a new id, which stands for the old ones.
	l.post(t, fmt.Sprintf(`"messages":[{"from_user_id":%q,"id":"wamid.IN5","timestamp":"%d","type":"system","system":{"type":"user_changed_user_id","body":"changed","user_id":%q,"previous_user_id":%q}}]`, person, time.Now().Unix(), next, person))
	l.read(t)
	l.until(t, "the partner gets the change", got(`"type":"user_changed_user_id"`, `"user_id":"`+next+`"`, `"previous_user_id":"`+person+`"`, `!"contacts"`))
	moved, _ := messaging.ParseMessageID(l.sendBody(t, strings.Replace(text, person, next, 1)))
	l.reaches(t, moved, "sent")

	l.erase(t, next, 5, 5)
	for _, id := range []uuid.UUID{id, stopped, blocked, again, moved} {
		if n := l.count(t, `select count(*) from messages where id = $1 and recipient = '0' and payload::text = '{}'`, id); n != 1 {
			t.Errorf("message %s is not erased", id)
		}
	}
	if n := l.count(t, `select (select count(*) from inbound_messages) + (select count(*) from conversations) + (select count(*) from messaging_identities) + (select count(*) from upstream_messages)`); n != 0 {
		t.Errorf("%d rows about the person are left", n)
	}
	if n := l.count(t, `select count(*) from deliveries where convert_from(body, 'UTF8') like '%' || $1 || '%' or convert_from(body, 'UTF8') like '%' || $2 || '%'`, person, number); n != 0 {
		t.Errorf("%d callbacks still name the person", n)
	}
}

// erase erases a person once all callbacks are posted.
func (l *live) erase(t *testing.T, recipient string, messages, received int) {
	t.Helper()
	l.exec(t, `update messages set state = 'read' where state in ('sent', 'delivered')`)
	l.until(t, "all callbacks are posted", func() bool { return l.count(t, `select count(*) from deliveries where state = 'pending'`) == 0 })
	done, err := retention.Erasure{OrganisationID: l.number.OrganisationID, Recipient: recipient, Reason: "They asked.", Actor: "admin:1"}.Run(t.Context(), l.pool)
	if err != nil || done.Messages != messages || done.Received != received || done.Waiting != 0 {
		t.Errorf("erased are %+v, %v, want %d and %d", done, err, messages, received)
	}
}

// Numbers and ids of a person are linked and parted as statuses and system messages
// tell, at each organisation by itself.
func TestIdentitiesMeanOnePerson(t *testing.T) {
	t.Parallel()
	l := prepareLive(t)
	organisation := l.number.OrganisationID
	link := func(from string) string {
		t.Helper()
		var known string
		if err := l.pool.QueryRow(t.Context(), `select coalesce(string_agg(i, ' ' order by i), '') from messaging_identities_of($1, $2) i`, organisation, from).Scan(&known); err != nil {
			t.Fatal(err)
		}
		return known
	}
	taker := messaging.NewTaker(messaging.TakerOptions{Pool: l.pool, Store: l.deps.Store, Jobs: l.client, Channels: channels.Declared(), Product: "msgapp"})
	take := func(value string) {
		t.Helper()
		body := fmt.Appendf(nil, `{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":%q},%s}}]}]}`, theirNumber, value)
		carrier, err := queries.CarrierGet(t.Context(), l.pool, "upstream")
		if err != nil {
			t.Fatal(err)
		}
		if err := taker.Take(t.Context(), carrier, body); err != nil {
			t.Fatal(err)
		}
	}
	take(`"messages":[{"from":"919812345678","from_user_id":"IN.1","from_parent_user_id":"IN.ENT.9","id":"a","type":"text","text":{"body":"x"}}]`)
	if got := link("919812345678"); got != "IN.1 IN.ENT.9" {
		t.Errorf("the number means %q", got)
	}
	// The card that somebody shares on request has their number.
	take(`"messages":[{"from_user_id":"IN.2","id":"b","type":"contacts","contacts":[{"origin":"contact_request","phones":[{"wa_id":"919812340002"}]}]},{"from_user_id":"IN.3","id":"c","type":"contacts","contacts":[{"origin":"other","phones":[{"wa_id":"919812340003"}]}]}]`)
	if got, other := link("IN.2"), link("IN.3"); got != "919812340002" || other != "" {
		t.Errorf("a shared number means %q, another card %q", got, other)
	}
	// The number goes to somebody else: the ids stay apart.
	take(`"messages":[{"from":"919812345678","from_user_id":"IN.4","id":"d","type":"text","text":{"body":"x"}}]`)
	if got, before := link("IN.4"), link("IN.1"); got != "919812345678" || before != "IN.ENT.9" {
		t.Errorf("the new owner is %q, the one before %q", got, before)
	}
	// Another number, and with it another id.
	take(`"messages":[{"from":"919812340002","from_user_id":"IN.2","id":"e","type":"system","system":{"type":"user_changed_number","wa_id":"919812340009","user_id":"IN.5","previous_user_id":"IN.2"}}]`)
	people, err := queries.PersonList(t.Context(), l.pool, []int64{organisation}, []string{"919812340002"})
	if err != nil || len(people) != 1 || people[0].UserID != "IN.5" || people[0].Number != "919812340009" {
		t.Errorf("after the change the old number means %+v, %v", people, err)
	}
	if got := link("IN.5"); got != "919812340002 919812340009 IN.2" {
		t.Errorf("the new id means %q", got)
	}
	for range 2 { // the same again changes nothing
		take(`"messages":[{"from_user_id":"not an id","from":"no","id":"f","type":"text"},{"from_user_id":"IN.6","id":"g","type":"text","text":{"body":"x"}}]`)
	}
	if n := l.count(t, `select count(*) from inbound_messages where contact = 'IN.6' and user_id = 'IN.6'`); n != 1 {
		t.Errorf("%d messages of one post", n)
	}
}
