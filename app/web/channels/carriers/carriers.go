// Package carriers serves the carriers that operators set up, and the routes to them.
package carriers

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/app/web/people/pick"
	"heliograph/db"
	"heliograph/db/models"
	view "heliograph/views/channels/carriers"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	Carriers  *pipeline.Carriers
	PublicURL string
}

// routeForm is the form that sets a route.
type routeForm struct {
	Channel      string `form:"channel"`
	Sender       string `form:"sender"`
	Organisation string `form:"organisation"`
	Carrier      string `form:"carrier"`
}

func (f routeForm) rule(ctx context.Context, q db.Querier) (models.CarrierRule, error) {
	rule := models.CarrierRule{Channel: f.Channel, Sender: strings.TrimSpace(f.Sender), Carrier: f.Carrier}
	organisation, err := pick.Organisation(ctx, q, f.Organisation, "organisation")
	rule.OrganisationID = organisation.ID
	return rule, err
}

// List lists the carriers and their routes.
func (h *Handlers) List(c echo.Context) error {
	return h.renderCarriers(c, http.StatusOK, routeForm{}, &page.Problems{})
}

// SetRoute sets a route.
func (h *Handlers) SetRoute(c echo.Context, f routeForm) error {
	rule, err := f.rule(c.Request().Context(), h.Carriers.DB)
	if err == nil {
		err = h.Carriers.Route(c.Request().Context(), rule, page.User(c).Actor())
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderCarriers(c, status, f, problems) })
	}
	return page.Done(c, page.CarriersPath, "route")
}

// routeOf returns the route that an address names: channel, organisation and
// sender.
func routeOf(c echo.Context) (rule models.CarrierRule, err error) {
	parts := strings.SplitN(c.Param("id"), "-", 3)
	if len(parts) != 3 {
		return rule, fault.New(fault.NotFound, "This route does not exist.")
	}
	rule.Channel, rule.Sender = parts[0], parts[2]
	rule.OrganisationID, err = strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return rule, fault.New(fault.NotFound, "This route does not exist.")
	}
	return rule, nil
}

func routePath(r models.CarrierRule) string {
	return page.CarriersPath + "/routes/" + url.PathEscape(r.Channel+"-"+listing.Plain(r.OrganisationID)+"-"+r.Sender) + "/removal"
}

// AskRemoveRoute asks before a route is removed.
func (h *Handlers) AskRemoveRoute(c echo.Context) (*page.Question, error) {
	rule, err := routeOf(c)
	if err != nil {
		return nil, err
	}
	f := page.AdministrationFrame(c, "Remove a route", page.CarriersPath).Under("Carriers", page.CarriersPath)
	return &page.Question{Frame: f, Question: ui.Question{
		Facts:  []ui.Pair{{Key: "Channel", Value: ui.LabelOf(listing.Channels, rule.Channel)}, {Key: "Sender", Value: cmp.Or(rule.Sender, "All")}},
		Text:   "The next less specific route takes these messages. Without one they are refused.",
		Action: ui.Post{Label: "Remove the route", Kind: ui.Danger}, Back: ui.Link{Label: "Keep the route"},
	}}, nil
}

// RemoveRoute removes a route.
func (h *Handlers) RemoveRoute(c echo.Context) error {
	rule, err := routeOf(c)
	if err != nil {
		return err
	}
	if err := h.Carriers.RemoveRoute(c.Request().Context(), rule, page.User(c).Actor()); err != nil {
		return err
	}
	return page.Done(c, page.CarriersPath, "route-removed")
}

var carrierDone = map[string]string{
	"route": "The route is set. New messages use it.", "route-removed": "The route is removed.", "removed": "The carrier is removed with its routes.",
	"saved": "Saved. New messages use these settings.", "tested": "The carrier has taken the test message.", "asked": "The phone can receive RCS from the bot.", "disabled": "The carrier is disabled. Its messages wait, or take another route.", "enabled": "The carrier is enabled.",
	"renewed": "The address is renewed. Enter the new one at the gateway.",
}

