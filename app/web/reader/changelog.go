package reader

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// The sizes of a changelog: entries of a page or a feed, operations that an
// entry names, changes of each of them, and entries of an endpoint's page.
const (
	maxEntries          = 50
	maxEntryChanges     = 30
	maxOperationChanges = 3
	maxEntriesOfOne     = 5
)

// changelog is the changelog that an address names. Version and endpoint narrow
// it; they may be empty.
type changelog struct {
	version  *published.Version
	endpoint string // slug, in any version
	form     string // .atom, .json or .md; empty for the page
}

// entry is a release in the changelog of a product.
type entry struct {
	place
	release published.Release
	report  *compare.Report // with the release or the version before; may be nil
	compare string          // address of the comparison that the entry shows, empty for none
}

// Changelog handles GET /docs/:product/changelog, also with .atom or .json at
// its end. The query may name a version and an endpoint.
func (p *Pages) Changelog(c echo.Context) error {
	s := p.site()
	product, moved := currentProduct(s, c.Param("product"))
	if product == nil || product.ComingSoon {
		return s.missing(c)
	}
	path := c.Request().URL.Path
	form := ""
	for _, ending := range []string{".atom", ".json", reference.TextPath("")} {
		if strings.HasSuffix(path, ending) {
			form = ending
		}
	}
	if moved {
		return redirect(c, http.StatusMovedPermanently, changelogPath(product)+form)
	}
	if err := p.files.take(c.Request().Context(), limit.Client(c.RealIP())); err != nil {
		return err
	}
	asked, err := newChangelog(product, c.QueryParams())
	if err != nil {
		return err
	}
	asked.form = form
	f := newFound(changelogSource{place{product: product}, asked}, form == reference.TextPath(""))
	if form != "" && !f.text {
		f = newFound(feedSource{place{product: product}, asked}, false)
		unlisted(c)
	}
	return p.serve(c, s, f, key{path: path + asked.query()})
}

type changelogSource struct {
	place
	changelog
}

func (src changelogSource) view(ctx context.Context, s *site, _ asked) (page.View, error) {
	list, err := src.entries(ctx, src.product)
	if err != nil {
		return page.View{}, err
	}
	log := newChangelogPage(s, src.product, src.changelog, list)
	return page.View{Frame: log.Page, Body: views.Changelog(log)}, nil
}

func (src changelogSource) markdown(ctx context.Context, s *site, _ choice) (string, error) {
	list, err := src.entries(ctx, src.product)
	return src.text(s, src.product, list), err
}

// newChangelog reads the query of a changelog. An unknown version or endpoint is a
// NotFound fault.
func newChangelog(p *published.Product, query url.Values) (changelog, error) {
	asked := changelog{endpoint: query.Get("endpoint")}
	if slug := query.Get("version"); slug != "" {
		if asked.version = versionMeant(p, slug); asked.version == nil {
			return asked, fault.New(fault.NotFound, "%s has no version %s. Its versions are %s.", p.Name, cutName(slug), versionNames(p.VisibleVersions()))
		}
	}
	if asked.endpoint != "" && !slices.ContainsFunc(p.VisibleVersions(), func(v *published.Version) bool { return v.Operation(asked.endpoint) != nil }) {
		return asked, fault.New(fault.NotFound, "%s has no endpoint %s.", p.Name, cutName(asked.endpoint))
	}
	return asked, nil
}

func changelogPath(p *published.Product) string { return reference.ProductPath(p) + "/changelog" }

// query returns the changelog as the query of an address.
func (l changelog) query() string {
	var list []string
	if l.version != nil {
		list = append(list, "version="+l.version.Slug)
	}
	if l.endpoint != "" {
		list = append(list, "endpoint="+l.endpoint)
	}
	if len(list) == 0 {
		return ""
	}
	return "?" + strings.Join(list, "&")
}

// entries lists the releases of a product, the latest first.
func (l changelog) entries(ctx context.Context, p *published.Product) ([]entry, error) {
	var list []entry
	versions := p.VisibleVersions()
	for i, v := range versions {
		if l.version != nil && l.version != v {
			continue
		}
		history, err := v.History(ctx)
		if err != nil {
			return nil, err
		}
		for _, r := range history {
			e := entry{place: place{p, v}, release: r, report: r.Report}
			if r.Report == nil && i+1 < len(versions) {
				c := comparison{from: versions[i+1], to: v}
				if e.report, err = v.Changes(ctx, c.from); err != nil {
					return nil, err
				}
				e.compare = reference.ComparePath(p) + c.query()
			}
			if l.endpoint == "" || e.of(l.endpoint) != nil {
				list = append(list, e)
			}
		}
	}
	// Days, because versions that are published together begin with the latest.
	slices.SortStableFunc(list, func(a, b entry) int { return dayOf(b.release.PublishedAt).Compare(dayOf(a.release.PublishedAt)) })
	return list[:min(len(list), maxEntries)], nil
}

func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// of returns what a release changed of an endpoint, nil where it changed
// nothing.
func (e entry) of(slug string) *compare.Operation {
	if e.report == nil {
		return nil
	}
	op := e.report.Find(slug, false)
	if op == nil {
		op = e.report.Find(slug, true)
	}
	if op == nil || op.Class == compare.Unchanged {
		return nil
	}
	return op
}

