package sms

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/openapi/codetest"
	"heliograph/db/models"
)

const (
	entity   = "1101234567890123456"
	template = "1107123456789012345"
)

// noon is a time at which promotional messages may be sent.
var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, indianTime)

func newAccount() *Account {
	return &Account{
		SMSAccount: models.SMSAccount{
			OrganisationID: 7, Sandbox: true, State: StateActive, Class: "standard", APIAccess: true, Promotional: true, Scheduling: true,
			International: true, AutoUnicode: true, Reports: ReportsAlways, EntityID: entity,
		},
		Headers: []models.SMSHeader{{Header: "PARCEL", Kind: "transactional"}, {Header: "600123", Kind: "promotional"}, {Header: "Shop", Kind: "international"}},
		Templates: []models.SMSTemplate{
			{ID: 4021, DLTTemplateID: template, Header: "PARCEL", Text: "Dear {#var#}, come at {#var#}."},
			{ID: 4022, Text: "No variables."},
		},
	}
}

// submitPure checks a submission without storing it.
func submitPure(a *Account, s *Submission, err error, now time.Time) (Response, *batch) {
	b := &batch{account: a, response: NewResponse(now)}
	if err == nil {
		b.envelope, err = a.envelope(s, b.response.RequestID, now)
	}
	if err == nil {
		err = b.read(s)
	}
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return b.response.Refused(refusal), b
	}
	b.response.settle()
	return b.response, b
}

// request returns a submission in JSON: the usual message with members changed.
// null removes a member; members with a dot belong to the request.
func request(changes map[string]any) []byte {
	message := map[string]any{
		"dest": []string{"9812345678"}, "msg": "Dear Asha, come at 6 pm.", "type": "PM", "header": "PARCEL", "app_country": "1", "country_cd": "91",
		"dlt_entity_id": entity, "dlt_template_id": template,
	}
	whole := map[string]any{"version": "1.0", "encrypt": "0", "messages": []any{message}}
	for name, value := range changes {
		at := message
		if bare, ok := strings.CutPrefix(name, "."); ok {
			name, at = bare, whole
		}
		if value == nil {
			delete(at, name)
		} else {
			at[name] = value
		}
	}
	body, _ := json.Marshal(whole)
	return body
}

// Each code that a request can provoke, with the change that does. The others
// depend on the account or on other requests: see TestCodesOfAccounts here and the
// tests of the API.
var refused = []struct {
	code    Code
	changes map[string]any
}{
	{CodeAccepted, nil},
	{CodeAccepted, map[string]any{"msg": "🎈 Dear Asha"}},
	{CodeJSON, map[string]any{".messages": nil}},
	{CodeJSON, map[string]any{".messages": []any{}}},
	{CodeJSON, map[string]any{".messages": "none"}},
	{codeVersion, map[string]any{".version": "2.0"}},
	{CodeBadRequest, map[string]any{".version": []any{}}},
	{CodeBadRequest, map[string]any{"msg": map[string]any{}}},
	{CodeBadRequest, map[string]any{"msg": strings.Repeat("a", 153*30+1)}},
	{CodeBadRequest, map[string]any{"msg": strings.Repeat("a", 161), "max_split": 1}},
	{CodeBadRequest, map[string]any{"max_split": 31}},
	{CodeBadRequest, map[string]any{"param10": strings.Repeat("a", 501)}},
	{CodeBadRequest, map[string]any{"dlr_req": 3}},
	{codeEncrypt, map[string]any{".encrypt": "1"}},
	{codeNoRecipient, map[string]any{"dest": []string{}}},
	{codeNoRecipient, map[string]any{"dest": nil}},
	{CodeRecipient, map[string]any{"dest": []string{"12345"}}},
	{CodeRecipient, map[string]any{"dest": []string{""}}},
	{codeNoText, map[string]any{"msg": ""}},
	{codeNoText, map[string]any{"msg": nil}},
	{codeSchedule, map[string]any{".schedule_time": "tomorrow"}},
	{codeScheduleRange, map[string]any{".schedule_time": "2026-01-31 12:10:00"}},
	{codeType, map[string]any{"type": "XX"}},
	{codeType, map[string]any{"type": "BM"}}, // no hexadecimal text
	{codePort, map[string]any{"type": "SP", "msg": "0102"}},
	{codePort, map[string]any{"port": 70000}},
	{codeExpiry, map[string]any{"expiry": "soon"}},
	{codeExpiryRange, map[string]any{"expiry": 59}},
	{codeAppCountry, map[string]any{"app_country": "yes"}},
	{codeURLTrack, map[string]any{"urltrack": "1"}},
	{codeReference, map[string]any{"cust_ref": strings.Repeat("r", 51)}},
	{codePromotionTime, map[string]any{"header": "600123", ".schedule_time": "2026-01-31 21:30:00"}},
	{codeUDHI, map[string]any{"udhi": "2"}},
	{codeDCS, map[string]any{"dcs": 256}},
	{codeNoHeader, map[string]any{"header": " "}},
	{CodeHeader, map[string]any{"header": "OTHERS"}},
	{CodeHeader, map[string]any{"header": "Shop"}}, // not for India
	{codeTemplate, map[string]any{"template_id": 1}},
	{codeTemplateValues, map[string]any{"template_id": 4021, "template_values": []any{}}},
	{codeTemplateValues, map[string]any{"template_id": 4021, "template_values": []string{strings.Repeat("a", 161), "6 pm"}}},
	{CodeAccepted, map[string]any{"template_id": 4021, "template_values": []string{strings.Repeat("é", 160), "6 pm"}}},
	{codeUDH, map[string]any{"udhi": "1", "udh": "0102"}},
	{codeUDHI, map[string]any{"udhi": "1"}},
	{codeEntity, map[string]any{"dlt_entity_id": "abc"}},
	{codeDLTTemplate, map[string]any{"dlt_template_id": nil}},
	{codeCountry, map[string]any{"country_cd": "999"}},
	{codeCountry, map[string]any{"country_cd": nil}},
}

