package drafts

import (
	"strings"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/threads"
	"heliograph/app/web/listing"
	view "heliograph/views/documentation/drafts"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// clockLayout is how a time is typed, in UTC.
const clockLayout = "2006-01-02T15:04"

// offerMoves fills in the moves that the user may make, and why not the others.
func offerMoves(d desk.Draft, p *view.DraftPage, m desk.Moved) {
	if !d.Writes {
		return
	}
	path := desk.DraftPath(d.Set.ID)
	offerPosts(d, p, path)
	if d.May(editorial.MoveRebase) && d.IsOutdated() {
		p.Rebase = ui.Link{Label: "Rebase on what is live", Href: path + "/rebase"}
	}
	offerForms(d, p, path, m)
	offerAsks(d, p, path)
	if d.May(editorial.MoveSplit) && len(d.Changes) > 1 {
		split := ui.Checks{Name: "item", Label: "Items", Hint: "The chosen items go into a change set of their own, in draft.", Error: wrongOf(d, m, "split").fields["item"]}
		for _, c := range d.Changes {
			split.Options = append(split.Options, ui.Option{Value: listing.Plain(c.Item.ID), Label: desk.Label(c.Item, desk.NameOf(c.Content))})
		}
		p.Split = forms.Form{Name: "split", Action: path + "/split", CSRF: p.CSRF, Checks: []ui.Checks{split}, Submit: "Split these items off", Quiet: true, Problem: wrongOf(d, m, "split").form}
	}
	for _, h := range []struct {
		move   editorial.Move
		label  string
		states string
	}{
		{editorial.MoveSubmit, "Submit for review", editorial.StateDraft + editorial.StateChangesRequested},
		{editorial.MoveRequestChanges, "Request changes", editorial.StateInReview},
		{editorial.MoveApprove, "Approve", editorial.StateInReview},
		{editorial.MovePublish, "Publish or schedule", editorial.StateDraft + editorial.StateInReview + editorial.StateChangesRequested},
		{editorial.MoveRebase, "Rebase", outdatedStates(d)},
	} {
		err := editorial.May(d.Actor, d.Set, d.Changes, h.move)
		if f := fault.As(err); f != nil && strings.Contains(h.states, d.Set.State) {
			text := f.Message
			if h.move == editorial.MovePublish {
				text = "It has to be approved first."
			}
			p.Hindered = append(p.Hindered, ui.Pair{Key: h.label, Value: text})
		}
	}
}

// outdatedStates are the states in which a change set needs a rebase.
func outdatedStates(d desk.Draft) string {
	if !d.IsOutdated() {
		return ""
	}
	return editorial.StateDraft + editorial.StateInReview + editorial.StateChangesRequested + editorial.StateApproved + editorial.StateBlocked
}

// mistakes are what is wrong with one of the forms.
type mistakes struct {
	form   string
	fields map[string]string
}

func wrongOf(d desk.Draft, m desk.Moved, move string) mistakes {
	if m.Move != move {
		return mistakes{}
	}
	return mistakes{m.Problems.Form, m.Problems.Fields}
}

// offerPosts adds the moves that need nothing but a press.
func offerPosts(d desk.Draft, p *view.DraftPage, path string) {
	approve := "Approve"
	if d.Set.PracticeOf != 0 {
		approve = "Approve as the practice reviewer"
	}
	for _, o := range []struct {
		move        editorial.Move
		path, label string
		kind        ui.ButtonKind
		values      []ui.Pair
	}{
		{editorial.MoveApprove, "/approve", approve, ui.Primary, []ui.Pair{{Key: "hash", Value: d.Hash()}}},
		{editorial.MoveCancel, "/cancel", "Cancel the schedule", ui.Plain, nil},
		{editorial.MoveWithdraw, "/withdraw", "Take back to draft", ui.Plain, nil},
		{editorial.MoveResume, "/resume", "Continue in a new change set", ui.Plain, nil},
	} {
		if !d.May(o.move) {
			continue
		}
		p.Posts = append(p.Posts, ui.Post{Action: path + o.path, CSRF: p.CSRF, Label: o.label, Kind: o.kind, Values: o.values})
	}
}

// askReasons asks why each blocking check is overridden.
func askReasons(d desk.Draft, m desk.Moved) (list []ui.TextArea) {
	asked := map[string]int{} // place in the list, from one
	for _, f := range d.Quality.Blocking() {
		text := d.Items[f.ItemID].Name + ": " + f.Message
		if at := asked[f.Check]; at > 0 {
			list[at-1].Hint += " " + text
			continue
		}
		list = append(list, ui.TextArea{
			Name: editorial.ReasonField + f.Check, ID: "override-" + f.Check, Label: "Why although this blocks: " + f.Label, Hint: text, Rows: 2, Required: true,
			Value: m.Reasons[f.Check], Error: wrongOf(d, m, "override").fields[editorial.ReasonField+f.Check],
		})
		asked[f.Check] = len(list)
	}
	return list
}

// offerForms adds the moves that need a text or a time.
func offerForms(d desk.Draft, p *view.DraftPage, path string, m desk.Moved) {
	for _, o := range []struct {
		move                           editorial.Move
		name, field, label, hint, text string
		submit                         string
		kind                           ui.ButtonKind
	}{
		{editorial.MoveSubmit, "submit", "summary", "What changes", "One or two sentences for those who review it.", d.Set.Summary, "Submit for review", ui.Primary},
		{editorial.MoveComment, "comment", "reason", "Comment", "", "", "Comment", ui.Plain},
		{editorial.MoveReject, "reject", "reason", "Why it is rejected", "The change set is closed for good. Its revisions stay.", "", "Reject", ui.Danger},
		{editorial.MoveOverride, "override", "reason", "Why it is published without approval", "The reason is kept with the change set and in the audit.", "", "Publish without approval", ui.Danger},
	} {
		isEmpty := len(d.Changes) == 0 && (o.move == editorial.MoveSubmit || o.move == editorial.MoveOverride)
		isNeedless := o.move == editorial.MoveOverride && d.Set.State == editorial.StateApproved && len(d.Quality.Blocking()) == 0
		if !d.May(o.move) || isEmpty || isNeedless {
			continue
		}
		if o.move == editorial.MoveOverride && d.Set.State == editorial.StateApproved {
			o.label, o.submit = "Why it is published all the same", "Publish in spite of the checks"
		}
		asked := o.move == editorial.MoveComment && m.Move == "request-changes"
		if m.Move == o.name || asked {
			o.text = m.Text
		}
		wrong := wrongOf(d, m, o.name)
		if asked {
			wrong = wrongOf(d, m, "request-changes")
		}
		p.Moves = append(p.Moves, forms.Form{
			Name: o.name, Action: path + "/" + o.name, CSRF: p.CSRF, Submit: o.submit, Danger: o.kind == ui.Danger, Quiet: o.kind == ui.Plain, Problem: wrong.form,
			Areas: []ui.TextArea{{Name: o.field, ID: o.name, Label: o.label, Hint: o.hint, Value: o.text, Rows: 3, Required: true, Error: wrong.fields[o.field]}},
		})
		if o.move == editorial.MoveOverride {
			f := &p.Moves[len(p.Moves)-1]
			f.Areas = append(f.Areas, askReasons(d, m)...)
		}
		if o.move == editorial.MoveComment && d.May(editorial.MoveRequestChanges) {
			f := &p.Moves[len(p.Moves)-1]
			f.Also = forms.FormButton{Action: path + "/request-changes", Label: "Request changes"}
			f.Selects = []ui.Select{threads.Subjects(p.Items, m.About)}
		}
	}
	if d.May(editorial.MoveSchedule) {
		at, wrong := d.Set.ScheduledFor, wrongOf(d, m, "schedule")
		in := ui.Input{Name: "scheduled_for", Label: "Publish at (UTC)", Type: "datetime-local", Required: true, Error: wrong.fields["scheduled_for"], Value: m.Text}
		submit := "Schedule the release"
		if !at.IsZero() && d.Set.State == editorial.StateScheduled {
			submit = "Change the time"
			if in.Value == "" {
				in.Value = at.UTC().Format(clockLayout)
			}
		}
		p.Moves = append(p.Moves, forms.Form{Name: "schedule", Action: path + "/schedule", CSRF: p.CSRF, Inputs: []ui.Input{in}, Submit: submit, Quiet: true, Problem: wrong.form})
	}
}

// offerAsks adds the moves that ask first.
func offerAsks(d desk.Draft, p *view.DraftPage, path string) {
	if d.May(editorial.MovePublish) {
		p.Asks = append(p.Asks, ui.Ask{Link: ui.Link{Label: publishLabel(d), Href: path + "/publish"}, Region: ui.Confirm.Of("publish"), Kind: ui.Primary})
	}
	if d.May(editorial.MoveDiscard) {
		p.Discard = ui.Ask{Link: ui.Link{Label: "Discard the change set", Href: path + "/discard"}, Region: ui.Confirm.Of("discard"), Kind: ui.Danger}
	}
}

func publishLabel(d desk.Draft) string {
	return "Publish " + ui.Counted(len(d.Changes), "change", "changes")
}

// readClock reads a time that was typed.
func readClock(text string) (time.Time, error) {
	at, err := time.ParseInLocation(clockLayout, strings.TrimSpace(text), time.UTC)
	if err != nil {
		return at, fault.InvalidFields(fault.Field{Name: "scheduled_for", Message: "Enter a date and a time."})
	}
	return at, nil
}
