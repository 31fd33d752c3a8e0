// Package home shows an organisation its first page: its figures, and how it starts.
package home

import (
	"net/http"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/people/identity"
	"heliograph/app/phone"
	"heliograph/app/web/channels/logs"
	"heliograph/app/web/channels/traffic"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/app/web/people/keys"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/across"
	queries "heliograph/db/queries/people"
	view "heliograph/views/people/home"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB        db.Querier // read only
	Traffic   traffic.Sections
	Directory *identity.Directory
	Gate      *page.Gate // of the accounts
	// PublicURL is the address of the APIs, and Word the name of the channel in
	// bodies.
	PublicURL, Word string
	Quotas          media.Quotas // of files, zero for none
}

// CallbackDocs is the list of callbacks in the documentation.
const CallbackDocs = page.DocsPath + "#category-callbacks"

// Show is the account's first page.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, keys.Revealed(c, h.Gate))
}

// CreateFirstKey creates the first key of an organisation and redirects to the
// overview, which shows the key once in the request that uses it.
func (h *Handlers) CreateFirstKey(c echo.Context) error {
	user := page.User(c)
	key, err := h.Directory.CreateKey(c.Request().Context(), user.OrganisationID, identity.KeyRequest{Name: "First key", Channels: keys.EveryChannel, First: true}, user.Actor())
	if err != nil {
		return err
	}
	return keys.RevealOnce(c, h.Gate, key, "/account")
}

// render shows the overview. key is a key that was just created, or empty.
func (h *Handlers) render(c echo.Context, key string) error {
	user := page.User(c)
	o, err := across.AccountOverviewGet(c.Request().Context(), h.DB, user.OrganisationID)
	if err != nil {
		return err
	}
	profile, err := queries.ProfileGet(c.Request().Context(), h.DB, user.ID)
	if err != nil {
		return err
	}
	p := view.HomePage{Frame: page.AccountFrame(c, "Overview", "/account"), Unreachable: profile.Mobile == ""}
	s := start{overview: o, publicURL: h.PublicURL, word: h.Word, key: key, csrf: p.CSRF, change: keys.MayChange(user)}
	way := s.card()
	if seen, live := way.Seen(page.Target(c)); live && seen.State == c.QueryParam("seen") {
		return c.NoContent(http.StatusNoContent)
	} else if live || !s.complete() {
		p.Start = way
	}
	if len(o.Latest) > 0 {
		p.Figures, p.Latest = figures(o), latest(o.Latest)
		p.Log = ui.Link{Label: "All messages", Href: page.AccountMessagesPath}
	}
	if !page.IsLive(c) {
		if p.Traffic, err = h.Traffic.Account(c.Request().Context(), user.OrganisationID, h.Quotas, time.Now()); err != nil {
			return err
		}
	}
	p.Live = ui.Refresh(ui.Live.Of("overview"), "/account", "messages throttle:2s", "callbacks throttle:3s", "keys", "webhooks")
	p.Facts = requestFacts(o, h.PublicURL)
	if o.Sandbox {
		p.Recipients = recipients
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Home(p)})
}

func figures(o models.AccountOverview) []view.Figure {
	failing := view.Figure{Number: humanize.Comma(o.WebhooksFailing), Name: "Webhooks failing", Href: page.AccountWebhooksPath}
	if o.WebhooksFailing > 0 {
		failing.Tone = ui.Bad
	}
	today := humanize.Comma(o.MessagesToday)
	if o.MessagesToday > models.OverviewLimit {
		today = "more than " + humanize.Comma(models.OverviewLimit)
	}
	return []view.Figure{
		{Number: today, Name: "Messages today (UTC)", Href: page.AccountMessagesPath}, failing,
		{Number: strconv.Itoa(o.Keys) + " of 2", Name: "API keys", Href: page.AccountKeysPath},
	}
}

func latest(messages []models.LatestMessage) ui.Table {
	t := ui.Table{Caption: "Latest messages", Quiet: true, Columns: []ui.Column{
		{Label: "Accepted (UTC)", Plain: true}, {Label: "Recipient", Lead: true}, {Label: "Kind", Plain: true}, {Label: "State"},
	}}
	for _, m := range messages {
		t.Rows = append(t.Rows, []ui.Cell{
			ui.Moment(m.CreatedAt), {Text: phone.Show(m.Recipient), Mono: true, Href: logs.MessagePath(m.ID)}, {Text: ui.LabelOf(listing.Kinds, m.Kind)}, logs.StateCell(m.State),
		})
	}
	return t
}

// requestFacts returns the ids and the URL that requests need.
func requestFacts(o models.AccountOverview, publicURL string) (facts []ui.Pair) {
	if o.PhoneNumberID == 0 {
		return nil
	}
	facts = append(facts, ui.Pair{Key: "Base URL", Value: publicURL + "/v3", Mono: true}, ui.Pair{Key: "Phone number", Value: o.PhoneNumber, Mono: true})
	for _, id := range []struct {
		name string
		id   int64
	}{{"Phone number id", o.PhoneNumberID}, {"Business account id", o.BusinessAccountID}, {"Business id", o.BusinessID}, {"Catalogue id", o.CatalogueID}} {
		if id.id != 0 {
			facts = append(facts, ui.Pair{Key: id.name, Value: strconv.FormatInt(id.id, 10), Mono: true})
		}
	}
	return facts
}

// recipients are the documented recipients of the sandbox.
var recipients = ui.Table{
	Caption: "Test recipients", Quiet: true, Columns: []ui.Column{{Label: "Number ends in"}, {Label: "What happens", Plain: true}},
	Rows: [][]ui.Cell{
		listing.Ending("0001", "failed: message undeliverable (131026)"),
		listing.Ending("0002", "failed: held back for the health of the channel (131049)"),
		listing.Ending("0003", "sent only"),
		listing.Ending("0004", "sent and delivered, not read"),
		listing.Ending("0005", "sent, delivered after 10 s, read after 20 s"),
		listing.Ending("0006", "the carrier is unavailable twice, then delivered and read"),
		listing.Ending("0007", "templates only, until the recipient writes (131047)"),
		listing.Ending("0008", "delivered and read, then a reply"),
		listing.Ending("0009", "like 0008, with a user id in place of the number in the reply"),
		listing.Ending("0010", "delivered and read, then another user id"),
		{{Text: "anything else"}, {Text: "sent, delivered and read immediately"}},
	},
}
