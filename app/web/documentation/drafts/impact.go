package drafts

import (
	"context"
	"slices"
	"strconv"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/editorial"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/threads"
	"heliograph/app/web/listing"
	"heliograph/db"
	view "heliograph/views/documentation/drafts"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// shownChanges is the number of changes of a level that the page of a change set
// lists.
const shownChanges = 60

var levelMarks = map[compare.Level]ui.Mark{
	compare.Breaking: {Tone: ui.Bad, Text: "Breaking"}, compare.Risky: {Tone: ui.Warn, Text: "Risky"}, compare.Safe: {Tone: ui.Good, Text: "Safe"},
}

// addImpacts shows what a change set does to the contracts of versions.
func addImpacts(ctx context.Context, store db.Querier, d desk.Draft, p *view.DraftPage, m desk.Moved) error {
	list, err := editorial.Impacts(ctx, store, d.Changes)
	if err != nil {
		return err
	}
	for _, i := range list {
		levels := i.Report.Levels
		shown := view.Impact{Title: "Contract of version " + i.Version,
			Note: strconv.Itoa(levels.Breaking) + " breaking, " + strconv.Itoa(levels.Risky) + " risky and " + strconv.Itoa(levels.Safe) + " safe changes against what is published."}
		if levels.Breaking > 0 && i.NeedsReason() {
			shown.Note += " The version is Current: each breaking change needs a reason before it is published."
		}
		if open := len(i.Unexplained()); open > 0 && d.Set.AuthorID != 0 {
			p.Checks = slices.DeleteFunc(p.Checks, func(f view.Finding) bool { return f.Tone == ui.Good })
			p.Checks = append(p.Checks, view.Finding{Tone: ui.Bad, Text: "Breaking changes to version " + i.Version + " need a reason: " + strconv.Itoa(open) + "."})
		}
		for _, level := range []compare.Level{compare.Breaking, compare.Risky, compare.Safe} {
			for n, c := range i.Changes(level) {
				if n == shownChanges {
					break
				}
				shown.Changes = append(shown.Changes, contractRow(d, p, i, c, m))
			}
		}
		if len(shown.Changes) > 0 {
			p.Impacts = append(p.Impacts, shown)
		}
	}
	return nil
}

func contractRow(d desk.Draft, p *view.DraftPage, i editorial.Impact, c editorial.ContractChange, m desk.Moved) view.ContractChange {
	row := view.ContractChange{Mark: levelMarks[c.Level], Title: c.Title, Place: c.Place, Before: c.Before, After: c.After, Reason: c.Change.Reason + " " + c.Advice}
	if c.Operation != nil {
		shown := c.Operation.Shown()
		row.Call = shown.Method + " " + shown.Path
	}
	threads.DiscussChange(d, &row, i, c, m)
	if c.Level != compare.Breaking || !i.NeedsReason() {
		return row
	}
	accepted, known := i.Accepted[c.Fingerprint]
	if known {
		row.Accepted = accepted.AcceptedBy + " accepted it: " + accepted.Reason
	}
	if !d.May(editorial.MoveAccept) {
		return row
	}
	name := "accept-" + c.Fingerprint
	wrong := wrongOf(d, m, name)
	text := accepted.Reason
	if m.Move == name {
		text = m.Text
	}
	row.Form = forms.Form{
		Name: name, Action: desk.DraftPath(d.Set.ID) + "/accept", CSRF: p.CSRF, Problem: wrong.form, Quiet: true, Submit: "Keep the reason",
		Hidden: []ui.Pair{{Key: "version", Value: listing.Plain(i.VersionID)}, {Key: "fingerprint", Value: c.Fingerprint}},
		Areas: []ui.TextArea{{
			Name: "reason", ID: name, Label: "Why this change is necessary", Hint: "Readers see this with the change.", Value: text,
			Rows: 2, Required: true, Error: wrong.fields["reason"],
		}},
	}
	return row
}
