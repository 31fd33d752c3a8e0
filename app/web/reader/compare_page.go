package reader

import (
	"fmt"
	"strings"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// maxNamed is the number of unchanged fields that one endpoint names. The JSON
// form names all.
const maxNamed = 300

// levelWords are the levels as pages name them, with their tones.
var levelWords = map[compare.Level]views.Badge{
	compare.Breaking: {Tone: ui.Bad, Label: "Breaking"}, compare.Risky: {Tone: ui.Warn, Label: "Risky"},
	compare.Safe: {Tone: ui.Good, Label: "Safe"}, compare.Prose: {Label: "Text"},
}

var classWords = map[compare.Class]views.Badge{
	compare.Added: {Tone: ui.Good, Label: "Added"}, compare.Removed: {Tone: ui.Bad, Label: "Removed"},
	compare.Changed: {Tone: ui.Info, Label: "Changed"}, compare.Unchanged: {Label: "Unchanged"},
}

// newComparePage returns the page of a comparison. The report is nil if there
// is none.
func newComparePage(s *site, p *published.Product, a comparison, r *compare.Report) views.ComparePage {
	view := views.ComparePage{
		Page: s.frame(p),
		Name: p.Name, Action: reference.ComparePath(p),
	}
	view.Crumbs = append(crumbs(p), ui.Link{Label: "Compare", Current: true})
	view.Title = "Compare versions of " + p.Name
	view.Page.Description = "What differs between two versions of " + p.Name + ", and what breaks."
	view.From, view.To = versionSelect("from", p, a.from), versionSelect("to", p, a.to)
	if r == nil {
		return view
	}
	view.Title = fmt.Sprintf("%s: changes from %s to %s", p.Name, a.from.Slug, a.to.Slug)
	view.Heading = fmt.Sprintf("From %s to %s", a.from.Slug, a.to.Slug)
	view.Canonical = s.canonical(p, comparison{from: a.from, to: a.to}.address(p, ""))
	view.Text = comparison{from: a.from, to: a.to}.address(p, reference.TextPath(""))
	view.JSON = comparison{from: a.from, to: a.to}.address(p, ".json")
	view.Address = s.url + reference.ComparePath(p) + a.query() // with its versions, because the latest one changes
	view.Swap = ui.Link{Label: "Swap", Href: reference.ComparePath(p) + comparison{a.to, a.from, a.level, a.class}.query()}
	view.Hidden = []ui.Link{{Label: "level", Href: a.level}, {Label: "class", Href: a.class}}
	view.Filters = compareFilters(p, a, r)
	view.Sums = compareSums(r)
	c := comparing{s, p, a}
	for i := range r.Operations {
		c.add(&view, &r.Operations[i])
	}
	if a.class == "" {
		view.General = c.changes(nil, r.General)
	}
	view.Shared = share(&view)
	view.Same = a.from == a.to
	view.Open = a.level == string(compare.Prose)
	view.Incomplete = r.Incomplete
	return view
}

// versionSelect chooses a version of a product.
func versionSelect(name string, p *published.Product, chosen *published.Version) ui.Select {
	choose := ui.Select{Name: name, Label: map[string]string{"from": "From", "to": "To"}[name]}
	for _, v := range p.VisibleVersions() {
		choose.Options = append(choose.Options, ui.Option{Value: v.Slug, Label: v.Slug + ", " + v.Label})
		if v == chosen {
			choose.Value = v.Slug
		}
	}
	return choose
}

// compareFilters narrow a comparison, each by one parameter.
func compareFilters(p *published.Product, a comparison, r *compare.Report) []views.SearchFilter {
	levels := views.SearchFilter{Label: "Level", Choices: []ui.Link{{Label: "All"}}}
	for _, level := range compare.Levels {
		levels.Choices = append(levels.Choices, ui.Link{Label: fmt.Sprintf("%s %d", levelWords[level].Label, r.Levels.Of(level)), Href: string(level)})
	}
	classes := views.SearchFilter{Label: "Endpoints", Choices: []ui.Link{{Label: "All"}}}
	for _, class := range compare.Classes {
		classes.Choices = append(classes.Choices, ui.Link{Label: fmt.Sprintf("%s %d", classWords[class].Label, r.Endpoints.Of(class)), Href: string(class)})
	}
	for i, l := range levels.Choices {
		to := comparison{a.from, a.to, l.Href, a.class}
		levels.Choices[i] = ui.Link{Label: l.Label, Href: reference.ComparePath(p) + to.query(), Current: l.Href == a.level}
	}
	for i, l := range classes.Choices {
		to := comparison{a.from, a.to, a.level, l.Href}
		classes.Choices[i] = ui.Link{Label: l.Label, Href: reference.ComparePath(p) + to.query(), Current: l.Href == a.class}
	}
	return []views.SearchFilter{levels, classes}
}

func compareSums(r *compare.Report) []string {
	words := func(noun string, c compare.Count) string {
		return fmt.Sprintf("%s: %d added, %d removed, %d changed, %d unchanged", noun, c.Added, c.Removed, c.Changed, c.Unchanged)
	}
	return []string{words("Endpoints and callbacks", r.Endpoints), words("Fields", r.Fields)}
}

// comparing makes the rows of a comparison.
type comparing struct {
	site    *site
	product *published.Product
	comparison
}

// add adds an operation to the page if the filters show it.
func (c comparing) add(view *views.ComparePage, op *compare.Operation) {
	if c.class != "" && string(op.Class) != c.class {
		return
	}
	row := views.ComparedOperation{
		ID: entryID(op.Shown().Slug), Method: op.Shown().Method, Class: classWords[op.Class],
		Link: ui.Link{Label: op.Shown().Name, Href: c.page(op)},
	}
	if op.Class == compare.Unchanged {
		if c.level == "" {
			view.Unchanged = append(view.Unchanged, row)
		}
		return
	}
	if row.Changes = c.changes(op, op.Changes); len(row.Changes) == 0 {
		return
	}
	row.Same = ui.Counted(op.Fields.Unchanged, "unchanged field", "unchanged fields")
	for _, place := range op.UnchangedFields[:min(maxNamed, len(op.UnchangedFields))] {
		row.Fields = append(row.Fields, ui.Link{Label: place, Href: fieldHref(c.page(op), place)})
	}
	row.More = len(op.UnchangedFields) - len(row.Fields)
	if op.Callback {
		view.Callbacks = append(view.Callbacks, row)
		return
	}
	view.Operations = append(view.Operations, row)
}

// page returns the path of the page of an operation, in the newer version if
// that has it.
func (c comparing) page(op *compare.Operation) string {
	if op.After != nil {
		return place{c.product, c.to}.path() + "/" + op.After.Slug
	}
	return place{c.product, c.from}.path() + "/" + op.Before.Slug
}

// changes makes the rows of changes with the level that the reader chose.
func (c comparing) changes(op *compare.Operation, list []compare.Change) (rows []views.ComparedChange) {
	for _, change := range list {
		if c.level != "" && string(change.Level) != c.level {
			continue
		}
		row := views.ComparedChange{
			ID: changeID(change), Title: change.Title, Level: levelWords[change.Level], Place: change.Place,
			IsProse: change.Level == compare.Prose, Reason: change.Reason, Advice: change.Advice, Schema: change.Schema, Accepted: change.Accepted,
		}
		row.Before, row.After = values(change.Before, change.After)
		if op != nil && change.Place != "" {
			row.Sides = c.sides(op, change)
		}
		rows = append(rows, row)
	}
	return rows
}

// sides links to a field in the versions that have it.
func (c comparing) sides(op *compare.Operation, change compare.Change) (links []ui.Link) {
	if op.Before != nil && change.Class != compare.Added {
		links = append(links, ui.Link{Label: c.from.Slug, Href: place{c.product, c.from}.path() + "/" + op.Before.Slug + askField(change.Place)})
	}
	if op.After != nil && change.Class != compare.Removed {
		links = append(links, ui.Link{Label: c.to.Slug, Href: place{c.product, c.to}.path() + "/" + op.After.Slug + askField(change.Place)})
	}
	return links
}

// changeID returns the id of a change's row.
func changeID(c compare.Change) string { return "change-" + strings.ToLower(c.Fingerprint) }
