package messaging

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// people knows the numbers and user ids that mean the same person.
type people struct{ db db.Querier }

// findPerson returns what is known of a recipient at the organisation of a number.
func (p people) findPerson(ctx context.Context, number models.PhoneNumber, recipient string) (models.Person, error) {
	m := models.Message{OrganisationID: number.OrganisationID, Recipient: recipient}
	known, err := recipientsOf(ctx, p.db, m)
	return known.of(m), err
}

// recipients are the people that messages go to.
type recipients map[recipientKey]models.Person

type recipientKey struct {
	organisation int64
	recipient    string
}

// recipientsOf looks the recipients of messages up.
func recipientsOf(ctx context.Context, q db.Querier, messages ...models.Message) (recipients, error) {
	organisations, identities := make([]int64, len(messages)), make([]string, len(messages))
	for i, m := range messages {
		organisations[i], identities[i] = m.OrganisationID, m.Recipient
	}
	found, err := queries.PersonList(ctx, q, organisations, identities)
	if err != nil {
		return nil, fmt.Errorf("looking %d recipients up: %w", len(messages), err)
	}
	known := recipients{}
	for _, f := range found {
		known[recipientKey{f.OrganisationID, f.Identity}] = f.Person
	}
	return known, nil
}

// of returns the recipient of a message. Its own number or user id is the one that the
// message was sent to.
func (r recipients) of(m models.Message) models.Person {
	return addressed(r[recipientKey{m.OrganisationID, m.Recipient}], m.Recipient)
}

// addressed returns a person under the identity that was written to.
func addressed(p models.Person, recipient string) models.Person {
	switch {
	case phone.IsParentID(recipient):
		p.ParentUserID = recipient
	case phone.IsUserID(recipient):
		p.UserID = recipient
	default:
		p.Number = recipient
	}
	return p
}

// address writes the recipient of a message into its status, and returns the contacts
// of the callback. A failure says no more than what the sender knew.
func (s *CallbackStatus) address(m models.Message, to models.Person) []callbackContact {
	if s.Status == "failed" {
		to = addressed(models.Person{}, m.Recipient)
	}
	s.RecipientID, s.RecipientUserID, s.RecipientParentUserID = to.Number, to.UserID, to.ParentUserID
	if s.Status == "failed" || to.UserID == "" {
		return nil
	}
	return []callbackContact{newCallbackContact(to, "")}
}

func newCallbackContact(p models.Person, name string) callbackContact {
	return callbackContact{Profile: callbackProfile{Name: name, Username: p.Username}, WaID: p.Number, UserID: p.UserID, ParentUserID: p.ParentUserID}
}

// address returns the recipient as messages have it. A number goes before a user id.
func (r *sendRequest) address() string {
	if r.To == "" {
		return string(r.Recipient)
	}
	return Digits(string(r.To))
}

// reviewRecipient reviews the number or the user id that a message goes to.
func (r *sendRequest) reviewRecipient(v *review) {
	if r.To == "" && r.Recipient != "" {
		v.userID("recipient", r.Recipient)
		return
	}
	r.Recipient = ""
	if r.To == "" {
		v.missing = cmp.Or(v.missing, refusal.New(refusal.Required, "to", "to is required, or recipient with a user id"))
		return
	}
	v.person("to", r.To)
}

// findRecipient refuses a number that cannot exist, and looks up what is known of a user
// id.
func (a *checkedSend) findRecipient(ctx context.Context, s account, number models.PhoneNumber) (err error) {
	if !phone.IsUserID(a.recipient) {
		return checkRecipient(a.recipient)
	}
	a.person, err = s.findPerson(ctx, number, a.recipient)
	return err
}

// replyContact is the recipient as sent and as normalised.
type replyContact struct {
	Input  string `json:"input"`
	WaID   string `json:"wa_id,omitempty"`   // absent for a user id without a known number
	UserID string `json:"user_id,omitempty"` // absent for a number
}

func newReplyContact(r *sendRequest, checked checkedSend) replyContact {
	if phone.IsUserID(checked.recipient) {
		return replyContact{Input: string(r.Recipient), WaID: checked.person.Number, UserID: checked.recipient}
	}
	return replyContact{Input: string(r.To), WaID: checked.recipient}
}

// recipient returns the recipient of a rehearsed message.
func (r Rehearsal) recipient() models.Person { return addressed(models.Person{}, r.Message.Recipient) }

// contact returns what a received message is stored under: the number of its sender or,
// without one, the user id.
func (in *inbound) contact() string {
	switch {
	case in.Person.Number != "":
		return in.Person.Number
	case in.Person.UserID != "":
		return in.Person.UserID
	}
	return in.Person.ParentUserID
}

// meet keeps the identities of a sender, so that each of them means the same person
// from then on.
func (in *inbound) meet(ctx context.Context, tx pgx.Tx) error {
	person := in.Person
	if number := in.sharedNumber(); number != "" {
		person.Number = number
	}
	if s := in.Content.System; s != nil { // the sender is named by what was replaced
		person = models.Person{UserID: string(s.UserID), ParentUserID: string(s.ParentUserID), Number: usableNumber(s.WaID), Username: person.Username}
		if !phone.IsUserID(person.UserID) {
			person.UserID = ""
		}
		if !phone.IsParentID(person.ParentUserID) {
			person.ParentUserID = ""
		}
	}
	if person.UserID == "" && person.ParentUserID == "" {
		return nil
	}
	number, err := numberOfCallback(ctx, tx, in.PhoneNumberID)
	if err != nil {
		return err
	}
	if err := writes.PersonLink(ctx, tx, number.OrganisationID, person, in.Former...); err != nil {
		return fmt.Errorf("storing the identities of a sender: %w", err)
	}
	return nil
}

