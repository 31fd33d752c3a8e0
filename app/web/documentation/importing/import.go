package importing

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/compare"
	rule "heliograph/app/documentation/importing"
	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/importing"
	"heliograph/views/ui"
)

// Import shows one import.
func (h *Handlers) Import(c echo.Context, i models.Import) error {
	return h.render(c, http.StatusOK, i, choice{problems: &page.Problems{}})
}

// choice is what somebody chose before the page is shown again.
type choice struct {
	taken    []string // nil for everything
	problems *page.Problems
}

// Find reads the import of the path.
func (h *Handlers) Find(c echo.Context) (i models.Import, err error) {
	id, err := page.ID(c)
	if err != nil {
		return i, err
	}
	if i, err = queries.ImportGet(c.Request().Context(), h.DB, id); db.IsNoRows(err) {
		return i, fault.New(fault.NotFound, "This import does not exist.")
	}
	return i, err
}

func (h *Handlers) render(c echo.Context, status int, i models.Import, chosen choice) error {
	ctx := c.Request().Context()
	s := states[i.State]
	p := view.ImportPage{Frame: frame(c, nameOf(i)), Tone: s.tone, State: s.word, Note: s.note}
	p.Live = view.Region
	p.Up, p.Done = ui.Link{Label: "Imports", Href: Path}, done[c.QueryParam("done")]
	p.Facts = facts(i)
	may := mayImport(c) && h.Rule.May(ctx, desk.Actor(c), i) == nil
	if i.Error != "" {
		p.Error = strings.Split(i.Error, "\n")
	}
	if i.ChangeSetID != 0 {
		p.Set = ui.Link{Label: "Open the change set", Href: setPath(i.ChangeSetID)}
	}
	if i.IsOpen() {
		p.Progress = &view.Progress{Percent: strconv.Itoa(i.Progress), Stage: i.Stage, Live: ui.Refresh(view.Region, importPath(i.ID), rule.Topic)}
		if i.Stage == "" {
			p.Progress.Stage = s.word
		}
		p.Progress.Cancel = ui.Post{Action: importPath(i.ID) + "/cancellation", CSRF: p.CSRF, Label: "Cancel the import"}
	} else if err := h.outcome(ctx, &p, i, chosen); err != nil {
		return err
	}
	if i.State == models.ImportReady && may {
		p.Choice = &view.Choice{Action: importPath(i.ID) + "/acceptance", CSRF: p.CSRF, Label: "Make a change set", Problem: chosen.problems.Form}
		p.Discard = ui.Ask{Link: ui.Link{Label: "Discard the import", Href: importPath(i.ID) + "/discarding"}, Region: ui.Confirm}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Import(p)})
}

// facts lists what is known about what came in.
func facts(i models.Import) []ui.Pair {
	list := []ui.Pair{{Key: "Goes into", Value: i.ProductName + " " + i.VersionSlug}}
	if i.ProductID != 0 {
		list[0].Href = "/admin/products/" + strconv.FormatInt(i.ProductID, 10)
	}
	add := func(key, value string, mono bool) {
		if value != "" {
			list = append(list, ui.Pair{Key: key, Value: value, Mono: mono})
		}
	}
	if i.Format != "" {
		add("Format", i.Format+" "+i.FormatVersion, false)
		add("Document version", i.TitleVersion, false)
	}
	add("File", i.Name, false)
	add("Address", rule.Masked(i.Address), true)
	if i.Size > 0 {
		add("Size", humanize.IBytes(uint64(i.Size)), false) //nolint:gosec // not negative
		add("SHA-256", fmt.Sprintf("%.16x", i.SHA256[:8])+"…", true)
	}
	add("Brought in", when(i.CreatedAt).Text+" by "+by(i), false)
	return list
}

// outcome adds what was read.
func (h *Handlers) outcome(ctx context.Context, p *view.ImportPage, i models.Import, chosen choice) error {
	if len(i.SHA256) > 0 {
		same, err := queries.ImportGetSame(ctx, h.DB, i)
		if err == nil {
			p.Same = ui.Link{Label: "Import of " + when(same.CreatedAt).Text + ": " + strings.ToLower(states[same.State].word), Href: importPath(same.ID)}
		} else if !db.IsNoRows(err) {
			return err
		}
	}
	if i.Format == "" {
		return nil
	}
	rawFindings, rawPlan, err := queries.ImportDetails(ctx, h.DB, i.ID)
	if err != nil {
		return err
	}
	var found []finding.Finding
	var plan prepare.Plan
	if err := json.Unmarshal(rawFindings, &found); err != nil {
		return err
	}
	if err := json.Unmarshal(rawPlan, &plan); err != nil {
		return err
	}
	p.Counts = counts(i)
	p.Notes = notes(i, plan)
	p.Sections = sections(plan, chosen)
	p.Findings = findings(found)
	if plan.More > 0 {
		p.More = fmt.Sprintf("%d more findings are not listed.", plan.More)
	}
	return nil
}