// noteCode notes a code and what was changed in the request or the account.
func noteCode(t *testing.T, code Code, changes map[string]any) {
	t.Helper()
	request := "a submission of an account that the test has changed"
	if changes != nil {
		changed, err := json.Marshal(changes)
		if err != nil {
			t.Fatal(err)
		}
		request = "a submission with " + string(changed)
	}
	codetest.Note(t, "sms", code.String(), request)
}

func TestMain(m *testing.M) { codetest.Run(m) }

func TestCodesOfRequests(t *testing.T) {
	t.Parallel()
	for _, tt := range refused {
		s, err := ReadJSON(request(tt.changes))
		r, b := submitPure(newAccount(), s, err, noon)
		if r.Status.Code != tt.code {
			t.Errorf("%v: %s %s, want %s", tt.changes, r.Status.Code, r.Status.Desc, tt.code)
		}
		noteCode(t, tt.code, tt.changes)
		if accepted := len(b.messages) == 1; accepted != (tt.code == CodeAccepted) {
			t.Errorf("%v: %d messages with code %s", tt.changes, len(b.messages), r.Status.Code)
		}
	}
}

func TestCodesOfAccounts(t *testing.T) {
	t.Parallel()
	past := noon.Add(-time.Hour)
	for _, tt := range []struct {
		code    Code
		change  func(*Account)
		changes map[string]any
		now     time.Time
	}{
		{CodeDeactivated, func(a *Account) { a.State = StateDeactivated }, nil, noon},
		{CodeExpired, func(a *Account) { a.ExpiresAt = &past }, nil, noon},
		{CodeSuspended, func(a *Account) { a.State = StateSuspended }, nil, noon},
		{CodeInactive, func(a *Account) { a.State = StateInactive }, nil, noon},
		{CodeDisabled, func(a *Account) { a.APIAccess = false }, nil, noon},
		{CodeAddress, func(a *Account) { a.AllowedAddresses = []string{"198.51.100.0/24", "2001:db8::1"} }, nil, noon},
		{CodeAccepted, func(a *Account) { a.AllowedAddresses = []string{"198.51.100.0/24", "203.0.113.9"} }, nil, noon},
		{codeScheduleDisabled, func(a *Account) { a.Scheduling = false }, map[string]any{".schedule_time": "2026-01-31 15:00:00"}, noon},
		{codeType, func(a *Account) { a.AutoUnicode = false }, map[string]any{"msg": "हिन्दी"}, noon},
		{CodeAccepted, func(a *Account) { a.AutoUnicode = false }, map[string]any{"msg": "हिन्दी", "type": "AD"}, noon},
		{CodeAccess, func(a *Account) { a.Promotional = false }, map[string]any{"header": "600123"}, noon},
		{codePromotionHours, func(*Account) {}, map[string]any{"header": "600123"}, noon.Add(9 * time.Hour)},
		{CodeAccepted, func(*Account) {}, map[string]any{"header": "600123"}, noon.Add(9*time.Hour - time.Second)},
		{CodeAccess, func(a *Account) { a.Class = ClassOTP }, map[string]any{"dest": []string{"9812345678", "9812345679"}}, noon},
		{CodeAccepted, func(a *Account) { a.Class = ClassOTP }, nil, noon},
		{codeEntity, func(a *Account) { a.EntityID = "" }, map[string]any{"dlt_entity_id": nil}, noon},
		{CodeAccepted, func(*Account) {}, map[string]any{"dlt_entity_id": nil}, noon},
		{codeInternational, func(a *Account) { a.International = false }, map[string]any{"dest": []string{"+447911123456"}}, noon},
		{CodeAccepted, func(*Account) {}, map[string]any{"dest": []string{"+447911123456"}, "header": "Shop"}, noon},
	} {
		noteCode(t, tt.code, tt.changes)
		a := newAccount()
		tt.change(a)
		s, err := ReadJSON(request(tt.changes))
		if err == nil {
			err = a.Admit("203.0.113.9", tt.now)
		}
		if r, _ := submitPure(a, s, err, tt.now); r.Status.Code != tt.code {
			t.Errorf("%v: %s %s, want %s", tt.changes, r.Status.Code, r.Status.Desc, tt.code)
		}
	}
}

