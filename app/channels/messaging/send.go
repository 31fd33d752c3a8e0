package messaging

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// Sender accepts messages to people.
type Sender struct {
	request.Once
	request.Names
	people
	assets.Connections
	pool     *pgxpool.Pool
	jobs     args.Inserter
	now      func() time.Time
	acceptor *pipeline.Acceptor
	known    *db.Cache[templateKey, sendable]
	limits   *Limits
	media    *media.Store
}

// sendRequest is the body of a send: the content that Type selects, or a read
// receipt.
type sendRequest struct {
	MessagingProduct input.Text       `json:"messaging_product"`
	RecipientType    input.Text       `json:"recipient_type,omitempty"`
	To               input.Text       `json:"to,omitempty"`
	Recipient        input.Text       `json:"recipient,omitempty"` // a user id, without To
	Type             input.Text       `json:"type,omitempty"`      // text when absent
	Text             *textMessage     `json:"text,omitempty"`
	Image            *sentFile        `json:"image,omitempty"`
	Video            *sentFile        `json:"video,omitempty"`
	Audio            *sentFile        `json:"audio,omitempty"`
	Document         *sentFile        `json:"document,omitempty"`
	Sticker          *sentFile        `json:"sticker,omitempty"`
	Location         *location        `json:"location,omitempty"`
	Contacts         []contactCard    `json:"contacts,omitempty"`
	Reaction         *reaction        `json:"reaction,omitempty"`
	Interactive      *interactive     `json:"interactive,omitempty"`
	Template         *templateMessage `json:"template,omitempty"`
	Context          *messageContext  `json:"context,omitempty"`
	Reference        input.Text       `json:"biz_opaque_callback_data,omitempty"`

	Status    input.Text       `json:"status,omitempty"` // read, in a receipt
	MessageID input.Text       `json:"message_id,omitempty"`
	Typing    *typingIndicator `json:"typing_indicator,omitempty"`
}

// textMessage is the content of a message of type text.
type textMessage struct {
	Body       input.Text `json:"body"`
	PreviewURL input.Flag `json:"preview_url,omitempty"`
}

// messageContext makes a message a reply.
type messageContext struct {
	MessageID input.Text `json:"message_id"`
}

// Limits of a send, in characters.
const (
	maxText      = 4096
	maxReference = 512
)

// Send accepts a message for delivery, or marks a received one as read. It
// returns after the message and its job are committed. value is the caller's
// Idempotency-Key, or empty. The same key with the same body gives the same
// reply.
func (s *Sender) Send(ctx context.Context, number models.PhoneNumber, body []byte, value string) (pipeline.Reply, error) {
	key := pipeline.Key{OrganisationID: number.OrganisationID, Route: "messages/" + strconv.FormatInt(number.ID, 10), Body: body, Value: value}
	if stored, err := s.Keys.Find(ctx, key); err != nil {
		return pipeline.Reply{}, request.Fault(err)
	} else if stored != nil {
		return *stored, nil
	}
	request, err := decodeSend(body)
	if err != nil {
		return pipeline.Reply{}, err
	}
	if request.Status != "" {
		return s.markRead(ctx, number, request, key)
	}
	checked, err := s.check(ctx, number, request)
	if err != nil {
		return pipeline.Reply{}, err
	}
	message, err := newMessage(number, request, checked, s.now())
	if err != nil {
		return pipeline.Reply{}, err
	}
	answer := SendReply{
		MessagingProduct: string(request.MessagingProduct),
		Contacts:         []replyContact{newReplyContact(request, checked)},
		Messages:         []replyMessage{{ID: MessageID(message.ID), MessageStatus: pipeline.Accepted}},
	}
	if request.orderParameters() != nil {
		return s.sendOrder(ctx, key, message, request, answer)
	}
	return s.accept(ctx, key, message, answer)
}

