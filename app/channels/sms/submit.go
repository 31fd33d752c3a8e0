package sms

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"heliograph/db/models"
)

// Response is the answer to a submission.
type Response struct {
	RequestID   string    `json:"req_id"`
	RequestTime string    `json:"req_time"` // Indian time
	Status      Status    `json:"status"`
	Messages    []outcome `json:"messages,omitempty"` // one for each recipient, in the order of the request
	Warnings    []string  `json:"warnings,omitempty"` // what was ignored
}

// Status is the outcome of a whole submission.
type Status struct {
	Code Code   `json:"code"`
	Desc string `json:"desc"`
	Href string `json:"href,omitempty"` // of the code in the documentation; none for what was accepted
}

// outcome is what happened to one recipient.
type outcome struct {
	Dest     string       `json:"dest"` // digits with the country code; as it was sent if it is invalid
	ID       string       `json:"msg_id,omitempty"`
	Parts    int          `json:"parts,omitempty"`
	Encoding textEncoding `json:"encoding,omitempty"`
	Code     Code         `json:"code"`
	Desc     string       `json:"desc,omitempty"`
	Href     string       `json:"href,omitempty"` // of the code in the documentation; none for what was accepted
}

// NewResponse returns an answer with an id of its own and no outcome yet.
func NewResponse(now time.Time) Response {
	return Response{RequestID: uuid.Must(uuid.NewV7()).String(), RequestTime: LocalTime(now)}
}

// Refused returns the answer with a reason for the whole submission.
func (r Response) Refused(refusal *Refusal) Response {
	r.Status, r.Messages = Status{Code: refusal.Code, Desc: refusal.Error()}, nil
	return r
}

// settle sets the status from the outcomes: the outcome of the only recipient, or
// accepted for several.
func (r *Response) settle() {
	r.Status = Status{Code: CodeAccepted, Desc: CodeAccepted.Meaning()}
	if len(r.Messages) == 1 && r.Messages[0].Code != CodeAccepted {
		r.Status = Status{Code: r.Messages[0].Code, Desc: r.Messages[0].Desc}
	}
}

func (o *outcome) refuse(refusal error) {
	r, ok := refusal.(*Refusal)
	if !ok {
		r = refuse(CodeInternal, "")
	}
	*o = outcome{Dest: o.Dest, Code: r.Code, Desc: r.Error()}
}

// batch is a submission on its way into the store.
type batch struct {
	account  *Account
	envelope envelope
	response Response
	messages []models.Message
	outcome  []int // of each message, in the response
	ends     []int // where the outcomes of each message of the submission end; nil to keep none
}

// read checks every message and recipient and makes the rows to store.
func (b *batch) read(s *Submission) error {
	claimed := map[string]bool{}
	for i := range s.Messages {
		m := &s.Messages[i]
		p, err := b.account.prepare(m, b.envelope)
		if err == nil && p.reference != "" {
			if claimed[p.reference] {
				err = refuse(CodeReferenceUsed, "two messages of this request have the same cust_ref")
			}
			claimed[p.reference] = true
		}
		if len(m.Dest) == 0 {
			m.Dest = []string{""}
		}
		seen := map[string]bool{}
		for _, dest := range m.Dest {
			if err := b.add(&p, dest, seen, err); err != nil {
				return err
			}
		}
		if b.ends != nil {
			b.ends = append(b.ends, len(b.response.Messages))
		}
	}
	return nil
}

// add adds a recipient of a message. refusal is the reason that holds for all of
// its recipients, or nil. A number that the message has already is left out.
func (b *batch) add(p *prepared, dest string, seen map[string]bool, refusal error) error {
	outcome := outcome{Dest: dest, Code: CodeAccepted}
	to, unreachable := b.account.address(dest, p)
	if to.Digits != "" {
		outcome.Dest = to.Digits
	}
	if seen[outcome.Dest] {
		return nil
	}
	seen[outcome.Dest] = true
	if refusal == nil {
		refusal = unreachable
	}
	if refusal != nil {
		outcome.refuse(refusal)
		b.response.Messages = append(b.response.Messages, outcome)
		return nil
	}
	message, err := b.message(p, to.Digits, to.Country)
	if err != nil {
		return err
	}
	outcome.ID, outcome.Parts, outcome.Encoding = MessageID(message.ID), p.parts, p.payload.Encoding
	b.messages, b.outcome = append(b.messages, message), append(b.outcome, len(b.response.Messages))
	b.response.Messages = append(b.response.Messages, outcome)
	return nil
}

// message makes the row of a message to one recipient.
func (b *batch) message(p *prepared, digits string, country int) (models.Message, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return models.Message{}, fmt.Errorf("drawing a message id: %w", err)
	}
	body, err := b.payload(p, country)
	if err != nil {
		return models.Message{}, err
	}
	organisation := b.account.OrganisationID
	m := models.Message{
		ID: id, OrganisationID: organisation, Channel: Channel, Sender: p.payload.Header, Recipient: digits, Kind: p.payload.Type,
		Payload: body, Reference: p.reference, TTL: int(p.ttl.Seconds()), State: "accepted", CreatedAt: b.envelope.now,
		Parts: p.parts, Subject: nobody,
	}
	if !p.schedule.IsZero() {
		m.ScheduledAt = &p.schedule
	}
	if p.reports {
		m.Subject = Subject(organisation, p.reportURL)
	}
	return m, nil
}

// payload returns the payload of a message to a country. It is the same for all
// recipients in India, where operators check the text, and for all others.
func (b *batch) payload(p *prepared, country int) ([]byte, error) {
	body := &p.body
	if country == india {
		body = &p.checked
	}
	if *body != nil {
		return *body, nil
	}
	payload := p.payload
	if country == india {
		payload.Fault = b.account.registryFault(payload.EntityID, payload.TemplateID, payload.Header, payload.Text)
	}
	written, err := json.Marshal(payload)
	if err != nil {
		return nil, fmt.Errorf("writing the payload: %w", err)
	}
	*body = written
	return written, nil
}

// nobody is the subject of messages without reports.
const nobody = "-"

// drop takes back the messages with references that were used before.
func (b *batch) drop(used map[string]bool) {
	kept, outcome := b.messages[:0:0], b.outcome[:0:0]
	for i, m := range b.messages {
		if used[m.Reference] {
			b.response.Messages[b.outcome[i]].refuse(refuse(CodeReferenceUsed, ""))
			continue
		}
		kept, outcome = append(kept, m), append(outcome, b.outcome[i])
	}
	b.messages, b.outcome = kept, outcome
}

// Subject returns the subject of the webhook that reports of an organisation go
// to: its own address, or one that a request names.
func Subject(organisationID int64, url string) string {
	subject := strconv.FormatInt(organisationID, 10)
	if url != "" {
		subject += "/" + addressHash(url)
	}
	return subject
}
