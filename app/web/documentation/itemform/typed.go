// Package itemform reads what a form of an item holds and shows it again: as fields, as
// the rows of an outline, and with what is wrong.
package itemform

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/ui"
)

// Typed is what a form of an item holds.
type Typed struct {
	Values   map[string]string
	Slug     string
	Base     int64 // the revision that the form began with
	Problems *page.Problems
	More     ui.Link // beside what is wrong as a whole
	Conflict *Conflict
	Shown    bool   // whether the preview was asked for
	Form     string // names the open form, so that it continues from what it saved by itself
	As       string // how the parts of an operation or a schema are edited: asRows or asSource
	Outline  *outline.Outline
	rows     *outline.Outline // as they were sent: their inputs have what was typed, under the names of the page
	opened   []string         // the rows that are open, by their pointers
	State    string           // the outcome of the last save
	Wrong    *fault.Error
}

// Read reads the form of an item.
func Read(c echo.Context, store db.Querier, e desk.Editing) (t Typed, err error) {
	var form struct {
		Base string `form:"base"`
		Slug string `form:"slug"`
		Form string `form:"form"`
		As   string `form:"as"`
		Open string `form:"open"`
	}
	if err := page.Bind(c, &form); err != nil {
		return t, err
	}
	t.Values, t.Slug, t.As, t.Problems = map[string]string{}, form.Slug, form.As, &page.Problems{}
	t.opened = strings.Split(form.Open, "\n")
	if formName.MatchString(form.Form) {
		t.Form = form.Form
	}
	for _, f := range fields.Of(e.Item.Kind) {
		t.Values[f.Name] = c.Request().PostForm.Get(f.Name)
	}
	if t.Base, err = strconv.ParseInt(form.Base, 10, 64); form.Base != "" && err != nil {
		return t, fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	foldRows(c, store, e, &t)
	return t, nil
}

// formName is what names an open form.
var formName = regexp.MustCompile(`^[A-Za-z0-9_-]{10,40}$`)