func (h *Handlers) renderCarriers(c echo.Context, status int, f routeForm, problems *page.Problems) error {
	ctx := c.Request().Context()
	list, rules, err := h.Carriers.List(ctx)
	if err != nil {
		return err
	}
	health, err := h.Carriers.Health(ctx)
	if err != nil {
		return err
	}
	p := view.CarriersPage{Frame: page.AdministrationFrame(c, "Carriers", page.CarriersPath), Lead: "Carriers deliver the messages of live organisations. Messages of sandboxes go to the virtual carrier."}
	p.Done = carrierDone[c.QueryParam("done")]
	p.Carriers = ui.Table{Caption: "Carriers", Quiet: true, Columns: []ui.Column{
		{Label: "Carrier"}, {Label: "Kind"}, {Label: "State"}, {Label: "Per minute", Numeric: true}, {Label: "Taken in an hour", Numeric: true}, {Label: "Refused", Numeric: true}, {Label: "Put off", Numeric: true}, {Label: "Last error"},
	}}
	options, mayChange := []ui.Option{}, page.User(c).Role == identity.SuperAdmin
	for _, one := range list {
		now := health[one.Name]
		p.Carriers.Rows = append(p.Carriers.Rows, []ui.Cell{
			carrierName(one.Name, mayChange), {Text: carrierKind(one.Kind)}, carrierState(one), {Text: strconv.Itoa(now.PerMinute)}, {Text: strconv.Itoa(now.Taken)},
			{Text: strconv.Itoa(now.Refused)}, {Text: strconv.Itoa(now.Delayed)}, {Text: listing.Clip(now.Error, listing.ShortError), Title: now.Error},
		})
		options = append(options, ui.Option{Value: one.Name, Label: one.Name})
	}
	if p.Routes, err = routeTable(ctx, h.Carriers.DB, rules, mayChange); err != nil {
		return err
	}
	if p.Upstreams, err = upstreamTable(ctx, h.Carriers.DB); err != nil {
		return err
	}
	if p.Changes, err = changeTable(ctx, h.Carriers.DB); err != nil {
		return err
	}
	if mayChange {
		p.New = ui.Select{Name: "preset", Label: "Provider", Options: providers(h.Carriers.Kinds)}
	}
	wrong := problems.Fields
	if isRefused := problems.Form != "" || len(wrong) > 0; mayChange && (len(list) > 0 || isRefused) {
		organisation, err := pick.Field(ctx, h.Carriers.DB, ui.Input{
			Name: "organisation", Label: "Organisation", Value: f.Organisation,
			Hint: "Its name or id. Leave it empty for every organisation.", Error: wrong["organisation"],
		})
		if err != nil {
			return err
		}
		p.Add = &forms.Form{
			Name: "route", Action: page.CarriersPath + "/routes", CSRF: p.CSRF, Problem: problems.Form, Submit: "Set the route",
			Selects: []ui.Select{
				{Name: "channel", Label: "Channel", Value: cmp.Or(f.Channel, "sms"), Options: listing.Channels, Error: wrong["channel"]},
				{Name: "carrier", Label: "Carrier", Value: f.Carrier, Options: options, Error: wrong["carrier"]},
			},
			Inputs: []ui.Input{
				{Name: "sender", Label: "Sender", Value: f.Sender, Hint: "A header, a phone number id or a bot. Leave it empty for every sender.", Error: wrong["sender"]},
				organisation,
			},
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Carriers(p)})
}

// carrierName links to a carrier for those who may open it.
func carrierName(name string, mayOpen bool) ui.Cell {
	if mayOpen {
		return ui.Cell{Text: name, Href: page.CarriersPath + "/" + name}
	}
	return ui.Cell{Text: name}
}

func carrierState(c models.Carrier) ui.Cell {
	if c.DisabledAt != nil {
		return ui.Cell{Text: "Disabled", Badge: true, Tone: ui.Warn}
	}
	return ui.Cell{Text: "Enabled", Badge: true, Tone: ui.Good}
}

func routeTable(ctx context.Context, q db.Querier, rules []models.CarrierRule, mayChange bool) (ui.Table, error) {
	ids := lists.Map(rules, func(r models.CarrierRule) int64 { return r.OrganisationID })
	names, err := pick.Names(ctx, q, ids)
	t := ui.Table{Caption: "Routes", Quiet: true, Columns: []ui.Column{{Label: "Channel"}, {Label: "Sender"}, {Label: "Organisation"}, {Label: "Carrier"}, {Label: "Change"}}}
	for _, r := range rules {
		organisation := ui.Cell{Text: "All"}
		if r.OrganisationID != 0 {
			organisation = ui.Cell{Text: cmp.Or(names[r.OrganisationID], listing.Plain(r.OrganisationID)), Href: page.OrganisationsPath + "/" + listing.Plain(r.OrganisationID)}
		}
		row := []ui.Cell{{Text: ui.LabelOf(listing.Channels, r.Channel)}, {Text: cmp.Or(r.Sender, "All")}, organisation, carrierName(r.Carrier, mayChange), {}}
		if mayChange {
			row[4] = ui.Cell{Text: "Remove", Href: routePath(r)}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, err
}
