package sms

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"heliograph/app/input"
)

// Submission is a request to send, from JSON or from a query string. Values are
// as the client sent them: numbers and strings are the same.
type Submission struct {
	Version      input.Text
	AccessKey    input.Text // or pin or password
	Encrypt      input.Text
	ScheduleTime input.Text
	BatchNo      input.Text
	ReportURL    input.Text
	Messages     []Message

	unknown []string // paths of fields that no message and no request has
}

// Message is one text with its recipients.
type Message struct {
	Dest           []string
	TemplateValues []string

	ScheduleTime, ReportURL    input.Text // of this message alone; empty for the request's
	Text, Type, Header         input.Text
	AppCountry, CountryCode    input.Text
	EntityID, DLTTemplate, TMA input.Text
	TemplateID                 input.Text
	Reference, Tag             input.Text // cust_ref, msgtag
	Reports, Expiry, MaxSplit  input.Text
	URLTrack, URLShorten       input.Text
	DCS, UDHI, UDH, Port       input.Text
	Params                     [10]input.Text // param1 to param10
}

// field returns the field of a request with a name of the interface, or nil.
func (s *Submission) field(name string) *input.Text {
	switch name {
	case "version":
		return &s.Version
	case "accesskey", "pin", "password":
		return &s.AccessKey
	case "encrypt":
		return &s.Encrypt
	case "schedule_time", "scheduletime":
		return &s.ScheduleTime
	case "batchno":
		return &s.BatchNo
	case "dlr_url":
		return &s.ReportURL
	}
	return nil
}

// messageFields maps the names of the interface and their other spellings.
var messageFields = map[string]func(*Message) *input.Text{
	"msg": func(m *Message) *input.Text { return &m.Text },

	"type":    func(m *Message) *input.Text { return &m.Type },
	"msgtype": func(m *Message) *input.Text { return &m.Type },

	"header": func(m *Message) *input.Text { return &m.Header },

	"app_country": func(m *Message) *input.Text { return &m.AppCountry },
	"country_cd":  func(m *Message) *input.Text { return &m.CountryCode },

	"dlt_entity_id":   func(m *Message) *input.Text { return &m.EntityID },
	"dltentityid":     func(m *Message) *input.Text { return &m.EntityID },
	"dlt_template_id": func(m *Message) *input.Text { return &m.DLTTemplate },
	"dlttemplateid":   func(m *Message) *input.Text { return &m.DLTTemplate },
	"dlt_tma_id":      func(m *Message) *input.Text { return &m.TMA },
	"dlttmaid":        func(m *Message) *input.Text { return &m.TMA },

	"template_id": func(m *Message) *input.Text { return &m.TemplateID },

	"cust_ref":      func(m *Message) *input.Text { return &m.Reference },
	"msgtag":        func(m *Message) *input.Text { return &m.Tag },
	"dlr_req":       func(m *Message) *input.Text { return &m.Reports },
	"expiry":        func(m *Message) *input.Text { return &m.Expiry },
	"max_split":     func(m *Message) *input.Text { return &m.MaxSplit },
	"schedule_time": func(m *Message) *input.Text { return &m.ScheduleTime },
	"scheduletime":  func(m *Message) *input.Text { return &m.ScheduleTime },
	"dlr_url":       func(m *Message) *input.Text { return &m.ReportURL },
	"urltrack":      func(m *Message) *input.Text { return &m.URLTrack },
	"url_shortner":  func(m *Message) *input.Text { return &m.URLShorten },

	"dcs":  func(m *Message) *input.Text { return &m.DCS },
	"udhi": func(m *Message) *input.Text { return &m.UDHI },
	"udh":  func(m *Message) *input.Text { return &m.UDH },
	"port": func(m *Message) *input.Text { return &m.Port },
}

func init() {
	for i := range 10 {
		messageFields[fmt.Sprintf("param%d", i+1)] = func(m *Message) *input.Text { return &m.Params[i] }
	}
}

