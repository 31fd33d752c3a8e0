package web

import (
	"net/http"
	"slices"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/calendar"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/drafts"
	"heliograph/app/web/documentation/history"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/documentation/items"
	"heliograph/app/web/documentation/moves"
	"heliograph/app/web/documentation/newitem"
	"heliograph/app/web/documentation/presence"
	"heliograph/app/web/documentation/previews"
	"heliograph/app/web/documentation/products"
	"heliograph/app/web/documentation/quality"
	"heliograph/app/web/documentation/rebase"
	"heliograph/app/web/documentation/releases"
	"heliograph/app/web/documentation/threads"
	"heliograph/app/web/page"
	"heliograph/app/web/reader"
)

// documentationBody is the largest form of an item, in bytes.
const documentationBody = 12 << 20

// previewRoute is the route of pages with a secret in their path.
const previewRoute = "preview"

// The addresses of the editorial desk.
const (
	productPath  = "/admin/products/:id"
	itemPath     = productPath + "/items/:item"
	revisionPath = itemPath + "/history/:number"
	setPath      = "/admin/drafts_and_reviews/:id"
)

// documentation lists the pages on which documentation is written and reviewed. The rules
// of editing refuse users who may not write a product.
func documentation(s *Server, pages *reader.Pages) []Route {
	return slices.Concat(
		productRoutes(s), policyRoutes(s), releaseRoutes(s),
		newItemRoutes(s), itemRoutes(s), moveRoutes(s), historyRoutes(s), qualityRoutes(s), presenceRoutes(s),
		previewRoutes(s, pages), draftRoutes(s, pages), rebaseRoutes(s), threadRoutes(s), calendarRoutes(s),
	)
}

// drawingsOf returns the drawings of the gallery that can be icons, nil without a gallery.
func drawingsOf(s *Server) itemform.Drawings {
	if s.deps.Media == nil {
		return nil
	}
	return s.deps.Media
}

// productRoutes lists the products, the tree of one and the order of its items.
func productRoutes(s *Server) []Route {
	h := &products.Handlers{DB: s.deps.DB, Rules: s.deps.DB, Signals: s.deps.Signals, Zone: zoneOf(s)}
	return []Route{
		{Name: "admin.products", Method: http.MethodGet, Path: "/admin/products", Access: Viewer, Handler: h.List},
		{Name: "admin.products.show", Method: http.MethodGet, Path: productPath, Access: Viewer, Handler: desk.WithProduct(h.DB, h.Show)},
		{Name: "admin.products.order", Method: http.MethodPost, Path: productPath + "/order", Access: Editor, Handler: desk.WithProduct(h.DB, desk.Writing(h.Place))},
		{Name: "admin.items.order.show", Method: http.MethodGet, Path: itemPath + "/order", Access: Editor, Handler: desk.WithItem(h.DB, h.ShowOrder)},
		{Name: "admin.items.order", Method: http.MethodPost, Path: itemPath + "/order", Access: Editor, Handler: desk.WithItem(h.DB, desk.Writing(h.Reorder))},
		{Name: "admin.items.place", Method: http.MethodPost, Path: itemPath + "/place", Access: Editor, Handler: desk.WithItem(h.DB, desk.Writing(h.PlaceAt))},
		{Name: "admin.edit", Method: http.MethodGet, Path: "/admin/edit", Access: Viewer, Handler: h.Edit},
	}
}

// policyRoutes lists the pages that say what the checks do in a product.
func policyRoutes(s *Server) []Route {
	h := &products.CheckLevels{DB: s.deps.DB, Rules: s.deps.DB, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.products.checks.show", Method: http.MethodGet, Path: productPath + "/checks", Access: SuperAdmin, Handler: desk.WithProduct(h.DB, h.Show)},
		{Name: "admin.products.checks", Method: http.MethodPost, Path: productPath + "/checks", Access: SuperAdmin, Handler: desk.WithProduct(h.DB, h.Set)},
	}
}

