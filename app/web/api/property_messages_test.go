package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/templates"
	"heliograph/db"
)

// names are what both partners call their templates.
func (w *walk) name() string {
	return fmt.Sprintf("note_%d_%s", w.n(15), pickOne(w, "plain", "plain", "pending", "rejected", "category", "flagged", "paused", "disabled"))
}

// components belong to a template with one variable.
func (w *walk) components(p *player) []any {
	parts := []any{map[string]any{"type": "BODY", "text": "Hello {{1}}, " + strings.ReplaceAll(w.words(p), "{", "") + " are here for you today.", "example": map[string]any{"body_text": [][]string{{"Asha"}}}}}
	if w.sometimes(3) {
		handle, _ := url.PathUnescape(w.draw(p, "handle").id)
		parts = append(parts, map[string]any{"type": "HEADER", "format": "IMAGE", "example": map[string]any{"header_handle": []string{handle}}})
	}
	if w.sometimes(3) {
		parts = append(parts, map[string]any{"type": "FOOTER", "text": "From " + p.marker})
	}
	return parts
}

func (w *walk) createTemplate(p *player) {
	account := w.draw(p, "business_account")
	template := map[string]any{
		"name": w.name(), "language": pickOne(w, "en_US", "hi"), "category": pickOne(w, "utility", "MARKETING"),
		"components": w.components(p), "allow_category_change": w.sometimes(2),
	}
	if w.sometimes(4) {
		template["category"], template["components"] = "AUTHENTICATION", []any{
			map[string]any{"type": "BODY"}, map[string]any{"type": "BUTTONS", "buttons": []any{map[string]any{"type": "OTP", "otp_type": "COPY_CODE", "text": fmt.Sprint("Copy ", w.step)}}},
		}
	}
	a, ok := w.ask(p, "createTemplate", request{
		method: http.MethodPost, path: "/" + account.id + "/message_templates", body: w.json(template), refs: []ref{account}, creates: true,
	})
	if ok {
		var made struct{ ID string }
		w.decode(a, &made)
		p.adds("template", made.ID)
	}
}

func (w *walk) editTemplate(p *player) {
	template := w.draw(p, "template")
	if template.origin == misused {
		return // what else an id takes has an operation of its own
	}
	change := map[string]any{"components": w.components(p)}
	if w.sometimes(3) {
		change = map[string]any{"category": pickOne(w, "UTILITY", "MARKETING")}
	}
	w.ask(p, "editTemplate", request{method: http.MethodPost, path: "/" + template.id, body: w.json(change), refs: []ref{template}})
}

func (w *walk) deleteTemplate(p *player) {
	account := w.mostly(p, "business_account")
	r := request{method: http.MethodDelete, path: "/" + account.id + "/message_templates", refs: []ref{account}}
	if w.sometimes(2) {
		template := w.draw(p, "template")
		r.path, r.refs = r.path+"?hsm_ids="+template.id, append(r.refs, template)
	} else {
		r.path, r.may = r.path+"?name="+w.name(), []int{http.StatusNotFound}
	}
	w.ask(p, "deleteTemplate", r)
}

func (w *walk) listTemplates(p *player) {
	account := w.draw(p, "business_account")
	query, sure := w.listed()
	if w.sometimes(2) {
		query, sure = "?summary=total_count&"+pickOne(w, "name="+w.name(), "content=lamps", "status=approved,PAUSED", "quality_score=red", "language=hi", "name_or_content=%25", "status=x", "content=%00"), false
	}
	a, ok := w.ask(p, "listTemplates", request{method: http.MethodGet, path: "/" + account.id + "/message_templates" + query, refs: []ref{account}, sure: sure, spoilt: !sure})
	if !ok {
		return
	}
	var got struct{ Data []struct{ ID, Status string } }
	w.decode(a, &got)
	for _, template := range got.Data {
		if template.Status != "" && template.Status != w.status[template.ID] {
			w.t.Errorf("template %s is listed as %s and is %s", template.ID, template.Status, w.status[template.ID])
		}
	}
}

