package gallery

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	view "heliograph/views/gallery"
	"heliograph/views/ui"
)

// changes limits how often the note changes.
var changes = limit.Limit{Name: "gallery", Burst: 5, Period: time.Minute}

// noteForm is the form of the note as it was sent. The zero form was not sent.
type noteForm struct {
	Text     string `form:"text"`
	Base     int    `form:"base"`
	problems *page.Problems
	conflict bool
}

// SaveNote saves the note, unless somebody else saved it meanwhile.
func (h *Handlers) SaveNote(c echo.Context, form noteForm) error {
	err := h.Limiter.Take(c.Request().Context(), changes, c.RealIP())
	if err == nil {
		err = h.save(strings.TrimSpace(form.Text), form.Base)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			form.problems, form.conflict = problems, status == http.StatusConflict
			return h.render(c, status, page.View{}, form)
		})
	}
	if !page.WantsFragment(c) {
		return page.SeeOther(c, path)
	}
	var v page.View
	v.Frame.Done = "The note is saved."
	return h.render(c, http.StatusOK, v, noteForm{problems: &page.Problems{}})
}

// SaveElsewhere changes the note as another person would.
func (h *Handlers) SaveElsewhere(c echo.Context) error {
	h.mu.Lock()
	h.revision++
	h.note = "Changed by somebody else, revision " + strconv.Itoa(h.revision)
	h.mu.Unlock()
	if !page.WantsFragment(c) {
		return page.SeeOther(c, path)
	}
	return c.NoContent(http.StatusNoContent)
}

// save stores a text that was written on the base of a revision.
func (h *Handlers) save(text string, base int) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case text == "":
		return fault.InvalidFields(fault.Field{Name: "text", Message: "Enter a note."})
	case base != h.revision:
		return fault.New(fault.Conflict, "Somebody else changed the note. Save again to replace their text.")
	}
	h.note, h.revision = text, h.revision+1
	return nil
}

// noteView returns the form, as it was sent if it was refused. After a conflict
// its base is the revision that it would replace.
func (h *Handlers) noteView(csrf string, sent noteForm) view.Note {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := view.Note{
		Action: path + "/note", CSRF: csrf, Base: strconv.Itoa(h.revision), Problem: sent.problems.Form,
		Text:      ui.Input{Name: "text", Label: "Note", Value: h.note, Required: true, Error: sent.problems.Fields["text"]},
		Elsewhere: ui.Post{Action: path + "/note/elsewhere", CSRF: csrf, Label: "Change the note as somebody else"},
	}
	if sent.problems.Form == "" && len(sent.problems.Fields) == 0 {
		return n
	}
	n.Text.Value = sent.Text
	if sent.conflict {
		n.Theirs = h.note
	} else {
		n.Base = strconv.Itoa(sent.Base)
	}
	return n
}