// releaseRoutes lists the pages of the releases of a product.
func releaseRoutes(s *Server) []Route {
	h := &releases.Handlers{DB: s.deps.DB, Rules: s.deps.DB, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.products.releases", Method: http.MethodGet, Path: productPath + "/releases", Access: Viewer, Handler: desk.WithProduct(h.DB, h.List)},
		{Name: "admin.products.revert", Method: http.MethodPost, Path: productPath + "/releases/:release/revert", Access: SuperAdmin, Handler: h.Revert, Ask: h.AskRevert},
	}
}

// newItemRoutes lists the pages on which items begin.
func newItemRoutes(s *Server) []Route {
	h := &newitem.Handlers{DB: s.deps.DB, Rules: s.deps.DB, Drawings: drawingsOf(s), PublicURL: s.deps.Config.PublicURL, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.products.new.show", Method: http.MethodGet, Path: "/admin/products/new", Access: SuperAdmin, Handler: page.With(h.Adding, h.Show)},
		{Name: "admin.products.new", Method: http.MethodPost, Path: "/admin/products", Access: SuperAdmin, Handler: page.With(h.Adding, h.Add), BodyLimit: documentationBody},
		{Name: "admin.products.new.preview", Method: http.MethodPost, Path: "/admin/products/new/preview", Access: SuperAdmin, Handler: page.With(h.Adding, h.Preview), BodyLimit: documentationBody},
		{Name: "admin.items.new.show", Method: http.MethodGet, Path: productPath + "/new", Access: Editor, Handler: page.With(h.Adding, h.Show)},
		{Name: "admin.items.new", Method: http.MethodPost, Path: productPath + "/new", Access: Editor, Handler: page.With(h.Adding, h.Add), BodyLimit: documentationBody},
		{Name: "admin.items.new.preview", Method: http.MethodPost, Path: productPath + "/new/preview", Access: Editor, Handler: page.With(h.Adding, h.Preview), BodyLimit: documentationBody},
		{Name: "admin.items.new.outline", Method: http.MethodPost, Path: productPath + "/new/outline", Access: Editor, Handler: page.With(h.Adding, h.EditOutline), BodyLimit: documentationBody},
	}
}

// itemRoutes lists the pages of an item in its form.
func itemRoutes(s *Server) []Route {
	h := &items.Handlers{DB: s.deps.DB, Rules: s.deps.DB, Drawings: drawingsOf(s), PublicURL: s.deps.Config.PublicURL, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.versions.show", Method: http.MethodGet, Path: "/admin/versions/:id", Access: Viewer, Handler: page.WithID(h.Version)},
		{Name: "admin.items.show", Method: http.MethodGet, Path: itemPath, Access: Viewer, Handler: desk.WithItem(h.DB, h.Show)},
		{Name: "admin.items.save", Method: http.MethodPost, Path: itemPath, Access: Editor, Handler: desk.WithItem(h.DB, desk.Writing(h.Save)), BodyLimit: documentationBody},
		{Name: "admin.items.preview", Method: http.MethodPost, Path: itemPath + "/preview", Access: Editor, Handler: desk.WithItem(h.DB, desk.Writing(h.Preview)), BodyLimit: documentationBody},
		{Name: "admin.items.outline", Method: http.MethodPost, Path: itemPath + "/outline", Access: Editor, Handler: desk.WithItem(h.DB, h.EditOutline), BodyLimit: documentationBody},
		{Name: "admin.items.autosave", Method: http.MethodPost, Path: itemPath + "/autosave", Access: Editor, Handler: desk.WithItem(h.DB, h.Autosave), BodyLimit: documentationBody},
		{Name: "admin.items.checks", Method: http.MethodPost, Path: itemPath + "/checks", Access: Editor, Handler: desk.WithItem(h.DB, desk.Writing(h.Check)), BodyLimit: documentationBody},
	}
}

