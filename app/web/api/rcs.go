package api

import (
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/rcs"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/people/identity"
	webpage "heliograph/app/web/page"
)

// RCS is the RCS API, version 1.0.
//
// Every answer is an envelope with a status and a code that equals the HTTP
// status. Bodies are JSON, and a field that the contract does not list is refused.
type RCS struct {
	surface
	service *rcs.Service
}

// RCSOptions holds what the operations call.
type RCSOptions struct {
	Keys    *identity.Keys
	Service *rcs.Service
	// OnPremise serves the twins of operations below /mgmt.
	OnPremise bool
	// Words are the names of the messaging channel in paths, the default first.
	Words []string
	Base  string // scheme and host of absolute addresses
}

// RCSPrefixes are the paths that the API lives under.
var RCSPrefixes = []string{"/api/v1", "/mgmt/api/v1"}

// RCSBodyLimit is the maximum body size in bytes.
const RCSBodyLimit = rcs.MaxForm

// The rates of the operations.
const (
	rcsManages = "management"
	rcsSends   = "send"
)

// NewRCS returns the API. Mount Handle for every method under RCSPrefixes.
func NewRCS(o RCSOptions) *RCS {
	if o.Service == nil {
		o.Service = &rcs.Service{} // for the table alone
	}
	r := &RCS{service: o.Service}
	r.surface = surface{
		channel: rcs.Channel, base: o.Base, keys: o.Keys, credential: headerCredential, bind: r.bind, throttle: r.limit,
		words:    channelWords{pattern: wordPattern, names: o.Words},
		refusals: refusals{path: r.unknownPath, method: useInstead, scope: r.wrongScope},
	}
	bots := rcsBots{bots: o.Service.Bots}
	devices := rcsDevices{devices: o.Service.Devices}
	webhooks := rcsWebhooks{webhooks: o.Service.Webhooks}
	templates := rcsTemplates{templates: o.Service.Templates}
	messages := rcsMessages{sender: o.Service.Sender}
	add := func(rate, id, method, path string, run func(ctx context.Context, c *call, in input.Object) (any, error)) {
		row := op(id, method, path, run).at(rate).upTo(rcs.MaxBody).holding(rcsValues)
		row.accepts = rate == rcsSends
		r.table = append(r.table, row)
	}
	manage := func(id, method, path string, run func(ctx context.Context, c *call, in input.Object) (any, error)) {
		add(rcsManages, id, method, "/api/v1"+path, run)
	}
	manage("addTestDevice", http.MethodPost, "/add-test-device", devices.addTestDevice)
	manage("createBot", http.MethodPost, "/create-bot", bots.createBot)
	manage("createTemplate", http.MethodPost, "/create-template", templates.createTemplate)
	manage("getBot", http.MethodGet, "/get-bot-details/{bot_id}", bots.getBot)
	manage("getBotByClientId", http.MethodGet, "/get-bot-details-by-clientId/{client_id}", bots.getBotByClientID)
	manage("getBotId", http.MethodGet, "/get-botId-by-botName", bots.getBotID)
	manage("getMessageStatus", http.MethodGet, "/get-message-status-by-messageId/{bot_id}/{message_id}", messages.getMessageStatus)
	manage("getRelayWebhook", http.MethodGet, "/bot/config/get-relay-webhook-url", webhooks.getRelayWebhook)
	manage("getTemplateDetails", http.MethodGet, "/get-template-details-by-templateId", templates.getTemplate)
	manage("getTemplateId", http.MethodGet, "/get-templateId-by-templateName-and-botId", templates.getTemplateID)
	manage("getTemplateStatus", http.MethodGet, "/get-template-status/{bot_id}/{template}", templates.getTemplateStatus)
	manage("listBots", http.MethodGet, "/get-all-bots", bots.listBots)
	manage("listBotTemplates", http.MethodGet, "/get-all-templates-by-botid", templates.listBotTemplates)
	manage("listFallbackTemplates", http.MethodGet, "/templates/msgapp-fallback/{bot_id}", templates.listFallbackTemplates)
	manage("listLaunchedBots", http.MethodGet, "/get-all-launched-bots-by-orgId", bots.listLaunchedBots)
	manage("listOrganisationTemplates", http.MethodGet, "/get-all-template-by-orgId", templates.listOrganisationTemplates)
	manage("previewTemplate", http.MethodGet, "/get-template-preview-by-templateName", templates.previewTemplate)
	manage("setPayloadTransform", http.MethodPut, "/bot/config/set-payload-transform-type", webhooks.setTransform)
	manage("setRelayWebhook", http.MethodPut, "/bot/config/set-relay-webhook-url", webhooks.setRelayWebhook)
	manage("updateBot", http.MethodPost, "/update-bot", bots.updateBot)
	manage("updateTemplate", http.MethodPost, "/update-template", templates.updateTemplate)
	add(rcsSends, "sendFreeflowMessage", http.MethodPost, "/api/v1/send-freeflow-message", messages.sendFreeflow)
	add(rcsSends, "sendMessage", http.MethodPost, "/api/v1/send-message", messages.sendMessage)
	if o.OnPremise {
		add(rcsManages, "setPayloadTransformOnPremise", http.MethodPut, "/mgmt/api/v1/bot/config/set-payload-transform-type", webhooks.setTransform)
		add(rcsManages, "setRelayWebhookOnPremise", http.MethodPut, "/mgmt/api/v1/bot/config/set-relay-webhook-url", webhooks.setRelayWebhook)
	}
	r.table = append(r.table, op("submitBotForVerification", http.MethodPost, "/api/v1/bot/submit_bot_for_verification", bots.submitBot).at(rcsManages).streaming())
	return r
}

