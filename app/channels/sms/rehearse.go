package sms

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"heliograph/db/models"
)

// Rehearsal is a submission that was checked and not stored.
type Rehearsal struct {
	// Response is what the submission would be answered with.
	Response Response
	// Texts are the messages that would be stored, in the order of their outcomes.
	Texts []RehearsedText
	// Refused are the recipients who would get nothing.
	Refused []rehearsedRefusal
	// Unchecked says what a submission checks beyond this.
	Unchecked []string
}

// rehearsedRefusal is the refusal of one recipient. Path leads to its message in the
// submission, such as messages[0].
type rehearsedRefusal struct {
	Path, Dest, Message string
	Code                Code
}

// RehearsedText is a message to one recipient as it would arrive.
type RehearsedText struct {
	Message   models.Message
	Header    string
	Recipient string // digits with the country code
	Encoding  string // GSM7, UCS2 or BINARY
	Flash     bool
	Text      string
	Parts     []rehearsedPart
	// Fault is what an Indian operator would find wrong with the text; empty for
	// nothing.
	Fault string
}

// rehearsedPart is one short message. Octets are set for a binary one.
type rehearsedPart struct {
	Text   string
	Octets int
	Header int // octets of the user data header
	Units  int // septets, UTF-16 units or octets
	Room   int // units that fit
}

// Rehearse checks a submission in JSON as Submit does, for a sandbox that exists in
// memory alone. It stores nothing and asks neither the database nor the network. The
// error is a *Refusal of the whole submission, or unexpected.
func Rehearse(body []byte, now time.Time) (r Rehearsal, err error) {
	s, err := ReadJSON(body)
	if err != nil {
		return r, err
	}
	b := batch{response: NewResponse(now), account: rehearsalAccount()}
	if b.envelope, err = b.account.envelope(s, b.response.RequestID, now); err != nil {
		return r, err
	}
	if err := limitReportURLs(s); err != nil {
		return r, err
	}
	r.Unchecked = unchecked(s)
	b.ends = make([]int, 0, len(s.Messages))
	if err := b.read(s); err != nil {
		return r, err
	}
	b.rename(body)
	b.warnUnknown(s)
	b.response.settle()
	r.Response, r.Refused = b.response, b.refused()
	for _, m := range b.messages {
		text, err := rehearsed(m)
		if err != nil {
			return r, err
		}
		r.Texts = append(r.Texts, text)
	}
	return r, nil
}

// rename gives the request and its messages ids that are the same for the same body.
func (b *batch) rename(body []byte) {
	b.response.RequestID = uuid.NewSHA1(uuid.NameSpaceOID, body).String()
	for i := range b.messages {
		id := uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%d %s", i, body))
		b.messages[i].ID, b.response.Messages[b.outcome[i]].ID = id, MessageID(id)
	}
}

// refused returns the recipients that were refused.
func (b *batch) refused() (list []rehearsedRefusal) {
	start := 0
	for i, end := range b.ends {
		for _, o := range b.response.Messages[start:end] {
			if o.Code != CodeAccepted {
				list = append(list, rehearsedRefusal{fmt.Sprintf("messages[%d]", i), o.Dest, o.Desc, o.Code})
			}
		}
		start = end
	}
	return list
}

// exampleHeaders are those that the examples of the contract name.
var exampleHeaders = []string{"PARCEL", "Parcels"}

// rehearsalTemplate is the id of the first stored text, which the examples of the
// contract name.
const rehearsalTemplate = 4021

// rehearsalAccount returns the account of a new sandbox.
func rehearsalAccount() *Account {
	a := &Account{SMSAccount: models.SMSAccount{
		State: StateActive, APIAccess: true, Scheduling: true, International: true, Promotional: true, AutoUnicode: true,
		Class: ClassStandard, EntityID: sandboxEntity, Reports: ReportsAlways, Sandbox: true,
	}}
	for _, header := range slices.Concat(sandboxHeaders, exampleHeaders) {
		kind, _ := KindOfHeader(header)
		a.Headers = append(a.Headers, models.SMSHeader{Header: header, Kind: string(kind)})
	}
	example := sandboxTexts[0]
	example.Header = exampleHeaders[0]
	for i, t := range append(slices.Clone(sandboxTexts), example) {
		t.ID = int64(i + rehearsalTemplate)
		a.Templates = append(a.Templates, t)
	}
	return a
}

// rehearsed returns a message as it would arrive.
func rehearsed(m models.Message) (t RehearsedText, err error) {
	p, err := readPayload(m)
	if err != nil {
		return t, err
	}
	t = RehearsedText{Message: m, Header: p.Header, Recipient: m.Recipient, Encoding: string(p.Encoding), Flash: p.Flash, Text: p.Text, Fault: string(p.Fault)}
	parts, err := p.split(m)
	if err != nil {
		return t, err
	}
	c := content{Encoding: p.Encoding}
	for _, part := range parts {
		made := rehearsedPart{Text: part.Text, Octets: len(part.Data), Header: len(part.UDH), Units: len(part.Data), Room: c.capacity(len(part.UDH))}
		for _, r := range part.Text {
			made.Units += c.cost(r)
		}
		t.Parts = append(t.Parts, made)
	}
	return t, nil
}

// IsGSM reports whether the GSM alphabet has a character.
func IsGSM(r rune) bool { return septets(r) > 0 }

// unchecked says what a submission checks beyond a rehearsal.
func unchecked(s *Submission) (list []string) {
	named := s.ReportURL != ""
	for i := range s.Messages {
		named = named || s.Messages[i].ReportURL != ""
	}
	if named {
		list = append(list, "dlr_url: whether it is a public address that reports can be sent to.")
	}
	for i := range s.Messages {
		if s.Messages[i].Reference != "" {
			list = append(list, "cust_ref: whether you have used it in the last 24 hours.")
			break
		}
	}
	return append(list,
		"Whether your key, your headers and your registration exist: a sandbox in memory stands in for your account.",
		"Whether the recipient can be reached, or must not be contacted.",
		"The rate limits of your account.")
}

// limitReportURLs refuses a submission with too many addresses for reports.
func limitReportURLs(s *Submission) error {
	named := map[string]bool{}
	for i := range s.Messages {
		if url := string(s.Messages[i].ReportURL); url != "" {
			named[url] = true
		}
	}
	if len(named) > maxRequestURLs {
		return errManyURLs()
	}
	return nil
}

// RehearseLeg checks the text of a fallback as NewLeg does, for a sandbox that exists in
// memory alone.
func RehearseLeg(m Message, now time.Time) (t RehearsedText, err error) {
	b := batch{response: NewResponse(now), account: rehearsalAccount()}
	s := &Submission{Messages: []Message{m}}
	if b.envelope, err = b.account.envelope(s, b.response.RequestID, now); err != nil {
		return t, err
	}
	if err := b.read(s); err != nil {
		return t, err
	}
	if len(b.messages) != 1 {
		return t, refuse(b.response.Messages[0].Code, "")
	}
	return rehearsed(b.messages[0])
}