// moveRoutes lists what is done with an item beside editing.
func moveRoutes(s *Server) []Route {
	h := &moves.Handlers{DB: s.deps.DB, Rules: s.deps.DB, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.items.move.show", Method: http.MethodGet, Path: itemPath + "/move", Access: Editor, Handler: desk.WithItem(h.DB, h.ShowMove)},
		{Name: "admin.items.move", Method: http.MethodPost, Path: itemPath + "/move", Access: Editor, Handler: desk.WithItem(h.DB, desk.Writing(h.Move))},
		{Name: "admin.items.undo", Method: http.MethodPost, Path: itemPath + "/undo", Access: Editor, Handler: h.Undo},
		{Name: "admin.items.archive", Method: http.MethodPost, Path: itemPath + "/archive", Access: Editor, Handler: h.Archive, Ask: h.Ask("archive")},
		{Name: "admin.items.trash", Method: http.MethodPost, Path: itemPath + "/trash", Access: Editor, Handler: h.Trash, Ask: h.Ask("trash")},
		{Name: "admin.items.untrash", Method: http.MethodPost, Path: itemPath + "/untrash", Access: Editor, Handler: h.Untrash, Ask: h.Ask("untrash")},
	}
}

// historyRoutes lists the pages of the revisions of an item.
func historyRoutes(s *Server) []Route {
	h := &history.Handlers{DB: s.deps.DB, Rules: s.deps.DB, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.items.history", Method: http.MethodGet, Path: itemPath + "/history", Access: Viewer, Handler: desk.WithItem(h.DB, h.List)},
		{Name: "admin.items.revision", Method: http.MethodGet, Path: revisionPath, Access: Viewer, Handler: h.Compare},
		{Name: "admin.items.restore.show", Method: http.MethodGet, Path: revisionPath + "/restore", Access: Editor, Handler: h.ShowRestore},
		{Name: "admin.items.restore", Method: http.MethodPost, Path: revisionPath + "/restore", Access: Editor, Handler: h.Restore},
	}
}

// qualityRoutes lists what the checks found in drafts.
func qualityRoutes(s *Server) []Route {
	h := &quality.Handlers{DB: s.deps.DB}
	return []Route{
		{Name: "admin.items.quality", Method: http.MethodGet, Path: itemPath + "/quality", Access: Viewer, Handler: desk.WithItem(h.DB, h.Item)},
		{Name: "admin.drafts.quality", Method: http.MethodGet, Path: setPath + "/quality", Access: Viewer, Handler: desk.WithDraft(h.DB, h.Draft)},
	}
}

// presenceRoutes lists who else has a page open.
func presenceRoutes(s *Server) []Route {
	h := &presence.Handlers{DB: s.deps.DB, Rules: s.deps.DB}
	return []Route{
		{Name: "admin.items.presence", Method: http.MethodGet, Path: itemPath + "/presence", Access: Viewer, Handler: desk.WithItem(h.DB, h.Item)},
		{Name: "admin.drafts.presence", Method: http.MethodGet, Path: setPath + "/presence", Access: Viewer, Handler: desk.WithDraft(h.DB, h.Draft)},
	}
}

// previewRoutes lists the pages of preview links.
func previewRoutes(s *Server, pages *reader.Pages) []Route {
	d := s.deps
	h := &previews.Handlers{
		DB: d.DB, Rules: d.DB, Gate: s.gates[identity.Administration], Limiter: s.limiter, PublicURL: d.Config.PublicURL, Documentation: d.Documentation, Reader: pages.Preview,
	}
	return []Route{
		{Name: "admin.items.previews", Method: http.MethodGet, Path: itemPath + "/previews", Access: Viewer, Handler: desk.WithItem(h.DB, h.List)},
		{Name: "admin.items.previews.new", Method: http.MethodPost, Path: itemPath + "/previews", Access: Editor, Handler: desk.WithItem(h.DB, desk.Writing(h.Create))},
		{Name: "admin.items.previews.revocation", Method: http.MethodPost, Path: itemPath + "/previews/:link/revocation", Access: Editor, Handler: h.Revoke, Ask: h.AskRevoke},
		{Name: previewRoute, Method: http.MethodGet, Path: "/preview/:token", Access: Public, Handler: h.Open, Secret: SecretPath{Prefix: "/preview"}},
	}
}

