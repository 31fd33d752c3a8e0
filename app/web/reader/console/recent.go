package console

import (
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/phone"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	channelsqueries "heliograph/db/queries/channels"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

// mostRecent is how many calls are listed.
const mostRecent = 5

// recent lists the last messages that the keys of a signed-in reader sent through the
// endpoint's channel. Each opens the form with an example of its kind. The log of
// messages has no bodies to show.
func (h *Handlers) recent(c echo.Context, t target) (list []views.Recent, err error) {
	user := page.User(c)
	if h.isStaff() || user == nil || user.OrganisationID == 0 || h.Accepts == nil {
		return nil, nil
	}
	channel := h.Accepts(t.op.Method, t.Version.ServedPath(t.op))
	if channel == "" {
		return nil, nil
	}
	found, err := channelsqueries.MessageList(c.Request().Context(), h.DB, channelsqueries.MessageFilter{OrganisationID: user.OrganisationID, Channel: channel}, mostRecent)
	if err != nil {
		return nil, err
	}
	for _, m := range found.Items {
		form := h.path + t.path()
		if name := exampleOfKind(t.e, m.Kind); name != "" {
			form += "?" + url.Values{exampleField: {name}}.Encode()
		}
		list = append(list, views.Recent{
			At: m.CreatedAt.UTC().Format("2 Jan 2006, 15:04:05"), ISO: m.CreatedAt.UTC().Format("2006-01-02T15:04:05Z"),
			Kind: m.Kind, Recipient: phone.Show(m.Recipient), State: ui.LabelOf(listing.States, m.State), Tone: listing.Tone(m.State),
			Open:    ui.Link{Label: "Open in the form", Href: form},
			Message: ui.Link{Label: h.Channels.MessageID(m.Channel, m.ID), Href: page.Account.Home + "/messages/" + m.ID.String()},
		})
	}
	return list, nil
}

// exampleOfKind returns the name of the first example of a body with a text that is the
// kind, "" for none.
func exampleOfKind(e *model.Endpoint, kind string) string {
	for _, b := range e.Bodies {
		for _, x := range b.Examples {
			if x.Name != "" && x.Node.Is(tree.KindObject) && slices.ContainsFunc(x.Node.Members, func(m tree.Member) bool { return m.Value.Is(tree.KindString) && m.Value.Text == kind }) {
				return x.Name
			}
		}
	}
	return ""
}