// id is the anchor of an entry, which stays.
func (e entry) id() string { return "release-" + e.version.Slug + "-" + strconv.Itoa(e.release.Number) }

func (e entry) title() string {
	if e.release.Report == nil {
		return "Version " + e.version.Slug + " published"
	}
	return "Version " + e.version.Slug + ", release " + strconv.Itoa(e.release.Number)
}

func (e entry) isBreaking() bool { return e.report != nil && e.report.Levels.Breaking > 0 }

// summary counts what an entry changed, in words.
func (e entry) summary() string {
	if e.report == nil {
		return ui.Counted(len(e.version.Endpoints()), "endpoint", "endpoints") + "."
	}
	c, l := e.report.Endpoints, e.report.Levels
	return fmt.Sprintf("Endpoints and callbacks: %d added, %d removed, %d changed. Changes: %d breaking, %d risky, %d safe, %d of texts.",
		c.Added, c.Removed, c.Changed, l.Breaking, l.Risky, l.Safe, l.Prose)
}

// view returns the entry for a page. With an endpoint it names that alone.
func (e entry) view(endpoint string) views.ChangelogEntry {
	row := views.ChangelogEntry{
		ID: e.id(), Title: e.title(), Published: publishedAt(e.release.PublishedAt), Breaking: e.isBreaking(), Summary: e.summary(),
		Compare: e.compare, More: 0,
	}
	if e.report == nil {
		return row
	}
	for i := range e.report.Operations {
		op := &e.report.Operations[i]
		if op.Class == compare.Unchanged || endpoint != "" && op.Shown().Slug != endpoint {
			continue
		}
		if len(row.Changes) == maxEntryChanges {
			row.More++
			continue
		}
		if change := e.change(op); change.Link.Label != "" {
			row.Changes = append(row.Changes, change)
		} else {
			row.Withdrawn++
		}
	}
	return row
}

// change returns what an entry changed of an operation. It has no label for one
// that no release shows any more: what was withdrawn is counted, not named.
func (e entry) change(op *compare.Operation) views.ChangelogChange {
	row := views.ChangelogChange{Class: classWords[op.Class], Level: levelWords[op.Worst()], Link: ui.Link{Label: op.Shown().Name}}
	if found := e.version.Operation(op.Shown().Slug); found != nil {
		row.Link.Href = e.endpoint(found)
	} else if e.compare != "" {
		row.Link.Href = e.compare + "#" + entryID(op.Shown().Slug)
	} else {
		return views.ChangelogChange{}
	}
	for i, c := range op.Changes {
		if i == maxOperationChanges {
			row.Texts = append(row.Texts, "and "+strconv.Itoa(len(op.Changes)-i)+" more")
			break
		}
		text := c.Title
		if c.Place != "" {
			text += " " + c.Place
		}
		if c.Accepted != "" {
			text += " (why it was necessary: " + c.Accepted + ")"
		}
		row.Texts = append(row.Texts, text)
	}
	return row
}

// newChangelogPage returns the page of a changelog.
func newChangelogPage(s *site, p *published.Product, l changelog, list []entry) views.ChangelogPage {
	view := views.ChangelogPage{
		Page: s.frame(p),
		Atom: changelogPath(p) + ".atom" + l.query(), JSON: changelogPath(p) + ".json" + l.query(),
	}
	view.Crumbs = append(crumbs(p), ui.Link{Label: "Changelog", Current: true})
	view.Title = "Changelog of " + p.Name
	view.Page.Description = "What each release of " + p.Name + " changed, and which changes break programs."
	view.Canonical = s.canonical(p, changelogPath(p)+l.query())
	view.Text, view.Address = reference.TextPath(changelogPath(p))+l.query(), s.url+changelogPath(p)+l.query()
	if l.endpoint != "" || l.version != nil {
		view.All = ui.Link{Label: "All changes of " + p.Name, Href: changelogPath(p)}
	}
	for _, e := range list {
		view.Entries = append(view.Entries, e.view(l.endpoint))
	}
	return view
}

// recent lists the last entries about an operation. Like all of the history, it
// is empty where a version cannot be read.
func (at place) recent(ctx context.Context, op *published.Operation) (links []views.RecentChange) {
	list, err := changelog{endpoint: op.Slug}.entries(ctx, at.product)
	if err != nil {
		return nil
	}
	for _, e := range list[:min(len(list), maxEntriesOfOne)] {
		found := e.of(op.Slug)
		links = append(links, views.RecentChange{
			Link: ui.Link{Label: e.title(), Href: changelogPath(at.product) + "?endpoint=" + op.Slug + "#" + e.id()},
			On:   publishedAt(e.release.PublishedAt), Class: classWords[found.Class], Level: levelWords[found.Worst()],
		})
	}
	return links
}

// updated is the time of the latest entry.
func updated(list []entry) time.Time {
	if len(list) == 0 {
		return time.Unix(0, 0).UTC()
	}
	latest := slices.MaxFunc(list, func(a, b entry) int { return a.release.PublishedAt.Compare(b.release.PublishedAt) })
	return latest.release.PublishedAt.UTC()
}
