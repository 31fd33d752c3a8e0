package media

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web/page"
	view "heliograph/views/documentation/media"
	"heliograph/views/ui"
)

// AskTrash asks before an item goes to the trash, and lists the pages that use it.
func (h *Handlers) AskTrash(c echo.Context) (*page.Question, error) {
	item, err := h.Library.Item(c.Request().Context(), c.Param("id"))
	if err != nil {
		return nil, err
	}
	uses, err := h.Library.Uses(c.Request().Context(), item.ID)
	if err != nil {
		return nil, err
	}
	f := page.AdministrationFrame(c, "Move "+item.Name+" to the trash", Path).Under(item.Name, itemPath(item.ID))
	text := "Its address stops working at once. It can be restored for 30 days."
	if len(uses) > 0 {
		text += " It is used by these pages. While a published page uses it, it cannot be moved."
	}
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of("trash"), Text: text, Facts: useFacts(uses),
		Action: ui.Post{Label: "Move to the trash", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep it"},
	}}, nil
}

// Trash puts an item into the trash.
func (h *Handlers) Trash(c echo.Context) error {
	err := h.Library.Trash(c.Request().Context(), actor(c), c.Param("id"))
	if fault.Is(err, fault.Conflict) {
		return h.renderItem(c, http.StatusConflict, itemAnswer{whole: fault.As(err).Message})
	}
	if err != nil {
		return err
	}
	h.Signals.Add(topic, 0)
	return page.Done(c, Path, "trashed")
}

// AskRestore asks before an item is taken out of the trash.
func (h *Handlers) AskRestore(c echo.Context) (*page.Question, error) {
	item, err := h.Library.Item(c.Request().Context(), c.Param("id"))
	if err != nil {
		return nil, err
	}
	f := page.AdministrationFrame(c, "Restore "+item.Name, Path).Under(item.Name, itemPath(item.ID))
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of("restore"), Text: "The file is at the top of the gallery then, and its address works again.",
		Action: ui.Post{Label: "Restore the file", Kind: ui.Primary},
		Back:   ui.Link{Label: "Leave it in the trash", Href: trashPath},
	}}, nil
}

// Restore takes an item out of the trash.
func (h *Handlers) Restore(c echo.Context) error {
	if err := h.Library.Restore(c.Request().Context(), actor(c), c.Param("id")); err != nil {
		return err
	}
	h.Signals.Add(topic, 0)
	return page.Done(c, itemPath(c.Param("id")), "restored")
}

// Trash answers the routes of the trash of the gallery.
type Trash struct{ Options }

// NewTrash returns the handlers of the trash.
func NewTrash(o Options) *Trash { return &Trash{o} }

// Show lists the trash.
func (h *Trash) Show(c echo.Context, asked query) error {
	p := view.GalleryPage{Frame: page.AdministrationFrame(c, "Trash", Path).Under(heading, Path), Lead: "Files are deleted for good 30 days after they were moved here."}
	p.Done = done[c.QueryParam("done")]
	var err error
	if p.List, p.Cards, err = listOf(c, h.DB, asked, trashPath); err != nil {
		return err
	}
	p.Announcement = p.List.Announcement()
	if isSuperAdmin(c) {
		p.Empty = &ui.Ask{Link: ui.Link{Label: "Empty the trash", Href: trashPath + "/emptying"}, Region: ui.Confirm.Of("empty"), Kind: ui.Danger}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Gallery(p)})
}

// AskEmpty asks before the trash is emptied.
func (h *Trash) AskEmpty(c echo.Context) (*page.Question, error) {
	f := page.AdministrationFrame(c, "Empty the trash", Path).Under("Trash", trashPath)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of("empty"), Text: "Every file in the trash is deleted for good. This cannot be undone.",
		Action: ui.Post{Label: "Empty the trash", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep the files"},
	}}, nil
}

// Empty deletes everything in the trash.
func (h *Trash) Empty(c echo.Context) error {
	if _, err := h.Library.EmptyTrash(c.Request().Context(), actor(c)); err != nil {
		return err
	}
	h.Signals.Add(topic, 0)
	return page.Done(c, trashPath, "emptied")
}
