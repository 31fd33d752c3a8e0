package messaging

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/input"
	"heliograph/db/models"
)

// The account of a rehearsal. Its ids belong to nobody.
const (
	rehearsalNumberID  = 100000000000001
	rehearsalAccountID = 100000000000002
	rehearsalNumber    = "+910000000000"
)

// Rehearsal is a message that was checked like a send and not stored.
type Rehearsal struct {
	Message models.Message // its payload is what a carrier would get; no message for a read receipt
	// Template is the template of the message, with its state; empty for other kinds.
	Template models.Template
	// Reply is the body of the answer that a send would get.
	Reply any
	// Unchecked says what a send checks beyond this.
	Unchecked []string

	number models.PhoneNumber
}

// Rehearse checks the body of a send as Send does, for a sandbox that exists in memory
// alone. It stores nothing and asks neither the database nor the network. Assets of
// any well-formed id exist. words are the names of the channel, and templates are
// the templates of the account beside the ones of every sandbox. A template of the account
// replaces one of a sandbox with the same name and language, and counts as approved in
// every state: the state of the one that is used is in the rehearsal.
func Rehearse(ctx context.Context, words []string, templates []models.Template, body []byte, now time.Time) (Rehearsal, error) {
	number := models.PhoneNumber{ID: rehearsalNumberID, BusinessAccountID: rehearsalAccountID, Number: rehearsalNumber, Sandbox: true}
	r := Rehearsal{number: number}
	if garbled := input.Garbled(body); garbled != "" {
		return r, refusal.New(refusal.Invalid, "", "%s", garbled)
	}
	request, err := decodeSend(body)
	if err != nil {
		return r, err
	}
	if request.Status != "" {
		if err := request.checkReceipt(words); err != nil {
			return r, err
		}
		r.Reply, r.Unchecked = doneReceipt{Success: true}, []string{"message_id: whether your number has received this message."}
		return r, nil
	}
	a := &rehearsal{templates: append(rehearsalTemplates(), templates...)}
	a.own = len(a.templates) - len(templates)
	checked, err := request.check(ctx, a, words, number)
	r.Unchecked = a.unchecked(request)
	if err != nil {
		return r, err
	}
	r.Template = a.sent
	if r.Message, err = newMessage(number, request, checked, now); err != nil {
		return r, err
	}
	r.Message.ID = uuid.NewSHA1(uuid.NameSpaceOID, body) // the same for the same body
	r.Reply = SendReply{
		MessagingProduct: string(request.MessagingProduct),
		Contacts:         []replyContact{newReplyContact(request, checked)},
		Messages:         []replyMessage{{ID: MessageID(r.Message.ID), MessageStatus: "accepted"}},
	}
	return r, nil
}

// rehearsal is an account in memory.
type rehearsal struct {
	templates []models.Template
	own       int // index of the first template of the account
	assets    []asset
	sent      models.Template
	sentOwn   bool
}

func (a *rehearsal) canSend(_ context.Context, _ models.PhoneNumber, named asset) (bool, error) {
	if _, ok := registry.ParseID(named.id); !ok {
		return false, refusal.NotFound(named.id)
	}
	a.assets = append(a.assets, named)
	return true, nil
}

func (a *rehearsal) CheckCarrier(context.Context, models.PhoneNumber) error { return nil }

func (a *rehearsal) findPerson(context.Context, models.PhoneNumber, string) (models.Person, error) {
	return models.Person{}, nil
}

func (a *rehearsal) throttleSend(context.Context, models.PhoneNumber, string) error { return nil }

func (a *rehearsal) isOpen(context.Context, models.PhoneNumber, string) (bool, error) {
	return false, nil
}

func (a *rehearsal) findTemplate(_ context.Context, k templateKey) (sendable, error) {
	for i := len(a.templates) - 1; i >= 0; i-- {
		t := a.templates[i]
		if t.Name != k.name || t.Language != k.language {
			continue
		}
		parts, err := readParts(t.Components)
		if err != nil {
			return sendable{}, fmt.Errorf("reading template %s: %w", t.Name, err)
		}
		a.sent, a.sentOwn, t.Status = t, i >= a.own, "APPROVED"
		return sendable{t, parts}, nil
	}
	return sendable{}, pgx.ErrNoRows
}

