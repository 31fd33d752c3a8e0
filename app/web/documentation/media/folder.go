package media

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/documentation/media"
	"heliograph/views/ui"
)

func compare(a, b string) int { return cmp.Compare(a, b) }

// folderInput is the form of a folder.
type folderInput struct {
	id     int64
	Name   string `form:"name"`
	Parent int64  `form:"parent"`
}

func folderForm(name, action, csrf string, in folderInput, problems *page.Problems) view.FolderForm {
	f := view.FolderForm{Name: name, Action: action, CSRF: csrf, Field: ui.Input{Name: "name", Label: "Name", Value: in.Name, Required: true}}
	if problems != nil {
		f.Field.Error, f.Problem = problems.Fields["name"], problems.Form
		if f.Field.Error == "" && f.Problem == "" {
			f.Problem = problems.Fields["folder"]
		}
	}
	return f
}

// changeFolderForm returns the form that renames and moves the open folder.
func changeFolderForm(csrf string, all []models.GalleryFolder, id int64, a answer) *view.FolderForm {
	path := media.Path(all, id)
	open := path[len(path)-1]
	in, problems := folderInput{id: id, Name: open.Name, Parent: open.ParentID}, (*page.Problems)(nil)
	if a.folder != nil && a.folder.id == id {
		in, problems = *a.folder, a.problem
	}
	f := folderForm("Change this folder", folderPath(id), csrf, in, problems)
	f.Field.Name = "name"
	inside := func(other int64) bool {
		return slices.ContainsFunc(media.Path(all, other), func(p models.GalleryFolder) bool { return p.ID == id })
	}
	f.Parent = &ui.Select{Name: "parent", Label: "In", Value: strconv.FormatInt(in.Parent, 10), Options: folderOptions(all, inside)}
	f.Submit = "Save the folder"
	f.Remove = &ui.Ask{Link: ui.Link{Label: "Remove the folder", Href: folderPath(id) + "/deletion"}, Region: ui.Confirm.Of("folder"), Kind: ui.Danger}
	return &f
}

// AddFolder makes a folder in another one.
func (h *Handlers) AddFolder(c echo.Context, in folderInput) error {
	if _, err := h.Library.Folders.Add(c.Request().Context(), actor(c), in.Parent, in.Name); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderList(c, status, query{Folder: in.Parent}, answer{folder: &in, problem: problems})
		})
	}
	h.Signals.Add(topic, 0)
	return h.doneIn(c, in.Parent, "folder-added")
}

// doneIn shows a folder after an action.
func (h *Handlers) doneIn(c echo.Context, folder int64, word string) error {
	if folder == 0 {
		return page.Done(c, Path, word)
	}
	return page.SeeOther(c, listPath(folder)+"&done="+word)
}

// ChangeFolder renames and moves a folder.
func (h *Handlers) ChangeFolder(c echo.Context, id int64) error {
	in := folderInput{id: id}
	if err := page.Bind(c, &in); err != nil {
		return err
	}
	if err := h.Library.Folders.Update(c.Request().Context(), actor(c), models.GalleryFolder{ID: id, ParentID: in.Parent, Name: in.Name}); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderList(c, status, query{Folder: id}, answer{folder: &in, problem: problems})
		})
	}
	h.Signals.Add(topic, 0)
	return h.doneIn(c, id, "folder-saved")
}

// AskRemoveFolder asks before a folder is removed, and says what is in it.
func (h *Handlers) AskRemoveFolder(c echo.Context) (*page.Question, error) {
	id, err := page.ID(c)
	if err != nil {
		return nil, err
	}
	items, err := h.Library.Folders.Content(c.Request().Context(), id)
	if err != nil {
		return nil, err
	}
	uses, err := h.Library.Uses(c.Request().Context(), items...)
	if err != nil {
		return nil, err
	}
	f := page.AdministrationFrame(c, "Remove the folder", Path).Under(heading, listPath(id))
	text := "The folder is empty."
	if len(items) > 0 {
		text = fmt.Sprintf("%d files of the folder and of the folders in it go to the trash. Their addresses stop working.", len(items))
	}
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of("folder"), Text: text, Facts: useFacts(uses),
		Action: ui.Post{Label: "Remove the folder", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep it"},
	}}, nil
}

// RemoveFolder removes a folder and puts its files into the trash.
func (h *Handlers) RemoveFolder(c echo.Context, id int64) error {
	if err := h.Library.Folders.Remove(c.Request().Context(), actor(c), id); err != nil {
		if !fault.Is(err, fault.Conflict) {
			return err
		}
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderList(c, status, query{Folder: id}, answer{folder: &folderInput{id: id}, problem: problems})
		})
	}
	h.Signals.Add(topic, 0)
	return page.Done(c, Path, "folder-removed")
}

// useFacts lists pages that use files.
func useFacts(uses []models.GalleryUse) (facts []ui.Pair) {
	const shown = 12
	for i, u := range uses {
		if i == shown {
			return append(facts, ui.Pair{Key: "More", Value: fmt.Sprintf("%d other pages", len(uses)-shown)})
		}
		facts = append(facts, ui.Pair{Key: state(u), Value: u.Title + ", revision " + strconv.Itoa(u.Number), Href: usePath(u)})
	}
	return facts
}

func state(u models.GalleryUse) string {
	if u.IsLive {
		return "Published"
	}
	return "Draft"
}

func usePath(u models.GalleryUse) string {
	return fmt.Sprintf("/admin/products/%d/items/%d", u.ProductID, u.ItemID)
}
