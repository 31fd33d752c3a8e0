// Package assets serves the numbers, accounts and catalogues of an organisation, and builds
// their tables for administrators.
package assets

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/channels/assets"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	Assets *assets.Service
}

// shareForm is the form that shares an account.
type shareForm struct {
	Account  int64  `form:"account"`
	Business string `form:"business"`
}

// Show shows the numbers, accounts and catalogues of the organisation, and
// which accounts are shared.
func (h *Handlers) Show(c echo.Context) error {
	return h.renderAssets(c, http.StatusOK, shareForm{}, &page.Problems{})
}

// Share shares an account with the business of another organisation.
func (h *Handlers) Share(c echo.Context, f shareForm) error {
	if err := h.Assets.Share(c.Request().Context(), owner(c), f.Account, f.Business); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderAssets(c, status, f, problems) })
	}
	return page.Done(c, page.AccountAssetsPath, "shared")
}

// AskUnshare asks before the sharing of an account ends.
func (h *Handlers) AskUnshare(c echo.Context) (*page.Question, error) {
	list, err := h.Assets.List(c.Request().Context(), page.User(c).OrganisationID)
	if err != nil {
		return nil, err
	}
	wanted, err := shareOf(c)
	if err != nil {
		return nil, err
	}
	for _, s := range append(list.Shared, list.Received...) {
		if s.AccountID != wanted.AccountID || s.BusinessID != wanted.BusinessID {
			continue
		}
		f := page.AccountFrame(c, "Stop sharing "+s.Account, page.AccountAssetsPath).Under("Numbers and accounts", page.AccountAssetsPath)
		return &page.Question{Frame: f, Question: ui.Question{
			Region: shareRegion(s), Action: ui.Post{Label: "Stop sharing", Kind: ui.Danger},
			Text: fmt.Sprintf("%s no longer finds %s among its client accounts.", s.Business, s.Account), Back: ui.Link{Label: "Keep sharing"},
		}}, nil
	}
	return nil, fault.New(fault.NotFound, "This account is not shared with this business.")
}

// Unshare ends the sharing of an account.
func (h *Handlers) Unshare(c echo.Context) error {
	share, err := shareOf(c)
	if err != nil {
		return err
	}
	if err := h.Assets.Unshare(c.Request().Context(), owner(c), share); err != nil {
		return err
	}
	return page.Done(c, page.AccountAssetsPath, "unshared")
}

// owner returns the organisation and the user of a request.
func owner(c echo.Context) assets.By {
	user := page.User(c)
	return assets.By{OrganisationID: user.OrganisationID, Actor: user.Actor()}
}

// shareOf reads which share the path of a request means.
func shareOf(c echo.Context) (s models.AccountShare, err error) {
	if s.AccountID, err = page.ID(c); err != nil {
		return s, err
	}
	if s.BusinessID, err = strconv.ParseInt(c.Param("business"), 10, 64); err != nil {
		return s, fault.New(fault.NotFound, "This business does not exist.")
	}
	return s, nil
}

func sharePath(s models.AccountShare) string {
	return fmt.Sprintf("%s/%d/shares/%d/end", page.AccountAssetsPath, s.AccountID, s.BusinessID)
}

func shareRegion(s models.AccountShare) ui.Region {
	return ui.Confirm.Of(fmt.Sprintf("share-%d-%d", s.AccountID, s.BusinessID))
}

func (h *Handlers) renderAssets(c echo.Context, status int, f shareForm, problems *page.Problems) error {
	user := page.User(c)
	list, err := h.Assets.List(c.Request().Context(), user.OrganisationID)
	if err != nil {
		return err
	}
	p := view.AssetsPage{
		Frame: page.AccountFrame(c, "Numbers and accounts", page.AccountAssetsPath),
		Owned: Tables(list, nil),
	}
	changes, err := h.Assets.Changes(c.Request().Context(), user.OrganisationID)
	if err != nil {
		return err
	}
	p.Changes = ChangeTable(changes, false)
	isOwner := user.Role == identity.Owner
	p.Shared, p.Received = shareTable("Shared with others", list.Shared, isOwner), shareTable("Shared with you", list.Received, isOwner)
	if isOwner && len(list.Accounts) > 0 {
		choice := ui.Select{Name: "account", Label: "Account", Value: strconv.FormatInt(f.Account, 10), Error: problems.Fields["account"]}
		for _, a := range list.Accounts {
			choice.Options = append(choice.Options, ui.Option{Value: strconv.FormatInt(a.ID, 10), Label: a.Name})
		}
		p.Share = &view.ShareForm{
			Problem: problems.Form, Action: page.AccountAssetsPath + "/shares", Account: choice,
			Business: ui.Input{
				Name: "business", Label: "Business id", Value: f.Business, Required: true,
				Hint: "Ask the other organisation: this page shows it under Businesses.", Error: problems.Fields["business"],
			},
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Assets(p)})
}

// shareTable lists shares. change adds the button that ends each.
func shareTable(caption string, list []models.AccountShare, change bool) ui.Table {
	t := ui.Table{Caption: caption, Quiet: true, Columns: []ui.Column{{Label: "Account"}, {Label: "Account id"}, {Label: "Business", Plain: true}, {Label: "Business id"}, {Label: "Organisation", Plain: true}, {Label: "Since (UTC)"}}}
	if change {
		t.Columns = append(t.Columns, ui.Column{Label: "Change", Plain: true})
	}
	for _, s := range list {
		row := []ui.Cell{{Text: s.Account}, {Text: strconv.FormatInt(s.AccountID, 10), Mono: true}, {Text: s.Business}, {Text: strconv.FormatInt(s.BusinessID, 10), Mono: true}, {Text: s.Organisation}, listing.Minute(&s.CreatedAt)}
		if change {
			region := shareRegion(s)
			row = append(row, ui.Cell{Opens: region, Body: ui.AskButton(ui.Ask{
				Link: ui.Link{Label: "Stop sharing", Href: sharePath(s)}, Object: s.Account + " with " + s.Business, Region: region,
				Small: true,
			})})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
