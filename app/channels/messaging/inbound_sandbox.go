package messaging

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db/models"
)

// sandboxInbound is the body of a request that simulates an inbound message to a
// sandbox number.
type sandboxInbound struct {
	MessagingProduct input.Text      `json:"messaging_product"` // the default word when absent
	From             input.Text      `json:"from"`              // a number; empty if only the user id is known
	FromUserID       input.Text      `json:"from_user_id"`      // empty if the user id is unknown
	FromParentUserID input.Text      `json:"from_parent_user_id"`
	Username         input.Text      `json:"username"`
	Name             input.Text      `json:"name"`
	Type             input.Text      `json:"type"` // text when absent
	Context          *messageContext `json:"context"`
	inboundContent
}

// SandboxReply is the response with the id of the received message.
type SandboxReply struct {
	MessagingProduct string           `json:"messaging_product"`
	Messages         []sandboxMessage `json:"messages"`
}

// sandboxMessage is the id of a received message.
type sandboxMessage struct {
	ID string `json:"id"`
}

const maxName = 100 // characters of a contact's profile name

// ReceiveInSandbox simulates an inbound message to a number of a sandbox
// organisation, so that partners can test receiving. Other numbers are
// Forbidden.
func (s *Inbound) ReceiveInSandbox(ctx context.Context, number models.PhoneNumber, body []byte, key string) (pipeline.Reply, error) {
	if !number.Sandbox {
		return pipeline.Reply{}, refusal.New(refusal.Permission, "phone_number_id", "number %d is not a sandbox number: inbound messages can be simulated in a sandbox only", number.ID)
	}
	var r sandboxInbound
	if err := json.Unmarshal(body, &r); err != nil {
		return pipeline.Reply{}, refusal.New(refusal.Invalid, "", "%s", input.Describe(body, err))
	}
	in, err := s.readInbound(ctx, number, &r)
	if err != nil {
		return pipeline.Reply{}, err
	}
	request := pipeline.Key{OrganisationID: number.OrganisationID, Route: "sandbox/inbound/" + strconv.FormatInt(number.ID, 10), Body: body, Value: key}
	return s.DoOnce(ctx, request, func(tx pgx.Tx) (any, error) {
		id, err := receive(ctx, tx, s.jobs, in)
		return SandboxReply{MessagingProduct: in.Product, Messages: []sandboxMessage{{ID: MessageID(id)}}}, err
	})
}

func (s *Inbound) readInbound(ctx context.Context, number models.PhoneNumber, r *sandboxInbound) (inbound, error) {
	r.MessagingProduct = cmp.Or(r.MessagingProduct, input.Text(s.Names[0]))
	if err := s.CheckProduct(&r.MessagingProduct); err != nil {
		return inbound{}, err
	}
	if r.Type = lower(r.Type); r.Type == "" {
		r.Type = "text"
	}
	v := &review{}
	content, ok := r.review(v)
	if !ok {
		return inbound{}, refusal.New(refusal.Unsupported, "type", "type %q is not supported: send one of text, image, video, audio, document, sticker, button, interactive, reaction, location, contacts, order, system and unsupported", r.Type)
	}
	in := inbound{PhoneNumberID: number.ID, Product: string(r.MessagingProduct), Name: string(r.Name), Type: string(r.Type), Content: content}
	in.Person, in.Former = r.person(v)
	in.Name = cmp.Or(in.Name, virtualName)
	v.atMost("name", r.Name, maxName)
	if r.Context != nil {
		v.message("context.message_id", r.Context.MessageID)
		id, _ := ParseMessageID(string(r.Context.MessageID))
		in.Context = &id
	}
	if err := v.fault(); err != nil {
		return inbound{}, err
	}
	if "+"+in.Person.Number == number.Number {
		return inbound{}, refusal.New(refusal.Self, "from", "from is the number itself: use a different number")
	}
	if err := checkAssets(ctx, s.sender, number, v.assets); err != nil {
		return inbound{}, err
	}
	if file := in.Content.file(r.Type); file != nil {
		return in, s.describeFile(ctx, number, *file)
	}
	return in, nil
}

// review returns the content of the message's type. ok is false for a type that
// cannot be simulated.
func (r *sandboxInbound) review(v *review) (content inboundContent, ok bool) {
	switch r.Type {
	case "text":
		content.Text = orEmpty(r.Text)
		v.text("text.body", content.Text.Body, maxText)
	case "button":
		content.Button = orEmpty(r.Button)
		v.text("button.text", content.Button.Text, maxText)
		v.atMost("button.payload", content.Button.Payload, maxPayload)
	case "interactive":
		content.Interactive = orEmpty(r.Interactive)
		content.Interactive.review(v)
	case "reaction":
		content.Reaction = orEmpty(r.Reaction)
		(&reaction{content.Reaction.MessageID, content.Reaction.Emoji}).review(v)
	case "location":
		content.Location = orEmpty(r.Location)
		content.Location.review(v, "location")
	case "contacts":
		content.Contacts = r.Contacts
		reviewContacts(v, content.Contacts)
		for i := range content.Contacts {
			v.choice(item("contacts", i)+".origin", &content.Contacts[i].Origin, originAsked, "other")
		}
	case "order":
		content.Order = orEmpty(r.Order)
		content.Order.review(v)
	case "system":
		content.System = orEmpty(r.System)
		content.System.review(v, r)
	case "unsupported":
		content.Errors = unsupportedMessage()
	default:
		file := content.file(r.Type)
		if file == nil {
			return content, false
		}
		*file = orEmpty(*r.file(r.Type))
		(*file).review(v, string(r.Type))
	}
	return content, true
}

func (c *chosenReply) review(v *review) {
	v.word("interactive.type", &c.Type, "button_reply", "list_reply", "nfm_reply")
	sent := *c
	*c = chosenReply{Type: c.Type}
	choice := func(path string, sent *choice) *choice {
		sent = orEmpty(sent)
		v.text(path+".id", sent.ID, maxButtonID)
		v.text(path+".title", sent.Title, maxRowTitle)
		v.atMost(path+".description", sent.Description, maxRowText)
		return sent
	}
	switch c.Type {
	case "button_reply":
		c.ButtonReply = choice("interactive.button_reply", sent.ButtonReply)
	case "list_reply":
		c.ListReply = choice("interactive.list_reply", sent.ListReply)
	case "nfm_reply":
		c.FlowReply = orEmpty(sent.FlowReply)
		v.need("interactive.nfm_reply.response_json", c.FlowReply.ResponseJSON != "")
		if !json.Valid([]byte(c.FlowReply.ResponseJSON)) {
			v.refuse("interactive.nfm_reply.response_json", "interactive.nfm_reply.response_json must be a string that contains JSON")
		}
	}
}
