package sms

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"heliograph/app/input"
	"heliograph/app/phone"
	"heliograph/db/models"
)

// envelope is what all messages of a submission share.
type envelope struct {
	requestID string
	now       time.Time
	schedule  time.Time // zero for at once
	batch     string
	reportURL string
	// refused holds the refusals of report addresses that messages name.
	refused map[string]error
}

// envelope checks what all messages share. The error is a *Refusal.
func (a *Account) envelope(s *Submission, requestID string, now time.Time) (e envelope, err error) {
	e = envelope{requestID: requestID, now: now, batch: string(s.BatchNo), reportURL: string(s.ReportURL)}
	if s.Version != "" && s.Version != "1.0" && s.Version != "1" {
		return e, refuse(codeVersion, "")
	}
	if s.Encrypt != "" && s.Encrypt != "0" {
		return e, refuse(codeEncrypt, "")
	}
	if tooLong(s.BatchNo, maxReference) {
		return e, refuse(CodeBadRequest, "batchno has more than 50 characters")
	}
	if s.ScheduleTime != "" && !a.Scheduling {
		return e, refuse(codeScheduleDisabled, "")
	}
	if e.schedule, err = parseSchedule(string(s.ScheduleTime), now); err != nil {
		return e, err
	}
	recipients := 0
	for _, m := range s.Messages {
		recipients += len(m.Dest)
		if len(m.Dest) > maxMessageRecipients {
			return e, refuse(CodeBadRequest, "a message has more than 1000 recipients")
		}
	}
	switch {
	case len(s.Messages) == 0:
		return e, refuse(CodeJSON, "")
	case recipients > maxRecipients:
		return e, refuse(CodeBadRequest, "the request has more than 5000 recipients")
	case recipients > 1 && a.Class == ClassOTP:
		return e, refuse(CodeAccess, "an account for one-time passwords submits one recipient at a time")
	}
	return e, nil
}

func tooLong(text input.Text, most int) bool { return utf8.RuneCountInString(string(text)) > most }

// prepared is a message that was checked, except for its recipients.
type prepared struct {
	schedule  time.Time
	reportURL string
	payload   Payload
	header    models.SMSHeader
	parts     int
	country   int // calling code for numbers without one, or 0
	ttl       time.Duration
	reference string
	reports   bool
	body      []byte // the payload as it is stored, once a recipient needs it
	checked   []byte // the same for recipients in India
}

// checks are the rules for a message, in the order in which they refuse it.
var checks = []func(*Account, *Message, envelope, *prepared) error{
	(*Account).checkHeader, (*Account).checkText, (*Account).checkOptions, (*Account).checkCountry, (*Account).checkDelivery, (*Account).checkExpiry,
}

// prepare checks a message. The error is a *Refusal that holds for every recipient.
func (a *Account) prepare(m *Message, e envelope) (p prepared, err error) {
	if len(m.Dest) == 0 {
		return p, refuse(codeNoRecipient, "")
	}
	_ = a.checkCountry(m, e, &p) // refused below; numbers of refused messages have their country, too
	if e, err = a.messageEnvelope(m, e); err != nil {
		return p, err
	}
	p.schedule, p.reportURL = e.schedule, e.reportURL
	for _, check := range checks {
		if err := check(a, m, e, &p); err != nil {
			return p, err
		}
	}
	p.payload.RequestID, p.payload.Batch = e.requestID, e.batch
	return p, nil
}

// messageEnvelope returns the envelope with what a message sets for itself.
func (a *Account) messageEnvelope(m *Message, e envelope) (envelope, error) {
	var err error
	if m.ScheduleTime != "" {
		if !a.Scheduling {
			return e, refuse(codeScheduleDisabled, "")
		}
		if e.schedule, err = parseSchedule(string(m.ScheduleTime), e.now); err != nil {
			return e, err
		}
	}
	if m.ReportURL != "" {
		e.reportURL = string(m.ReportURL)
		err = e.refused[e.reportURL]
	}
	return e, err
}

func (a *Account) checkHeader(m *Message, e envelope, p *prepared) error {
	name := strings.TrimSpace(string(m.Header))
	if name == "" {
		return refuse(codeNoHeader, "")
	}
	header, ok := a.header(name)
	if !ok {
		header, ok = a.header(bareHeader(name))
	}
	if !ok {
		return refuse(CodeHeader, a.headerDetail(name))
	}
	p.header, p.payload.Header = header, header.Header
	if HeaderKind(header.Kind) != Promotional {
		return nil
	}
	switch {
	case !a.Promotional:
		return refuse(CodeAccess, "promotional messages are off for this account")
	case e.schedule.IsZero() && !promotionAllowed(e.now):
		return refuse(codePromotionHours, "")
	case !e.schedule.IsZero() && !promotionAllowed(e.schedule):
		return refuse(codePromotionTime, "")
	}
	return nil
}

