package sms

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/input"
	"heliograph/app/keyring"
	"heliograph/db/models"
)

// codeSlot stands for the code in the text of a message that is stored.
const codeSlot = "{otp}"

// SendCode accepts the SMS of a code within tx. The message is checked like any
// other of the organisation. It is stored with {otp} in place of the code, which
// is sealed until the message is handed over.
func (s *Service) SendCode(ctx context.Context, tx pgx.Tx, c codeSMS) error {
	message, err := s.newCodeMessage(ctx, c)
	if err != nil {
		return err
	}
	if err := sealCode(s.Keyring, &message, c); err != nil {
		return err
	}
	return s.Acceptor.AcceptTx(ctx, tx, message)
}

// CheckCode returns the *Refusal that SendCode would return.
func (s *Service) CheckCode(ctx context.Context, c codeSMS) error {
	_, err := s.newCodeMessage(ctx, c)
	return err
}

// newCodeMessage returns the message of a code in clear.
func (s *Service) newCodeMessage(ctx context.Context, c codeSMS) (message models.Message, err error) {
	account, err := s.Account(ctx, c.OrganisationID)
	if err != nil {
		return message, err
	}
	b := batch{account: account, response: NewResponse(s.Now())}
	m := Message{
		Dest: []string{strings.TrimPrefix(c.To, "+")}, Text: input.Text(strings.ReplaceAll(c.Text, codeSlot, c.Code)), Header: input.Text(c.Header),
		EntityID: input.Text(c.EntityID), DLTTemplate: input.Text(c.TemplateID), Expiry: input.Text(strconv.Itoa(int(c.Life.Seconds()))),
	}
	if b.envelope, err = account.envelope(&Submission{Messages: []Message{m}}, b.response.RequestID, s.Now()); err != nil {
		return message, err
	}
	p, err := account.prepare(&m, b.envelope)
	if err != nil {
		return message, err
	}
	to, err := account.address(m.Dest[0], &p)
	if err != nil {
		return message, err
	}
	if message, err = b.message(&p, to.Digits, to.Country); err != nil {
		return message, err
	}
	b.messages = append(b.messages, message)
	return message, s.checkRoutes(ctx, &b)
}

// sealCode takes the code out of a message's text.
func sealCode(k *keyring.Keyring, m *models.Message, c codeSMS) error {
	p, err := readPayload(*m)
	if err != nil {
		return err
	}
	p.Text, p.Code = c.Text, string(k.Seal([]byte(c.Code), codePlace(*m)))
	if m.Payload, err = json.Marshal(p); err != nil {
		return fmt.Errorf("writing SMS %s: %w", m.ID, err)
	}
	return nil
}

// openCode returns the payload of a message with its code in place.
func openCode(k *keyring.Keyring, m models.Message) ([]byte, error) {
	if !bytes.Contains(m.Payload, []byte(`"code":`)) {
		return m.Payload, nil
	}
	p, err := readPayload(m)
	if err != nil || p.Code == "" {
		return m.Payload, err
	}
	code, err := k.Open([]byte(p.Code), codePlace(m))
	if err != nil {
		return nil, fmt.Errorf("opening the code of SMS %s: %w", m.ID, err)
	}
	p.Text, p.Code = strings.ReplaceAll(p.Text, codeSlot, string(code)), ""
	body, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("writing SMS %s: %w", m.ID, err)
	}
	return body, nil
}

func codePlace(m models.Message) string { return keyring.Place("messages", "code", m.ID) }

// MayReturnOTP reports whether answers to an organisation may hold its codes.
func (s *Service) MayReturnOTP(ctx context.Context, organisationID int64) (bool, error) {
	account, err := s.Account(ctx, organisationID)
	if err != nil {
		return false, err
	}
	return account.ReturnOTP || account.Sandbox, nil
}