// accept stores a message and its reply.
func (s *Sender) accept(ctx context.Context, key pipeline.Key, message models.Message, answer SendReply) (pipeline.Reply, error) {
	body, err := json.Marshal(answer)
	if err != nil {
		return pipeline.Reply{}, fmt.Errorf("writing the reply: %w", err)
	}
	reply, err := s.acceptor.Accept(ctx, pipeline.Group{Key: key, Messages: []models.Message{message}, Reply: body})
	if err = request.Fault(err); err != nil && fault.As(err) == nil {
		err = notAccepted(err)
	}
	return reply, err
}

// newMessage returns the row of a message. Undocumented fields of the request are
// dropped.
func newMessage(number models.PhoneNumber, r *sendRequest, checked checkedSend, now time.Time) (models.Message, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return models.Message{}, fmt.Errorf("drawing a message id: %w", err)
	}
	payload, err := json.Marshal(r)
	if err != nil {
		return models.Message{}, fmt.Errorf("writing the payload: %w", err)
	}
	return models.Message{
		ID: id, OrganisationID: number.OrganisationID, Channel: Channel, Sender: strconv.FormatInt(number.ID, 10), Recipient: checked.recipient,
		Kind: string(r.Type), Payload: payload, Reference: string(r.Reference), Category: checked.category,
		TTL: checked.ttl, State: pipeline.Accepted, CreatedAt: now,
	}, nil
}

// decodeSend decodes a send. Errors name the place that cannot be decoded.
func decodeSend(body []byte) (*sendRequest, error) {
	r := &sendRequest{}
	if err := json.Unmarshal(body, r); err != nil {
		return nil, refusal.New(refusal.Invalid, "", "%s", input.Describe(body, err))
	}
	return r, nil
}

// checkedSend is the result of checking a send.
type checkedSend struct {
	recipient string        // digits or a user id
	person    models.Person // what is known of a user id; empty for a number
	category  string        // of the template in lower case, service for every other kind
	ttl       int           // seconds, or 0 for the default of the channel
}

// check validates a message in the documented order of checks.
func (s *Sender) check(ctx context.Context, number models.PhoneNumber, r *sendRequest) (checkedSend, error) {
	return r.check(ctx, s, s.Names, number)
}

// account answers what the check of a message asks about the organisation that sends
// it: a Service for real ones, a rehearsal for the one that the simulator has.
type account interface {
	canSend(ctx context.Context, number models.PhoneNumber, a asset) (bool, error)
	CheckCarrier(ctx context.Context, number models.PhoneNumber) error
	findPerson(ctx context.Context, number models.PhoneNumber, recipient string) (models.Person, error)
	throttleSend(ctx context.Context, number models.PhoneNumber, recipient string) error
	isOpen(ctx context.Context, number models.PhoneNumber, recipient string) (bool, error)
	findTemplate(ctx context.Context, k templateKey) (sendable, error)
}

// check validates a message that an account sends from a number. words are the names
// of the channel.
func (r *sendRequest) check(ctx context.Context, s account, words []string, number models.PhoneNumber) (checkedSend, error) {
	a := checkedSend{recipient: r.address(), category: "service"}
	if err := request.CheckProduct(words, &r.MessagingProduct); err != nil {
		return a, err
	}
	if r.Type = lower(r.Type); r.Type == "" {
		r.Type = "text"
	}
	review := &review{}
	if !r.reviewContent(review) {
		return a, refusal.New(refusal.Unsupported, "type", "type %q is not supported: send one of text, image, video, audio, document, sticker, location, contacts, reaction, interactive and template", r.Type)
	}
	r.reviewAddress(review)
	if err := review.fault(); err != nil {
		return a, err
	}
	if err := checkAssets(ctx, s, number, review.assets); err != nil {
		return a, err
	}
	if "+"+a.recipient == number.Number {
		return a, refusal.New(refusal.Self, "to", "to is the number that sends: use a different recipient")
	}
	if err := a.findRecipient(ctx, s, number); err != nil {
		return a, err
	}
	if err := s.CheckCarrier(ctx, number); err != nil {
		return a, err
	}
	if err := s.throttleSend(ctx, number, cmp.Or(a.person.Number, a.recipient)); err != nil {
		return a, err
	}
	if r.Type != "template" {
		return a, checkWindow(ctx, s, number, a.recipient)
	}
	t, err := fillTemplate(ctx, s, number, r.Template)
	a.category = strings.ToLower(t.Category)
	if err == nil && t.Category == "AUTHENTICATION" && phone.IsUserID(a.recipient) {
		return a, refusal.New(refusal.UserID, "recipient", "an authentication template needs a number in to: codes are not sent to a user id alone")
	}
	if ttl := cmp.Or(t.TTL, templates.DefaultTTL(t.Category)); ttl != nil && *ttl != templates.MonthTTL {
		a.ttl = *ttl
	}
	return a, err
}

