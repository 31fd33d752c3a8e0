package reader

import (
	"context"
	"strings"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// maxPast is the number of versions that the history of an endpoint goes back.
const maxPast = 5

// maxPastFields is the number of fields with a history at which no older version
// is read.
const maxPastFields = 2000

// past is the history of an operation in the versions up to one of them.
type past struct {
	since   ui.Link // the version that added it; without Href for the oldest one
	changed ui.Link // this version, if it changed the operation
	fields  map[string]views.Since
	lacks   map[string]ui.Link // entries about fields of other versions
}

// pastOf compares an operation with the versions before. It is empty for a
// product with one version, and where a version cannot be read: the page of an
// endpoint needs no history.
func pastOf(ctx context.Context, at place, op *published.Operation) past {
	versions := at.product.VisibleVersions()
	p := past{fields: map[string]views.Since{}, lacks: map[string]ui.Link{}}
	if len(versions) < 2 {
		return p
	}
	p.near(ctx, at, op)
	newer := at
	for _, v := range versions {
		if !isOlder(v, newer.version, versions) || len(p.fields) > maxPastFields {
			continue
		}
		if versionsBetween(v, at.version, versions) > maxPast {
			break
		}
		report, err := newer.version.Changes(ctx, v)
		if err != nil {
			return past{}
		}
		c := comparison{from: v, to: newer.version}
		if found := report.Find(op.Slug, false); found != nil {
			p.add(at, newer, found, c)
			p.lack(at, found, c, compare.Removed)
			if found.Class == compare.Added {
				p.since = ui.Link{Label: newer.version.Slug, Href: at.entry(c, found)}
				return p
			}
		}
		newer, op = place{at.product, v}, v.Twin(op)
		if op == nil {
			return p
		}
	}
	p.since = ui.Link{Label: newer.version.Slug}
	return p
}

// isOlder reports whether a version comes after another in a list that has the
// latest first.
func isOlder(v, than *published.Version, list []*published.Version) bool {
	return versionsBetween(v, than, list) > 0
}

func versionsBetween(older, newer *published.Version, list []*published.Version) int {
	n := 0
	for i, v := range list {
		if v == newer {
			n -= i
		}
		if v == older {
			n += i
		}
	}
	return n
}

// add records what one version changed.
func (p *past) add(at, newer place, op *compare.Operation, c comparison) {
	matters := op.Levels.Breaking+op.Levels.Risky+op.Levels.Safe > 0
	if newer.version == at.version && op.Class == compare.Changed && matters {
		p.changed = ui.Link{Label: newer.version.Slug, Href: at.entry(c, op)}
	}
	for _, change := range op.Changes {
		if change.Place == "" || change.Level == compare.Prose {
			continue
		}
		link := ui.Link{Label: newer.version.Slug, Href: reference.ComparePath(at.product) + c.query() + "#" + changeID(change)}
		row := p.fields[change.Place]
		switch {
		case change.Class == compare.Added && strings.HasSuffix(change.Kind, "-value-added"):
			row.Changed = later(row.Changed, link)
		case change.Class == compare.Added:
			row.Since = link
		case change.Class == compare.Changed || strings.HasSuffix(change.Kind, "-value-removed"):
			row.Changed = later(row.Changed, link)
		}
		p.fields[change.Place] = row
	}
}

// later keeps the link of the later version, which comes first.
func later(known, link ui.Link) ui.Link {
	if known.Exists() {
		return known
	}
	return link
}

// entry returns the address of an operation in a comparison.
func (at place) entry(c comparison, op *compare.Operation) string {
	return reference.ComparePath(at.product) + c.query() + "#" + entryID(op.Shown().Slug)
}

// entryID returns the anchor of an operation in a comparison.
func entryID(slug string) string { return "op-" + slug }

// removal returns the address of the entry about an operation or a field that a
// version lacks, as the comparison of the two versions in their order.
func (at place) removal(other *published.Version, slug string) string {
	c := comparison{from: at.version, to: other}
	if isOlder(other, at.version, at.product.VisibleVersions()) {
		c.from, c.to = other, at.version
	}
	return reference.ComparePath(at.product) + c.query() + "#" + entryID(slug)
}

// near records the fields that the next newer version has and this one lacks.
func (p *past) near(ctx context.Context, at place, op *published.Operation) {
	versions := at.product.VisibleVersions()
	for _, v := range versions {
		if versionsBetween(at.version, v, versions) != 1 {
			continue
		}
		report, err := v.Changes(ctx, at.version)
		if err != nil {
			return
		}
		if found := report.Find(op.Slug, true); found != nil {
			p.lack(at, found, comparison{from: at.version, to: v}, compare.Added)
		}
	}
}

// lack records the fields that one of the versions of a comparison lacks.
func (p *past) lack(at place, op *compare.Operation, c comparison, class compare.Class) {
	for _, change := range op.Changes {
		if change.Class == class && change.Place != "" {
			p.lacks[change.Place] = ui.Link{
				Label: string(class) + " in " + c.to.Slug, Href: reference.ComparePath(at.product) + c.query() + "#" + changeID(change),
			}
		}
	}
}

// entryOf links to the entry about a field that the page lacks, or about the
// field around it.
func (p *past) entryOf(field string) ui.Link {
	for field != "" {
		if link, ok := p.lacks[field]; ok {
			return link
		}
		field = field[:max(0, strings.LastIndexAny(field, ".:"))]
	}
	return ui.Link{}
}