// content is a message of any kind; own says that it can be sent.
func (w *walk) content(p *player) (content map[string]any, sure bool, may []int) {
	switch w.n(8) {
	case 0:
		return map[string]any{"type": "template", "template": map[string]any{
			"name": pickOne(w, w.name(), "hello_world"), "language": map[string]string{"code": "en_US"},
			"components": []any{map[string]any{"type": "body", "parameters": []any{map[string]string{"type": "text", "text": w.words(p)}}}},
		}}, false, []int{http.StatusNotFound}
	case 1:
		return map[string]any{"type": "template", "template": map[string]any{"name": "hello_world", "language": map[string]string{"code": "en_US"}}}, false, []int{http.StatusNotFound}
	case 2:
		media := w.draw(p, "media")
		id, _ := url.PathUnescape(media.id)
		return map[string]any{"type": "image", "image": map[string]string{"id": id, "caption": w.words(p)}}, media.origin == own, nil
	case 3:
		reference := fmt.Sprintf("order-%d", w.n(40))
		amount := map[string]any{"value": 100 * (1 + w.n(900)), "offset": 100}
		p.adds("order", reference)
		return map[string]any{"type": "interactive", "interactive": map[string]any{"type": "order_details", "body": map[string]string{"text": w.words(p)}, "action": map[string]any{
			"name": "review_and_pay", "parameters": map[string]any{
				"reference_id": reference, "type": "physical-goods", "payment_configuration": "main_upi", "currency": "INR", "total_amount": amount,
				"order": map[string]any{"status": "pending", "items": []any{map[string]any{"name": w.words(p), "amount": amount, "quantity": 1}}, "subtotal": amount, "tax": map[string]int{"value": 0, "offset": 100}},
			}}}}, false, nil
	case 4:
		return map[string]any{"type": "interactive", "interactive": map[string]any{"type": "order_status", "body": map[string]string{"text": w.words(p)}, "action": map[string]any{
			"name": "review_order", "parameters": map[string]any{"reference_id": fmt.Sprintf("order-%d", w.n(40)), "order": map[string]string{"status": pickOne(w, "processing", "shipped", "completed", "canceled")}},
		}}}, false, nil
	case 5:
		return map[string]any{"status": "read", "message_id": pickOne(w, append(slices.Clone(p.made["inbound"]), "wamid.x", w.foreign(p, "inbound"))...)}, false, nil
	case 6:
		return map[string]any{"type": "reaction", "reaction": map[string]string{"message_id": pickOne(w, append(slices.Clone(p.made["message"]), "wamid.x")...), "emoji": "🪔"}}, false, nil
	}
	return map[string]any{"type": "text", "text": map[string]any{"body": w.words(p)}}, true, nil
}

// foreign is an id of the other player's.
func (w *walk) foreign(p *player, kind string) string {
	ids := w.other(p).made[kind]
	if len(ids) == 0 {
		return ""
	}
	return ids[w.n(len(ids))]
}

func (w *walk) sendMessage(p *player) {
	number := w.draw(p, "phone_number")
	message, sure, may := w.content(p)
	receipt := message["status"]
	message["messaging_product"] = "msgapp"
	message["to"], message["biz_opaque_callback_data"] = fmt.Sprintf("9198123456%02d", w.n(3)), w.words(p)
	a, ok := w.ask(p, "sendMessage", request{
		method: http.MethodPost, path: "/" + number.id + "/messages", body: w.json(message), refs: []ref{number}, sure: sure, may: may, creates: true,
	})
	if ok && receipt == nil {
		var sent messaging.SendReply
		w.decode(a, &sent)
		p.adds("message", sent.Messages[0].ID)
	}
	if ok && receipt != nil && !slices.Contains(p.made["inbound"], message["message_id"].(string)) {
		w.t.Errorf("%s read %s, which nobody wrote to it", p.marker, message["message_id"])
	}
}

