package jobs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/models"
)

// A reply and a reaction reach the upstream with its id only for messages of the same
// organisation, sent and received ones. A reply to a message of another organisation goes
// without the quote, as to one that nobody knows.
func TestQuotesStayWithinAnOrganisation(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	const person = "919812345678"
	l.post(t, fmt.Sprintf(`"messages":[{"from":%q,"id":"wamid.IN1","timestamp":"%d","type":"text","text":{"body":"Is the shop open?"}}]`, person, time.Now().Unix()))
	l.read(t)
	send := func(content string) uuid.UUID {
		t.Helper()
		id, _ := messaging.ParseMessageID(l.sendBody(t, `{"messaging_product":"msgapp","to":"+`+person+`",`+content+`}`))
		return id
	}
	sent := send(`"type":"text","text":{"body":"We are."}`)
	l.reaches(t, sent, "sent")
	var received uuid.UUID
	if err := l.pool.QueryRow(t.Context(), `select id from inbound_messages`).Scan(&received); err != nil {
		t.Fatal(err)
	}
	quote := func(id uuid.UUID) string {
		return `"type":"text","text":{"body":"A reply"},"context":{"message_id":"` + messaging.MessageID(id) + `"}`
	}
	for _, id := range []uuid.UUID{sent, received} {
		l.reaches(t, send(quote(id)), "sent")
	}
	if took := fmt.Sprint(l.up.took(person)); strings.Count(took, "context:map[message_id:") != 2 {
		t.Errorf("the upstream got %s", took)
	}
	other := identitytest.AddOrganisation(t, l.pool, models.Organisation{Name: "Mill"}, "mill@example.com")
	l.exec(t, fmt.Sprintf(`update inbound_messages set organisation_id = %d where id = '%s'`, other, received))
	l.exec(t, fmt.Sprintf(`update messages set organisation_id = %d where id = '%s'`, other, sent))
	for _, id := range []uuid.UUID{sent, received} {
		l.reaches(t, send(quote(id)), "sent")
		l.reaches(t, send(`"type":"reaction","reaction":{"message_id":"`+messaging.MessageID(id)+`","emoji":"👍"}`), "failed")
	}
	if took := fmt.Sprint(l.up.took(person)); strings.Count(took, "context:map[message_id:") != 2 || strings.Contains(took, "emoji") {
		t.Errorf("a message of another organisation reached the upstream: %s", took)
	}
}

// Posts with a zero byte where an id stands are read to the end: what can be stored is.
func TestPostsWithZeroBytesEnd(t *testing.T) {
	t.Parallel()
	l := goLive(t)
	now := time.Now().Unix()
	for i, odd := range []string{`"type":"text","text":{"body":"odd"},"context":{"id":"wamid.\u0000"}`, `"type":"reaction","reaction":{"message_id":"\u0000","emoji":"👍"}`} {
		l.post(t, fmt.Sprintf(`"messages":[{"from":"919812345678","id":"wamid.IN%d","timestamp":"%d",%s}]`, i, now, odd))
	}
	l.post(t, fmt.Sprintf(`"messages":[{"from":"919812345678","id":"wamid.\u0000","timestamp":"%d","type":"text","text":{"body":"lost"}}]`, now))
	l.post(t, fmt.Sprintf(`"statuses":[{"id":"wamid.\u0000","status":"sent","timestamp":"%d","recipient_id":"919812345678"}]`, now))
	l.read(t)
	if n := l.count(t, `select count(*) from inbound_messages`); n != 2 {
		t.Errorf("%d messages are stored, want 2", n)
	}
	if n := l.count(t, `select count(*) from river.river_job where kind = 'take_post' and cardinality(errors) > 0`); n != 0 {
		t.Errorf("%d jobs failed", n)
	}
}
