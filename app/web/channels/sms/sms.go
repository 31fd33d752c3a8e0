// Package sms serves the headers and texts that an organisation sends SMS with.
package sms

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/channels/sms"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	// PublicURL is the address of the APIs.
	PublicURL   string
	SMSRegistry *sms.Registry
}

const (
	// ReportsPath is the page of the reports about SMS.
	ReportsPath = page.AccountSMSPath + "/reports"
	smsDocs     = "/docs/sms/1.0"
)

// smsForm holds what the forms of the SMS page send; each sends some of it.
type smsForm struct {
	Header      string `form:"header"`
	EntityID    string `form:"entity_id"`
	Reports     string `form:"reports"`
	Name        string `form:"name"`
	Text        string `form:"text"`
	DLTTemplate string `form:"dlt_template_id"`
	TextHeader  string `form:"text_header"`
}

// Show shows what the organisation sends SMS with.
func (h *Handlers) Show(c echo.Context) error {
	return h.renderSMS(c, http.StatusOK, nil, &page.Problems{})
}

// By returns the organisation and the user of a request.
func By(c echo.Context) sms.By {
	user := page.User(c)
	return sms.By{OrganisationID: user.OrganisationID, Actor: user.Actor()}
}

// changeSMS carries out what a form of the SMS page asks for.
func (h *Handlers) changeSMS(c echo.Context, word string, change func(f smsForm) error) error {
	var f smsForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	if err := change(f); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderSMS(c, status, &f, problems)
		})
	}
	return page.Done(c, page.AccountSMSPath, word)
}