// Every code says what it means and what to change.
func TestEveryCodeHasWords(t *testing.T) {
	t.Parallel()
	for code := range codeTexts {
		if code.Meaning() == "" || code.Remedy() == "" {
			t.Errorf("code %s has no words", code)
		}
	}
}

func TestNamesAndNumbersOfOtherClients(t *testing.T) {
	t.Parallel()
	body := fmt.Sprintf(`{"Version":1.0,"pin":"key","messages":{"destination":919812345678,"msg":4711,"msgtype":"ad","header":"PARCEL-T",
		"dltentityid":%s,"dlttemplateid":"%s","cust_ref":17,"expiry":"3600","nobody":{"knows":["this"]}}}`, entity, template)
	s, err := ReadJSON([]byte(body))
	if err != nil || s.AccessKey != "key" {
		t.Fatalf("%+v, %v", s, err)
	}
	r, b := submitPure(newAccount(), s, err, noon)
	if r.Status.Code != CodeAccepted || len(b.messages) != 1 {
		t.Fatalf("%+v", r)
	}
	m := b.messages[0]
	if m.Recipient != "919812345678" || m.Reference != "17" || m.TTL != 3600 || m.Sender != "PARCEL" || m.Kind != "AD" {
		t.Errorf("%+v", m)
	}
}

func TestQueryIsTheSameAsJSON(t *testing.T) {
	t.Parallel()
	values, err := url.ParseQuery("version=1.0&accesskey=key&dest=9812345678,%2B919812345679,9812345678&header=PARCEL&app_country=1&country_cd=91&template_id=4021&template_values=Asha~6+pm&dlt_entity_id=" + entity)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadValues(values)
	r, b := submitPure(newAccount(), s, err, noon)
	if r.Status.Code != CodeAccepted || len(r.Messages) != 2 || len(b.messages) != 2 {
		t.Fatalf("%+v", r)
	}
	p, err := readPayload(b.messages[0])
	if err != nil || p.Text != "Dear Asha, come at 6 pm." || p.TemplateID != template || p.Fault != "" {
		t.Errorf("%+v, %v", p, err)
	}
	if s, err := ReadValues(url.Values{"msg": {"\xff"}}); err == nil {
		t.Errorf("a text that is not UTF-8 gave %+v", s)
	}
}

