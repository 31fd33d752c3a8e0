package logs

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/phone"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	view "heliograph/views/channels/logs"
	"heliograph/views/ui"
)

// Message shows the history of one message.
func (h *Handlers) Message(c echo.Context) error {
	id, ok := h.Channels.ParseMessageID(c.Param("id"))
	if !ok {
		return noMessage()
	}
	ctx, organisation := c.Request().Context(), page.User(c).OrganisationID
	m, err := queries.MessageGetLogged(ctx, h.DB, organisation, id)
	if err != nil {
		return db.Absent(err, noMessage(), "reading a message")
	}
	callbacks, err := queries.DeliveryListOfMessage(ctx, h.DB, organisation, id)
	if err != nil {
		return err
	}
	p, err := h.messagePage(m, callbacks)
	if err != nil {
		return err
	}
	p.Frame = page.AccountFrame(c, "Message to "+phone.Show(m.Recipient), page.AccountMessagesPath)
	p.Up, p.Region = ui.Link{Label: "Messages", Href: page.AccountMessagesPath}, ui.Details.Of(m.ID.String())
	p.Live = page.Refresh(c, ui.Live.Of("message"), "messages", "callbacks")
	if page.Target(c) == p.Region {
		p.Open = ui.Link{Label: "Open the message with its callbacks and its body", Href: MessagePath(m.ID)}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Message(p)})
}

func noMessage() error {
	return fault.New(fault.NotFound, "This message does not exist.")
}

// stateNotes explains the states of a message.
var stateNotes = map[string]string{
	"accepted":  "The message is stored and on its way to the carrier.",
	"sent":      "The carrier accepted the message. The recipient's device has not confirmed it.",
	"delivered": "The message is on the recipient's device.",
	"read":      "The recipient opened the message.",
	"failed":    "The message will not be delivered.",

	"enroute":     "The operator is trying to deliver the message.",
	"undelivered": "The operator could not deliver the message.",
	"expired":     "The message was not delivered before its expiry.",
	"rejected":    "The platform or the operator refused the message.",
	"unknown":     "The operator does not know whether the message was delivered.",
}

func (h *Handlers) messagePage(m models.LoggedMessage, callbacks []models.LoggedDelivery) (p view.MessagePage, err error) {
	p.State = view.State{Tone: listing.Tone(m.State), Label: ui.LabelOf(messageStates, m.State), Note: stateNotes[m.State]}
	channel, err := h.Channels.Get(m.Channel)
	if err != nil {
		return p, err
	}
	if f, advice, failed := channel.ParseFailure(m.Failure); failed {
		p.Cause = &view.Cause{Title: f.Title + " (" + strconv.Itoa(f.Code) + ")", Text: f.Detail, Remedy: advice.Remedy}
		if advice.Entry != "" {
			p.Cause.Next = ui.Link{Label: "Code " + strconv.Itoa(f.Code) + " in the documentation", Href: advice.Entry}
		}
	}
	p.Facts = listing.Pairs(
		"Message id", channel.MessageID(m.ID), "Accepted", listing.Clock(m.CreatedAt), "Channel", ui.LabelOf(listing.Channels, m.Channel), "From", m.Sender,
		"To", phone.Show(m.Recipient), "Kind", m.Kind, "Category", m.Category, "Your reference", m.Reference, "Carrier's id", m.ProviderID,
	)
	p.Events = ui.Table{Caption: "States", Quiet: true, Columns: []ui.Column{{Label: "When (UTC)"}, {Label: "State"}, {Label: "Reason", Plain: true}}}
	p.Events.Rows = append(p.Events.Rows, []ui.Cell{ui.Moment(m.CreatedAt), StateCell("accepted"), {}})
	for _, e := range m.Events {
		f, _, _ := channel.ParseFailure(e.Failure)
		p.Events.Rows = append(p.Events.Rows, []ui.Cell{ui.Moment(e.OccurredAt), StateCell(e.State), {Text: f.Title}})
	}
	p.Callbacks = deliveryTable(callbacks, false)
	p.NoCallbacks = "None. A callback is stored for each state if a webhook is set at that time."
	p.Payload = ui.Code{Title: "Request body", Language: "json"}
	var hidden bool
	if p.Payload.Text, hidden, err = channel.Payload(m.Message); hidden {
		p.PayloadNote = "The variables contain a one-time code and are hidden."
	}
	if string(m.Payload) == "{}" {
		p.Payload.Text, p.PayloadNote = "{}", contentDeleted
	}
	return p, err
}

// StateCell shows the state of a message.
func StateCell(state string) ui.Cell {
	return ui.Cell{Text: ui.LabelOf(messageStates, state), Badge: true, Tone: listing.Tone(state)}
}