// unchecked says what a send checks beyond the rehearsal.
func (a *rehearsal) unchecked(r *sendRequest) (list []string) {
	for _, named := range a.assets {
		if named.kind == "catalogue" {
			list = append(list, named.path+": whether your account has this catalogue, with these products.")
			continue
		}
		list = append(list, named.path+": whether your number has uploaded this file, and whether its type fits.")
	}
	payload, err := json.Marshal(r)
	if err == nil {
		files, _ := linkedFiles(models.Message{Payload: payload})
		for _, f := range files {
			list = append(list, "The link of the "+f.Kind+": whether it leads to a file, and its type and size.")
		}
	}
	if r.Context != nil {
		list = append(list, "context.message_id: whether the message exists.")
	}
	if r.orderParameters() != nil {
		list = append(list, "interactive.action.parameters.reference_id: whether you have used it before.")
	}
	stands := "Whether your key, your number and your templates exist: a sandbox in memory stands in for your account."
	if a.sentOwn {
		stands = "Whether your key and your number exist, and the template belongs to the account of the number."
	}
	return append(list, stands,
		"Whether the recipient has the channel, has written to you in the last 24 hours, or must not be contacted.",
		"The rate limits of your number.")
}

// rehearsalTemplates returns the approved templates of a rehearsal: what every
// sandbox has, and one for each of the other kinds of components.
func rehearsalTemplates() []models.Template {
	all := append([]models.Template{}, templates.Sandbox...)
	all = append(all,
		models.Template{Name: "spring_offer", Category: "MARKETING", Components: json.RawMessage(
			`[{"type":"HEADER","format":"IMAGE"},` +
				`{"type":"BODY","text":"Hello {{1}}. *Brass lamps* cost a quarter less until the end of the offer.","example":{"body_text":[["Asha"]]}},` +
				`{"type":"LIMITED_TIME_OFFER","limited_time_offer":{"text":"Spring offer","has_expiration":true}},` +
				`{"type":"BUTTONS","buttons":[{"type":"COPY_CODE","example":"SPRING25"},{"type":"URL","text":"See the lamps","url":"https://shop.example.com/lamps/{{1}}","example":["https://shop.example.com/lamps/spring"]}]}]`)},
		models.Template{Name: "delivery_question", Category: "UTILITY", Components: json.RawMessage(
			`[{"type":"HEADER","format":"TEXT","text":"Order {{1}}","example":{"header_text":["A-1042"]}},` +
				`{"type":"BODY","text":"Your order arrives on {{1}}. Is somebody at home?","example":{"body_text":[["Friday"]]}},` +
				`{"type":"FOOTER","text":"Sent by the shop in Pune"},` +
				`{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"Yes"},{"type":"QUICK_REPLY","text":"Another day"},{"type":"URL","text":"Track it","url":"https://shop.example.com/t"},{"type":"PHONE_NUMBER","text":"Call the shop","phone_number":"+919812345670"}]}]`)},
		models.Template{Name: "lamp_cards", Category: "MARKETING", Components: json.RawMessage(
			`[{"type":"BODY","text":"Two lamps for your room."},` +
				`{"type":"CAROUSEL","cards":[` +
				`{"components":[{"type":"HEADER","format":"IMAGE"},{"type":"BODY","text":"Brass, {{1}}","example":{"body_text":[["2,490 rupees"]]}},{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"I take it"}]}]},` +
				`{"components":[{"type":"HEADER","format":"IMAGE"},{"type":"BODY","text":"Glass, {{1}}","example":{"body_text":[["1,990 rupees"]]}},{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"I take it"}]}]}]}]`)},
	)
	for i := range all {
		all[i].Language, all[i].Status, all[i].ParameterFormat = "en_US", "APPROVED", templates.Positional
	}
	return all
}
