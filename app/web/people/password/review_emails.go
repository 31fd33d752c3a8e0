package password

import (
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// The values of the setting of emails about reviews.
const (
	emailsBatched = "batched"
	emailsOff     = "off"
)

// reviewEmails is the form of the user's own setting of emails about reviews.
func (h *Handlers) reviewEmails(c echo.Context) (f forms.Form, err error) {
	on, err := h.Directory.ReviewEmails(c.Request().Context(), page.User(c))
	value := emailsOff
	if on {
		value = emailsBatched
	}
	return forms.Form{
		Name: "emails", Action: changePath + "/emails", CSRF: page.Token(c), Submit: "Save the setting", Quiet: true,
		Selects: []ui.Select{{
			Name: "review_emails", Label: "Emails about reviews", Value: value, Hint: "About change sets that you write or review: submitted, changes requested, comments, approved, rejected, published and blocked.",
			Options: []ui.Option{{Value: emailsBatched, Label: "One email for each change set and ten minutes"}, {Value: emailsOff, Label: "None"}},
		}},
	}, err
}

// SetReviewEmails saves whether the user receives emails about reviews.
func (h *Handlers) SetReviewEmails(c echo.Context) error {
	var form struct {
		ReviewEmails string `form:"review_emails"`
	}
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	if form.ReviewEmails != emailsBatched && form.ReviewEmails != emailsOff {
		return fault.New(fault.Invalid, "Choose one of the settings of emails.")
	}
	if err := h.Directory.SetReviewEmails(c.Request().Context(), page.User(c), form.ReviewEmails == emailsBatched); err != nil {
		return err
	}
	return page.Done(c, changePath, "emails")
}
