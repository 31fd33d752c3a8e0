package web

import (
	"net/http"

	"heliograph/app/web/admin"
)

// documentationBody is the largest form of an item, in bytes.
const documentationBody = 12 << 20

// previewRoute is the route of pages whose path has a secret.
const previewRoute = "preview"

// documentation lists the pages on which documentation is written and reviewed.
// The rules of editing refuse who may not write a product.
func (a adminPages) documentation() []Route {
	h := a.pages
	const product, item, number, set = "/admin/products/:id", "/admin/products/:id/items/:item", "/admin/products/:id/items/:item/history/:number", "/admin/drafts_and_reviews/:id"
	list := []Route{
		{Name: "admin.products", Method: http.MethodGet, Path: "/admin/products", Access: Viewer, Handler: h.Products},
		{Name: "admin.products.new.show", Method: http.MethodGet, Path: "/admin/products/new", Access: SuperAdmin, Handler: h.ShowNew},
		{Name: "admin.products.new", Method: http.MethodPost, Path: "/admin/products", Access: SuperAdmin, Handler: h.AddItem, BodyLimit: documentationBody},
		{Name: "admin.products.new.preview", Method: http.MethodPost, Path: "/admin/products/new/preview", Access: SuperAdmin, Handler: h.PreviewNew, BodyLimit: documentationBody},
		{Name: "admin.products.show", Method: http.MethodGet, Path: product, Access: Viewer, Handler: h.Product},
		{Name: "admin.products.checks.show", Method: http.MethodGet, Path: product + "/checks", Access: SuperAdmin, Handler: h.Policy},
		{Name: "admin.products.checks", Method: http.MethodPost, Path: product + "/checks", Access: SuperAdmin, Handler: h.SetPolicy},
		{Name: "admin.products.order", Method: http.MethodPost, Path: product + "/order", Access: Editor, Handler: h.PlaceItem},
		{Name: "admin.products.releases", Method: http.MethodGet, Path: product + "/releases", Access: Viewer, Handler: h.Releases},
		{Name: "admin.products.revert.show", Method: http.MethodGet, Path: product + "/releases/:release/revert", Access: SuperAdmin, Handler: h.ConfirmRevert},
		{Name: "admin.products.revert", Method: http.MethodPost, Path: product + "/releases/:release/revert", Access: SuperAdmin, Handler: h.Revert},
		{Name: "admin.versions.show", Method: http.MethodGet, Path: "/admin/versions/:id", Access: Viewer, Handler: h.Version},

		{Name: "admin.items.new.show", Method: http.MethodGet, Path: product + "/new", Access: Editor, Handler: h.ShowNew},
		{Name: "admin.items.new", Method: http.MethodPost, Path: product + "/new", Access: Editor, Handler: h.AddItem, BodyLimit: documentationBody},
		{Name: "admin.items.new.preview", Method: http.MethodPost, Path: product + "/new/preview", Access: Editor, Handler: h.PreviewNew, BodyLimit: documentationBody},
		{Name: "admin.items.new.outline", Method: http.MethodPost, Path: product + "/new/outline", Access: Editor, Handler: h.EditNewOutline, BodyLimit: documentationBody},
		{Name: "admin.items.show", Method: http.MethodGet, Path: item, Access: Viewer, Handler: h.Item},
		{Name: "admin.items.save", Method: http.MethodPost, Path: item, Access: Editor, Handler: h.SaveItem, BodyLimit: documentationBody},
		{Name: "admin.items.preview", Method: http.MethodPost, Path: item + "/preview", Access: Editor, Handler: h.PreviewItem, BodyLimit: documentationBody},
		{Name: "admin.items.outline", Method: http.MethodPost, Path: item + "/outline", Access: Editor, Handler: h.EditOutline, BodyLimit: documentationBody},
		{Name: "admin.items.autosave", Method: http.MethodPost, Path: item + "/autosave", Access: Editor, Handler: h.Autosave, BodyLimit: documentationBody},
		{Name: "admin.items.checks", Method: http.MethodPost, Path: item + "/checks", Access: Editor, Handler: h.CheckItem, BodyLimit: documentationBody},
		{Name: "admin.items.move.show", Method: http.MethodGet, Path: item + "/move", Access: Editor, Handler: h.ShowMove},
		{Name: "admin.items.move", Method: http.MethodPost, Path: item + "/move", Access: Editor, Handler: h.MoveItem},
		{Name: "admin.items.undo", Method: http.MethodPost, Path: item + "/undo", Access: Editor, Handler: h.UndoItem},
		{Name: "admin.items.order.show", Method: http.MethodGet, Path: item + "/order", Access: Editor, Handler: h.ShowOrder},
		{Name: "admin.items.order", Method: http.MethodPost, Path: item + "/order", Access: Editor, Handler: h.Reorder},
		{Name: "admin.items.place", Method: http.MethodPost, Path: item + "/place", Access: Editor, Handler: h.PlaceAt},
		{Name: "admin.items.archive.show", Method: http.MethodGet, Path: item + "/archive", Access: Editor, Handler: h.ConfirmItem("archive")},
		{Name: "admin.items.archive", Method: http.MethodPost, Path: item + "/archive", Access: Editor, Handler: h.ArchiveItem},
		{Name: "admin.items.trash.show", Method: http.MethodGet, Path: item + "/trash", Access: Editor, Handler: h.ConfirmItem("trash")},
		{Name: "admin.items.trash", Method: http.MethodPost, Path: item + "/trash", Access: Editor, Handler: h.TrashItem},
		{Name: "admin.items.untrash.show", Method: http.MethodGet, Path: item + "/untrash", Access: Editor, Handler: h.ConfirmItem("untrash")},
		{Name: "admin.items.untrash", Method: http.MethodPost, Path: item + "/untrash", Access: Editor, Handler: h.UntrashItem},
		{Name: "admin.items.quality", Method: http.MethodGet, Path: item + "/quality", Access: Viewer, Handler: h.ItemQuality},
		{Name: "admin.items.presence", Method: http.MethodGet, Path: item + "/presence", Access: Viewer, Handler: h.ItemPresence},
		{Name: "admin.items.previews", Method: http.MethodGet, Path: item + "/previews", Access: Viewer, Handler: h.PreviewLinks},
		{Name: "admin.items.previews.new", Method: http.MethodPost, Path: item + "/previews", Access: Editor, Handler: h.CreatePreviewLink},
		{Name: "admin.items.previews.revocation.show", Method: http.MethodGet, Path: item + "/previews/:link/revocation", Access: Editor, Handler: h.ConfirmRevokePreview},
		{Name: "admin.items.previews.revocation", Method: http.MethodPost, Path: item + "/previews/:link/revocation", Access: Editor, Handler: h.RevokePreview},
		{Name: previewRoute, Method: http.MethodGet, Path: "/preview/:token", Access: Public, Handler: h.OpenPreview, Secret: SecretPath{Prefix: "/preview"}},
		{Name: "admin.items.history", Method: http.MethodGet, Path: item + "/history", Access: Viewer, Handler: h.History},
		{Name: "admin.items.revision", Method: http.MethodGet, Path: number, Access: Viewer, Handler: h.Compare},
		{Name: "admin.items.restore.show", Method: http.MethodGet, Path: number + "/restore", Access: Editor, Handler: h.ShowRestore},
		{Name: "admin.items.restore", Method: http.MethodPost, Path: number + "/restore", Access: Editor, Handler: h.Restore},

		{Name: "admin.drafts", Method: http.MethodGet, Path: "/admin/drafts_and_reviews", Access: Viewer, Handler: h.Drafts},
		{Name: "admin.calendar", Method: http.MethodGet, Path: "/admin/calendar", Access: Viewer, Handler: h.Calendar},
		{Name: "admin.drafts.show", Method: http.MethodGet, Path: set, Access: Viewer, Handler: h.Draft},
		{Name: "admin.drafts.publish.show", Method: http.MethodGet, Path: set + "/publish", Access: Editor, Handler: h.ConfirmDraft("publish")},
		{Name: "admin.drafts.discard.show", Method: http.MethodGet, Path: set + "/discard", Access: Editor, Handler: h.ConfirmDraft("discard")},
		{Name: "admin.drafts.quality", Method: http.MethodGet, Path: set + "/quality", Access: Viewer, Handler: h.DraftQuality},
		{Name: "admin.drafts.rebase.show", Method: http.MethodGet, Path: set + "/rebase", Access: Editor, Handler: h.ShowRebase},
		{Name: "admin.drafts.rebase", Method: http.MethodPost, Path: set + "/rebase", Access: Editor, Handler: h.Rebase, BodyLimit: documentationBody},
		{Name: "admin.drafts.presence", Method: http.MethodGet, Path: set + "/presence", Access: Viewer, Handler: h.DraftPresence},
		{Name: "admin.drafts.preview", Method: http.MethodGet, Path: set + "/items/:item/preview", Access: Viewer, Handler: h.PreviewDraft},
		{Name: "admin.drafts.threads.new.show", Method: http.MethodGet, Path: set + "/items/:item/threads/new", Access: Editor, Handler: h.ShowNewThread},
		{Name: "admin.drafts.threads.new", Method: http.MethodPost, Path: set + "/items/:item/threads/new", Access: Editor, Handler: h.OpenThread},
		{Name: "admin.drafts.threads.reply", Method: http.MethodPost, Path: set + "/threads/:thread", Access: Editor, Handler: h.ReplyToThread},
		{Name: "admin.drafts.removal.show", Method: http.MethodGet, Path: set + "/items/:item/removal", Access: Editor, Handler: h.ConfirmTakeOut},
		{Name: "admin.drafts.removal", Method: http.MethodPost, Path: set + "/items/:item/removal", Access: Editor, Handler: h.TakeOut},
	}
	for _, move := range admin.DraftMoves {
		list = append(list, Route{Name: "admin.drafts." + move, Method: http.MethodPost, Path: set + "/" + move, Access: Editor, Handler: h.MoveDraft(move)})
	}
	for _, old := range []string{"drafts", "reviews", "review", "workflow", "approvals"} {
		list = append(list, Route{Name: "admin.drafts.old." + old, Method: http.MethodGet, Path: "/admin/" + old, Access: Viewer, Handler: h.OldDrafts})
	}
	return list
}
