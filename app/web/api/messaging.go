package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/identity"
	"heliograph/app/messaging"
	webpage "heliograph/app/web/page" // page is a part of a list here
)

// Messaging is the business messaging API, version 3.
type Messaging struct {
	keys    *identity.Keys
	service *messaging.Service
	base    string
	table   []operation
}

// NewMessaging makes the surface; mount Handle for every method under Prefix.
// base is the scheme and host that absolute addresses in answers begin with.
func NewMessaging(keys *identity.Keys, service *messaging.Service, base string) *Messaging {
	m := &Messaging{keys: keys, service: service, base: base}
	m.table = []operation{
		op("batchCatalogue", http.MethodPost, "/{catalog-id}/batch", m.batchCatalogue).at(messaging.RateCatalogue).upTo(messaging.MaxBatchBody),
		op("checkBatch", http.MethodGet, "/{catalog-id}/check_batch_request_status", m.checkBatch).beyond(),
		op("createTemplate", http.MethodPost, "/{wabaid}/message_templates", m.createTemplate).at(messaging.RateTemplates),
		op("createUploadSession", http.MethodPost, "/app/uploads", m.createUploadSession),
		op("deleteMedia", http.MethodDelete, "/{mediaid}", m.deleteMedia).of("media"),
		op("deleteTemplate", http.MethodDelete, "/{wabaid}/message_templates", m.deleteTemplate).at(messaging.RateManagement),
		op("downloadMedia", http.MethodPost, "/downloadMedia/{mediaid}", m.downloadMedia),
		op("editTemplate", http.MethodPost, "/{msgtemplateid}", m.editTemplate).at(messaging.RateManagement).of("template"),
		op("getAttachment", http.MethodGet, "/msgapp_business/attachments", m.getAttachment),
		op("getBusinessAccount", http.MethodGet, "/{wabaid}", m.getBusinessAccount).of("business_account"),
		op("getBusinessProfile", http.MethodGet, "/{phone_number_id}/msgapp_business_profile", m.getBusinessProfile).at(messaging.RateManagement),
		op("getCatalogueId", http.MethodGet, "/fetchcatalogId", m.getCatalogueID),
		op("getEncryption", http.MethodGet, "/{phone_number_id}/msgapp_business_encryption", m.getEncryption).beyond(),
		op("getPayment", http.MethodGet, "/{phone_number_id}/payments/{payment_configuration}/{order-id}", m.getPayment),
		op("getPrivateKey", http.MethodGet, "/flows/{phone_number_id}/get_private_key", m.getPrivateKey),
		op("getMedia", http.MethodGet, "/{mediaid}", m.getMedia).of("media"),
		op("getTemplate", http.MethodGet, "/{msgtemplateid}", m.getTemplate).at(messaging.RateManagement).of("template"),
		op("getUpload", http.MethodGet, "/upload:{session_id}", m.getUpload).beyond(),
		op("getUserDetails", http.MethodGet, "/getuserdetails", m.getUserDetails),
		op("getWebhook", http.MethodGet, "/{phone_number_id}/getwebhook", m.getWebhook),
		op("listClientBusinessAccounts", http.MethodGet, "/{business-id}/client_msgapp_business_accounts", m.listClientBusinessAccounts),
		op("listOwnedBusinessAccounts", http.MethodGet, "/{business-id}/owned_msgapp_business_accounts", m.listOwnedBusinessAccounts),
		op("listProducts", http.MethodGet, "/{catalog-id}/products", m.listProducts),
		op("listTemplates", http.MethodGet, "/{wabaid}/message_templates", m.listTemplates).at(messaging.RateManagement),
		op("receiveInSandbox", http.MethodPost, "/{phone_number_id}/sandbox/inbound", m.receiveInSandbox),
		op("sendMessage", http.MethodPost, "/{phone_number_id}/messages", m.sendMessage),
		op("setBusinessProfile", http.MethodPost, "/{phone_number_id}/msgapp_business_profile", m.setBusinessProfile).at(messaging.RateManagement).beyond(),
		op("setEncryption", http.MethodPost, "/flows/{phone_number_id}/set_msgapp_business_encryption", m.setEncryption),
		op("setWebhook", http.MethodPost, "/{phone_number_id}/setwebhook", m.setWebhook),
		op("uploadFile", http.MethodPost, "/upload:{session_id}", m.uploadFile).streaming(),
		op("uploadMedia", http.MethodPost, "/{phone_number_id}/media", m.uploadMedia).streaming(),
	}
	m.table = append(m.table, m.qrRows()...)
	return m
}

