package media

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/app/operation/setting"
	"heliograph/app/web/page"
	serving "heliograph/app/web/reader/media"
	"heliograph/db/models"
	view "heliograph/views/documentation/media"
	"heliograph/views/ui"
)

// details is the form of an item.
type details struct {
	Name   string `form:"name"`
	Alt    string `form:"alt"`
	Folder int64  `form:"folder"`
}

// itemAnswer is what a form of an item says when the item is shown again.
type itemAnswer struct {
	details *details
	problem *page.Problems
	upload  string // problem of the new file
	whole   string // problem of the item
}

// Item shows a file.
func (h *Handlers) Item(c echo.Context) error { return h.renderItem(c, http.StatusOK, itemAnswer{}) }

// Content serves the bytes of an item to administrators, also before it is public and
// from the trash.
func (h *Handlers) Content(c echo.Context) error {
	served, err := h.Library.Served(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	if len(served.Variants) == 0 {
		return fault.New(fault.NotFound, "The file has no content yet.")
	}
	return serving.Send(c, h.Library, serving.File{Rendition: served.Variant(c.QueryParam("size")), Name: served.Item.Name, Caching: "private, no-cache"})
}

func (h *Handlers) renderItem(c echo.Context, status int, a itemAnswer) error {
	ctx := c.Request().Context()
	item, err := h.Library.Item(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	uses, err := h.Library.Uses(ctx, item.ID)
	if err != nil {
		return err
	}
	p := view.ItemPage{Frame: page.AdministrationFrame(c, item.Name, Path), Marks: marks(item), Uses: useTable(uses), Problem: a.whole, Preview: preview(item)}
	p.Up = ui.Link{Label: heading, Href: listPath(item.FolderID)}
	p.Done = done[c.QueryParam("done")]
	p.Facts = factsOf(h.PublicURL, item)
	if item.State == "refused" {
		p.Problem = strings.TrimSpace(p.Problem + " The newest file was refused. " + item.Problem)
	}
	if item.TrashedAt == nil && item.SHA256 != "" {
		p.Embed = embed(item)
	}
	if item.State == "waiting" {
		p.Refresh = ui.Refresh(ui.Live, itemPath(item.ID), topic)
	}
	if mayChange(c) {
		if err := addItemForms(c, h.Settings, h.Library, &p, item, a); err != nil {
			return err
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Item(p)})
}

func preview(item models.GalleryItem) view.Preview {
	p := view.Preview{Kind: item.Kind, Alt: item.Alt, Waiting: item.FileID == 0 && item.State == "waiting"}
	if item.SHA256 == "" || item.Kind == media.Document {
		return p
	}
	p.Address = contentPath(item, "large")
	if item.Kind != media.Image {
		p.Address = contentPath(item, media.Full)
	}
	if item.Width > 0 {
		p.Width, p.Height = strconv.Itoa(item.Width), strconv.Itoa(item.Height)
	}
	return p
}

// factsOf describes an item.
func factsOf(publicURL string, item models.GalleryItem) []ui.Pair {
	list := []ui.Pair{{Key: "Type", Value: item.MIMEType}}
	if item.SHA256 != "" {
		list = append(list, ui.Pair{Key: "Size", Value: facts(item)})
	}
	if item.TrashedAt != nil {
		return append(list, ui.Pair{Key: "In the trash since", Value: item.TrashedAt.UTC().Format("2 Jan 2006, 15:04"), Mono: false},
			ui.Pair{Key: "Deleted on", Value: item.TrashedAt.Add(media.KeepTrash).UTC().Format("2 Jan 2006")})
	}
	if item.SHA256 != "" {
		current, fixed := content.MediaAddress(item.ID, item.Name), content.FixedMediaAddress(item.ID, item.SHA256, item.Name)
		list = append(list, ui.Pair{Key: "Address", Value: publicURL + current, Href: current, Mono: true},
			ui.Pair{Key: "Address of these bytes", Value: publicURL + fixed, Href: fixed, Mono: true})
	}
	by := item.CreatedAt.UTC().Format("2 Jan 2006, 15:04")
	if item.CreatedBy != "" {
		by += " by " + item.CreatedBy
	}
	list = append(list, ui.Pair{Key: "Added", Value: by})
	if item.UpdatedAt.Sub(item.CreatedAt) > 0 {
		list = append(list, ui.Pair{Key: "Changed", Value: humanize.Time(item.UpdatedAt)})
	}
	return list
}

// embed is the Markdown that shows or links an item.
func embed(item models.GalleryItem) ui.Code {
	text := "[" + item.Name + "](" + content.MediaAddress(item.ID, item.Name) + ")"
	if item.Kind == media.Image {
		if item.Alt == "" {
			return ui.Code{}
		}
		text = markdownOf(item)
	}
	return ui.Code{Title: "Markdown", Language: "markdown", Text: text}
}

// markdownOf returns the markdownOf of an image.
func markdownOf(item models.GalleryItem) string {
	alt := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(item.Alt)
	return "![" + alt + "](" + content.MediaAddress(item.ID, item.Name) + ")"
}

func useTable(uses []models.GalleryUse) ui.Table {
	t := ui.Table{Caption: "Used by", Quiet: true, Columns: []ui.Column{{Label: "Page"}, {Label: "Kind"}, {Label: "Revision", Numeric: true}, {Label: "State"}}}
	for _, u := range uses {
		tone := ui.Info
		if u.IsLive {
			tone = ui.Good
		}
		t.Rows = append(t.Rows, []ui.Cell{{Text: u.Title, Href: usePath(u)}, {Text: u.Kind}, {Text: strconv.Itoa(u.Number)}, {Text: state(u), Badge: true, Tone: tone}})
	}
	return t
}

// addItemForms adds what those may do who may change the gallery.
func addItemForms(c echo.Context, settings *setting.Settings, library *media.Library, p *view.ItemPage, item models.GalleryItem, a itemAnswer) error {
	at := itemPath(item.ID)
	if item.TrashedAt != nil {
		p.Publish = nil
		p.Actions = []ui.Ask{{Link: ui.Link{Label: "Restore the file", Href: at + "/restoration"}, Region: ui.Confirm.Of("restore"), Kind: ui.Primary}}
		return nil
	}
	all, err := library.Folders.List(c.Request().Context())
	if err != nil {
		return err
	}
	in, problems := details{item.Name, item.Alt, item.FolderID}, &page.Problems{}
	if a.details != nil {
		in, problems = *a.details, a.problem
	}
	wrong := problems.Fields
	p.Details = &view.Details{
		Action: at, CSRF: p.CSRF, Problem: problems.Form,
		Name:   ui.Input{Name: "name", Label: "Name", Value: in.Name, Required: true, Hint: "The address keeps working when you rename the file.", Error: wrong["name"]},
		Folder: ui.Select{Name: "folder", Label: "Folder", Value: strconv.FormatInt(in.Folder, 10), Options: folderOptions(all, nil), Error: wrong["folder"]},
	}
	if item.Kind == media.Image {
		p.Details.Alt = &ui.TextArea{Name: "alt", Label: "Description", Value: in.Alt, Rows: 3, Required: true, Hint: "What the image shows, for readers who do not see it.", Error: wrong["alt"]}
	}
	p.Replace = uploadForm(c, settings, at+"/replacement", false)
	p.Replace.CSRF, p.Replace.Problem = p.CSRF, a.upload
	p.Replace.Label, p.Replace.Submit, p.Replace.Hint = "Replace the file", "Replace", "The address stays. Readers get the new file at once."
	if item.Kind == media.Image {
		p.Replace.Accept = media.AcceptedImages()
	}
	if !item.IsPublic {
		p.Publish = &ui.Post{Action: at + "/publication", CSRF: p.CSRF, Label: "Make it public now"}
	}
	p.Actions = []ui.Ask{{Link: ui.Link{Label: "Move to the trash", Href: at + "/trash"}, Region: ui.Confirm.Of("trash"), Kind: ui.Danger}}
	return nil
}

// Save changes the details of an item.
func (h *Handlers) Save(c echo.Context, in details) error {
	id := c.Param("id")
	err := h.Library.Update(c.Request().Context(), actor(c), id, media.Details{Name: in.Name, Alt: in.Alt, FolderID: in.Folder})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderItem(c, status, itemAnswer{details: &in, problem: problems})
		})
	}
	h.Signals.Add(topic, 0)
	return page.Done(c, itemPath(id), "saved")
}

