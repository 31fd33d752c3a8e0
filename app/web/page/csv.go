package page

import (
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
)

// ExportPatience is how long an export may take.
const ExportPatience = 10 * time.Minute

// CSV responds with a file of comma-separated values (RFC 4180). Its name has
// today's date. rows passes each row to write, the names of the columns first. It
// may take as long as patience. Spreadsheets read no value as a formula. An error
// after the first row ends the file.
func CSV(c echo.Context, name string, patience time.Duration, rows func(write func(row ...string) error) error) error {
	res := c.Response()
	err := http.NewResponseController(res).SetWriteDeadline(time.Now().Add(patience))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	res.Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
	res.Header().Set(echo.HeaderContentDisposition, fmt.Sprintf(`attachment; filename="%s-%s.csv"`, name, time.Now().UTC().Format(time.DateOnly)))
	w := csv.NewWriter(res)
	err = rows(func(row ...string) error {
		for i := range row {
			row[i] = inert(row[i])
		}
		return w.Write(row)
	})
	w.Flush()
	return errors.Join(err, w.Error())
}

// inert keeps spreadsheets from reading a text as a formula.
func inert(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}
