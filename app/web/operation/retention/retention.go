// Package retention serves how long messages are kept, and erases what is stored about a recipient.
package retention

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/retention"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/app/web/people/pick"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/views/forms"
	view "heliograph/views/operation/retention"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB db.Querier // read only
	// Retention is where times are saved and recipients erased.
	Retention db.Beginner
	Signals   *db.Signals // notifies open pages; may be nil
}

const (
	erasurePath = page.RetentionPath + "/erasure"
)

// retentionForm is the form of the times, and erasureForm the form of an erasure.
type (
	retentionForm struct {
		Organisation string `form:"organisation"`
		Bodies       string `form:"bodies"`
		Logs         string `form:"logs"`
	}
	erasureForm struct {
		Recipient    string `form:"recipient"`
		Organisation string `form:"within"`
		Reason       string `form:"reason"`
		Confirmed    bool   `form:"confirmed"`
	}
	// retentionForms are what was sent of both.
	retentionForms struct {
		times retentionForm
		erase erasureForm
	}
)

// Show shows how long messages are kept.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, retentionForms{}, &page.Problems{})
}

// Save changes how long messages are kept.
func (h *Handlers) Save(c echo.Context, f retentionForm) error {
	organisation, err := pick.Organisation(c.Request().Context(), h.DB, f.Organisation, "organisation")
	if err == nil {
		bodies, _ := strconv.Atoi(strings.TrimSpace(f.Bodies))
		logs, _ := strconv.Atoi(strings.TrimSpace(f.Logs))
		err = retention.Times{Bodies: bodies, Logs: logs}.Save(c.Request().Context(), h.Retention, organisation.ID, page.User(c).Actor())
	}
	if fault.Is(err, fault.NotFound) { // it was deleted in between
		err = fault.InvalidFields(fault.Field{Name: "organisation", Message: "No organisation has this name or id."})
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.render(c, status, retentionForms{times: f}, problems)
		})
	}
	return page.Done(c, page.RetentionPath, "saved")
}

// Erase counts what an erasure would delete and asks, and erases when that
// is confirmed.
func (h *Handlers) Erase(c echo.Context, f erasureForm) error {
	within, err := pick.Organisation(c.Request().Context(), h.DB, f.Organisation, "within")
	e := retention.Erasure{OrganisationID: within.ID, Recipient: f.Recipient, Reason: f.Reason, Actor: page.User(c).Actor()}
	var done retention.Erased
	switch {
	case err != nil:
	case f.Confirmed:
		done, err = e.Run(c.Request().Context(), h.Retention)
	default:
		done, err = e.Count(c.Request().Context(), h.Retention)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.render(c, status, retentionForms{erase: f}, problems)
		})
	}
	if !f.Confirmed {
		return confirmErasure(c, f, within, done)
	}
	h.Signals.Add("messages", within.ID)
	return page.Done(c, page.RetentionPath, fmt.Sprintf("erased-%d-%d-%d", done.Messages, done.Received, done.Waiting))
}

func confirmErasure(c echo.Context, f erasureForm, within models.OrganisationChoice, found retention.Erased) error {
	fr := page.AdministrationFrame(c, "Erase "+strings.TrimSpace(f.Recipient), page.RetentionPath).Under("Retention", page.RetentionPath)
	scope, id := "all organisations", ""
	if within.ID != 0 {
		scope, id = pick.Label(within), listing.Plain(within.ID)
	}
	return page.Question{Frame: fr, Question: ui.Question{
		Region: ui.Confirm.Of("erase"),
		Text:   "The number and the contents of these messages are deleted, with the callbacks about them and codes sent to the number. Their entries stay without them. Do-not-contact lists keep the number. This cannot be undone.",
		Facts: []ui.Pair{
			{Key: "Within", Value: scope}, {Key: "Sent messages", Value: listing.Plain(int64(found.Messages))}, {Key: "Received messages", Value: listing.Plain(int64(found.Received))},
			{Key: "Still on their way, and left", Value: listing.Plain(int64(found.Waiting))},
		},
		Action: ui.Post{Action: erasurePath, Label: "Erase this recipient", Kind: ui.Danger, Values: []ui.Pair{
			{Key: "recipient", Value: f.Recipient}, {Key: "within", Value: id}, {Key: "reason", Value: f.Reason}, {Key: "confirmed", Value: "true"},
		}},
		Back: ui.Link{Label: "Erase nothing", Href: page.RetentionPath},
	}}.Show(c)
}