// AddHeader asks for a header. A sandbox has it at once.
func (h *Handlers) AddHeader(c echo.Context) error {
	account, err := h.SMSRegistry.Account(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	word := "sms-header-asked"
	if account.Sandbox {
		word = "sms-header"
	}
	return h.changeSMS(c, word, func(f smsForm) error {
		return h.SMSRegistry.AddHeader(c.Request().Context(), By(c), f.Header)
	})
}

// SetRegistration stores the entity id and when reports are sent.
func (h *Handlers) SetRegistration(c echo.Context) error {
	return h.changeSMS(c, "sms-registration", func(f smsForm) error {
		reports, err := strconv.ParseInt(f.Reports, 10, 16)
		if err != nil {
			reports = -1
		}
		return h.SMSRegistry.SetRegistration(c.Request().Context(), By(c), sms.Registration{EntityID: f.EntityID, Reports: int16(reports)})
	})
}

// AddText stores a text.
func (h *Handlers) AddText(c echo.Context) error {
	return h.changeSMS(c, "sms-text", func(f smsForm) error {
		_, err := h.SMSRegistry.AddTemplate(c.Request().Context(), By(c), models.SMSTemplate{
			Name: f.Name, Text: f.Text, DLTTemplateID: f.DLTTemplate, Header: f.TextHeader,
		})
		return err
	})
}

// AskRemoveHeader asks before a header is removed.
func (h *Handlers) AskRemoveHeader(c echo.Context) (*page.Question, error) {
	header := c.Param("id")
	account, err := h.SMSRegistry.Account(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return nil, err
	}
	found, ok := account.FindHeader(header)
	if !ok {
		return nil, fault.New(fault.NotFound, "Your account does not have this header.")
	}
	return askSMS(c, "Remove "+header, ui.Question{
		Region: smsHeaderRegion(header), Text: removalEffect(found),
	})
}

// AskRemoveText asks before a stored text is removed.
func (h *Handlers) AskRemoveText(c echo.Context) (*page.Question, error) {
	id, err := page.ID(c)
	if err != nil {
		return nil, err
	}
	account, err := h.SMSRegistry.Account(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return nil, err
	}
	for _, t := range account.Templates {
		if t.ID == id {
			return askSMS(c, "Remove "+t.Name, ui.Question{
				Region: smsTextRegion(id), Facts: listing.Pairs("Text", t.Text),
				Text: "Requests that name it by template_id will be refused with code 332.",
			})
		}
	}
	return nil, fault.New(fault.NotFound, "Your account does not have this text.")
}

func askSMS(c echo.Context, heading string, q ui.Question) (*page.Question, error) {
	f := page.AccountFrame(c, heading, page.AccountSMSPath).Under("SMS", page.AccountSMSPath)
	q.Action.Label, q.Action.Kind, q.Back = heading, ui.Danger, ui.Link{Label: "Keep it"}
	return &page.Question{Frame: f, Question: q}, nil
}

func smsHeaderPath(header string) string {
	return page.AccountSMSPath + "/headers/" + url.PathEscape(header) + "/remove"
}

func smsTextPath(id int64) string {
	return page.AccountSMSPath + "/texts/" + strconv.FormatInt(id, 10) + "/remove"
}

// smsHeaderRegion and smsTextRegion are where the questions open before a header
// or a text is removed.
func smsHeaderRegion(header string) ui.Region {
	return ui.Confirm.Of("header-" + hex.EncodeToString([]byte(header)))
}

func smsTextRegion(id int64) ui.Region { return ui.Confirm.Of("text-" + strconv.FormatInt(id, 10)) }

// removal is a cell with a button that asks before something is removed.
func removal(path, object string, region ui.Region) ui.Cell {
	return ui.Cell{Opens: region, Body: ui.AskButton(ui.Ask{Link: ui.Link{Label: "Remove", Href: path}, Object: object, Region: region, Small: true})}
}

// removalEffect says what happens when a header is removed.
func removalEffect(h models.SMSHeader) string {
	switch {
	case !h.IsUsable():
		return "Your request for this header is withdrawn."
	case h.Sandbox:
		return "Requests with this header will be refused with code 330. Messages that were accepted are still sent."
	}
	return "Requests with this header will be refused with code 330, and replies to it no longer reach you. Another organisation may ask for it. Messages that were accepted are still sent."
}

// RemoveHeader removes a header.
func (h *Handlers) RemoveHeader(c echo.Context) error {
	if err := h.SMSRegistry.RemoveHeader(c.Request().Context(), By(c), c.Param("id")); err != nil {
		return err
	}
	return page.Done(c, page.AccountSMSPath, "sms-header-removed")
}

// RemoveText removes a stored text.
func (h *Handlers) RemoveText(c echo.Context, id int64) error {
	if err := h.SMSRegistry.RemoveTemplate(c.Request().Context(), By(c), id); err != nil {
		return err
	}
	return page.Done(c, page.AccountSMSPath, "sms-text-removed")
}

// renderSMS shows the page, with a form as it was sent and what is wrong with it.
func (h *Handlers) renderSMS(c echo.Context, status int, f *smsForm, problems *page.Problems) error {
	account, err := h.SMSRegistry.Account(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	p := view.SMSPage{
		Frame: page.AccountFrame(c, "SMS", page.AccountSMSPath), Docs: ui.Link{Label: "Documentation", Href: smsDocs},
		Reports: ui.Link{Label: "Delivery reports", Href: ReportsPath},
		Facts:   smsFacts(account, h.PublicURL), Headers: smsHeaders(account, page.MayDevelop(c)), Texts: smsTexts(account, page.MayDevelop(c)),
	}
	if f == nil {
		f = &smsForm{EntityID: account.EntityID, Reports: strconv.Itoa(int(account.Reports))}
	}
	if page.MayDevelop(c) {
		p.Edit = editSMS(account, f, problems)
		p.Edit.CSRF = p.CSRF
	}
	if account.Sandbox {
		p.Recipients, p.Sample = smsRecipients, smsSample(account, h.PublicURL)
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.SMS(p)})
}

// smsFacts are the address and the ids that requests are made with.
func smsFacts(a *sms.Account, publicURL string) []ui.Pair {
	facts := []ui.Pair{{Key: "Base URL", Value: publicURL, Mono: true}}
	if a.EntityID != "" {
		facts = append(facts, ui.Pair{Key: "DLT entity id", Value: a.EntityID, Mono: true})
	}
	if a.State != sms.StateActive {
		facts = append(facts, ui.Pair{Key: "State", Value: a.State})
	}
	return append(facts, ui.Pair{Key: "Reports", Value: reportChoice(strconv.Itoa(int(a.Reports)))})
}

var reportChoices = []ui.Option{
	{Value: strconv.Itoa(sms.ReportsAlways), Label: "Always"},
	{Value: strconv.Itoa(sms.ReportsOnRequest), Label: "When a request names an address (dlr_url)"},
	{Value: strconv.Itoa(sms.ReportsOff), Label: "Never"},
}

func reportChoice(value string) string {
	for _, o := range reportChoices {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

var headerKinds = map[string]string{
	string(sms.Transactional): "Transactional", string(sms.Promotional): "Promotional", string(sms.International): "Other countries",
}

// headerStates are the states of headers in the words of their organisation.
var headerStates = map[string]struct {
	word string
	tone ui.Tone
}{
	models.HeaderRequested: {"Waits for approval", ui.Info}, models.HeaderGranted: {"Yours", ui.Good},
	models.HeaderContested: {"Under review", ui.Warn}, models.HeaderDeclined: {"Declined", ui.Bad},
}

func smsHeaders(a *sms.Account, change bool) ui.Table {
	t := ui.Table{Caption: "Headers", Quiet: true, Columns: []ui.Column{{Label: "Header"}, {Label: "Kind", Plain: true}, {Label: "Added (UTC)"}}}
	if !a.Sandbox {
		t.Columns = append(t.Columns, ui.Column{Label: "State"})
	}
	if change {
		t.Columns = append(t.Columns, ui.Column{Label: "Change", Plain: true})
	}
	for _, header := range slices.Concat(a.Headers, a.Pending) {
		row := []ui.Cell{{Text: header.Header, Mono: true}, {Text: headerKinds[header.Kind]}, listing.Minute(&header.CreatedAt)}
		if !a.Sandbox {
			state := headerStates[header.State]
			row = append(row, ui.Cell{Text: state.word, Badge: true, Tone: state.tone, Note: header.Reason})
		}
		if change {
			row = append(row, removal(smsHeaderPath(header.Header), header.Header, smsHeaderRegion(header.Header)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func smsTexts(a *sms.Account, change bool) ui.Table {
	t := ui.Table{Caption: "Stored texts", Quiet: true, Columns: []ui.Column{
		{Label: "template_id"}, {Label: "Name", Plain: true}, {Label: "Text", Plain: true, Lead: true}, {Label: "DLT template id"}, {Label: "Header"},
	}}
	if change {
		t.Columns = append(t.Columns, ui.Column{Label: "Change", Plain: true})
	}
	for _, text := range a.Templates {
		id := strconv.FormatInt(text.ID, 10)
		row := []ui.Cell{{Text: id, Mono: true}, {Text: text.Name}, {Text: text.Text}, {Text: text.DLTTemplateID, Mono: true}, {Text: text.Header, Mono: true}}
		if change {
			row = append(row, removal(smsTextPath(text.ID), text.Name, smsTextRegion(text.ID)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// headerForm returns the words of the form for another header.
func headerForm(a *sms.Account) view.SMSHeaderForm {
	if a.Sandbox {
		return view.SMSHeaderForm{
			Title: "Add a header", Submit: "Add the header",
			Note: "In a sandbox every header works at once. Messages with it stay in the virtual carrier, and nobody else's replies reach you.",
		}
	}
	return view.SMSHeaderForm{
		Title: "Ask for a header", Submit: "Ask for the header",
		Note: "A header belongs to one organisation. An administrator grants or declines your request, and your owners get an email.",
	}
}

func editSMS(a *sms.Account, f *smsForm, problems *page.Problems) *view.SMSEdit {
	headers := []ui.Option{{Value: "", Label: "Any header"}}
	for _, header := range slices.Concat(a.Headers, a.Pending) {
		if header.State != models.HeaderDeclined {
			headers = append(headers, ui.Option{Value: header.Header, Label: header.Header})
		}
	}
	wrong := problems.Fields
	return &view.SMSEdit{
		Problem: problems.Form,
		Add:     headerForm(a),
		Header:  ui.Input{Name: "header", Label: "Header", Hint: "For example PARCEL", Value: f.Header, Required: true, Error: wrong["header"]},
		Entity:  ui.Input{Name: "entity_id", Label: "DLT entity id", Hint: "Used for requests without dlt_entity_id.", Value: f.EntityID, Error: wrong["entity_id"]},
		Reports: ui.Select{Name: "reports", Label: "Delivery reports", Hint: "For requests without dlr_req.", Value: f.Reports, Options: reportChoices, Error: wrong["reports"]},
		Text: view.SMSTextForm{
			Name: ui.Input{Name: "name", Label: "Name", Value: f.Name, Required: true, Error: wrong["name"]},
			Text: ui.TextArea{Name: "text", Label: "Text", Value: f.Text, Rows: 3, Required: true, Hint: "Write {#var#} for each variable.", Error: wrong["text"]},
			DLTTemplate: ui.Input{Name: "dlt_template_id", Label: "DLT template id", Hint: "Empty for a text that is not registered.",
				Value: f.DLTTemplate, Error: wrong["dlt_template_id"]},
			Header: ui.Select{Name: "text_header", Label: "Registered for", Value: f.TextHeader, Options: headers, Error: wrong["text_header"]},
		},
	}
}

// smsSample is a request that the sandbox accepts.
func smsSample(a *sms.Account, publicURL string) ui.Code {
	header, template, text := "<HEADER>", "<TEMPLATE>", "<TEXT>"
	for _, t := range a.Templates {
		if kind, _ := sms.KindOfHeader(t.Header); kind == sms.Transactional && a.HasHeader(t.Header) {
			header, template, text = t.Header, t.DLTTemplateID, sms.Fill(t.Text, sampleValues(t.Text))
			break
		}
	}
	return ui.Code{Title: "curl", Language: "shell", Text: fmt.Sprintf(`curl %s/genericapi/JSONGenericReceiver \
  -H 'Content-Type: application/json' \
  -d '{"version": "1.0", "accesskey": "<API_KEY>",
       "messages": [{"dest": ["919812345678"], "header": %q, "msg": %q,
                     "dlt_entity_id": %q, "dlt_template_id": %q}]}'`, publicURL, header, text, a.EntityID, template)}
}

// sampleValues returns a value for each variable of a text. A text that greets
// somebody begins with a name.
func sampleValues(text string) []string {
	values := slices.Repeat([]string{"A-1042"}, sms.Variables(text))
	for _, greeting := range []string{"Dear ", "Hello ", "Hi "} {
		if strings.HasPrefix(text, greeting+"{#var#}") {
			values[0] = "Asha"
		}
	}
	return values
}

// smsRecipients are the documented recipients of the sandbox.
var smsRecipients = ui.Table{
	Caption: "Recipients to try", Quiet: true, Columns: []ui.Column{{Label: "Number ends in"}, {Label: "What happens", Plain: true}},
	Rows: [][]ui.Cell{
		ending("0001", "UNDELIV: unknown subscriber (613)"),
		ending("0002", "REJECTD: do-not-disturb (631)"),
		ending("0003", "submitted, no report until its expiry: EXPIRED (640)"),
		ending("0004", "ENROUTE, then UNDELIV: absent (607)"),
		ending("0005", "ENROUTE, delivered after 10 s"),
		ending("0006", "the operator is away twice, then as any other"),
		ending("0007", "UNKNOWN: the operator cannot tell (699)"),
		ending("0008", "DELIVRD, then the recipient replies"),
		{{Text: "anything else"}, {Text: "delivered at once, unless the text does not match its registration (617 to 625)"}},
	},
}

// ending is the row of a number of the sandbox, by its last digits.
func ending(digits, what string) []ui.Cell {
	return []ui.Cell{{Text: digits, Mono: true}, {Text: what}}
}