// rcsTable returns the surface for its table alone.
func rcsTable() *surface {
	return &NewRCS(RCSOptions{OnPremise: true, Words: []string{"msgapp"}}).surface
}

// rcsValues is the maximum number of values in a body. 1,000 recipients with their
// values fit into 250 KB.
const rcsValues = 50_000

// limit counts a request.
func (r *RCS) limit(ctx context.Context, organisationID int64, found *route) error {
	return r.service.Limits.Throttle(ctx, organisationID, found.rate == rcsSends)
}

// bind reads the JSON object of a body; a GET has none.
func (r *RCS) bind(c *call, in any) error {
	object, ok := in.(*input.Object)
	if !ok || c.request.Method == http.MethodGet {
		return nil
	}
	if err := wantsJSON(c.request, c.body); err != nil {
		return err
	}
	return readRCSObject(c.body, object)
}

// curlType is the type that curl sends with every body unless the caller names another.
const curlType = "application/x-www-form-urlencoded"

// wantsJSON refuses a body of another media type.
func wantsJSON(r *http.Request, body []byte) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.Header.Get("Content-Type") == "" || err == nil && (kind == "application/json" || kind == curlType && looksLikeJSON(body)) {
		return nil
	}
	return fault.New(fault.Unsupported, "Send the body as application/json")
}

// readRCSObject decodes a body.
func readRCSObject(body []byte, object *input.Object) error {
	err := json.Unmarshal(body, object)
	if err == nil && *object == nil {
		err = json.Unmarshal([]byte("[]"), object) // null is no object either
	}
	if err != nil {
		text := input.Describe(body, err)
		return fault.New(fault.Invalid, "%s", strings.ToUpper(text[:1])+text[1:])
	}
	return nil
}

func (r *RCS) unknownPath(string) error {
	return fault.New(fault.NotFound, "No operation has this path")
}

func (r *RCS) wrongScope(channel string) error {
	return fault.New(fault.Forbidden, "This API key is not for the %s channel: create one that is", channel)
}

// rcsSuccess is the envelope of an answer. It writes itself with its status.
type rcsSuccess struct {
	Status string `json:"status"`
	Code   int    `json:"code"`
	Data   any    `json:"data"`
	Total  *int   `json:"total,omitempty"`
}

func rcsOK(data any, err error) (any, error) { return rcsAnswer(http.StatusOK, data, err) }

func rcsAnswer(code int, data any, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return rcsSuccess{Status: "SUCCESS", Code: code, Data: data}, nil
}

func rcsList(data any, total int, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return rcsSuccess{Status: "SUCCESS", Code: http.StatusOK, Data: data, Total: &total}, nil
}

func (s rcsSuccess) write(w http.ResponseWriter, _ *http.Request) error {
	body, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(s.Code)
	_, err = w.Write(body)
	return err
}

// rcsFailure is the envelope of an error.
type rcsFailure struct {
	Status  string          `json:"status"`
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Errors  []rcsFieldError `json:"errors,omitempty"`
	Href    string          `json:"href"` // of the code in the documentation
}

type rcsFieldError struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func rcsFields(fields []fault.Field) (all []rcsFieldError) {
	for _, f := range fields {
		if f.Code != "" {
			all = append(all, rcsFieldError{Field: f.Name, Code: f.Code, Message: f.Message})
		}
	}
	return all
}

