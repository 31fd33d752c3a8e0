// Package pick lets administrators choose an organisation by its name.
package pick

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/views/ui"
)

// Path is the address of the choices.
const Path = page.OrganisationsPath + "/choices"

const (
	offered   = 12 // choices of a field
	suggested = 3  // of an error
)

// The audit names what was changed, as in organisation:4.
const targetField, targetPrefix = "target", "organisation:"

// Handlers answers the routes.
type Handlers struct{ db db.Querier }

// New returns the handlers.
func New(q db.Querier) *Handlers { return &Handlers{q} }

// Choices lists the organisations for what is typed in a field. A visit without htmx
// goes to the list of organisations.
func (h *Handlers) Choices(c echo.Context) error {
	list := string(page.Target(c))
	field, found := strings.CutSuffix(list, "-choices")
	field, isField := strings.CutPrefix(field, "field-")
	if !found || !isField {
		return c.Redirect(http.StatusSeeOther, page.OrganisationsPath)
	}
	choices, err := choose(c.Request().Context(), h.db, field, strings.TrimPrefix(c.QueryParam(field), targetPrefix))
	if err != nil {
		return err
	}
	return page.Fragment(c, http.StatusOK, ui.Choices(list, choices))
}

// Field makes an input offer organisations.
func Field(ctx context.Context, q db.Querier, in ui.Input) (ui.Input, error) {
	choices, err := choose(ctx, q, in.Name, "")
	in.Picker = ui.Picker{Address: Path, Choices: choices}
	return in, err
}

// choose returns the choices of a field for a text.
func choose(ctx context.Context, q db.Querier, field, text string) (list []ui.Option, err error) {
	found, err := queries.OrganisationChoiceList(ctx, q, strings.TrimSpace(text), offered)
	for _, o := range found {
		choice := ui.Option{Value: Label(o)}
		if field == targetField {
			choice = ui.Option{Value: targetPrefix + strconv.FormatInt(o.ID, 10), Label: o.Name}
		}
		list = append(list, choice)
	}
	return list, err
}

// Label is an organisation as a field shows it: its name and its id.
func Label(o models.OrganisationChoice) string {
	return o.Name + " (" + strconv.FormatInt(o.ID, 10) + ")"
}

// Names returns the names of organisations by their ids.
func Names(ctx context.Context, q db.Querier, ids []int64) (map[int64]string, error) {
	found, err := queries.OrganisationChoices(ctx, q, ids)
	names := make(map[int64]string, len(found))
	for _, o := range found {
		names[o.ID] = o.Name
	}
	return names, err
}

// labelled is a name with its id.
var labelled = regexp.MustCompile(`(?s)^(.*) \((\d+)\)$`)

// Organisation returns the organisation that a field names by its label, its id or
// its whole name. It is the zero choice for an empty field. A name that several have
// is Invalid, and the error offers them.
func Organisation(ctx context.Context, q db.Querier, text, field string) (none models.OrganisationChoice, err error) {
	if text = strings.TrimSpace(text); text == "" {
		return none, nil
	}
	name, digits := "", text
	if parts := labelled.FindStringSubmatch(text); parts != nil {
		name, digits = parts[1], parts[2]
	}
	if id, err := strconv.ParseInt(digits, 10, 64); err == nil {
		found, err := queries.OrganisationChoices(ctx, q, []int64{id})
		if err != nil {
			return none, err
		}
		// Another organisation may have a label for its name: the id decides.
		if len(found) == 1 && (name == "" || name == found[0].Name) {
			return found[0], nil
		}
	}
	found, err := queries.OrganisationChoiceList(ctx, q, text, offered)
	if err != nil {
		return none, err
	}
	named := lists.Where(found, func(o models.OrganisationChoice) bool { return strings.EqualFold(o.Name, text) })
	switch {
	case len(named) == 1:
		return named[0], nil
	case len(named) > 1:
		return none, wrong(field, "Several organisations have this name. Choose "+or(named)+".")
	case len(found) > 0:
		return none, wrong(field, "No organisation has this name or id. Is it "+or(found)+"?")
	}
	return none, wrong(field, "No organisation has this name or id.")
}

func wrong(field, message string) error {
	return fault.InvalidFields(fault.Field{Name: field, Message: message})
}

// or lists the first organisations.
func or(list []models.OrganisationChoice) string {
	labels := lists.Map(list[:min(len(list), suggested)], Label)
	return strings.Join(labels, " or ")
}