// sharedNumber returns the number that a person has shared when asked for it.
func (in *inbound) sharedNumber() string {
	if len(in.Content.Contacts) != 1 || in.Content.Contacts[0].Origin != originAsked || len(in.Content.Contacts[0].Phones) == 0 {
		return ""
	}
	return usableNumber(in.Content.Contacts[0].Phones[0].WaID)
}

// originAsked is the origin of a contact card that answers the question for it.
const originAsked = "contact_request"

// person returns the sender of a simulated message, and what the sender has no more.
func (r *sandboxInbound) person(v *review) (p models.Person, former []string) {
	p.Username = string(r.Username)
	v.atMost("username", r.Username, maxName)
	if r.From != "" || r.FromUserID == "" {
		v.person("from", r.From)
		p.Number = Digits(string(r.From))
	}
	if r.FromUserID != "" {
		v.userID("from_user_id", r.FromUserID)
		p.UserID = string(r.FromUserID)
	}
	if r.FromParentUserID != "" {
		if !phone.IsParentID(string(r.FromParentUserID)) {
			v.refuse("from_parent_user_id", "from_parent_user_id must be the id of a linked portfolio, for example IN.ENT.11815799212886844830")
		}
		p.ParentUserID = string(r.FromParentUserID)
	}
	if r.System != nil && r.Type == "system" {
		former = formerOf(p)
	}
	return p, former
}

// formerOf returns the identities of a person who has others now.
func formerOf(p models.Person) []string { return []string{p.Number, p.UserID, p.ParentUserID} }

// person returns the sender of a message that a carrier posted, and what the sender has
// no more. Texts of another shape are left out.
func (p *posted) person() (who models.Person, former []string) {
	who.Number = usableNumber(p.text("from"))
	if id := p.text("from_user_id"); phone.IsUserID(id) {
		who.UserID = id
	}
	if id := p.text("from_parent_user_id"); phone.IsParentID(id) {
		who.ParentUserID = id
	}
	var system inboundSystem
	if p.message["system"] == nil || json.Unmarshal(p.message["system"], &system) != nil {
		return who, nil
	}
	former = formerOf(who)
	for _, id := range []input.Text{system.PreviousUserID, system.PreviousParentID} {
		if phone.IsUserID(string(id)) {
			former = append(former, string(id))
		}
	}
	if who.UserID == "" && phone.IsUserID(string(system.PreviousUserID)) {
		who.UserID = string(system.PreviousUserID)
	}
	return who, former
}

// usableContact matches the numbers that can be written to.
var usableContact = regexp.MustCompile(`^[1-9][0-9]{4,14}$`)

// usableNumber returns a text that is a number, or nothing.
func usableNumber[T ~string](text T) string { return usableContact.FindString(string(text)) }

// contactOfText returns a number or a user id as messages have it, or nothing for any
// other text.
func contactOfText(text string) string {
	if phone.IsUserID(text) {
		return text
	}
	return Digits(text)
}

// contactOfPost is what a carrier says about a person.
type contactOfPost struct {
	WaID    input.Text `json:"wa_id"`
	UserID  input.Text `json:"user_id"`
	Profile struct {
		Name     string `json:"name"`
		Username string `json:"username"`
	} `json:"profile"`
}

// findContact returns what a carrier says about a person, as it was posted and read.
func findContact(contacts []json.RawMessage, who models.Person) (json.RawMessage, contactOfPost) {
	for _, raw := range contacts {
		var c contactOfPost
		if json.Unmarshal(raw, &c) != nil {
			continue
		}
		if c.WaID != "" && string(c.WaID) == who.Number || c.UserID != "" && string(c.UserID) == who.UserID {
			c.Profile.Name, c.Profile.Username = media.Printable(c.Profile.Name, maxName), media.Printable(c.Profile.Username, maxName)
			return raw, c
		}
	}
	return nil, contactOfPost{}
}

// meet keeps the identities that a status names for the recipient of a message.
func (s *postedStatus) meet(ctx context.Context, tx pgx.Tx, m models.Message, contacts []json.RawMessage) error {
	id := string(s.RecipientUserID)
	if !phone.IsUserID(id) || s.Status == "failed" {
		return nil
	}
	who := models.Person{UserID: id, Number: usableNumber(s.Recipient)}
	if parent := string(s.RecipientParentID); phone.IsParentID(parent) {
		who.ParentUserID = parent
	}
	if !phone.IsUserID(m.Recipient) {
		who.Number = m.Recipient
	}
	_, named := findContact(contacts, who)
	who.Username = named.Profile.Username
	if err := writes.PersonLink(ctx, tx, m.OrganisationID, who); err != nil {
		return fmt.Errorf("storing the identities of a recipient: %w", err)
	}
	return nil
}