// Fail writes an error in the envelope of the API: always JSON.
func (r *RCS) Fail(c echo.Context, err error) error {
	f := fault.As(err)
	if f == nil {
		f = &fault.Error{Kind: fault.Internal, Err: err}
	}
	answer := rcsFailure{Status: "FAILURE", Code: rcsStatus(f), Message: f.Message, Errors: rcsFields(f.Fields)}
	switch {
	case answer.Code == http.StatusServiceUnavailable:
		answer.Errors = nil
	case answer.Code >= http.StatusInternalServerError:
		answer.Message, answer.Errors = "Internal error", nil
	case f.Kind == fault.TooLarge:
		answer.Message = fmt.Sprintf("Send at most %d KB in one request", rcs.MaxBody>>10)
	case len(answer.Errors) == 0 && len(f.Fields) > 0:
		answer.Message = f.Fields[0].Message
	}
	if f.RetryAfter > 0 || answer.Code == http.StatusTooManyRequests {
		seconds := max(1, int((f.RetryAfter+time.Second-1)/time.Second))
		c.Response().Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	answer.Href = r.base + rcs.Declaration.ErrorEntry(answer.Code)
	body, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("writing the error: %w", err)
	}
	r.noteRefused(c, answer.Code, answer.Code)
	return writeJSON(c, answer.Code, body)
}

// rcsStatus returns the HTTP status of a fault.
func rcsStatus(f *fault.Error) int {
	status := webpage.Status(f)
	switch {
	case status == http.StatusUnprocessableEntity:
		return http.StatusBadRequest
	case status > http.StatusInternalServerError && status != http.StatusServiceUnavailable:
		return http.StatusInternalServerError
	}
	return status
}

// parameter is a value of the query or the path, with the form that it must have.
type parameter struct {
	name     string
	form     *regexp.Regexp
	optional bool
	rule     string // completes "must"
}

var (
	botParameter    = parameter{name: "botId", form: regexp.MustCompile(`^[A-Za-z0-9_=-]{1,64}$`), rule: "have 1 to 64 letters, digits, _, = and -"}
	templateIDParam = parameter{name: "templateId", form: botParameter.form, rule: botParameter.rule}
	templateParam   = parameter{name: "templateName", form: regexp.MustCompile(`^[A-Za-z0-9_]{1,20}$`), rule: "have 1 to 20 letters, digits and underscores"}
	orgParameter    = parameter{name: "orgId", form: regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`), rule: "have 1 to 64 letters, digits, _ and -"}
	botNameParam    = parameter{name: "botName", form: regexp.MustCompile(`^[^\x00]{1,40}$`), rule: "have 1 to 40 characters"}
	statusParam     = parameter{name: "status", form: regexp.MustCompile(`^(PENDING|APPROVED|REJECTED)$`), optional: true, rule: "be one of PENDING, APPROVED and REJECTED"}
	typeParam       = parameter{name: "type", form: regexp.MustCompile(`^(TEXT|CAROUSEL|STANDALONE)$`), optional: true, rule: "be one of TEXT, CAROUSEL and STANDALONE"}
	pageParam       = parameter{name: "page", form: regexp.MustCompile(`^[1-9][0-9]{0,6}$`), optional: true, rule: "be a whole number from 1"}
	sizeParam       = parameter{name: "size", form: regexp.MustCompile(`^([1-9][0-9]?|100)$`), optional: true, rule: "be a whole number from 1 to 100"}
)

// parameters reads parameters of the query. Every one that is wrong is named.
func (c *call) parameters(wanted ...parameter) (map[string]string, error) {
	values := map[string]string{}
	var wrong []fault.Field
	for _, p := range wanted {
		value := c.query.Get(p.name)
		switch {
		case !c.query.Has(p.name) && p.optional:
		case value == "":
			wrong = append(wrong, fault.Field{Name: p.name, Code: "required", Message: "is missing"})
		case !p.form.MatchString(value):
			wrong = append(wrong, fault.Field{Name: p.name, Code: "pattern", Message: "must " + p.rule})
		default:
			values[p.name] = value
		}
	}
	if len(wrong) > 0 {
		return nil, &fault.Error{Kind: fault.Invalid, Message: "Validation failed", Fields: wrong}
	}
	return values, nil
}

// pageOf reads which part of a list a request wants.
func (c *call) pageOf(more ...parameter) (map[string]string, rcs.Page, error) {
	p := rcs.Page{Number: 1, Size: 20}
	values, err := c.parameters(append(more, pageParam, sizeParam)...)
	if err != nil {
		return nil, p, err
	}
	for name, to := range map[string]*int{"page": &p.Number, "size": &p.Size} {
		if values[name] != "" {
			*to, _ = strconv.Atoi(values[name]) // digits only
		}
	}
	return values, p, nil
}

// by returns the author of a change.
func (c *call) by() rcs.By {
	return rcs.By{OrganisationID: c.caller.OrganisationID, Actor: c.actor()}
}

// agreeOnBot refuses a request that names different bots in header and body.
func (c *call) agreeOnBot(named string) error {
	header := c.request.Header.Get("botId")
	if header == "" || named == "" || header == named {
		return nil
	}
	return &fault.Error{Kind: fault.Invalid, Message: "Validation failed", Fields: []fault.Field{
		{Name: "botId", Code: "mismatch", Message: "must be the bot that the header botId names"},
	}}
}
