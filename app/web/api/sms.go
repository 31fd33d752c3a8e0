package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/hlr"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/people/identity"
	webpage "heliograph/app/web/page"
)

// SMS is the SMS API, version 1.0.
//
// A request that can be read is answered with HTTP 200 and a code in the body. A
// request that cannot be read is a 400, a blocked address a 403, a failure of the
// service a 500.
type SMS struct {
	surface
	service *sms.Service
	otps    *sms.OTPs
	lookups *hlr.Lookups
}

// SMSRules holds what the operations call.
type SMSRules struct {
	Service *sms.Service
	OTPs    *sms.OTPs
	Lookups *hlr.Lookups
	Base    string // scheme and host of absolute addresses
}

// SMSPrefixes are the paths that the API lives under.
var SMSPrefixes = []string{submitPrefix, otpPrefix, lookupPrefix}

const (
	submitPrefix = "/genericapi"
	otpPrefix    = "/index.php/sms"
	lookupPrefix = "/hlr"
)

// BodyLimit returns the maximum body size in bytes.
func (*SMS) BodyLimit() int64 { return maxBody }

// NewSMS returns the API. Mount Handle for every method under SMSPrefixes.
func NewSMS(keys *identity.Keys, rules SMSRules) *SMS {
	s := &SMS{service: rules.Service, otps: rules.OTPs, lookups: rules.Lookups}
	s.surface = surface{
		channel: sms.Channel, base: rules.Base, keys: keys, credential: s.credential, keyInBody: true, admit: s.admit, bind: bindMembers,
		refusals: refusals{path: s.unknownPath, method: useInstead, scope: s.wrongScope},
	}
	s.table = []operation{
		op("generateOtp", http.MethodGet, otpPrefix+"/clientotp", s.generateOTP),
		op("lookupHlr", http.MethodGet, lookupPrefix+"/lookup", s.lookup),
		op("lookupHlrBatch", http.MethodPost, lookupPrefix+"/lookup", s.lookup),
		op("queryDeliveryReport", http.MethodGet, submitPrefix+"/dlr", s.report),
		op("resendOtp", http.MethodGet, otpPrefix+"/resendclientotp", s.resendOTP),
		op("submitSms", http.MethodPost, submitPrefix+"/JSONGenericReceiver", s.submit).accepting(),
		op("submitSmsByForm", http.MethodPost, submitPrefix+"/QSGenericReceiver", s.submit).accepting().beyond(),
		op("submitSmsByQuery", http.MethodGet, submitPrefix+"/QSGenericReceiver", s.submit).accepting(),
		op("verifyOtp", http.MethodGet, otpPrefix+"/verifyclientotp", s.verifyOTP),
		op("verifyOtpByBody", http.MethodPost, otpPrefix+"/verifyclientotp", s.verifyOTP),
	}
	return s
}

// credential finds the API key: accesskey in the body or the query for
// submissions, the apikey header or parameter elsewhere. Both take a bearer token.
// The key is never part of an error.
func (s *SMS) credential(c *call) (string, error) {
	var key string
	if s.submits(c.request.URL.Path) {
		request, err := readSubmission(c)
		if request == nil {
			return "", err
		}
		c.read = &submission{request, err}
		key = string(request.AccessKey)
		for _, name := range []string{"accesskey", "pin", "password"} {
			if key == "" {
				key = c.query.Get(name)
			}
		}
		if key == "" {
			key = c.request.Header.Get("Authorization")
			if scheme, token, ok := strings.Cut(key, " "); ok && strings.EqualFold(scheme, "bearer") {
				key = strings.TrimSpace(token)
			}
		}
	}
	if key == "" {
		key = c.query.Get("apikey")
	}
	switch {
	case c.request.Header.Get("apikey") != "":
		return headerCredential(c)
	case key == "" && s.submits(c.request.URL.Path):
		return "", fault.New(fault.Unauthenticated, "Invalid credentials: send your API key as accesskey")
	case key == "":
		return headerCredential(c)
	}
	return key, nil
}

// submits reports whether a path is one of the submit interface, which has an
// envelope and credentials of its own.
func (s *SMS) submits(path string) bool { return strings.HasPrefix(path, submitPrefix+"/") }

// admit checks the account of the caller.
func (s *SMS) admit(ctx context.Context, c *call) error {
	account, err := s.service.Account(ctx, c.caller.OrganisationID)
	if err != nil {
		return err
	}
	return asFault(account.Admit(c.client, time.Now()))
}

// asFault turns the reason of a refusal into a fault with its code.
func asFault(err error) error {
	var refusal *sms.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	kind := fault.Forbidden
	if refusal.Unreadable {
		kind = fault.Invalid
	}
	return &fault.Error{Kind: kind, Code: refusal.Code.String(), Message: refusal.Error()}
}

func (s *SMS) unknownPath(path string) error {
	return fault.New(fault.NotFound, "No operation has the path %s", path)
}

func (s *SMS) wrongScope(channel string) error {
	return &fault.Error{Kind: fault.Forbidden, Code: sms.CodeAccess.String(), Message: "This API key is not for the " + channel + " channel: create one that is"}
}

// Fail writes an error in the envelope of the path: always JSON.
func (s *SMS) Fail(c echo.Context, err error) error {
	f := fault.As(err)
	if f == nil {
		f = &fault.Error{Kind: fault.Internal, Err: err}
	}
	status := statusOf(f)
	code := status
	var answer any = s.failed(status, explain(f))
	if s.submits(c.Request().URL.Path) {
		var refused sms.Response
		status, refused = s.refusedSubmission(f)
		code, answer = int(refused.Status.Code), refused
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("writing the error: %w", err)
	}
	s.noteRefused(c, status, code)
	return writeJSON(c, status, body)
}

// statusOf returns the HTTP status of a fault that is not told by a code in the
// body.
func statusOf(f *fault.Error) int {
	status := webpage.Status(f)
	switch {
	case status == http.StatusRequestEntityTooLarge, status == http.StatusUnprocessableEntity, status == http.StatusUnsupportedMediaType:
		return http.StatusBadRequest
	case status > http.StatusInternalServerError && status != http.StatusServiceUnavailable:
		return http.StatusInternalServerError
	}
	return status
}

// smsFailure is the error object of one-time passwords and lookups.
type smsFailure struct {
	Code    int    `json:"code"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Href    string `json:"href"` // of the code in the documentation
}

func (s *SMS) failed(code int, message string) smsFailure {
	return smsFailure{Code: code, Status: "failed", Message: message, Href: s.base + sms.Declaration.ErrorEntry(code)}
}

// explain returns what to change: the fields of a fault say more than its message.
func explain(f *fault.Error) string {
	if f.Kind == fault.Internal {
		return "Internal error"
	}
	if len(f.Fields) == 0 {
		return f.Message
	}
	messages := lists.Map(f.Fields, func(field fault.Field) string { return field.Message })
	return strings.Join(messages, "; ")
}
