package sms

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"heliograph/db/models"
)

// Payload is a message as it is stored. Octets are in hexadecimal.
type Payload struct {
	RequestID  string            `json:"req_id"`
	Header     string            `json:"header"`
	Type       string            `json:"type"`
	Encoding   textEncoding      `json:"encoding"`
	Text       string            `json:"text,omitempty"`
	Data       string            `json:"data,omitempty"`
	UDH        string            `json:"udh,omitempty"`
	DCS        int               `json:"dcs,omitempty"` // of binary messages
	Flash      bool              `json:"flash,omitempty"`
	Wide       bool              `json:"wide,omitempty"` // 16-bit reference
	EntityID   string            `json:"entity_id,omitempty"`
	TemplateID string            `json:"template_id,omitempty"` // DLT
	TMAID      string            `json:"tma_id,omitempty"`
	Batch      string            `json:"batch,omitempty"`
	Tag        string            `json:"tag,omitempty"`
	Params     map[string]string `json:"params,omitempty"`
	Code       string            `json:"code,omitempty"`  // a one-time password, sealed; Text has {otp} in its place
	Fault      dltFault          `json:"fault,omitempty"` // what an operator finds wrong, by what the account has registered
}

func (p *Payload) setContent(c content) {
	p.Encoding, p.Text, p.Wide = c.Encoding, c.Text, c.WideReference
	p.Data, p.UDH = hex.EncodeToString(c.Data), hex.EncodeToString(c.UDH)
}

func (p *Payload) setParam(n int, value string) {
	if p.Params == nil {
		p.Params = map[string]string{}
	}
	p.Params[fmt.Sprintf("param%d", n)] = value
}

func readPayload(m models.Message) (p Payload, err error) {
	if err := json.Unmarshal(m.Payload, &p); err != nil {
		return p, fmt.Errorf("reading SMS %s: %w", m.ID, err)
	}
	return p, nil
}

// split divides a stored message. The reference comes from the message's id, so
// that a part is the same at every attempt.
func (p Payload) split(m models.Message) ([]part, error) {
	c := content{Encoding: p.Encoding, Text: p.Text, WideReference: p.Wide, Reference: uint16(m.ID[14])<<8 | uint16(m.ID[15])}
	var err error
	if c.Data, err = hex.DecodeString(p.Data); err != nil {
		return nil, fmt.Errorf("reading the octets of SMS %s: %w", m.ID, err)
	}
	if c.UDH, err = hex.DecodeString(p.UDH); err != nil {
		return nil, fmt.Errorf("reading the header of SMS %s: %w", m.ID, err)
	}
	return c.Split()
}

// outgoing is one part as carriers get it, in JSON. Octets are in hexadecimal.
type outgoing struct {
	Encoding   textEncoding `json:"encoding"`       // GSM7, UCS2 or BINARY
	Text       string       `json:"text,omitempty"` // of this part
	Data       string       `json:"data,omitempty"` // octets of a binary part
	UDH        string       `json:"udh,omitempty"`  // user data header with its length octet
	DCS        int          `json:"dcs,omitempty"`  // data coding scheme of a binary part
	Flash      bool         `json:"flash,omitempty"`
	EntityID   string       `json:"entity_id,omitempty"` // DLT
	TemplateID string       `json:"template_id,omitempty"`
	TMAID      string       `json:"tma_id,omitempty"`
	Fault      dltFault     `json:"fault,omitempty"` // for the virtual carrier, which plays the operator
}

func (p Payload) outgoing(part part) outgoing {
	return outgoing{
		Encoding: p.Encoding, Text: part.Text, Data: hex.EncodeToString(part.Data), UDH: hex.EncodeToString(part.UDH), DCS: p.DCS, Flash: p.Flash,
		EntityID: p.EntityID, TemplateID: p.TemplateID, TMAID: p.TMAID, Fault: p.Fault,
	}
}
