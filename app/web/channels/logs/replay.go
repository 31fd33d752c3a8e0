package logs

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	smspages "heliograph/app/web/channels/sms"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/logs"
	"heliograph/views/ui"
)

// addReplay adds the progress of the replay to its log.
func addReplay(c echo.Context, store db.Querier, p *view.LogPage, id int64) error {
	r, err := queries.ReplayGet(c.Request().Context(), store, page.User(c).OrganisationID, id)
	if err != nil {
		return page.NotFound(err, "This replay does not exist.")
	}
	s := ReplayState(r)
	path := page.AccountWebhooksPath + "/" + r.Subject
	if r.Subject == sms.Subject(r.OrganisationID, "") {
		path = smspages.ReportsPath
	}
	p.State, p.Up = &s, ui.Link{Label: "Webhook", Href: path}
	if r.Callbacks == relay.MaxReplay && page.MayDevelop(c) {
		which := map[bool]string{false: "failed", true: "all"}[r.Everything]
		rest := url.Values{"since": {r.Until.UTC().Format("2006-01-02T15:04:05")}, "which": {which}}
		p.Next = append(p.Next, ui.Link{Label: "Replay the rest", Href: page.Address(path+"/replay", rest)})
	}
	return nil
}

// ReplayState returns the progress of a replay.
func ReplayState(r models.Replay) view.State {
	s := view.State{Tone: ui.Good, Label: "Replayed", Note: fmt.Sprintf("%s callbacks at %s: %s delivered, %s waiting, %s failed.",
		listing.Number(r.Callbacks), listing.Clock(r.At), listing.Number(r.Delivered), listing.Number(r.Waiting), listing.Number(r.Failed))}
	switch {
	case r.Waiting > 0:
		s.Tone, s.Label = ui.Info, "Replaying"
	case r.Failed > 0:
		s.Tone = ui.Bad
	}
	return s
}

// ReplayPath returns the address of the callbacks of a replay.
func ReplayPath(r models.Replay) string {
	return page.Address(page.AccountDeliveriesPath, page.Query("replay", strconv.FormatInt(r.ID, 10)))
}
