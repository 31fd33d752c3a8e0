package suppression

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/blocklist"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/models"
)

// Limits of an import.
const (
	maxRows   = 50_000
	maxFaults = 5 // that are named
)

// Import puts the numbers of a file on the list, all of them or none.
func (h *Handlers) Import(c echo.Context, f form) error {
	rows, err := readUpload(c)
	if err == nil {
		_, err = blocklist.Add(c.Request().Context(), h.Rules, h.Owner(c), rows)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f, problems) })
	}
	return page.Done(c, h.Path, "imported")
}

// readUpload reads the file of a request.
func readUpload(c echo.Context) ([]models.Suppression, error) {
	header, err := c.FormFile("file")
	if err != nil {
		return nil, wrongFile("Choose a file.")
	}
	file, err := header.Open()
	if err != nil {
		return nil, fmt.Errorf("opening an upload: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was read
	return readFile(file)
}

func wrongFile(text string) error {
	return fault.InvalidFields(fault.Field{Name: "file", Message: text})
}

// readFile reads the numbers of a CSV file: number, channel, note. A first line
// without a number holds the names of the columns. Errors name the first lines that
// are wrong.
func readFile(r io.Reader) (rows []models.Suppression, err error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord, in.TrimLeadingSpace = -1, true
	var wrong []string
	for len(wrong) < maxFaults {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, wrongFile("The file is not valid CSV: " + err.Error() + ".")
		}
		line, _ := in.FieldPos(0)
		record = append(record, "", "")
		number := strings.TrimPrefix(strings.TrimPrefix(record[0], "\ufeff"), "'")
		if line == 1 && !strings.ContainsAny(number, "0123456789") {
			continue
		}
		row, err := blocklist.NewEntry(number, record[1], record[2])
		if f := fault.As(err); f != nil {
			wrong = append(wrong, fmt.Sprintf("Line %d: %s", line, f.Fields[0].Message))
			continue
		}
		if rows = append(rows, row); len(rows) > maxRows {
			return nil, wrongFile(fmt.Sprintf("The file has more than %d numbers. Divide it.", maxRows))
		}
	}
	switch {
	case len(wrong) > 0:
		return nil, wrongFile(strings.Join(wrong, " ") + " Nothing was imported.")
	case len(rows) == 0:
		return nil, wrongFile("The file has no numbers.")
	}
	return rows, nil
}
