package admin

import (
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// exportPatience is how long an export may take. The server's own limit is
// for pages.
const exportPatience = 10 * time.Minute

// ExportAudit sends the entries that the filter picks as CSV (RFC 4180), row by
// row as they are read.
func (h *Handlers) ExportAudit(c echo.Context) error {
	asked, err := page.Ask[auditQuery](c)
	if err != nil {
		return err
	}
	filter, err := asked.filter()
	if err != nil {
		return err
	}
	res := c.Response()
	err = http.NewResponseController(res).SetWriteDeadline(time.Now().Add(exportPatience))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	res.Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	res.Header().Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="audit-%s.csv"`, time.Now().UTC().Format(time.DateOnly)))
	w := csv.NewWriter(res)
	if err := w.Write([]string{"seq", "at", "actor", "action", "target", "details", "hash"}); err != nil {
		return err
	}
	err = queries.AuditEntryFind(c.Request().Context(), h.DB, filter, func(e models.AuditEntry) error {
		return w.Write([]string{
			plain(e.Seq), e.At.UTC().Format(time.RFC3339Nano), inert(e.Actor), inert(e.Action), inert(e.Target), inert(string(e.Details)), fmt.Sprintf("%x", e.Hash),
		})
	})
	w.Flush()
	return errors.Join(err, w.Error())
}

// inert keeps spreadsheets from reading a text as a formula.
func inert(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r\n") {
		return "'" + text
	}
	return text
}