// Prefix is the path that {base_url} ends in.
const Prefix = "/v3"

// Operations lists the operationIds of the contract that are served.
func (m *Messaging) Operations() []string {
	var ids []string
	for _, o := range m.table {
		if !o.extra {
			ids = append(ids, o.id)
		}
	}
	return ids
}

// Handle answers a request under Prefix. Errors are for Fail.
func (m *Messaging) Handle(c echo.Context) error {
	answer, err := m.answer(c)
	if err != nil {
		return err
	}
	switch answer := answer.(type) {
	case raw:
		return c.JSONBlob(http.StatusOK, answer)
	case content:
		return answer.write(c.Response(), c.Request())
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return c.JSONBlob(http.StatusOK, body)
}

func (m *Messaging) answer(c echo.Context) (any, error) {
	r := c.Request()
	caller, err := authenticate(r, m.keys, messaging.Channel)
	if err != nil {
		return nil, err
	}
	path := strings.TrimPrefix(r.URL.EscapedPath(), Prefix)
	routes, allowed := match(m.table, m.service.Words(), r.Method, path)
	found, err := m.choose(r.Context(), caller, routes)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, m.unknown(c, path, allowed)
	}
	made := &call{base: m.base, caller: caller, word: found.word, params: found.params, query: r.URL.Query(), request: r, writer: c.Response()}
	if made.word == "" {
		made.word = m.service.Words()[0]
	}
	if !found.streams {
		if made.body, err = readBody(c.Response(), r, found.limit); err != nil {
			return nil, err
		}
	}
	c.Set(webpage.OperationKey, found.id)
	if err := m.throttle(r.Context(), caller, found); err != nil {
		return nil, err
	}
	return found.run(r.Context(), made)
}

// throttle counts a request where its operation has a rate: for the whole
// organisation, or for what the path names.
func (m *Messaging) throttle(ctx context.Context, caller identity.Caller, r *route) error {
	if r.rate == "" {
		return nil
	}
	key := strconv.FormatInt(caller.OrganisationID, 10)
	if r.rate != messaging.RateManagement {
		for _, id := range r.params {
			key += " " + id
		}
	}
	return m.service.Throttle(ctx, r.rate, key)
}

// choose picks the operation that a request means. Where several share a path,
// the kind of the id in it decides.
func (m *Messaging) choose(ctx context.Context, caller identity.Caller, routes []route) (*route, error) {
	if len(routes) == 0 {
		return nil, nil
	}
	if routes[0].kind == "" {
		return &routes[0], nil
	}
	var id string
	for _, id = range routes[0].params {
	}
	kind, err := m.service.Kind(ctx, caller.OrganisationID, id)
	if err != nil {
		return nil, err
	}
	for i := range routes {
		if routes[i].kind == kind {
			return &routes[i], nil
		}
	}
	return nil, &fault.Error{Kind: fault.Invalid, Code: "100", Message: "Unsupported " + strings.ToLower(routes[0].method) + " request",
		Fields: []fault.Field{{Message: "object " + id + " is a " + strings.ReplaceAll(kind, "_", " ") + ", which does not take this request"}}}
}