// reviewContent reviews the content that Type selects and drops all other
// content. It reports whether the type is known.
func (r *sendRequest) reviewContent(v *review) bool {
	sent := *r
	*r = sendRequest{MessagingProduct: r.MessagingProduct, RecipientType: r.RecipientType, To: r.To, Recipient: r.Recipient, Type: r.Type, Context: r.Context, Reference: r.Reference}
	switch r.Type {
	case "text":
		r.Text = orEmpty(sent.Text)
		v.text("text.body", r.Text.Body, maxText)
	case "image", "video", "audio", "document", "sticker":
		r.reviewMedia(v, &sent)
	case "location":
		r.Location = orEmpty(sent.Location)
		r.Location.review(v, "location")
	case "contacts":
		r.Contacts = sent.Contacts
		reviewContacts(v, r.Contacts)
		for i := range r.Contacts {
			r.Contacts[i].Origin = "" // of received cards only
		}
	case "reaction":
		r.Reaction = orEmpty(sent.Reaction)
		r.Reaction.review(v)
	case "interactive":
		r.Interactive = orEmpty(sent.Interactive)
		r.Interactive.review(v)
	case "template":
		r.Template = orEmpty(sent.Template)
		r.Template.review(v)
	default:
		return false
	}
	return true
}

// reviewAddress reviews the fields that messages of every kind have.
func (r *sendRequest) reviewAddress(v *review) {
	r.reviewRecipient(v)
	if r.RecipientType = lower(r.RecipientType); r.RecipientType != "" && r.RecipientType != "individual" {
		v.refuse("recipient_type", "recipient_type must be individual")
	}
	v.atMost("biz_opaque_callback_data", r.Reference, maxReference)
	if r.Context != nil {
		v.message("context.message_id", r.Context.MessageID)
	}
}

// Digits removes spaces, hyphens, parentheses and a leading plus sign from a
// number. It returns an empty string if other characters remain.
func Digits(number string) string {
	var b strings.Builder
	for i, c := range number {
		switch {
		case c >= '0' && c <= '9':
			b.WriteRune(c)
		case c == '+' && i == 0, c == ' ', c == '-', c == '(', c == ')':
		default:
			return ""
		}
	}
	return b.String()
}

func lower(t input.Text) input.Text { return input.Text(strings.ToLower(string(t))) }

// SendReply is the response to an accepted send.
type SendReply struct {
	MessagingProduct string         `json:"messaging_product"`
	Contacts         []replyContact `json:"contacts"`
	Messages         []replyMessage `json:"messages"`
}

// replyMessage identifies the accepted message.
type replyMessage struct {
	ID            string `json:"id"`
	MessageStatus string `json:"message_status"`
}

// notAccepted returns the error for a message that could not be stored.
func notAccepted(err error) error {
	return &fault.Error{
		Kind: fault.Unavailable, Code: "2", Message: "Service temporarily unavailable",
		Fields:     []fault.Field{{Message: "the message was not accepted: send it again, with the same Idempotency-Key if it has one"}},
		RetryAfter: time.Second, Err: err,
	}
}
