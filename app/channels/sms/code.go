package sms

import (
	"strconv"
)

// Code is the outcome of a submission or of one of its recipients.
type Code int

// The codes that this service answers with. The published family also has 301
// (XML is not accepted here, so nothing can be wrong with it), 342 and 343 (there
// is no SMPP bind) and 399 (every cause has a code of its own).
const (
	CodeAccepted         Code = 200
	CodeJSON             Code = 302
	codeVersion          Code = 303
	CodeBadRequest       Code = 304
	CodeDeactivated      Code = 305
	CodeCredentials      Code = 306
	CodeExpired          Code = 307
	CodeSuspended        Code = 308
	CodeInactive         Code = 309
	codeEncrypt          Code = 310
	codeNoRecipient      Code = 311
	CodeRecipient        Code = 312
	codeNoText           Code = 313
	codeScheduleDisabled Code = 314
	codeSchedule         Code = 315
	codeScheduleRange    Code = 316
	codeType             Code = 317
	codePort             Code = 318
	codeExpiry           Code = 319
	codeExpiryRange      Code = 320
	codeAppCountry       Code = 321
	codeURLTrack         Code = 322
	codeReference        Code = 323
	CodeReferenceUsed    Code = 324
	codePromotionHours   Code = 325
	codePromotionTime    Code = 326
	codeUDHI             Code = 327
	codeDCS              Code = 328
	codeNoHeader         Code = 329
	CodeHeader           Code = 330
	CodeAccess           Code = 331
	codeTemplate         Code = 332
	codeTemplateValues   Code = 333
	codeUDH              Code = 334
	CodeReportingKey     Code = 335
	codeEntity           Code = 336
	codeDLTTemplate      Code = 337
	CodeAddress          Code = 338
	CodeDisabled         Code = 339
	codeInternational    Code = 340
	codeCountry          Code = 341
	CodeInternal         Code = 398
)

// codeTexts holds the meaning of each code and what to change.
var codeTexts = map[Code]struct{ meaning, remedy string }{
	CodeAccepted:         {"Accepted", "keep msg_id, which delivery reports repeat"},
	CodeJSON:             {"Invalid JSON", "send an object with a list of messages"},
	codeVersion:          {"Unknown version", "send 1.0"},
	CodeBadRequest:       {"Bad request", "correct the request"},
	CodeDeactivated:      {"Account deactivated", "ask your account manager"},
	CodeCredentials:      {"Invalid credentials", "check accesskey"},
	CodeExpired:          {"Account expired", "ask your account manager"},
	CodeSuspended:        {"Account suspended", "ask your account manager"},
	CodeInactive:         {"Account inactive", "ask your account manager"},
	codeEncrypt:          {"Invalid encrypt", "send 0"},
	codeNoRecipient:      {"No recipient", "fill dest"},
	CodeRecipient:        {"Invalid mobile number", "send digits with the country code, or app_country and country_cd"},
	codeNoText:           {"Empty message", "fill msg or name a template_id"},
	codeScheduleDisabled: {"Scheduling is off for this account", "leave schedule_time out"},
	codeSchedule:         {"Invalid schedule_time", "use yyyy-MM-dd HH:mm:ss in Indian time, or RFC 3339"},
	codeScheduleRange:    {"schedule_time out of range", "choose 15 minutes to 90 days ahead"},
	codeType:             {"Invalid type", "use PM, UC, FL, FU, BM, SP or AD"},
	codePort:             {"Invalid port", "send 1 to 65535"},
	codeExpiry:           {"Invalid expiry", "send seconds as a whole number"},
	codeExpiryRange:      {"expiry out of range", "send 60 to 604800 seconds"},
	codeAppCountry:       {"Invalid app_country", "send 0 or 1"},
	codeURLTrack:         {"Invalid urltrack", "send 0: links are not tracked here"},
	codeReference:        {"Invalid cust_ref", "send at most 50 characters"},
	CodeReferenceUsed:    {"Duplicate cust_ref", "the first submission arrived, do not send it again"},
	codePromotionHours:   {"Outside the hours for promotional messages", "schedule it for 10:00 to 21:00 Indian time"},
	codePromotionTime:    {"Scheduled outside the hours for promotional messages", "choose 10:00 to 21:00 Indian time"},
	codeUDHI:             {"Invalid udhi", "send 1 with a udh, otherwise 0"},
	codeDCS:              {"Invalid dcs", "send 0 to 255"},
	codeNoHeader:         {"No header", "fill header"},
	CodeHeader:           {"Invalid header", "use a header of your account, for India 6 letters or 6 digits"},
	CodeAccess:           {"Access violation", "the account may not do this"},
	codeTemplate:         {"Unknown template_id", "use a stored text of your account"},
	codeTemplateValues:   {"Invalid template_values", "give one value for each variable"},
	codeUDH:              {"Invalid udh", "send hexadecimal octets whose lengths add up"},
	CodeReportingKey:     {"Invalid reporting key", "ask with the msg_id of a message of yours"},
	codeEntity:           {"Invalid dlt_entity_id", "send your registered id, 6 to 20 digits"},
	codeDLTTemplate:      {"Invalid dlt_template_id", "send the registered id, 6 to 20 digits"},
	CodeAddress:          {"Address blocked", "have the address of your server allowed"},
	CodeDisabled:         {"API access is off for this account", "ask your account manager"},
	codeInternational:    {"International sending is off", "ask your account manager"},
	codeCountry:          {"Invalid country_cd", "send a country calling code, such as 91"},
	CodeInternal:         {"Internal error", "send again later with the same cust_ref"},
}

// String returns the code as three digits.
func (c Code) String() string { return strconv.Itoa(int(c)) }

// UnmarshalText reads a code from a text.
func (c *Code) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	*c = Code(n)
	return err
}

// MarshalText writes the code as a text, as clients expect it.
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Meaning returns the code in words.
func (c Code) Meaning() string { return codeTexts[c].meaning }

// Remedy says what to change.
func (c Code) Remedy() string { return codeTexts[c].remedy }

// Refusal is the reason why a submission or a recipient was not accepted.
type Refusal struct {
	Code   Code
	Detail string // what to change, where the code alone does not say it

	Unreadable bool // the request could not be parsed at all
}

// Error returns the code in words, with what to change.
func (r *Refusal) Error() string {
	switch {
	case r.Code == CodeAccepted:
		return r.Code.Meaning()
	case r.Detail != "":
		return r.Code.Meaning() + ": " + r.Detail
	}
	return r.Code.Meaning() + ": " + r.Code.Remedy()
}

func refuse(code Code, detail string) *Refusal { return &Refusal{Code: code, Detail: detail} }
