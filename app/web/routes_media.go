package web

import (
	"net/http"

	"heliograph/app/web/documentation/media"
	"heliograph/app/web/page"
	reading "heliograph/app/web/reader/media"
)

// mediaRoutes lists the pages of the gallery and the public addresses of its files.
func mediaRoutes(s *Server) []Route {
	if s.deps.Media == nil {
		return nil
	}
	options := media.Options{
		DB: s.deps.DB, Library: s.deps.Media, Settings: s.deps.Settings, Signals: s.deps.Signals, PublicURL: s.deps.Config.PublicURL,
	}
	h, limits, trashed := media.New(options), media.NewLimits(options), media.NewTrash(options)
	public := reading.Handlers{Library: s.deps.Media}
	const item, folder, trash = media.Path + "/items/:id", media.Path + "/folders/:id", media.Path + "/trash"
	return []Route{
		{Name: "media", Method: http.MethodGet, Path: reading.Path, Access: Public, Handler: public.Show},
		{Name: "media.fixed", Method: http.MethodGet, Path: reading.FixedPath, Access: Public, Handler: page.With(public.Find, public.ShowFixed)},

		{Name: "admin.media", Method: http.MethodGet, Path: media.Path, Access: Viewer, Handler: h.Show},
		{Name: "admin.media.upload", Method: http.MethodPost, Path: media.Path + "/upload", Access: Editor, Handler: h.Upload, BodyLimit: media.UploadLimit, Streamed: true},
		{Name: "admin.media.choice.show", Method: http.MethodGet, Path: media.PickPath, Access: Editor, Handler: h.Pick},
		{Name: "admin.media.choice", Method: http.MethodPost, Path: media.PickPath, Access: Editor, Handler: h.PickNew, BodyLimit: media.UploadLimit, Streamed: true},
		{Name: "admin.media.describe", Method: http.MethodPost, Path: media.Path + "/descriptions", Access: Editor, Handler: h.Describe},
		{Name: "admin.media.folders.add", Method: http.MethodPost, Path: media.Path + "/folders", Access: Editor, Handler: page.Form(h.AddFolder)},
		{Name: "admin.media.folders.change", Method: http.MethodPost, Path: folder, Access: Editor, Handler: page.WithID(h.ChangeFolder)},
		{Name: "admin.media.folders.deletion", Method: http.MethodPost, Path: folder + "/deletion", Access: Editor, Handler: page.WithID(h.RemoveFolder), Ask: h.AskRemoveFolder},
		{Name: "admin.media.item", Method: http.MethodGet, Path: item, Access: Viewer, Handler: h.Item},
		{Name: "admin.media.item.content", Method: http.MethodGet, Path: item + "/content", Access: Viewer, Handler: h.Content},
		{Name: "admin.media.item.save", Method: http.MethodPost, Path: item, Access: Editor, Handler: page.Form(h.Save)},
		{Name: "admin.media.item.replacement", Method: http.MethodPost, Path: item + "/replacement", Access: Editor, Handler: h.Replace, BodyLimit: media.UploadLimit, Streamed: true},
		{Name: "admin.media.item.publication", Method: http.MethodPost, Path: item + "/publication", Access: Editor, Handler: h.Publish},
		{Name: "admin.media.item.trash", Method: http.MethodPost, Path: item + "/trash", Access: Editor, Handler: h.Trash, Ask: h.AskTrash},
		{Name: "admin.media.item.restoration", Method: http.MethodPost, Path: item + "/restoration", Access: Editor, Handler: h.Restore, Ask: h.AskRestore},
		{Name: "admin.media.trash", Method: http.MethodGet, Path: trash, Access: Viewer, Handler: page.Asked(trashed.Show)},
		{Name: "admin.media.trash.emptying", Method: http.MethodPost, Path: trash + "/emptying", Access: SuperAdmin, Handler: trashed.Empty, Ask: trashed.AskEmpty},
		{Name: "admin.media.settings.show", Method: http.MethodGet, Path: media.Path + "/settings", Access: SuperAdmin, Handler: limits.Show},
		{Name: "admin.media.settings", Method: http.MethodPost, Path: media.Path + "/settings", Access: SuperAdmin, Handler: page.Form(limits.Save)},
	}
}
