package messaging_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/fault"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
)

// sandboxTo sends a text and lets the virtual recipient answer it. It returns the last
// callback.
func (b *bundle) sandboxTo(t *testing.T, address string) string {
	t.Helper()
	reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(`{"messaging_product":"msgapp",`+address+`,"text":{"body":"Hello"}}`), "")
	if err != nil {
		t.Fatal(err)
	}
	var sent messaging.SendReply
	if err := json.Unmarshal(reply.Body, &sent); err != nil {
		t.Fatal(err)
	}
	id, _ := messaging.ParseMessageID(sent.Messages[0].ID)
	b.report(t, id, "read")
	err = db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		m, err := queries.MessageGet(t.Context(), tx, id)
		if err != nil {
			return err
		}
		return messaging.SimulateReply(t.Context(), tx, b.jobs, m)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.lastCallback(t)
}

func (b *bundle) lastCallback(t *testing.T) (body string) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), `select convert_from(body, 'UTF8') from deliveries order by id desc limit 1`).Scan(&body); err != nil {
		t.Fatal(err)
	}
	return body
}

// callbackOf returns the callback about a state of the last message.
func (b *bundle) callbackOf(t *testing.T, state string) (body string) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), `select convert_from(body, 'UTF8') from deliveries where event = 'message.' || $1 order by id desc limit 1`, state).Scan(&body); err != nil {
		t.Fatal(err)
	}
	return body
}

var (
	wrote = regexp.MustCompile(`"from_user_id":"(IN\.[0-9]+)"`)
	next  = regexp.MustCompile(`"user_id":"(IN\.[0-9]+)","previous_user_id":"(IN\.[0-9]+)"`)
)

// Some recipients of a sandbox answer without a number, and some change their id. The
// id can be written to, and ends like the number, so that it behaves like it.
func TestSandboxPeopleWithoutANumber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: "https://hooks.example.com/"}, "test"); err != nil {
		t.Fatal(err)
	}
	plain := b.sandboxTo(t, `"to":"919812340008"`)
	if strings.Contains(plain, "user_id") || !strings.Contains(plain, `"from":"919812340008"`) || strings.Contains(b.callbackOf(t, "read"), "user_id") {
		t.Errorf("a recipient with a number answers %s", plain)
	}
	hidden := b.sandboxTo(t, `"to":"919812340009"`)
	id := wrote.FindStringSubmatch(hidden)
	if id == nil || strings.Contains(hidden, `"from":"919`) || strings.Contains(hidden, "wa_id") || !strings.HasSuffix(id[1], "0009") || !strings.Contains(hidden, `"username":"virtual.`) {
		t.Fatalf("a hidden recipient answers %s", hidden)
	}
	if status := b.callbackOf(t, "read"); !strings.Contains(status, `"recipient_id":"919812340009"`) || !strings.Contains(status, `"recipient_user_id":"`+id[1]+`"`) {
		t.Errorf("the status of a send to a number is %s", status)
	}
	answer := b.sandboxTo(t, `"recipient":"`+id[1]+`"`)
	if again := wrote.FindStringSubmatch(answer); again == nil || again[1] != id[1] || !strings.Contains(answer, `"body":"Hello"`) {
		t.Errorf("the id answers %s", answer)
	}
	if status := b.callbackOf(t, "read"); strings.Contains(status, "recipient_id") || !strings.Contains(status, `"recipient_user_id":"`+id[1]+`"`) {
		t.Errorf("the status of a send to an id is %s", status)
	}
	changes := b.sandboxTo(t, `"to":"919812340010"`)
	change := next.FindStringSubmatch(changes)
	if change == nil || change[1] == change[2] || !strings.Contains(changes, `"type":"user_changed_user_id"`) || !strings.Contains(b.callbackOf(t, "read"), change[2]) {
		t.Fatalf("a recipient that changes sends %s", changes)
	}
	b.sandboxTo(t, `"recipient":"`+change[1]+`"`)
}

