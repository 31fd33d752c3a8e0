package media

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/operation/setting"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/media"
	"heliograph/views/ui"
)

// query is what a list of files asks for.
type query struct {
	listing.Position
	Folder   int64  `query:"folder"`
	Text     string `query:"q"`
	Kind     string `query:"kind"`
	Sort     string `query:"sort"`
	NeedsAlt string `query:"alt"`
	From     int    `query:"from"` // offset of the first file
}

// pageSize is the number of files on a page.
const pageSize = 48

// found reports whether the list is a search through all folders.
func (q query) found() bool { return q.Text != "" || q.Kind != "" || q.NeedsAlt != "" }

func (q query) filter() queries.GalleryFilter {
	f := queries.GalleryFilter{Text: q.Text, Kind: q.Kind, FolderID: q.Folder, NeedsAlt: q.NeedsAlt != "", Sort: q.Sort, Offset: max(0, q.From)}
	if q.found() {
		f.FolderID = queries.AnyFolder
	}
	return f
}

// values returns the query of the list.
func (q query) values() url.Values {
	number := func(n int64) string {
		if n <= 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	return page.Query("folder", number(q.Folder), "q", q.Text, "kind", q.Kind, "sort", q.Sort, "alt", q.NeedsAlt, "from", number(int64(q.From)))
}

// answer is what a form of the gallery says when the list is shown again.
type answer struct {
	results *view.Results
	upload  string // problem of the upload
	folder  *folderInput
	problem *page.Problems // of the folder
}

// Show lists the files of a folder, or those that are found in all folders.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, http.StatusOK, answer{})
}

func (h *Handlers) render(c echo.Context, status int, a answer) error {
	asked, err := page.AskShown[query](c)
	if err != nil {
		return err
	}
	return h.renderList(c, status, asked, a)
}

func (h *Handlers) renderList(c echo.Context, status int, asked query, a answer) error {
	all, err := h.Library.Folders.List(c.Request().Context())
	if err != nil {
		return err
	}
	path := media.Path(all, asked.Folder)
	if asked.Folder != 0 && path == nil {
		return fault.New(fault.NotFound, "This folder does not exist.")
	}
	title := heading
	if len(path) > 0 {
		title = path[len(path)-1].Name
	}
	p := view.GalleryPage{
		Frame: page.AdministrationFrame(c, title, Path), Lead: "Images, videos, audio and documents for the pages of your documentation. Each file has an address that stays when you replace the file.",
		Results: a.results, Folders: children(all, asked), Trail: trail(path), Links: linksOf(c),
	}
	p.Done = done[c.QueryParam("done")]
	if p.List, p.Cards, err = listOf(c, h.DB, asked, Path); err != nil {
		return err
	}
	p.Announcement = p.List.Announcement()
	if mayChange(c) && !asked.found() {
		addForms(c, h.Settings, &p, all, asked, a)
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Gallery(p)})
}

// addForms adds the forms of those who may change the gallery.
func addForms(c echo.Context, settings *setting.Settings, p *view.GalleryPage, all []models.GalleryFolder, asked query, a answer) {
	folder := strconv.FormatInt(asked.Folder, 10)
	p.Upload = uploadForm(c, settings, uploadPath, true)
	p.Upload.CSRF, p.Upload.Problem = p.CSRF, a.upload
	p.Upload.Hidden = []ui.Pair{{Key: "folder", Value: folder}}
	add := folderForm("New folder", foldersPath, p.CSRF, folderInput{}, nil)
	add.Submit, add.Hidden = "Add the folder", []ui.Pair{{Key: "parent", Value: folder}}
	if a.folder != nil && a.folder.id == 0 {
		add = folderForm("New folder", foldersPath, p.CSRF, *a.folder, a.problem)
		add.Submit, add.Hidden = "Add the folder", []ui.Pair{{Key: "parent", Value: strconv.FormatInt(a.folder.Parent, 10)}}
	}
	p.Add = &add
	if asked.Folder == 0 {
		return
	}
	p.Change = changeFolderForm(p.CSRF, all, asked.Folder, a)
}

