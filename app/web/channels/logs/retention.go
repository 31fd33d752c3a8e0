package logs

import (
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/retention"
	"heliograph/app/web/page"
	"heliograph/db"
)

// contentDeleted is the note of contents that are gone.
const contentDeleted = "The content was deleted, because it had been kept long enough or its recipient was erased."

// withRetention appends to the lead of a log how long its entries are kept.
func withRetention(c echo.Context, store db.Querier, lead string) (string, error) {
	times, err := retention.Load(c.Request().Context(), store, page.User(c).OrganisationID)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s Contents are deleted after %d days and entries after %d days, or up to %d days later.",
		lead, times.Bodies, times.Logs, times.Grace()/(24*time.Hour)), nil
}