func counts(i models.Import) (list []view.Count) {
	add := func(label string, n int, tone ui.Tone) {
		if n == 0 {
			tone = ""
		}
		list = append(list, view.Count{Label: label, Number: strconv.Itoa(n), Tone: tone})
	}
	add("Operations read", i.Operations, "")
	add("Added", i.Added, ui.Good)
	add("Changed", i.Changed, ui.Warn)
	add("Removed", i.Removed, ui.Bad)
	add("Unchanged", i.Unchanged, "")
	add("Breaking changes", i.Breaking, ui.Bad)
	return list
}

// notes says in sentences what the numbers do not.
func notes(i models.Import, plan prepare.Plan) (list []string) {
	if plan.Sources != i.Operations {
		list = append(list, fmt.Sprintf("The document has %d operations, which make %d endpoints. The findings say why.", plan.Sources, i.Operations))
	}
	if n := len(plan.Kept); n > 0 {
		list = append(list, fmt.Sprintf("Texts and examples that people wrote stay at %d endpoints, where the document says something else: %s.", n, some(plan.Kept)))
	}
	if n := len(plan.Own); n > 0 {
		list = append(list, fmt.Sprintf("%d endpoints that people added stay: %s.", n, some(plan.Own)))
	}
	if plan.Incomplete {
		list = append(list, "The documents are too entangled to be compared to the end. More may differ than is listed.")
	}
	return list
}

func some(names []string) string {
	if len(names) > 5 {
		return strings.Join(names[:5], ", ") + fmt.Sprintf(" and %d more", len(names)-5)
	}
	return strings.Join(names, ", ")
}

var classes = []struct {
	class compare.Class
	title string
	note  string
}{
	{compare.Removed, "Removed", "The document does not have these. What is chosen here is archived with the release."},
	{compare.Changed, "Changed", "What is not chosen stays as it is."},
	{compare.Added, "Added", "What is not chosen is left out."},
	{compare.Unchanged, "Unchanged", ""},
}

// sections groups the operations by what happens to them.
func sections(plan prepare.Plan, chosen choice) (list []view.Section) {
	for _, k := range classes {
		s := view.Section{ID: string(k.class), Note: k.note, Open: k.class != compare.Unchanged, Choosable: k.class != compare.Unchanged}
		for _, o := range plan.Operations {
			if o.Class != k.class {
				continue
			}
			made := view.Operation{Slug: o.Slug, Method: o.Method, Path: o.Path, Name: o.Name, Taken: chosen.taken == nil || slices.Contains(chosen.taken, o.Slug)}
			if n := o.Levels.Breaking; n > 0 && o.Class != compare.Added {
				made.Badge, made.Tone = "Breaking", ui.Bad
			} else if o.Levels.Risky > 0 && o.Class == compare.Changed {
				made.Badge, made.Tone = "Risky", ui.Warn
			}
			for _, c := range o.Changes {
				made.Changes = append(made.Changes, view.Change{Tone: tones[c.Level], Level: string(c.Level), Title: c.Title, Place: c.Place, Before: c.Before, After: c.After})
			}
			if o.More > 0 {
				made.More = fmt.Sprintf("%d more changes", o.More)
			}
			s.Operations = append(s.Operations, made)
		}
		if s.Title = fmt.Sprintf("%s (%d)", k.title, len(s.Operations)); len(s.Operations) > 0 {
			list = append(list, s)
		}
	}
	return list
}

var tones = map[compare.Level]ui.Tone{compare.Breaking: ui.Bad, compare.Risky: ui.Warn, compare.Safe: ui.Good, compare.Prose: ""}

var actions = map[finding.Action]struct {
	word string
	tone ui.Tone
}{
	finding.Dropped: {"Left out", ui.Bad}, finding.Kept: {"Kept as text", ui.Warn}, finding.Repaired: {"Repaired", ui.Info}, finding.Noted: {"Noted", ""},
}

func findings(list []finding.Finding) ui.Table {
	slices.SortStableFunc(list, func(a, b finding.Finding) int {
		return slices.Index(finding.Actions, a.Action) - slices.Index(finding.Actions, b.Action)
	})
	t := ui.Table{
		Caption: fmt.Sprintf("Findings (%d)", len(list)), Quiet: true,
		Columns: []ui.Column{{Label: "What was done"}, {Label: "Line", Numeric: true}, {Label: "Column", Numeric: true}, {Label: "Finding", Lead: true, Plain: true}, {Label: "Place"}},
	}
	for _, f := range list {
		line, column := "–", "–"
		if f.Line > 0 {
			line, column = strconv.Itoa(f.Line), strconv.Itoa(f.Column)
		}
		place := f.Place
		if f.File != "" {
			place = f.File + " " + place
		}
		a := actions[f.Action]
		t.Rows = append(t.Rows, []ui.Cell{{Text: a.word, Badge: true, Tone: a.tone}, {Text: line}, {Text: column}, {Text: f.Message}, {Text: place, Mono: true}})
	}
	return t
}