func (w *walk) receiveInSandbox(p *player) {
	number := w.draw(p, "phone_number")
	a, ok := w.ask(p, "receiveInSandbox", request{
		method: http.MethodPost, path: "/" + number.id + "/sandbox/inbound", refs: []ref{number}, sure: true, creates: true,
		body: w.json(map[string]any{"from": fmt.Sprintf("9198123456%02d", w.n(3)), "name": "Asha", "text": map[string]string{"body": w.words(p)}}),
	})
	if ok {
		var received messaging.SandboxReply
		w.decode(a, &received)
		p.adds("inbound", received.Messages[0].ID)
	}
}

func (w *walk) listReceivedMessages(p *player) {
	a, ok := w.read(p, "listReceivedMessages", "", "phone_number", "/messages")
	if !ok {
		return
	}
	var got struct{ Data []struct{ ID string } }
	w.decode(a, &got)
	// A spoilt request that is taken all the same is among what nobody remembers.
	other := w.other(p)
	for _, message := range got.Data {
		if slices.Contains(other.made["inbound"], message.ID) {
			w.t.Errorf("%s received %s, which was written to %s", p.marker, message.ID, other.marker)
		}
	}
}

func (w *walk) getPayment(p *player) {
	number, order := w.mostly(p, "phone_number"), w.draw(p, "order")
	r := request{method: http.MethodGet, path: "/" + number.id + "/payments/main_upi/" + order.id, refs: []ref{number}, may: []int{http.StatusNotFound}}
	a, ok := w.ask(p, "getPayment", r)
	if !ok {
		return
	}
	var got struct{ Payments []struct{ Status string } }
	w.decode(a, &got)
	place, is := "payment "+order.id, got.Payments[0].Status
	if was := p.known[place]; (was == "CAPTURED" || was == "CANCELED") && was != is || is == "NEW" && was != "" && was != "NEW" {
		w.t.Errorf("the payment of %s went from %s to %s", order.id, was, is)
	}
	p.known[place] = is
}

// pay moves the payment of one of the player's orders on, or tries to.
func (w *walk) pay(p *player) {
	w.inTx(func(tx pgx.Tx) error {
		var order uuid.UUID
		err := tx.QueryRow(w.t.Context(), `select message_id from orders where phone_number_id = $1 and reference_id = $2`, p.sandbox.PhoneNumberID, fmt.Sprintf("order-%d", w.n(40))).Scan(&order)
		if db.IsNoRows(err) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = messaging.ReportPayment(w.t.Context(), tx, w.jobs(), messaging.PaymentStep{MessageID: order, Status: pickOne(w, "PENDING", "CAPTURED", "FAILED"), At: time.Now()})
		return err
	})
	w.done["pay"]++
}

// arrive has messages arrive.
func (w *walk) arrive(p *player) {
	w.inTx(func(tx pgx.Tx) error {
		_, err := tx.Exec(w.t.Context(), `update messages set state = 'read' where state <> 'read'`)
		return err
	})
	w.done["arrive"]++
}

// review ends the reviews that are due.
func (w *walk) review(p *player) {
	p.review(w.t)
	w.done["review"]++
}

// settle ends the pauses and does what time has made due, or lets approved
// templates be edited again.
func (w *walk) settle(p *player) {
	w.inTx(func(tx pgx.Tx) error {
		_, err := tx.Exec(w.t.Context(), `update message_templates set paused_until = case when status = 'PAUSED' then now() end, edits = '{}'`)
		return err
	})
	if err := templates.Settle(w.t.Context(), p.pool, w.jobs(), "msgapp"); err != nil {
		w.t.Fatal(err)
	}
	w.done["settle"]++
}

func (w *walk) inTx(work func(tx pgx.Tx) error) {
	w.t.Helper()
	if err := db.InTx(w.t.Context(), w.players[0].pool, work); err != nil {
		w.t.Fatal(err)
	}
}

func (w *walk) jobs() *river.Client[pgx.Tx] {
	w.t.Helper()
	client, err := river.NewClient(riverpgxv5.New(w.players[0].pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		w.t.Fatal(err)
	}
	return client
}