// children lists the folders in the open one.
func children(all []models.GalleryFolder, asked query) (list []view.Folder) {
	if asked.found() {
		return nil
	}
	for _, f := range all {
		if f.ParentID == asked.Folder {
			count := humanize.Comma(int64(f.Files)) + " files"
			if f.Files == 1 {
				count = "1 file"
			}
			list = append(list, view.Folder{Link: ui.Link{Label: f.Name, Href: listPath(f.ID)}, Count: count})
		}
	}
	return list
}

func trail(path []models.GalleryFolder) []ui.Link {
	list := []ui.Link{{Label: heading, Href: Path}}
	for i, f := range path {
		list = append(list, ui.Link{Label: f.Name, Href: listPath(f.ID), Current: i == len(path)-1})
	}
	return list
}

func linksOf(c echo.Context) []ui.Link {
	list := []ui.Link{{Label: "Without a description", Href: Path + "?alt=missing"}, {Label: "Trash", Href: trashPath}}
	if isSuperAdmin(c) {
		list = append(list, ui.Link{Label: "Limits", Href: settingsPath})
	}
	return list
}

var sorts = []ui.Option{{Label: "Newest first"}, {Value: "oldest", Label: "Oldest first"}, {Value: "name", Label: "By name"}, {Value: "largest", Label: "Largest first"}}

// listOf returns the files that a query asks for.
func listOf(c echo.Context, store db.Querier, asked query, path string) (ui.Listing, []view.Card, error) {
	f := asked.filter()
	if path == trashPath {
		f.Trashed, f.FolderID = true, queries.AnyFolder
	}
	list := ui.Listing{
		Filter: ui.Filter{
			Inputs:  []ui.Input{{Name: "q", Label: "Name or description", Type: "search", Value: asked.Text}},
			Selects: []ui.Select{{Name: "kind", Label: "Type", Value: asked.Kind, Options: kindLabels}, {Name: "sort", Label: "Sort", Value: asked.Sort, Options: sorts}},
		},
		Empty: ui.EmptyState{Title: "No files here yet", Text: "Upload images, videos, audio and documents, then use them in pages."},
	}
	list.Live = ui.Refresh(ui.List, page.Address(path, asked.values()), topic)
	if asked.Folder != 0 {
		list.Filter.Keep = []ui.Pair{{Key: "folder", Value: strconv.FormatInt(asked.Folder, 10)}}
	}
	switch {
	case asked.found():
		list.Empty = ui.EmptyState{Title: "No files found", Text: "Search for another word, or choose another type."}
	case path == trashPath:
		list.Empty = ui.EmptyState{Title: "The trash is empty", Text: "Files that you delete stay here for 30 days."}
	}
	rows, err := queries.GalleryItemList(c.Request().Context(), store, f, pageSize+1)
	if err != nil {
		return list, nil, err
	}
	more := len(rows) > pageSize
	rows = rows[:min(len(rows), pageSize)]
	cards := lists.Map(rows, card)
	values := page.Query("q", asked.Text, "kind", asked.Kind, "alt", asked.NeedsAlt)
	l := listing.List{Position: asked.Position, Path: path, Filter: values, Later: asked.From > 0, One: "file", Many: "files"}
	l.Finish(c, &list, listing.Rows{Count: len(rows), More: more, Mark: func(next url.Values) {
		next.Set("from", strconv.Itoa(asked.From+pageSize))
		if asked.Folder != 0 {
			next.Set("folder", strconv.FormatInt(asked.Folder, 10))
		}
		if asked.Sort != "" {
			next.Set("sort", asked.Sort)
		}
	}})
	if asked.Folder != 0 && !asked.found() {
		list.Filter.Clear = ui.Link{}
	}
	return list, cards, nil
}

// done are the messages of actions.
var done = map[string]string{
	"uploaded": "The files are uploaded.", "described": "The descriptions are saved.", "saved": "The details are saved.", "replaced": "The file is replaced.",
	"trashed": "The file is in the trash.", "restored": "The file is back in the gallery.", "emptied": "The trash is empty.", "public": "The file is public.",
	"folder-added": "The folder is added.", "folder-saved": "The folder is saved.", "folder-removed": "The folder is removed. Its files are in the trash.",
}