// headerDetail says why the account cannot send with a header that it has asked
// for; empty for any other.
func (a *Account) headerDetail(name string) string {
	for _, h := range a.Pending {
		switch {
		case !strings.EqualFold(h.Header, name) && !strings.EqualFold(h.Header, bareHeader(name)):
		case h.State == models.HeaderDeclined:
			return "your account was not granted this header, see the SMS page of your account"
		default:
			return "this header waits for its approval, see the SMS page of your account"
		}
	}
	return ""
}

// checkOptions checks the fields that reports and statistics repeat.
func (a *Account) checkOptions(m *Message, _ envelope, p *prepared) error {
	if tooLong(m.Reference, maxReference) {
		return refuse(codeReference, "")
	}
	if tooLong(m.Tag, maxReference) {
		return refuse(CodeBadRequest, "msgtag has more than 50 characters")
	}
	if m.URLTrack != "" && m.URLTrack != "0" {
		return refuse(codeURLTrack, "")
	}
	if m.URLShorten != "" && m.URLShorten != "0" {
		return refuse(CodeBadRequest, "url_shortner must be 0: links are not shortened here")
	}
	for i, limit := range [10]int{50, 50, 50, 50, 50, 100, 100, 100, 250, 500} {
		if tooLong(m.Params[i], limit) {
			return refuse(CodeBadRequest, fmt.Sprintf("param%d has more than %d characters", i+1, limit))
		}
		if m.Params[i] != "" {
			p.payload.setParam(i+1, string(m.Params[i]))
		}
	}
	p.reference, p.payload.Tag = string(m.Reference), string(m.Tag)
	return nil
}

// checkCountry checks the country of numbers that come without one.
func (a *Account) checkCountry(m *Message, _ envelope, p *prepared) (err error) {
	if m.AppCountry != "" && m.AppCountry != "0" && m.AppCountry != "1" {
		return refuse(codeAppCountry, "")
	}
	country, err := number(input.Text(strings.TrimPrefix(string(m.CountryCode), "+")), 0, 1, 999)
	if err != nil || country != 0 && !phone.CallingCode(country) || country == 0 && m.AppCountry == "1" {
		return refuse(codeCountry, "")
	}
	if m.AppCountry == "1" {
		p.country = country
	}
	return nil
}

// checkDelivery decides whether reports are wanted and checks the registration.
func (a *Account) checkDelivery(m *Message, e envelope, p *prepared) error {
	wanted, err := number(m.Reports, int(a.Reports), ReportsOff, ReportsOnRequest)
	if err != nil {
		return refuse(CodeBadRequest, "dlr_req must be 0, 1 or 2")
	}
	p.reports = wanted == ReportsAlways || wanted == ReportsOnRequest && e.reportURL != ""
	for _, id := range []struct {
		text input.Text
		to   *string
		code Code
	}{
		{m.EntityID, &p.payload.EntityID, codeEntity}, {m.DLTTemplate, &p.payload.TemplateID, codeDLTTemplate}, {m.TMA, &p.payload.TMAID, CodeBadRequest},
	} {
		if id.text != "" && !isDLTID(string(id.text)) {
			return refuse(id.code, "a DLT id has 6 to 20 digits")
		}
		*id.to = string(id.text)
	}
	p.payload.EntityID = cmp.Or(p.payload.EntityID, a.EntityID)
	return nil
}

// The range of expiry and its default, in seconds.
const (
	minExpiry     = 60
	maxExpiry     = 604_800
	defaultExpiry = 86_410
)

func (*Account) checkExpiry(m *Message, _ envelope, p *prepared) error {
	p.ttl = defaultExpiry * time.Second
	if m.Expiry == "" {
		return nil
	}
	seconds, err := strconv.Atoi(string(m.Expiry))
	if err != nil {
		return refuse(codeExpiry, "")
	}
	if seconds < minExpiry || seconds > maxExpiry {
		return refuse(codeExpiryRange, "")
	}
	p.ttl = time.Duration(seconds) * time.Second
	return nil
}

// india is the calling code of India.
const india = 91

// address checks a recipient of a message. The error is a *Refusal.
func (a *Account) address(text string, p *prepared) (phone.Recipient, error) {
	to, ok := phone.NewRecipient(text, p.country)
	switch {
	case !ok:
		return to, refuse(CodeRecipient, "")
	case to.Country != india && !a.International:
		return to, refuse(codeInternational, "")
	case to.Country != india:
		return to, nil
	case HeaderKind(p.header.Kind) == International:
		return to, refuse(CodeHeader, "a header for India has exactly 6 letters or 6 digits")
	case p.payload.EntityID == "":
		return to, refuse(codeEntity, "")
	case p.payload.TemplateID == "":
		return to, refuse(codeDLTTemplate, "")
	}
	return to, nil
}