// unknown is the answer to a path that nothing serves, or not so.
func (m *Messaging) unknown(c echo.Context, path string, allowed []string) error {
	if len(allowed) == 0 {
		return &fault.Error{Kind: fault.NotFound, Code: "1", Message: "Unknown path",
			Fields: []fault.Field{{Message: "no operation has the path " + path}}}
	}
	c.Response().Header().Set(echo.HeaderAllow, strings.Join(allowed, ", "))
	return &fault.Error{Kind: fault.Invalid, Code: "100", Message: "Unsupported " + strings.ToLower(c.Request().Method) + " request",
		Fields: []fault.Field{{Message: "use " + strings.Join(allowed, " or ") + " on this path"}}}
}

// graphError is the error object that clients of the channel read.
type graphError struct {
	Message   string     `json:"message"`
	Type      string     `json:"type"`
	Code      int        `json:"code"`
	Subcode   int        `json:"error_subcode,omitempty"`
	Data      *graphData `json:"error_data,omitempty"`
	Transient bool       `json:"is_transient,omitempty"`
	UserTitle string     `json:"error_user_title,omitempty"`
	UserText  string     `json:"error_user_msg,omitempty"`
	TraceID   string     `json:"fbtrace_id"`
}

type graphData struct {
	MessagingProduct string `json:"messaging_product"`
	Details          string `json:"details"`
}

const (
	codeKey       = 190
	codeStorage   = 131053
	codeObject    = 803
	subcodeObject = 33
	typeOAuth     = "OAuthException"
	typeGraph     = "GraphMethodException"
)

// Fail writes an error in the channel's envelope: always JSON.
func (m *Messaging) Fail(c echo.Context, err error) error {
	f := fault.As(err)
	if f == nil {
		f = &fault.Error{Kind: fault.Internal, Err: err}
	}
	status, e := m.envelope(f)
	e.TraceID = c.Response().Header().Get(echo.HeaderXRequestID)
	body, err := json.Marshal(map[string]graphError{"error": e})
	if err != nil {
		return fmt.Errorf("writing the error: %w", err)
	}
	return c.JSONBlob(status, body)
}

// envelope gives the HTTP status and error object of a fault. The statuses are
// those of the specification; throttles are 400, as partners' clients expect.
func (m *Messaging) envelope(f *fault.Error) (int, graphError) {
	defaults := map[fault.Kind]struct{ status, code int }{
		fault.Internal: {500, 2}, fault.Invalid: {400, 100}, fault.Unauthenticated: {401, 190}, fault.Forbidden: {403, 200},
		fault.NotFound: {404, codeObject}, fault.Conflict: {400, 100}, fault.TooLarge: {400, 100}, fault.Unsupported: {400, 100},
		fault.Limited: {400, 80007}, fault.Unavailable: {500, 2},
	}[f.Kind]
	e := graphError{Type: typeOAuth, Code: defaults.code, Transient: f.Kind == fault.Unavailable}
	if code, err := strconv.Atoi(f.Code); err == nil {
		e.Code = code
	}
	e.Message = "(#" + strconv.Itoa(e.Code) + ") " + f.Message
	switch {
	case f.Kind == fault.Internal:
		e.Type, e.Message = typeGraph, "An unknown error has occurred"
	case e.Code == codeStorage:
		defaults.status = 400 // ours, but this is where clients look for it
	case f.Kind == fault.Unavailable:
		e.Type = typeGraph
	case e.Code == codeKey:
		e.Message, e.Data = "Invalid API key", m.details(f.Message)
	case e.Code == codeObject:
		e.Type, e.Subcode, e.Message = typeGraph, subcodeObject, f.Message
	}
	if len(f.Fields) > 0 {
		details := make([]string, len(f.Fields))
		for i, field := range f.Fields {
			details[i] = field.Message
		}
		e.Data = m.details(strings.Join(details, "; "))
	}
	if f.Subcode != 0 {
		e.Subcode, e.UserTitle, e.UserText = f.Subcode, f.Title, e.Data.Details
	}
	return defaults.status, e
}

func (m *Messaging) details(text string) *graphData {
	return &graphData{MessagingProduct: m.service.Words()[0], Details: text}
}
