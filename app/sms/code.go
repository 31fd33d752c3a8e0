package sms

import (
	"maps"
	"slices"
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
	CodeVersion          Code = 303
	CodeBadRequest       Code = 304
	CodeDeactivated      Code = 305
	CodeCredentials      Code = 306
	CodeExpired          Code = 307
	CodeSuspended        Code = 308
	CodeInactive         Code = 309
	CodeEncrypt          Code = 310
	CodeNoRecipient      Code = 311
	CodeRecipient        Code = 312
	CodeNoText           Code = 313
	CodeScheduleDisabled Code = 314
	CodeSchedule         Code = 315
	CodeScheduleRange    Code = 316
	CodeType             Code = 317
	CodePort             Code = 318
	CodeExpiry           Code = 319
	CodeExpiryRange      Code = 320
	CodeAppCountry       Code = 321
	CodeURLTrack         Code = 322
	CodeReference        Code = 323
	CodeReferenceUsed    Code = 324
	CodePromotionHours   Code = 325
	CodePromotionTime    Code = 326
	CodeUDHI             Code = 327
	CodeDCS              Code = 328
	CodeNoHeader         Code = 329
	CodeHeader           Code = 330
	CodeAccess           Code = 331
	CodeTemplate         Code = 332
	CodeTemplateValues   Code = 333
	CodeUDH              Code = 334
	CodeReportingKey     Code = 335
	CodeEntity           Code = 336
	CodeDLTTemplate      Code = 337
	CodeAddress          Code = 338
	CodeDisabled         Code = 339
	CodeInternational    Code = 340
	CodeCountry          Code = 341
	CodeInternal         Code = 398
)

// codeTexts holds the meaning of each code and what to change.
var codeTexts = map[Code]struct{ meaning, remedy string }{
	CodeAccepted:         {"Accepted", "keep msg_id, which delivery reports repeat"},
	CodeJSON:             {"Invalid JSON", "send an object with a list of messages"},
	CodeVersion:          {"Unknown version", "send 1.0"},
	CodeBadRequest:       {"Bad request", "correct the request"},
	CodeDeactivated:      {"Account deactivated", "ask your account manager"},
	CodeCredentials:      {"Invalid credentials", "check accesskey"},
	CodeExpired:          {"Account expired", "ask your account manager"},
	CodeSuspended:        {"Account suspended", "ask your account manager"},
	CodeInactive:         {"Account inactive", "ask your account manager"},
	CodeEncrypt:          {"Invalid encrypt", "send 0"},
	CodeNoRecipient:      {"No recipient", "fill dest"},
	CodeRecipient:        {"Invalid mobile number", "send digits with the country code, or app_country and country_cd"},
	CodeNoText:           {"Empty message", "fill msg or name a template_id"},
	CodeScheduleDisabled: {"Scheduling is off for this account", "leave schedule_time out"},
	CodeSchedule:         {"Invalid schedule_time", "use yyyy-MM-dd HH:mm:ss in Indian time, or RFC 3339"},
	CodeScheduleRange:    {"schedule_time out of range", "choose 15 minutes to 90 days ahead"},
	CodeType:             {"Invalid type", "use PM, UC, FL, FU, BM, SP or AD"},
	CodePort:             {"Invalid port", "send 1 to 65535"},
	CodeExpiry:           {"Invalid expiry", "send seconds as a whole number"},
	CodeExpiryRange:      {"expiry out of range", "send 60 to 604800 seconds"},
	CodeAppCountry:       {"Invalid app_country", "send 0 or 1"},
	CodeURLTrack:         {"Invalid urltrack", "send 0: links are not tracked here"},
	CodeReference:        {"Invalid cust_ref", "send at most 50 characters"},
	CodeReferenceUsed:    {"Duplicate cust_ref", "the first submission arrived, do not send it again"},
	CodePromotionHours:   {"Outside the hours for promotional messages", "schedule it for 10:00 to 21:00 Indian time"},
	CodePromotionTime:    {"Scheduled outside the hours for promotional messages", "choose 10:00 to 21:00 Indian time"},
	CodeUDHI:             {"Invalid udhi", "send 1 with a udh, otherwise 0"},
	CodeDCS:              {"Invalid dcs", "send 0 to 255"},
	CodeNoHeader:         {"No header", "fill header"},
	CodeHeader:           {"Invalid header", "use a header of your account, for India 6 letters or 6 digits"},
	CodeAccess:           {"Access violation", "the account may not do this"},
	CodeTemplate:         {"Unknown template_id", "use a stored text of your account"},
	CodeTemplateValues:   {"Invalid template_values", "give one value for each variable"},
	CodeUDH:              {"Invalid udh", "send hexadecimal octets whose lengths add up"},
	CodeReportingKey:     {"Invalid reporting key", "ask with the msg_id of a message of yours"},
	CodeEntity:           {"Invalid dlt_entity_id", "send your registered id, 6 to 20 digits"},
	CodeDLTTemplate:      {"Invalid dlt_template_id", "send the registered id, 6 to 20 digits"},
	CodeAddress:          {"Address blocked", "have the address of your server allowed"},
	CodeDisabled:         {"API access is off for this account", "ask your account manager"},
	CodeInternational:    {"International sending is off", "ask your account manager"},
	CodeCountry:          {"Invalid country_cd", "send a country calling code, such as 91"},
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

// Codes lists the codes that this service answers with, in order.
func Codes() []Code { return slices.Sorted(maps.Keys(codeTexts)) }

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
