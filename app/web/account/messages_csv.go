package account

import (
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/db/queries"
)

const (
	messagesCSV = messagesPath + ".csv"
	// maxExport is how many messages one file has at most, the newest;
	// exportPage how many are read at once, exportReads how often, exportPatience
	// how long it may take.
	maxExport      = 10_000
	exportPage     = 1_000
	exportReads    = 200
	exportPatience = 2 * time.Minute
)

// ExportMessages sends the messages that the filter picks, the newest first, as
// CSV (RFC 4180), page by page as they are read.
func (h *Handlers) ExportMessages(c echo.Context) error {
	asked, err := page.Ask[messageQuery](c)
	if err != nil {
		return err
	}
	filter, err := asked.filter(page.User(c).OrganisationID)
	if err != nil {
		return err
	}
	res := c.Response()
	err = http.NewResponseController(res).SetWriteDeadline(time.Now().Add(exportPatience))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	res.Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	res.Header().Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="messages-%s.csv"`, time.Now().UTC().Format(time.DateOnly)))
	w := csv.NewWriter(res)
	if err := w.Write([]string{"id", "accepted_at", "channel", "recipient", "kind", "state"}); err != nil {
		return err
	}
	err = h.eachMessage(c, filter, func(m models.Message) error {
		// No value begins as a formula of a spreadsheet does.
		return w.Write([]string{shownID(m), m.CreatedAt.UTC().Format(time.RFC3339Nano), m.Channel, m.Recipient, m.Kind, m.State})
	})
	w.Flush()
	return errors.Join(err, w.Error())
}

// eachMessage passes on what a filter picks, up to maxExport.
func (h *Handlers) eachMessage(c echo.Context, filter queries.MessageFilter, take func(models.Message) error) error {
	left := maxExport
	for range exportReads {
		found, err := queries.MessageList(c.Request().Context(), h.DB, filter, min(left, exportPage))
		if err != nil {
			return err
		}
		for _, m := range found.Items {
			if err := take(m); err != nil {
				return err
			}
		}
		if left -= len(found.Items); left == 0 || !found.More {
			return nil
		}
		filter.Before = found.Next
	}
	return nil
}
