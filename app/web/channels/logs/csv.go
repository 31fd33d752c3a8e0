package logs

import (
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

const (
	messagesCSV = page.AccountMessagesPath + ".csv"
	// maxExport is how many messages one file has at most, the newest;
	// exportPage how many are read at once, exportPatience how long it may take,
	// and exportSearch how much of that goes by before the last read begins.
	maxExport      = 10_000
	exportPage     = 1_000
	exportPatience = 2 * time.Minute
	exportSearch   = 100 * time.Second
)

// Export sends the messages that the filter picks, the newest first, as
// CSV, page by page as they are read. A file that ends before all that fit says
// so in its last line, in the place of an id.
func (h *Handlers) Export(c echo.Context, asked messageQuery) error {
	filter, err := h.filter(asked, page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	return page.CSV(c, "messages", exportPatience, func(write func(...string) error) error {
		if err := write("id", "accepted_at", "channel", "recipient", "kind", "state"); err != nil {
			return err
		}
		rest, err := h.eachMessage(c, filter, func(m models.Message) error {
			return write(h.Channels.MessageID(m.Channel, m.ID), m.CreatedAt.UTC().Format(time.RFC3339Nano), m.Channel, m.Recipient, m.Kind, m.State)
		})
		if err != nil || rest.IsZero() {
			return err
		}
		return write("Older ones are left out: set Before to "+rest.Format(time.RFC3339)+" for the next file", "", "", "", "", "")
	})
}

// eachMessage passes on what a filter picks, up to maxExport and for as long as
// exportSearch. rest is the second before which all the others lie, zero when
// there are none.
func (h *Handlers) eachMessage(c echo.Context, filter queries.MessageFilter, take func(models.Message) error) (rest time.Time, err error) {
	left, until := maxExport, time.Now().Add(exportSearch)
	for {
		found, err := queries.MessageList(c.Request().Context(), h.DB, filter, min(left, exportPage))
		if err != nil {
			return rest, err
		}
		for _, m := range found.Items {
			if err := take(m); err != nil {
				return rest, err
			}
		}
		if !found.More {
			return rest, nil
		}
		if left -= len(found.Items); left == 0 || time.Now().After(until) {
			return timeOf(found.Next).UTC().Truncate(time.Second).Add(time.Second), nil
		}
		filter.Before = found.Next
	}
}
