package importing

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/documentation/importing"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/importing"
	"heliograph/views/ui"
)

// rows is how many imports the list shows at once.
const rows = 50

// Show lists the imports.
func (h *Handlers) Show(c echo.Context) error {
	asked, err := page.Ask[struct {
		Before int64 `query:"before"`
	}](c)
	if err != nil {
		return err
	}
	user, editor := page.User(c), int64(0)
	if user.Role == identity.Editor {
		editor = user.ID
	}
	list, err := queries.ImportListNewest(c.Request().Context(), h.DB, editor, asked.Before, rows+1)
	if err != nil {
		return err
	}
	p := view.ListPage{Frame: frame(c, "Imports"), Lead: "API descriptions that were brought in: OpenAPI, Swagger and Postman. Each becomes a change set, which is reviewed before readers see it."}
	p.Done = done[c.QueryParam("done")]
	if mayImport(c) {
		p.New = ui.Link{Label: "Bring your API in", Href: Path + "/new"}
		p.Links = []ui.Link{{Label: "Watched addresses and tokens", Href: automation}}
	}
	p.List = listing(list[:min(len(list), rows)])
	if p.List.Empty.Next = p.New; asked.Before != 0 {
		p.List.First = ui.Link{Label: "Newest imports", Href: Path}
	}
	if len(list) > rows {
		p.List.Table.Rest.Link = ui.Link{Label: "Older imports", Href: Path + "?before=" + strconv.FormatInt(list[rows-1].ID, 10)}
	}
	p.List.Live = page.Refresh(c, ui.List, rule.Topic)
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.List(p)})
}

var done = map[string]string{
	"cancelled": "The import is cancelled.", "discarded": "The import is discarded.", "watched": "The address is watched. It is read within a minute.",
	"unwatched": "The address is no longer watched.", "revoked": "The token no longer works.",
}

func listing(list []models.Import) ui.Listing {
	l := ui.Listing{
		Table: ui.Table{Caption: "Imports", Columns: []ui.Column{{Label: "Document", Lead: true}, {Label: "State"}, {Label: "Goes into"}, {Label: "Changes"}, {Label: "Findings", Numeric: true}, {Label: "By"}, {Label: "Time"}}},
		Empty: ui.EmptyState{Title: "Bring your API in", Text: "Import an OpenAPI, Swagger or Postman document. The portal reads it, shows what it found, and makes pages, samples and a mock server from it."},
	}
	for _, i := range list {
		name := ui.Cell{Text: nameOf(i), Href: importPath(i.ID)}
		if i.Format != "" {
			name.Note = i.Format + " " + i.FormatVersion
		}
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			name, badge(i), {Text: i.ProductName + " " + i.VersionSlug}, {Text: changes(i)}, {Text: findingCount(i)}, {Text: by(i)}, when(i.CreatedAt),
		})
	}
	return l
}

// by names who brought an import in.
func by(i models.Import) string {
	name := i.CreatorName
	switch {
	case i.WatchID != 0:
		return strings.TrimSpace(name + " (watched address)")
	case i.Source == models.ImportWatch:
		return "Watched address"
	case i.Source == models.ImportAPI:
		return strings.TrimSpace(name + " (by a program)")
	}
	return name
}

func findingCount(i models.Import) string {
	if i.Format == "" {
		return "–"
	}
	return strconv.Itoa(i.FindingCount)
}

// changes sums up what an import changes.
func changes(i models.Import) string {
	var parts []string
	for _, n := range []struct {
		count int
		word  string
	}{{i.Added, "added"}, {i.Changed, "changed"}, {i.Removed, "removed"}} {
		if n.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.count, n.word))
		}
	}
	if len(parts) == 0 {
		return "–"
	}
	return strings.Join(parts, ", ")
}
