package audit

import (
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
)

// Export sends the entries that the filter picks as CSV, row by
// row as they are read.
func (h *Handlers) Export(c echo.Context, asked query) error {
	filter, err := asked.filter()
	if err != nil {
		return err
	}
	return page.CSV(c, "audit", page.ExportPatience, func(write func(...string) error) error {
		if err := write("seq", "at", "actor", "action", "target", "details", "hash"); err != nil {
			return err
		}
		return queries.AuditEntryFind(c.Request().Context(), h.DB, filter, func(e models.AuditEntry) error {
			return write(listing.Plain(e.Seq), e.At.UTC().Format(time.RFC3339Nano), e.Actor, e.Action, e.Target, string(e.Details), fmt.Sprintf("%x", e.Hash))
		})
	})
}
