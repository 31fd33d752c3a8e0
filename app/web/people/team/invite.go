package team

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
)

// invitations limits the emails of an organisation to people who did not ask for
// them.
var invitations = limit.Limit{Name: "invitations", Burst: 20, Period: time.Hour}

// inviteForm is the form that invites a colleague.
type inviteForm struct {
	Email string `form:"email"`
	Role  string `form:"role"`
}

// Invite sends an invitation.
func (h *Handlers) Invite(c echo.Context, f inviteForm) error {
	err := h.takeInvitation(c)
	if err == nil {
		err = h.Team.Invite(c.Request().Context(), page.User(c), f.Email, f.Role)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderTeam(c, status, f, problems) })
	}
	return page.Done(c, page.AccountTeamPath, "invited")
}

// ResendInvitation sends an invitation again.
func (h *Handlers) ResendInvitation(c echo.Context, id int64) error {
	if err := h.takeInvitation(c); err != nil {
		return err
	}
	if err := h.Team.Resend(c.Request().Context(), page.User(c), id); err != nil {
		return err
	}
	return page.Done(c, page.AccountTeamPath, "invited")
}

func (h *Handlers) takeInvitation(c echo.Context) error {
	return h.Limiter.Take(c.Request().Context(), invitations, strconv.FormatInt(page.User(c).OrganisationID, 10))
}

// WithdrawInvitation ends an invitation.
func (h *Handlers) WithdrawInvitation(c echo.Context, id int64) error {
	if err := h.Team.Withdraw(c.Request().Context(), page.User(c), id); err != nil {
		return err
	}
	return page.Done(c, page.AccountTeamPath, "withdrawn")
}
