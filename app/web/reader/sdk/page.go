package sdk

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/reference"
	generator "heliograph/app/documentation/sdk"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/web/page"
	"heliograph/db/models"
	view "heliograph/views/reader/sdk"
	"heliograph/views/ui"
)

// Show handles GET of the page of a version's libraries, also with .md at its end.
func (h *Handlers) Show(c echo.Context) error {
	version, isText := strings.CutSuffix(c.Param("version"), reference.TextPath(""))
	if isText {
		names, values := c.ParamNames(), c.ParamValues()
		for i, name := range names {
			if name == "version" {
				values[i] = version
			}
		}
		c.SetParamValues(values...)
	}
	at, err := h.Pages.Locate(c)
	if err != nil {
		return err
	}
	if at.Status != 0 {
		to := at.SDKPath()
		if isText {
			to = reference.TextPath(to)
		}
		return c.Redirect(at.Status, to)
	}
	made, err := h.Builds.OfRelease(c.Request().Context(), at.Version.ReleaseID())
	if err != nil {
		return err
	}
	p, err := h.newPage(at.Place, made)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderCacheControl, page.Revalidate)
	if isText {
		return c.Blob(http.StatusOK, "text/markdown; charset=utf-8", []byte(text(h.Pages.Site().URL, p)))
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Show(p)})
}

func (h *Handlers) newPage(at reference.Place, made map[string]models.SDKBuild) (view.Page, error) {
	frame, crumbs := h.Pages.FrameOf(at)
	p := view.Page{Page: frame, Crumbs: append(crumbs, ui.Link{Label: "Client libraries"}), Name: at.Name(), Text: reference.TextPath(at.SDKPath())}
	p.Title = "Client libraries of " + at.Name()
	p.Page.Description = "Download the client library of " + at.Name() + " for Node.js, Python and other languages."
	if !at.Product.Hidden {
		p.Canonical = h.Pages.Site().URL + at.SDKPath()
	}
	for _, l := range builds.Enabled(at.Product.Product) {
		library, changes, err := newLibrary(h.Pages.Site().URL, at, l, made[l.Slug])
		if err != nil {
			return p, err
		}
		p.Libraries = append(p.Libraries, library)
		if len(p.Changes) == 0 {
			p.Changes = changes // the same in each language
		}
	}
	return p, nil
}

func newLibrary(site string, at reference.Place, l *generator.Language, b models.SDKBuild) (v view.Library, changes []view.Change, err error) {
	path := archivePath(at, l)
	folder := generator.Folder(at.Product.Slug, at.Version.Slug, l)
	install, start, syntax := generator.Guide(at.Product.Slug, at.Version.Slug, l)
	shown, err := builds.Shown(b)
	if err != nil {
		return v, nil, fmt.Errorf("reading what pages show of an archive: %w", err)
	}
	v = view.Library{
		ID: l.Slug, Title: l.Title, Href: path, File: folder + ".zip", Needs: generator.Needs(l),
		Download: ui.Code{Title: "Download", Language: "shell", Text: "curl -sSLO " + site + path + "\nunzip -q " + l.Slug + ".zip\n"},
		Install:  ui.Code{Title: "Install", Language: "shell", Text: install},
		Start:    ui.Code{Title: "First program", Language: syntax, Text: start},
	}
	if shown.Start != "" {
		v.Run = ui.Code{Title: "Run the example", Language: "shell", Text: "cd " + folder + "\n" + shown.Run}
		v.Start = ui.Code{Title: shown.Path, Language: syntax, Text: shown.Start}
	}
	for _, c := range shown.Changes {
		day, err := time.Parse(time.DateOnly, c.Date)
		if err != nil {
			return v, nil, fmt.Errorf("reading the date of a change: %w", err)
		}
		changes = append(changes, view.Change{Version: c.Version, Date: reference.Date(day), Lines: c.Lines})
	}
	switch b.State {
	case models.SDKBuilt:
		v.Facts = []ui.Pair{{Key: "Version", Value: b.SDKVersion}, {Key: "Size", Value: size(b.Size)}, {Key: "SHA-256", Value: b.SHA256, Mono: true}}
		if b.EndedAt != nil {
			v.Facts = append(v.Facts, ui.Pair{Key: "Built", Value: reference.Date(*b.EndedAt)})
		}
	case models.SDKFailed:
		v.Problem = "This library could not be made: " + b.Error
	default:
		v.Pending = "It is made when you download it, which may take a few seconds."
	}
	return v, changes, nil
}

// size writes a number of bytes for readers.
func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d kB", max(1, n>>10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// text returns the page as Markdown.
func text(site string, p view.Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Client libraries of %s\n", p.Name)
	for _, l := range p.Libraries {
		fmt.Fprintf(&b, "\n## %s\n\nDownload: %s\n\nIt needs %s and no other package.\n", l.Title, site+l.Href, l.Needs)
		for _, f := range l.Facts {
			fmt.Fprintf(&b, "- %s: %s\n", f.Key, f.Value)
		}
		if l.Problem != "" {
			fmt.Fprintf(&b, "\n%s\n", l.Problem)
		}
		for _, code := range []ui.Code{l.Download, l.Install, l.Run, l.Start} {
			if code.Text == "" {
				continue
			}
			fmt.Fprintf(&b, "\n```%s title=%q\n%s```\n", code.Language, code.Title, code.Text)
		}
	}
	if len(p.Changes) > 0 {
		b.WriteString("\n## Changes\n")
	}
	for _, c := range p.Changes {
		fmt.Fprintf(&b, "\n### %s (%s)\n\n", c.Version, c.Date)
		for _, line := range c.Lines {
			fmt.Fprintf(&b, "- %s\n", line)
		}
		if len(c.Lines) == 0 {
			b.WriteString(view.NoChanges + "\n")
		}
	}
	return b.String()
}