func (h *Handlers) render(c echo.Context, status int, sent retentionForms, problems *page.Problems) error {
	now, err := retention.Load(c.Request().Context(), h.DB, retention.Everyone)
	if err != nil {
		return err
	}
	promised, err := queries.RetentionList(c.Request().Context(), h.DB)
	if err != nil {
		return err
	}
	times := sent.times
	if times == (retentionForm{}) {
		times.Bodies, times.Logs = listing.Plain(int64(now.Bodies)), listing.Plain(int64(now.Logs))
	}
	p := view.RetentionPage{Frame: page.AdministrationFrame(c, "Retention", page.RetentionPath), Times: timesForm(times, problems), Erase: eraseForm(sent.erase, problems)}
	for _, in := range []*ui.Input{&p.Times.Inputs[2], &p.Erase.Inputs[1]} {
		if *in, err = pick.Field(c.Request().Context(), h.DB, *in); err != nil {
			return err
		}
	}
	p.Done, p.Times.CSRF, p.Erase.CSRF = retentionDone(c.QueryParam("done")), p.CSRF, p.CSRF
	p.Promised = ui.Table{Caption: "Organisations with other times", Quiet: true, Columns: []ui.Column{
		{Label: "Organisation", Lead: true}, {Label: "Contents (days)", Numeric: true}, {Label: "Logs (days)", Numeric: true},
	}}
	for _, r := range promised {
		p.Promised.Rows = append(p.Promised.Rows, []ui.Cell{
			{Text: r.Organisation, Href: fmt.Sprintf("%s/%d", page.OrganisationsPath, r.OrganisationID)}, {Text: listing.Plain(int64(r.Bodies))}, {Text: listing.Plain(int64(r.Logs))},
		})
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Retention(p), Region: page.Current(status)})
}

func timesForm(f retentionForm, problems *page.Problems) forms.Form {
	return forms.Form{
		Name: "times", Action: page.RetentionPath, Submit: "Save the times",
		Inputs: []ui.Input{
			{
				Name: "bodies", Label: "Keep contents for (days)", Type: "number", Value: f.Bodies, Required: true,
				Hint: "Payloads of messages and callbacks, and responses of webhooks.", Error: problems.Fields["bodies"],
			},
			{Name: "logs", Label: "Keep logs for (days)", Type: "number", Value: f.Logs, Required: true, Hint: "The entries of messages and callbacks.", Error: problems.Fields["logs"]},
			{Name: "organisation", Label: "Organisation", Value: f.Organisation, Hint: "Name or id of one that was promised other times. Empty for all others.", Error: problems.Fields["organisation"]},
		},
	}
}

func eraseForm(f erasureForm, problems *page.Problems) forms.Form {
	return forms.Form{
		Name: "erase", Action: erasurePath, Problem: problems.Form, Submit: "Erase this recipient", Danger: true,
		Inputs: []ui.Input{
			{
				Name: "recipient", Label: "Number or user id", Value: f.Recipient, Required: true,
				Hint:  "A number with its country code, such as +919812345678. What is known under another id of the person goes too. The next page counts what would be deleted.",
				Error: problems.Fields["recipient"],
			},
			{Name: "within", Label: "Organisation", Value: f.Organisation, Hint: "Name or id of one organisation. Empty for all.", Error: problems.Fields["within"]},
			{Name: "reason", Label: "Reason", Value: f.Reason, Required: true, Hint: "Kept in the audit, with the last digits of the number.", Error: problems.Fields["reason"]},
		},
	}
}

func retentionDone(word string) string {
	var sent, received, waiting int
	if _, err := fmt.Sscanf(word, "erased-%d-%d-%d", &sent, &received, &waiting); err == nil {
		text := fmt.Sprintf("Erased: %d sent and %d received messages.", sent, received)
		if waiting > 0 {
			text += fmt.Sprintf(" %d are still on their way. Erase again when they have their end.", waiting)
		}
		return text
	}
	return map[string]string{"saved": "The times are saved."}[word]
}