// One wrong recipient does not hold the others back, and a number that appears
// twice is sent to once.
func TestEachRecipientHasAnOutcome(t *testing.T) {
	t.Parallel()
	s, err := ReadJSON(request(map[string]any{"dest": []string{"9812345678", "12", "+919812345678", "9812345679"}}))
	r, b := submitPure(newAccount(), s, err, noon)
	var got []string
	for _, m := range r.Messages {
		got = append(got, m.Dest+" "+m.Code.String())
	}
	if want := []string{"919812345678 200", "12 312", "919812345679 200"}; !slices.Equal(got, want) || r.Status.Code != CodeAccepted || len(b.messages) != 2 {
		t.Errorf("%v with status %s and %d messages, want %v", got, r.Status.Code, len(b.messages), want)
	}
	for _, m := range b.messages {
		if id, ok := ParseMessageID(MessageID(m.ID)); !ok || id != m.ID {
			t.Errorf("%s is read as %s", m.ID, id)
		}
	}
	b.drop(map[string]bool{"": true})
	if len(b.messages) != 0 || r.Messages[0].Code != CodeReferenceUsed {
		t.Errorf("dropping left %d messages and %+v", len(b.messages), r.Messages[0])
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		changes  map[string]any
		encoding textEncoding
		parts    int
		want     string // first part: text or data, header, flash
	}{
		{map[string]any{"type": "PM"}, gsm7, 1, "Dear Asha, come at 6 pm.||false"},
		{map[string]any{"type": "UC"}, ucs2, 1, "Dear Asha, come at 6 pm.||false"},
		{map[string]any{"type": "FL"}, gsm7, 1, "Dear Asha, come at 6 pm.||true"},
		{map[string]any{"type": "FU"}, ucs2, 1, "Dear Asha, come at 6 pm.||true"},
		{map[string]any{"type": "BM", "msg": "0aFF"}, data8, 1, "0aff||false"},
		{map[string]any{"type": "BM", "msg": "0aFF", "udhi": 1, "udh": "0605040B8423F0"}, data8, 1, "0aff|0605040b8423f0|false"},
		{map[string]any{"type": "SP", "msg": "0aFF", "port": "2948"}, data8, 1, "0aff|0605040b840000|false"},
		{map[string]any{"type": nil, "msg": "हिन्दी"}, ucs2, 1, "हिन्दी||false"},
		{map[string]any{"type": "BM", "msg": strings.Repeat("00", 141)}, data8, 2, ""},
		{map[string]any{"msg": strings.Repeat("a", 161)}, gsm7, 2, ""},
	} {
		s, err := ReadJSON(request(tt.changes))
		r, b := submitPure(newAccount(), s, err, noon)
		if len(b.messages) != 1 || r.Messages[0].Encoding != tt.encoding || r.Messages[0].Parts != tt.parts {
			t.Errorf("%v: %+v", tt.changes, r)
			continue
		}
		handed, err := parts(b.messages[0])
		if err != nil || len(handed) != tt.parts || handed[0].Number != 1 {
			t.Errorf("%v: %d parts, %v", tt.changes, len(handed), err)
			continue
		}
		var o outgoing
		if err := json.Unmarshal(handed[0].Payload, &o); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%s%s|%s|%v", o.Text, o.Data, o.UDH, o.Flash); tt.want != "" && got != tt.want {
			t.Errorf("%v: %s, want %s", tt.changes, got, tt.want)
		}
	}
}

// What the operator will find wrong is stored with the message and refuses
// nothing.
func TestRegistryFaults(t *testing.T) {
	t.Parallel()
	for fault, changes := range map[dltFault]map[string]any{
		"":                 nil,
		faultText:          {"msg": "Something else"},
		faultVariable:      {"msg": "Dear " + strings.Repeat("x", 31) + ", come at 6 pm."},
		faultTemplate:      {"dlt_template_id": "1107123456789012399"},
		faultTemplateOther: {"header": "600123"},
		faultEntity:        {"dlt_entity_id": "1101234567890123499"},
	} {
		s, err := ReadJSON(request(changes))
		r, b := submitPure(newAccount(), s, err, noon)
		if r.Status.Code != CodeAccepted {
			t.Errorf("%v: %+v", changes, r)
			continue
		}
		if p, err := readPayload(b.messages[0]); err != nil || p.Fault != fault {
			t.Errorf("%v: fault %q, %v, want %q", changes, p.Fault, err, fault)
		}
	}
	// A registered text may be used with several headers, each a template of its own.
	a := newAccount()
	a.Templates = append([]models.SMSTemplate{{ID: 4020, DLTTemplateID: template, Header: "600123", Text: "Other."}}, a.Templates...)
	s, err := ReadJSON(request(nil))
	if _, b := submitPure(a, s, err, noon); b.messages == nil {
		t.Error("a text with two headers is refused")
	} else if p, err := readPayload(b.messages[0]); err != nil || p.Fault != "" {
		t.Errorf("a text with two headers has the fault %q, %v", p.Fault, err)
	}
}

// A header is owned only in the spelling that is registered.
func TestHeadersAreSpelledExactly(t *testing.T) {
	t.Parallel()
	a := newAccount()
	for header, want := range map[string]bool{"PARCEL": true, "600123": true, "parcel": false, "SHOP": false, "": false} {
		if got := a.HasHeader(header); got != want {
			t.Errorf("header %q is owned: %t, want %t", header, got, want)
		}
	}
}