// A request names a number or a user id. A number goes first, and an earlier request
// is answered as it was.
func TestSendToANumberOrAUserID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	code := `{"messaging_product":"msgapp","recipient":"IN.1","type":"template","template":{"name":"login_code","language":{"code":"en_US"},"components":[{"type":"body","parameters":[{"type":"text","text":"482913"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"482913"}]}]}}`
	b.refuses(t, []refused{{"a code to a user id", code, "131062", "recipient"}})
	for _, tt := range []struct{ address, recipient, contact, code string }{
		{`"to":"919812345678"`, "919812345678", `[{"input":"919812345678","wa_id":"919812345678"}]`, ""},
		{`"recipient":"US.13491208655302741918"`, "US.13491208655302741918", `[{"input":"US.13491208655302741918","user_id":"US.13491208655302741918"}]`, ""},
		{`"recipient":"US.ENT.11815799212886844830"`, "US.ENT.11815799212886844830", `[{"input":"US.ENT.11815799212886844830","user_id":"US.ENT.11815799212886844830"}]`, ""},
		{`"to":"+91 98123 45678","recipient":"US.1"`, "919812345678", `[{"input":"+91 98123 45678","wa_id":"919812345678"}]`, ""},
		{`"recipient":"us.1"`, "", "", "131009"}, {`"recipient":"US.1 "`, "", "", "131009"}, {`"recipient":"919812345678"`, "", "", "131009"},
		{`"recipient":"US.` + strings.Repeat("1", 129) + `"`, "", "", "131009"}, {`"to":"US.1"`, "", "", "131009"}, {`"to":""`, "", "", "131008"},
		{`"recipient":"US.` + strings.Repeat("z", 128) + `"`, "US." + strings.Repeat("z", 128), "", ""},
	} {
		reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(`{"messaging_product":"msgapp",`+tt.address+`,"text":{"body":"Hello"}}`), "")
		if tt.code != "" {
			if f := fault.As(err); f == nil || f.Code != tt.code {
				t.Errorf("%s: %v, want %s", tt.address, err, tt.code)
			} else if tt.code == "131008" && f.Fields[0].Message != "to is required, or recipient with a user id" {
				t.Errorf("without a recipient: %s", f.Fields[0].Message)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.address, err)
			continue
		}
		var sent struct {
			Contacts json.RawMessage
			Messages []struct{ ID string }
		}
		if err := json.Unmarshal(reply.Body, &sent); err != nil {
			t.Fatal(err)
		}
		id, _ := messaging.ParseMessageID(sent.Messages[0].ID)
		if tt.contact != "" && string(sent.Contacts) != tt.contact {
			t.Errorf("%s is answered with %s, want %s", tt.address, sent.Contacts, tt.contact)
		}
		if n := b.count(t, `select count(*) from messages where id = $1 and recipient = $2 and (payload->>'recipient') is not distinct from case when $2 like 'US.%' then $2 end`, id, tt.recipient); n != 1 {
			t.Errorf("%s is not stored for %s", tt.address, tt.recipient)
		}
	}
	// The window of a person is closed or open under each identity.
	closed := func(address string) bool {
		t.Helper()
		_, err := b.service.Sender.Send(t.Context(), b.number, []byte(`{"messaging_product":"msgapp",`+address+`,"text":{"body":"Hello"}}`), "")
		return fault.As(err) != nil && fault.As(err).Code == "131047"
	}
	if !closed(`"recipient":"IN.10007"`) || !closed(`"to":"919812340007"`) {
		t.Error("a window is open")
	}
	b.receive(t, `{"from":"919812340007","from_user_id":"IN.10007","text":{"body":"Hello"}}`)
	if closed(`"recipient":"IN.10007"`) || closed(`"to":"919812340007"`) {
		t.Error("a window is closed")
	}
	for _, body := range []string{`{"text":{"body":"x"}}`, `{"from_user_id":"in.1","text":{"body":"x"}}`, `{"from_user_id":"IN.1","type":"system","system":{"type":"user_changed_user_id"}}`, `{"from":"919812345678","type":"system","system":{"type":"user_changed_user_id","user_id":"IN.2"}}`, `{"from_user_id":"IN.1","from_parent_user_id":"IN.2","text":{"body":"x"}}`} {
		if _, err := b.service.Inbound.ReceiveInSandbox(t.Context(), b.number, []byte(body), ""); fault.As(err) == nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// receive simulates an inbound message.
func (b *bundle) receive(t *testing.T, body string) uuid.UUID {
	t.Helper()
	reply, err := b.service.Inbound.ReceiveInSandbox(t.Context(), b.number, []byte(body), "")
	if err != nil {
		t.Fatal(err)
	}
	var got messaging.SandboxReply
	if err := json.Unmarshal(reply.Body, &got); err != nil {
		t.Fatal(err)
	}
	id, _ := messaging.ParseMessageID(got.Messages[0].ID)
	return id
}
