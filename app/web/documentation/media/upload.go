package media

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/app/operation/setting"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/documentation/media"
	"heliograph/views/ui"
)

// UploadLimit is the most that a form with files may have, in bytes.
const UploadLimit = 4 << 30

const (
	maxFiles = 50
	maxField = 4 << 10 // bytes of a field that is no file
	maxParts = 100
)

func uploadForm(c echo.Context, settings *setting.Settings, action string, multiple bool) *view.Upload {
	u := &view.Upload{Action: action, Label: "Upload files", Submit: "Upload", Accept: media.Accepted(), Multiple: multiple}
	limits, err := settings.Media(c.Request().Context())
	if err == nil {
		size := func(n int64) string { return humanize.IBytes(uint64(n)) }
		u.Hint = fmt.Sprintf("Images up to %s, videos %s, audio %s, documents %s.", size(limits.Image), size(limits.Video), size(limits.Audio), size(limits.Document))
	}
	return u
}

// form is what an upload sends besides its files.
type form struct {
	folder int64
	held   bool
	kind   string // the only one that is taken; empty for all
	image  string // id of an image that is there already
	alt    string
}

// outcome is the result of one file.
type outcome struct {
	name  string
	added media.Added
	err   error
}

// Upload stores the files of a form. Files that are refused do not stop the others.
func (h *Handlers) Upload(c echo.Context) error {
	f, list, err := receiveFiles(c, h.Library, form{})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return h.renderList(c, http.StatusUnprocessableEntity, query{Folder: f.folder}, answer{upload: "Choose one or more files."})
	}
	h.Signals.Add(topic, 0)
	results, err := resultsOf(c, h.Library, list)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if slices.ContainsFunc(list, func(o outcome) bool { return o.err != nil }) {
		status = http.StatusUnprocessableEntity
	}
	return h.renderList(c, status, query{Folder: f.folder}, answer{results: results})
}

// receiveFiles reads a form part by part.
func receiveFiles(c echo.Context, library *media.Library, asked form) (f form, list []outcome, err error) {
	f = asked
	parts, err := page.Parts(c)
	if err != nil {
		return f, nil, err
	}
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return f, list, nil
		case err != nil:
			return f, list, incomplete(err)
		case n == maxParts || len(list) == maxFiles:
			return f, list, fault.New(fault.TooLarge, "Upload at most %d files at once.", maxFiles)
		case part.FormName() == "files":
			if part.FileName() == "" {
				continue // an empty field
			}
			o := storeFile(c, library, part, f)
			if o.err != nil && !isRefusal(o.err) {
				return f, list, incomplete(o.err)
			}
			list = append(list, o)
		default:
			if err := f.read(part); err != nil {
				return f, list, err
			}
		}
	}
}

// read takes a field of the form.
func (f *form) read(part *multipart.Part) error {
	text, err := io.ReadAll(io.LimitReader(part, maxField))
	if err != nil {
		return incomplete(err)
	}
	switch part.FormName() {
	case "folder":
		if f.folder, err = strconv.ParseInt(string(text), 10, 64); err != nil || f.folder < 0 {
			return fault.New(fault.Invalid, "The form is not valid. Load the page again and repeat your change.")
		}
	case "held":
		f.held = string(text) == "true"
	case "image":
		f.image = string(text)
	case "alt":
		f.alt = string(text)
	}
	return nil
}

func storeFile(c echo.Context, library *media.Library, part *multipart.Part, f form) outcome {
	o := outcome{name: part.FileName()}
	o.added, o.err = library.Add(c.Request().Context(), actor(c), media.Upload{Name: part.FileName(), Body: part, FolderID: f.folder, Held: f.held, Kind: f.kind})
	return o
}

// isRefusal reports whether an error is about one file, and the others may go on.
func isRefusal(err error) bool {
	f := fault.As(err)
	return f != nil && (f.Kind == fault.Invalid || f.Kind == fault.TooLarge || f.Kind == fault.Conflict)
}

