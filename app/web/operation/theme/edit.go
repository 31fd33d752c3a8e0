package theme

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	rule "heliograph/app/operation/theme"
	"heliograph/app/web/page"
	view "heliograph/views/operation/theme"
	"heliograph/views/ui"
)

func itoa(n int) string { return strconv.Itoa(n) }

// edit is what a page of a surface shows.
type edit struct {
	surface  rule.Surface
	draft    rule.Draft
	document rule.Document // as it was typed
	links    [2]string     // likewise
	offers   []rule.Problem
	problems *page.Problems
	of       string // the page of the preview
}

// Show shows the theme of a surface.
func (h *Handlers) Show(c echo.Context, e edit) error {
	return h.render(c, http.StatusOK, e, "")
}

// Load returns the draft of the surface in the address.
func (h *Handlers) Load(c echo.Context) (e edit, err error) {
	if e.surface, err = rule.ParseSurface(c.Param("surface")); err != nil {
		return e, err
	}
	if e.draft, err = h.Themes.Load(c.Request().Context(), e.surface); err != nil {
		return e, err
	}
	e.document, e.problems = e.draft.Document, &page.Problems{}
	e.links = [2]string{rule.WriteLinks(e.document.Brand.Links), rule.WriteLinks(e.document.Brand.FooterLinks)}
	e.of = c.QueryParam("of")
	return e, nil
}

// Save stores the draft, after taking a finished theme or an offered colour if a button
// says so.
func (h *Handlers) Save(c echo.Context) error { return h.save(c, false) }

// Try stores the draft while the form is filled in, and shows its preview.
func (h *Handlers) Try(c echo.Context) error { return h.save(c, true) }

func (h *Handlers) save(c echo.Context, isTrial bool) error {
	e, err := h.Load(c)
	if err != nil {
		return err
	}
	if err := page.Bind(c, &struct{}{}); err != nil {
		return err
	}
	form := c.Request().PostForm
	e.read(form)
	if !isTrial {
		if err = h.upload(c, &e.document.Brand, form); err == nil {
			err = e.press(form)
		}
	}
	base, _ := strconv.Atoi(form.Get("version"))
	if err == nil {
		_, err = h.Themes.Save(c.Request().Context(), e.surface, e.document, base, author(c))
	}
	region := ui.Region("")
	if isTrial {
		region = view.TrialRegion()
	}
	if err != nil {
		e.offers = contrastProblems(err, e.document)
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			e.problems = problems
			return h.render(c, status, e, region)
		})
	}
	if !isTrial {
		return page.SeeOther(c, address(e.surface)+"?of="+url.QueryEscape(e.of)+"&done=saved")
	}
	typed := e
	if e, err = h.Load(c); err != nil {
		return err
	}
	e.of = typed.of
	return h.render(c, http.StatusOK, e, region)
}

// contrastProblems returns what the offers are for, if the error is about contrasts.
func contrastProblems(err error, d rule.Document) []rule.Problem {
	f := fault.As(err)
	if f == nil || !slices.ContainsFunc(f.Fields, func(field fault.Field) bool { return field.Code == "contrast" }) {
		return nil
	}
	return d.Check()
}

// read takes the document from a form.
func (e *edit) read(form url.Values) {
	d := rule.Document{Radius: form.Get("radius"), Density: form.Get("density"), Text: form.Get("text"), Mono: form.Get("mono")}
	for _, s := range rule.Schemes {
		for _, v := range rule.Variables {
			if text := strings.TrimSpace(form.Get(string(s) + "." + v.Name)); text != "" {
				d = d.With(s, v.Name, text)
			}
		}
	}
	e.links = [2]string{form.Get("links"), form.Get("footer_links")}
	d.Brand = rule.Brand{
		Name: form.Get("name"), Footer: form.Get("footer"), Links: rule.ParseLinks(e.links[0]), FooterLinks: rule.ParseLinks(e.links[1]),
		Logo: form.Get("logo"), LogoDark: form.Get("logo_dark"), Icon: form.Get("icon"), IconDark: form.Get("icon_dark"),
	}
	e.document, e.of = d, form.Get("of")
}

// press does what the button says that sent a form.
func (e *edit) press(form url.Values) error {
	if name := form.Get("preset"); name != "" {
		preset, ok := rule.FindPreset(name)
		if !ok {
			return fault.New(fault.Invalid, "There is no finished theme %q.", name)
		}
		preset.Brand = e.document.Brand
		e.document = preset
	}
	switch take := form.Get("take"); take {
	case "":
	case "all":
		fixed, err := e.document.Repair()
		if err != nil {
			return err
		}
		e.document = fixed
	default:
		field, value, _ := strings.Cut(take, "=")
		scheme, name, _ := strings.Cut(field, ".")
		if !slices.Contains(rule.Schemes, rule.Scheme(scheme)) {
			return fault.New(fault.Invalid, "The button names no colour. Load the page again.")
		}
		e.document = e.document.With(rule.Scheme(scheme), name, value)
	}
	return nil
}

// upload stores the pictures of a form, and removes those that were unchecked.
func (h *Handlers) upload(c echo.Context, b *rule.Brand, form url.Values) error {
	for _, p := range pictures(b) {
		if form.Get(p.name+"_remove") != "" {
			*p.value = ""
		}
		if id := form.Get(p.name + "_gallery"); id != "" {
			taken, err := takePicture(c.Request().Context(), h.Gallery, h.Themes, p.name, id)
			if err != nil {
				return err
			}
			*p.value = taken
		}
		header, err := c.FormFile(p.name + "_file")
		if err != nil || header.Size == 0 {
			continue // none was chosen
		}
		body, err := readFile(header, rule.MaxPicture)
		if err != nil {
			return err
		}
		if *p.value, err = h.Themes.Upload(c.Request().Context(), p.name, body); err != nil {
			return err
		}
	}
	return nil
}

// pictureField is a picture of a brand.
type pictureField struct {
	name, label, hint string
	value             *string
	dark              bool
}

func pictures(b *rule.Brand) []pictureField {
	return []pictureField{
		{"logo", "Logo", "PNG or SVG, shown 32 pixels high. It stands in for the mark and the name.", &b.Logo, false},
		{"logo_dark", "Logo for dark", "For dark grounds. Empty is the same logo.", &b.LogoDark, true},
		{"icon", "Icon", "Square, for the tab of the browser.", &b.Icon, false},
		{"icon_dark", "Icon for dark", "For dark browsers. Empty is the same icon.", &b.IconDark, true},
	}
}
