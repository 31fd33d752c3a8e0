package theme

import (
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	rule "heliograph/app/operation/theme"
	"heliograph/app/web/page"
	"heliograph/views/ui"
)

func sortedNames(fields map[string]string) []string { return slices.Sorted(maps.Keys(fields)) }

// readFile reads an upload of at most limit bytes, and one more.
func readFile(header *multipart.FileHeader, limit int64) ([]byte, error) {
	file, err := header.Open()
	if err != nil {
		return nil, fmt.Errorf("opening an upload: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was read
	return io.ReadAll(io.LimitReader(file, limit+1))
}

// Publish shows the draft to everybody.
func (h *Handlers) Publish(c echo.Context) error {
	var f struct {
		Version int `form:"version"`
	}
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	return h.change(c, "published", func(s rule.Surface) error {
		return h.Themes.Publish(c.Request().Context(), s, f.Version, author(c))
	})
}

// Discard removes the draft.
func (h *Handlers) Discard(c echo.Context) error {
	return h.change(c, "discarded", func(s rule.Surface) error { return h.Themes.Discard(c.Request().Context(), s) })
}

// change does something with the theme of a surface and shows its page.
func (h *Handlers) change(c echo.Context, word string, do func(s rule.Surface) error) error {
	s, err := rule.ParseSurface(c.Param("surface"))
	if err != nil {
		return err
	}
	if err := do(s); err != nil {
		return h.again(c, err)
	}
	return page.Done(c, address(s), word)
}

// again shows the page of a surface with what went wrong.
func (h *Handlers) again(c echo.Context, err error) error {
	return page.Again(c, err, func(status int, problems *page.Problems) error {
		e, err := h.Load(c)
		if err != nil {
			return err
		}
		e.problems = problems
		return h.render(c, status, e, "")
	})
}

// AskReset asks before the default theme is published.
func (h *Handlers) AskReset(c echo.Context) (*page.Question, error) {
	return h.question(c, "Reset the theme", ui.Question{
		Text:   "The default theme is published, with the default name, pictures and links. The revisions stay, and can be restored. A draft stays too.",
		Action: ui.Post{Label: "Reset to the default", Kind: ui.Danger}, Back: ui.Link{Label: "Keep the theme"},
	})
}

// Reset publishes the default theme.
func (h *Handlers) Reset(c echo.Context) error {
	return h.change(c, "reset", func(s rule.Surface) error { return h.Themes.Reset(c.Request().Context(), s, author(c)) })
}

// AskRestore asks before a revision is published again.
func (h *Handlers) AskRestore(c echo.Context) (*page.Question, error) {
	number, err := revision(c)
	if err != nil {
		return nil, err
	}
	return h.question(c, "Restore revision "+itoa(number), ui.Question{
		Text:   "The revision is published again, for everybody and at once. A draft stays as it is.",
		Action: ui.Post{Label: "Restore the revision", Kind: ui.Primary}, Back: ui.Link{Label: "Keep the theme"},
	})
}

// Restore publishes a revision again.
func (h *Handlers) Restore(c echo.Context) error {
	number, err := revision(c)
	if err != nil {
		return err
	}
	return h.change(c, "restored", func(s rule.Surface) error {
		return h.Themes.Restore(c.Request().Context(), s, number, author(c))
	})
}

func revision(c echo.Context) (int, error) {
	number, err := strconv.Atoi(c.Param("number"))
	if err != nil || number < 1 || number > 1<<30 {
		return 0, fault.New(fault.NotFound, "This revision does not exist.")
	}
	return number, nil
}

func (h *Handlers) question(c echo.Context, title string, q ui.Question) (*page.Question, error) {
	s, err := rule.ParseSurface(c.Param("surface"))
	if err != nil {
		return nil, err
	}
	f := page.AdministrationFrame(c, title, Path).Under(names[s], address(s))
	q.Region = ui.Confirm.Of("theme")
	return &page.Question{Frame: f, Question: q}, nil
}

// Export sends the draft, or the published theme, as a file.
func (h *Handlers) Export(c echo.Context, e edit) error {
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="theme-`+string(e.surface)+`.json"`)
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, rule.Export(e.draft.Document))
}

// Import makes a file the draft.
func (h *Handlers) Import(c echo.Context) error {
	if err := page.Bind(c, &struct{}{}); err != nil {
		return err
	}
	return h.change(c, "imported", func(s rule.Surface) error {
		header, err := c.FormFile("file")
		if err != nil {
			return fault.InvalidFields(fault.Field{Name: "file", Message: "Choose a file."})
		}
		body, err := readFile(header, rule.MaxImport)
		if err != nil {
			return err
		}
		d, err := rule.Import(body)
		if err != nil {
			return err
		}
		draft, err := h.Themes.Load(c.Request().Context(), s)
		if err != nil {
			return err
		}
		_, err = h.Themes.Save(c.Request().Context(), s, d, draft.Version, author(c))
		return err
	})
}