// incomplete returns the error for a form that ended early.
func incomplete(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case fault.As(err) != nil:
		return err
	case errors.As(err, &tooLarge):
		return fault.New(fault.TooLarge, "The files are too large together. Upload fewer at once.")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, multipart.ErrMessageTooLarge):
		return &fault.Error{Kind: fault.Invalid, Message: "The upload ended before it was complete. Upload the files again; those that arrived are in the gallery.", Err: err}
	}
	return err
}

// resultsOf describes the outcome of an upload.
func resultsOf(c echo.Context, library *media.Library, list []outcome) (*view.Results, error) {
	r := &view.Results{}
	describe := &view.Describe{Action: Path + "/descriptions", CSRF: page.Token(c)}
	added := 0
	for _, o := range list {
		switch {
		case o.err != nil:
			r.Files = append(r.Files, view.Result{Name: o.name, Tone: ui.Bad, Mark: "Refused", Text: fault.As(o.err).Message})
			continue
		case o.added.Same:
			r.Files = append(r.Files, view.Result{
				Name: o.name, Tone: ui.Info, Mark: "Exists",
				Text: "The gallery has the same file as " + o.name + " already. Use this one.",
				Link: ui.Link{Label: o.added.Name, Href: itemPath(o.added.ID)},
			})
		default:
			added++
			r.Files = append(r.Files, view.Result{Name: o.name, Tone: ui.Good, Mark: "Added", Link: ui.Link{Label: o.added.Name, Href: itemPath(o.added.ID)}})
		}
		if o.added.Kind == media.Image {
			item, err := library.Item(c.Request().Context(), o.added.ID)
			if err != nil {
				return nil, err
			}
			if item.Alt == "" {
				describe.Images = append(describe.Images, view.Described{Picture: smallOf(item), Field: ui.Input{
					Name: "alt-" + item.ID, Label: "Description of " + item.Name, Required: true, Value: media.SuggestAlt(item.Name),
				}})
			}
		}
	}
	r.Summary = fmt.Sprintf("%d of %d files added", added, len(list))
	if len(list) == 1 && added == 1 {
		r.Summary = "The file is added"
	}
	if len(describe.Images) > 0 {
		r.Describe = describe
	}
	return r, nil
}

// Describe saves the alternative texts of several images.
func (h *Handlers) Describe(c echo.Context) error {
	var none struct{}
	if err := page.Bind(c, &none); err != nil {
		return err
	}
	describe := &view.Describe{Action: Path + "/descriptions", CSRF: page.Token(c)}
	wrong := false
	for name, values := range c.Request().PostForm {
		if len(name) < 5 || name[:4] != "alt-" {
			continue
		}
		id := name[4:]
		err := h.Library.Describe(c.Request().Context(), actor(c), id, values[0])
		if err != nil && !isRefusal(err) {
			return err
		}
		if err != nil {
			item, gone := h.Library.Item(c.Request().Context(), id)
			if gone != nil {
				return gone
			}
			wrong = true
			describe.Images = append(describe.Images, view.Described{Picture: smallOf(item), Field: ui.Input{
				Name: name, Label: "Description of " + item.Name, Required: true, Value: values[0], Error: fault.As(err).Message,
			}})
		}
	}
	h.Signals.Add(topic, 0)
	if !wrong {
		return page.Done(c, Path, "described")
	}
	slices.SortFunc(describe.Images, func(a, b view.Described) int { return compare(a.Field.Label, b.Field.Label) })
	return h.render(c, http.StatusUnprocessableEntity, answer{results: &view.Results{Summary: "Some images have no description yet", Describe: describe}})
}

// smallOf returns the address of the small size of an image, empty while it is made.
func smallOf(item models.GalleryItem) string {
	if item.SHA256 == "" {
		return ""
	}
	return contentPath(item, media.Small)
}
