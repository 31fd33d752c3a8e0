package carriers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/channels/carriers"
	"heliograph/views/ui"
)

// carrierForm holds the fields of the form that all kinds have.
type carrierForm struct {
	Preset string `form:"preset"` // of a new carrier
	Name   string `form:"name"`
	Kind   string `form:"kind"`
	URL    string `form:"url"`
	Secret string `form:"secret"`
	// AccessToken and AppSecret are the secrets of a carrier of kind graph.
	AccessToken string `form:"access_token"`
	AppSecret   string `form:"app_secret"`
}

// carrierPage is what a page of a carrier shows.
type carrierPage struct {
	form     carrierForm
	settings map[string]string
	test     pipeline.CarrierTest
	problems *page.Problems
	checks   []pipeline.CarrierCheck // of a test of a carrier of kind graph
}

// ShowNew shows the form of a new carrier.
func (h *Handlers) ShowNew(c echo.Context) error {
	name := c.QueryParam("preset")
	state := presetOf(name).fill()
	state.form.Kind, state.problems = cmp.Or(state.form.Kind, c.QueryParam("kind"), name), &page.Problems{}
	if carrierKinds[state.form.Kind] == "" {
		return c.Redirect(http.StatusSeeOther, page.CarriersPath) // where one is chosen
	}
	return h.renderNewCarrier(c, http.StatusOK, state)
}

// Add stores a new carrier.
func (h *Handlers) Add(c echo.Context) error {
	p, err := h.readCarrier(c)
	if err != nil {
		return err
	}
	if _, err = h.Carriers.Get(c.Request().Context(), p.form.Name); err == nil {
		err = fault.InvalidFields(fault.Field{Name: "name", Message: "A carrier with this name exists."})
	} else if fault.Is(err, fault.NotFound) {
		err = h.setCarrier(c, p)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			p.problems = problems
			return h.renderNewCarrier(c, status, p)
		})
	}
	return page.Done(c, page.CarriersPath+"/"+p.form.Name, "saved")
}

// Show shows a carrier.
func (h *Handlers) Show(c echo.Context) error {
	return h.renderCarrier(c, http.StatusOK, carrierPage{problems: &page.Problems{}})
}

// Set changes a carrier.
func (h *Handlers) Set(c echo.Context) error {
	stored, err := h.Carriers.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	p, err := h.readCarrier(c)
	if err != nil {
		return err
	}
	p.form.Name, p.form.Kind = stored.Name, stored.Kind
	if err := h.setCarrier(c, p); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			p.problems = problems
			return h.renderCarrier(c, status, p)
		})
	}
	return page.Done(c, page.CarriersPath+"/"+stored.Name, "saved")
}

func (h *Handlers) setCarrier(c echo.Context, p carrierPage) error {
	change := pipeline.CarrierChange{Name: p.form.Name, Kind: p.form.Kind, URL: strings.TrimSpace(p.form.URL), Settings: p.settings, Secret: models.Secret(p.form.Secret)}
	if p.form.Kind == pipeline.KindGraph {
		change.Secret, change.Secrets = "", map[string]models.Secret{"access_token": models.Secret(strings.TrimSpace(p.form.AccessToken)), "app_secret": models.Secret(strings.TrimSpace(p.form.AppSecret))}
	}
	return h.Carriers.Set(c.Request().Context(), change, page.User(c).Actor())
}

// readCarrier reads the form of a carrier. Settings that are empty are left out.
func (h *Handlers) readCarrier(c echo.Context) (p carrierPage, err error) {
	if err := page.Bind(c, &p.form); err != nil {
		return p, err
	}
	p.settings = map[string]string{}
	for name, values := range c.Request().PostForm {
		if setting, ok := strings.CutPrefix(name, "setting_"); ok && strings.TrimSpace(values[0]) != "" {
			p.settings[setting] = strings.ReplaceAll(values[0], "\r\n", "\n")
		}
	}
	return p, nil
}