// ReadJSON reads a submission in JSON. The error is a *Refusal. Together with an
// unreadable field it comes with what was read, so that the caller can be
// authenticated first.
func ReadJSON(body []byte) (*Submission, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		if err == nil {
			return nil, &Refusal{Code: CodeJSON, Unreadable: true}
		}
		return nil, &Refusal{Code: CodeJSON, Detail: input.Describe(body, err), Unreadable: true}
	}
	s, shared := &Submission{}, &Message{}
	var failed error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		lower := strings.ToLower(name)
		field := s.field(lower)
		if field == nil && sharedFields[lower] {
			field = messageFields[lower](shared)
		}
		switch {
		case field != nil:
			if err := field.UnmarshalJSON(members[name]); err != nil && failed == nil {
				failed = refuse(CodeBadRequest, unreadableField(name, err, "a text or a number"))
			}
		case lower != "messages" && lower != "apikey":
			s.ignore(name)
		}
	}
	if failed != nil {
		return s, failed
	}
	list := members["messages"]
	if len(list) > 0 && list[0] == '{' {
		list = slices.Concat([]byte("["), list, []byte("]"))
	}
	var messages []map[string]json.RawMessage
	if len(list) > 0 && json.Unmarshal(list, &messages) != nil {
		return s, refuse(CodeJSON, "messages must be a list of objects")
	}
	for i, members := range messages {
		path := fmt.Sprintf("messages[%d].", i)
		m, err := s.readMessage(path, members)
		if err != nil {
			return s, refuse(CodeBadRequest, path+err.Error())
		}
		m.inherit(shared)
		s.Messages = append(s.Messages, m)
	}
	return s, nil
}

// sharedFields are the fields of messages that a request may have for all of them.
var sharedFields = map[string]bool{
	"expiry": true, "dlr_req": true, "header": true, "type": true, "msgtype": true, "app_country": true, "country_cd": true, "max_split": true,
	"dlt_entity_id": true, "dltentityid": true, "dlt_template_id": true, "dlttemplateid": true, "dlt_tma_id": true, "dlttmaid": true,
}

// inherit fills the fields that a message has not from the request.
func (m *Message) inherit(shared *Message) {
	for name := range sharedFields {
		own, other := messageFields[name](m), messageFields[name](shared)
		if *own == "" {
			*own = *other
		}
	}
}

// maxIgnored is how many fields that are ignored are named.
const maxIgnored = 20

// ignore notes a field that is not read.
func (s *Submission) ignore(path string) {
	if len(s.unknown) >= maxIgnored {
		return
	}
	if len(path) > 60 {
		path = strings.ToValidUTF8(path[:60], "") + "…"
	}
	s.unknown = append(s.unknown, path)
}

// unreadableField says what is wrong with the value of a field.
func unreadableField(name string, err error, want string) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && strings.Contains(kind.Value, "NUL") {
		return name + " has a NUL character: remove it"
	}
	return name + " must be " + want
}

func (s *Submission) readMessage(path string, members map[string]json.RawMessage) (m Message, err error) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value, lower := members[name], strings.ToLower(name)
		switch {
		case lower == "dest" || lower == "destination":
			m.Dest, err = appendTexts(m.Dest, value, ",")
		case lower == "template_values":
			m.TemplateValues, err = appendTexts(m.TemplateValues, value, "~")
		case messageFields[lower] != nil:
			err = messageFields[lower](&m).UnmarshalJSON(value)
		case s.field(lower) == nil || lower == "version":
			s.ignore(path + name)
		}
		if err != nil {
			return m, errors.New(unreadableField(name, err, "a text or a number, or a list of them for recipients and values"))
		}
	}
	return m, nil
}

// appendTexts adds the texts of a list, or of one text with separators.
func appendTexts(texts []string, value json.RawMessage, separator string) ([]string, error) {
	if len(value) > 0 && value[0] == '[' {
		var list []input.Text
		if err := json.Unmarshal(value, &list); err != nil {
			return nil, err
		}
		for _, text := range list {
			texts = append(texts, string(text))
		}
		return texts, nil
	}
	var one input.Text
	if err := one.UnmarshalJSON(value); err != nil {
		return nil, err
	}
	return append(texts, separated(string(one), separator)...), nil
}

func separated(text, separator string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, separator)
}

// ReadValues reads a submission of one message from a query or a form.
func ReadValues(values url.Values) (*Submission, error) {
	s := &Submission{Messages: make([]Message, 1)}
	m := &s.Messages[0]
	var failed error
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value, lower := values[name][0], strings.ToLower(name)
		if failed == nil && !utf8.ValidString(value) {
			failed = refuse(CodeBadRequest, "a value is not UTF-8: encode it as UTF-8 and then for URLs")
			continue
		}
		if failed == nil && strings.ContainsRune(value, 0) {
			failed = refuse(CodeBadRequest, "a value has a NUL character: remove it")
			continue
		}
		switch field, own := s.field(lower), messageFields[lower]; {
		case field != nil:
			*field = input.Text(value)
		case lower == "dest" || lower == "destination":
			for _, value := range values[name] {
				m.Dest = append(m.Dest, separated(value, ",")...)
			}
		case lower == "template_values":
			m.TemplateValues = separated(value, "~")
		case own != nil:
			*own(m) = input.Text(value)
		case lower != "apikey":
			s.ignore(name)
		}
	}
	return s, failed
}