// Replace gives an item new bytes.
func (h *Handlers) Replace(c echo.Context) error {
	if _, err := h.Library.Item(c.Request().Context(), c.Param("id")); err != nil {
		return err
	}
	parts, err := page.Parts(c)
	if err != nil {
		return err
	}
	for range maxParts {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return incomplete(err)
		}
		if part.FormName() != "files" || part.FileName() == "" {
			continue
		}
		added, err := h.Library.Replace(c.Request().Context(), actor(c), c.Param("id"), media.Upload{Name: part.FileName(), Body: part})
		switch {
		case err != nil && isRefusal(err):
			return h.renderItem(c, http.StatusUnprocessableEntity, itemAnswer{upload: fault.As(err).Message})
		case err != nil:
			return incomplete(err)
		case added.Same && added.ID == c.Param("id"):
			return h.renderItem(c, http.StatusUnprocessableEntity, itemAnswer{upload: "The new file has the same bytes as the current one."})
		case added.Same:
			return h.renderItem(c, http.StatusUnprocessableEntity, itemAnswer{upload: fmt.Sprintf("The gallery has this file already as %s. Use that one instead.", added.Name)})
		}
		h.Signals.Add(topic, 0)
		return page.Done(c, itemPath(added.ID), "replaced")
	}
	return h.renderItem(c, http.StatusUnprocessableEntity, itemAnswer{upload: "Choose a file."})
}

// Publish makes an item public before a release uses it.
func (h *Handlers) Publish(c echo.Context) error {
	if err := h.Library.Publish(c.Request().Context(), actor(c), c.Param("id")); err != nil {
		return err
	}
	h.Signals.Add(topic, 0)
	return page.Done(c, itemPath(c.Param("id")), "public")
}