// draftRoutes lists the pages of change sets and what is done with them.
func draftRoutes(s *Server, pages *reader.Pages) []Route {
	d := s.deps
	h := &drafts.Handlers{
		DB: d.DB, Rules: d.DB, Documentation: d.Documentation, Reader: pages.Preview, Signals: d.Signals, Scheduler: &editorial.Scheduler{DB: d.DB, Jobs: d.Jobs, Now: time.Now},
	}
	list := []Route{
		{Name: "admin.drafts", Method: http.MethodGet, Path: "/admin/drafts_and_reviews", Access: Viewer, Handler: page.Asked(h.List)},
		{Name: "admin.drafts.show", Method: http.MethodGet, Path: setPath, Access: Viewer, Handler: desk.WithDraft(h.DB, h.Show)},
		{Name: "admin.drafts.preview", Method: http.MethodGet, Path: setPath + "/items/:item/preview", Access: Viewer, Handler: h.Preview},
		{Name: "admin.drafts.threads.reply", Method: http.MethodPost, Path: setPath + "/threads/:thread", Access: Editor, Handler: desk.WithDraft(h.DB, h.Reply)},
		{Name: "admin.drafts.removal", Method: http.MethodPost, Path: setPath + "/items/:item/removal", Access: Editor, Handler: h.TakeOut, Ask: h.AskTakeOut},
	}
	for _, move := range drafts.Moves {
		list = append(list, Route{Name: "admin.drafts." + move, Method: http.MethodPost, Path: setPath + "/" + move, Access: Editor, Handler: h.Move(move), Ask: h.Ask(move)})
	}
	for _, old := range []string{"drafts", "reviews", "review", "workflow", "approvals"} {
		list = append(list, Route{Name: "admin.drafts.old." + old, Method: http.MethodGet, Path: "/admin/" + old, Access: Viewer, Handler: h.Old})
	}
	return list
}

// rebaseRoutes lists the pages on which a change set continues from what is live.
func rebaseRoutes(s *Server) []Route {
	h := &rebase.Handlers{DB: s.deps.DB, Rules: s.deps.DB, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.drafts.rebase.show", Method: http.MethodGet, Path: setPath + "/rebase", Access: Editor, Handler: page.With(h.Rebasing, h.Show)},
		{Name: "admin.drafts.rebase", Method: http.MethodPost, Path: setPath + "/rebase", Access: Editor, Handler: page.With(h.Rebasing, h.Rebase), BodyLimit: documentationBody},
	}
}

// threadRoutes lists the pages on which comments begin.
func threadRoutes(s *Server) []Route {
	h := &threads.Handlers{DB: s.deps.DB, Rules: s.deps.DB, Signals: s.deps.Signals}
	return []Route{
		{Name: "admin.drafts.threads.new.show", Method: http.MethodGet, Path: setPath + "/items/:item/threads/new", Access: Editor, Handler: page.Asked(h.ShowNew)},
		{Name: "admin.drafts.threads.new", Method: http.MethodPost, Path: setPath + "/items/:item/threads/new", Access: Editor, Handler: page.Form(h.Open)},
	}
}

// calendarRoutes lists the page of scheduled releases and the dates of versions.
func calendarRoutes(s *Server) []Route {
	h := &calendar.Handlers{DB: s.deps.DB}
	return []Route{
		{Name: "admin.calendar", Method: http.MethodGet, Path: "/admin/calendar", Access: Viewer, Handler: page.Asked(h.Show)},
	}
}