// Test sends an SMS through a carrier. One of kind graph is asked about its
// settings.
func (h *Handlers) Test(c echo.Context) error {
	if stored, err := h.Carriers.Get(c.Request().Context(), c.Param("id")); err != nil || stored.Kind == pipeline.KindGraph {
		if err != nil {
			return err
		}
		checks, err := h.Carriers.Check(c.Request().Context(), stored.Name, page.User(c).Actor())
		if err != nil {
			return err
		}
		return h.renderCarrier(c, http.StatusOK, carrierPage{checks: checks, problems: &page.Problems{}})
	}
	var f struct {
		Sender    string `form:"sender"`
		Recipient string `form:"recipient"`
		Text      string `form:"text"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	p := carrierPage{test: pipeline.CarrierTest{Sender: f.Sender, Recipient: f.Recipient, Text: f.Text}}
	began := time.Now()
	id, err := h.Carriers.Test(c.Request().Context(), c.Param("id"), p.test, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			p.problems = problems
			return h.renderCarrier(c, status, p)
		})
	}
	if !page.WantsFragment(c) { // going back must not send it again
		return page.Done(c, page.CarriersPath+"/"+c.Param("id"), map[bool]string{true: "tested", false: "asked"}[p.test.Text != ""])
	}
	p.checks, p.problems = []pipeline.CarrierCheck{took(p.test, id, time.Since(began))}, &page.Problems{}
	return h.renderCarrier(c, http.StatusOK, p)
}

// took says what a carrier answered to a test.
func took(t pipeline.CarrierTest, id string, after time.Duration) pipeline.CarrierCheck {
	took := " after " + listing.Number(int(after.Milliseconds())) + " ms"
	switch {
	case t.Text == "":
		return pipeline.CarrierCheck{Name: "Ask about the phone", Passed: true, Answer: "It can receive RCS from the bot, answered" + took + "."}
	case id == "":
		return pipeline.CarrierCheck{Name: "Hand over a message", Passed: true, Answer: "Taken" + took + ". The answer has no id, so no report of delivery can be matched to it."}
	}
	return pipeline.CarrierCheck{Name: "Hand over a message", Passed: true, Answer: "Taken" + took + ", under the id " + id + ". Whether it arrived, the phone shows."}
}

// Enable enables a carrier.
func (h *Handlers) Enable(c echo.Context) error { return h.switchCarrier(c, true) }

// Disable disables a carrier.
func (h *Handlers) Disable(c echo.Context) error { return h.switchCarrier(c, false) }

func (h *Handlers) switchCarrier(c echo.Context, enabled bool) error {
	if err := h.Carriers.SetEnabled(c.Request().Context(), c.Param("id"), enabled, page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, page.CarriersPath+"/"+c.Param("id"), map[bool]string{true: "enabled", false: "disabled"}[enabled])
}

// AskDisable asks before a carrier is disabled.
func (h *Handlers) AskDisable(c echo.Context) (*page.Question, error) {
	return h.askCarrier(c, "Disable", "Its messages take the next less specific route, or wait until it is enabled or they expire. New messages without another route are refused.")
}

// AskRemove asks before a carrier is removed.
func (h *Handlers) AskRemove(c echo.Context) (*page.Question, error) {
	return h.askCarrier(c, "Remove", "Its routes are removed as well. Messages that it has are still reported.")
}

func (h *Handlers) askCarrier(c echo.Context, verb, text string) (*page.Question, error) {
	carrier, err := h.Carriers.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return nil, err
	}
	at := page.CarriersPath + "/" + carrier.Name
	f := page.AdministrationFrame(c, verb+" "+carrier.Name, page.CarriersPath).Under(carrier.Name, at)
	return &page.Question{Frame: f, Question: ui.Question{
		Text: text, Action: ui.Post{Label: verb + " the carrier", Kind: ui.Danger}, Back: ui.Link{Label: "Keep it"},
	}}, nil
}

// AskRenewInbound asks before the address for SMS that people send is renewed.
func (h *Handlers) AskRenewInbound(c echo.Context) (*page.Question, error) {
	carrier, err := h.Carriers.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return nil, err
	}
	at := page.CarriersPath + "/" + carrier.Name
	f := page.AdministrationFrame(c, "Renew the address of "+carrier.Name, page.CarriersPath).Under(carrier.Name, at)
	return &page.Question{Frame: f, Question: ui.Question{
		Text:   "The present address for SMS that people send takes nothing any more. Enter the new one at the gateway at once: what it passes on in between is refused with 404.",
		Action: ui.Post{Label: "Renew the address", Kind: ui.Danger}, Back: ui.Link{Label: "Keep it"},
	}}, nil
}

// RenewInbound replaces the address for SMS that people send.
func (h *Handlers) RenewInbound(c echo.Context) error {
	if err := h.Carriers.RenewInboundURL(c.Request().Context(), c.Param("id"), page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, page.CarriersPath+"/"+c.Param("id"), "renewed")
}

// Remove removes a carrier with its routes.
func (h *Handlers) Remove(c echo.Context) error {
	if err := h.Carriers.Remove(c.Request().Context(), c.Param("id"), page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, page.CarriersPath, "removed")
}

func (h *Handlers) renderCarrier(c echo.Context, status int, state carrierPage) error {
	ctx := c.Request().Context()
	carrier, err := h.Carriers.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	health, err := h.Carriers.Health(ctx)
	if err != nil {
		return err
	}
	if state.settings == nil {
		state.form = carrierForm{Name: carrier.Name, Kind: carrier.Kind, URL: carrier.URL}
		if err := json.Unmarshal(carrier.Settings, &state.settings); err != nil {
			return fmt.Errorf("reading the settings of carrier %s: %w", carrier.Name, err)
		}
	}
	at := page.CarriersPath + "/" + carrier.Name
	p := view.CarrierPage{Frame: page.AdministrationFrame(c, carrier.Name, page.CarriersPath).Under("Carriers", page.CarriersPath), Facts: carrierFacts(carrier, health[carrier.Name])}
	p.Done = carrierDone[c.QueryParam("done")]
	p.Edit = carrierFields(state, at, p.CSRF)
	if page.User(c).Role == identity.SuperAdmin {
		address, err := h.Carriers.InboundURL(ctx, carrier.Name)
		if err != nil {
			return err
		}
		p.Actions = []ui.Link{{Label: "Remove", Href: at + "/removal"}}
		if carrier.Kind == pipeline.KindGraph {
			p.Facts = append(p.Facts, ui.Pair{
				Key: "Callback address to enter at the upstream", Value: h.PublicURL + messaging.UpstreamPath(carrier.Name), Mono: true,
			}, ui.Pair{Key: "Verify token to enter at the upstream", Value: h.Carriers.VerifyToken(carrier.Name), Mono: true})
		} else {
			p.Facts = append(p.Facts, ui.Pair{Key: "Address for SMS that people send", Value: inboundAddress(carrier, address), Mono: true})
			p.Actions = []ui.Link{{Label: "Renew the address", Href: at + "/renewal"}, {Label: "Remove", Href: at + "/removal"}}
		}
		if carrier.DisabledAt == nil {
			p.Actions = append(p.Actions, ui.Link{Label: "Disable", Href: at + "/disabling"})
		} else {
			p.Enable = &ui.Post{Action: at + "/enabling", CSRF: p.CSRF, Label: "Enable", Kind: ui.Primary}
		}
		if carrier.Kind == pipeline.KindRBM {
			p.Facts = append(p.Facts, ui.Pair{Key: "Webhook of its events", Value: h.PublicURL + rcs.CarrierEventPath(carrier.Name), Mono: true})
		}
		test := carrierTestForm(state, at, p.CSRF)
		p.Test, p.TestTitle = &test, "Send a test message"
		if carrier.Kind == pipeline.KindGraph {
			p.TestTitle = "Test the connection"
		}
		p.Steps = checkTable(state.checks)
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Carrier(p)})
}

// checkTable shows the steps of a test with what was answered.
func checkTable(checks []pipeline.CarrierCheck) ui.Table {
	t := ui.Table{Caption: "What each step answered", Quiet: true, Columns: []ui.Column{{Label: "Step", Lead: true}, {Label: "Result"}, {Label: "Answer", Plain: true}}}
	for _, s := range checks {
		result := ui.Cell{Text: "Passed", Badge: true, Tone: ui.Good}
		if !s.Passed {
			result = ui.Cell{Text: "Failed", Badge: true, Tone: ui.Bad}
		}
		t.Rows = append(t.Rows, []ui.Cell{{Text: s.Name}, result, {Text: s.Answer}})
	}
	return t
}

func carrierFacts(c models.Carrier, now models.CarrierHealth) []ui.Pair {
	facts := []ui.Pair{
		{Key: "Kind", Value: carrierKind(c.Kind)}, {Key: "State", Value: carrierState(c).Text}, {Key: "Password or key", Value: map[bool]string{true: "Stored", false: "None"}[len(c.Secret) > 0]},
		{Key: "Handed over in the last minute", Value: strconv.Itoa(now.PerMinute)},
		{Key: "In the last hour", Value: fmt.Sprintf("%d taken, %d refused, %d put off", now.Taken, now.Refused, now.Delayed)},
	}
	if now.ErrorAt != nil {
		facts = append(facts, ui.Pair{Key: "Last error", Value: now.ErrorAt.UTC().Format("15:04 UTC") + ": " + now.Error})
	}
	return facts
}

// inboundAddress returns the address to which a carrier passes on the SMS that people
// send, with the placeholders of its kind.
func inboundAddress(c models.Carrier, url string) string {
	if c.Kind == "kannel" {
		return url + "?from=%p&to=%P&text=%b&charset=%C&id=%I"
	}
	return url + "?from=…&to=…&text=…&id=…"
}
