package threads

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	differenceview "heliograph/views/documentation/difference"
	draftsview "heliograph/views/documentation/drafts"
	view "heliograph/views/documentation/threads"
	"heliograph/views/ui"
)

// commentedHunks is the number of places in a text that have a button to comment.
const commentedHunks = 20

// Region is where a thread stands on a page.
func Region(id int64) ui.Region { return view.ThreadRegion.Of(listing.Plain(id)) }

// Find finds a thread of the change set by the id in a path.
func Find(d desk.Draft, id string) (editorial.Thread, error) {
	for _, t := range d.Threads {
		if listing.Plain(t.ID) == id {
			return t, nil
		}
	}
	return editorial.Thread{}, fault.New(fault.NotFound, "This comment does not exist, or its item was taken out of the change set.")
}

// Shown is a thread on a page, either the item's or the change set's.
func Shown(d desk.Draft, t editorial.Thread, from string, m desk.Moved) view.Thread {
	kind := ""
	for _, c := range d.Changes {
		if c.Item.ID == t.ItemID {
			kind = c.Item.Kind
		}
	}
	shown := view.Thread{Region: Region(t.ID), Excerpt: t.Excerpt, From: from, IsOpen: t.IsOpen(), Mark: ui.Mark{Tone: ui.Warn, Text: "Open"}, Settle: "resolve", SettleLabel: "Resolve"}
	if !t.IsOpen() {
		shown.Mark = ui.Mark{Tone: ui.Good, Text: "Resolved by " + t.ResolvedByName}
		shown.Settle, shown.SettleLabel = "reopen", "Open again"
	}
	if t.Field != "" {
		shown.About.Label = desk.FieldLabel(kind, t.Field)
		if from != "" {
			shown.About.Href = "#field-" + t.Field
		}
	}
	if t.ContractChange != "" {
		shown.About.Label = "Change of the contract"
	}
	switch {
	case t.Outdated && t.ContractChange != "":
		shown.Outdated = "Outdated: the change set does not make this change any more."
	case t.Outdated:
		shown.Outdated = "Outdated: the text was changed after this comment."
	}
	for _, c := range t.Comments {
		shown.Comments = append(shown.Comments, view.Remark{Who: c.AuthorName, When: desk.TalkTime(c.CreatedAt), Ago: listing.Ago(c.CreatedAt, time.Now()), Text: desk.Prose(c.Text)})
	}
	if d.May(editorial.MoveComment) {
		shown.Action = desk.DraftPath(d.Set.ID) + "/threads/" + listing.Plain(t.ID)
	}
	if m.Move == string(shown.Region) {
		shown.Text, shown.Problem, shown.Error = m.Text, m.Problems.Form, m.Problems.Fields["text"]
	}
	return shown
}

// OpenThreads counts the open threads and links to the first of them.
func OpenThreads(d desk.Draft) (first ui.Link) {
	open := 0
	for _, t := range d.Threads {
		if !t.IsOpen() {
			continue
		}
		if open++; open == 1 {
			first.Href = Region(t.ID).Selector()
		}
	}
	switch open {
	case 0:
	case 1:
		first.Label = "1 open comment"
	default:
		first.Label = strconv.Itoa(open) + " open comments"
	}
	return first
}

// Discuss puts the threads beside what they are about, and the buttons that begin
// others.
func Discuss(d desk.Draft, p *draftsview.DraftPage, m desk.Moved) {
	atRows := map[ui.Region]bool{} // threads that stand beside a change of a contract
	for _, i := range p.Impacts {
		for _, row := range i.Changes {
			for n := range row.Threads {
				row.Threads[n].CSRF = p.CSRF
				atRows[row.Threads[n].Region] = true
			}
		}
	}
	for n := range p.Items {
		i := &p.Items[n]
		at := slices.IndexFunc(d.Changes, func(c models.Change) bool { return desk.ItemAnchor(c.Item.ID) == i.Anchor })
		change := d.Changes[at]
		beside := map[string]*differenceview.Difference{}
		for n := range i.Differences {
			beside[i.Differences[n].Name] = &i.Differences[n]
		}
		for _, t := range d.Threads {
			if t.ItemID != change.Item.ID || atRows[Region(t.ID)] {
				continue
			}
			shown := Shown(d, t, "", m)
			shown.CSRF = p.CSRF
			if field := beside[t.Field]; field != nil {
				field.Threads = append(field.Threads, shown)
				i.Open = i.Open || shown.IsOpen
			} else {
				i.Threads = append(i.Threads, shown)
			}
		}
		if !d.May(editorial.MoveComment) {
			continue
		}
		i.Comment = askComment(d, editorial.Subject{ItemID: change.Item.ID}, "Comment", "on "+i.Label)
		for _, field := range beside {
			askOnField(d, field, editorial.Subject{ItemID: change.Item.ID, Field: field.Name, RevisionID: change.RevisionID})
		}
	}
}

// askComment is the button that begins a thread.
func askComment(d desk.Draft, about editorial.Subject, label, object string) ui.Ask {
	return ui.Ask{Link: ui.Link{Label: label, Href: newThreadPath(d.Set.ID, about)}, Object: object, Region: newThreadRegion(about), Small: true}
}

// askOnField adds the buttons that begin threads on a field and on its lines.
func askOnField(d desk.Draft, field *differenceview.Difference, about editorial.Subject) {
	field.Comment = askComment(d, about, "Comment", "on "+field.Label)
	for n, hunk := range field.Hunks {
		if n == commentedHunks {
			return
		}
		about.From, about.To = changedLines(hunk)
		if about.From == 0 {
			return // all of it was removed
		}
		lines := "lines " + strconv.Itoa(about.From) + " to " + strconv.Itoa(about.To)
		if about.From == about.To {
			lines = "line " + strconv.Itoa(about.From)
		}
		field.Asks = append(field.Asks, askComment(d, about, "Comment on "+lines, "of "+field.Label))
	}
}

// changedLines is the first and the last line that a hunk adds or, if it only
// removes some, that it shows.
func changedLines(hunk []differenceview.DiffLine) (from, to int) {
	for _, kind := range []string{"added", "same"} {
		for _, l := range hunk {
			if l.Kind != kind {
				continue
			}
			from = cmp.Or(from, l.New)
			to = l.New
		}
		if from != 0 {
			return from, to
		}
	}
	return 0, 0
}

// Subjects offers the parts of a change set that a request for changes can be about.
func Subjects(items []draftsview.DraftItem, value string) ui.Select {
	s := ui.Select{Name: "about", Label: "Where", Hint: "The reason begins a comment there, which the author answers or resolves.", Value: value, Options: []ui.Option{{Label: "The whole change set"}}}
	for _, i := range items {
		id := strings.TrimPrefix(i.Anchor, desk.ItemAnchor(0)[:len(desk.ItemAnchor(0))-1])
		s.Options = append(s.Options, ui.Option{Value: id, Label: i.Label})
		for _, field := range i.Differences {
			s.Options = append(s.Options, ui.Option{Value: id + "." + field.Name, Label: i.Label + ": " + field.Label})
		}
	}
	return s
}

// ReadSubject reads an option of subjects.
func ReadSubject(d desk.Draft, value string) (about editorial.Subject, err error) {
	id, field, _ := strings.Cut(value, ".")
	for _, c := range d.Changes {
		if listing.Plain(c.Item.ID) == id {
			return editorial.Subject{ItemID: c.Item.ID, Field: field, RevisionID: c.RevisionID}, nil
		}
	}
	return about, fault.New(fault.Conflict, "The change set does not hold this item any more. Load the page again.")
}

// AsReason names the field of a request for changes in place of a comment's.
func AsReason(err error) error {
	f := fault.As(err)
	if f == nil || len(f.Fields) == 0 {
		return err
	}
	return fault.InvalidFields(fault.Field{Name: "reason", Message: f.Fields[0].Message})
}

// OfItem are the threads on an item in the change set that holds it, the open
// ones first.
func OfItem(c echo.Context, store db.Querier, e desk.Editing) (list []view.Thread, err error) {
	if e.Set.ID == 0 {
		return nil, nil
	}
	ctx := c.Request().Context()
	d := desk.Draft{Editing: e, Set: e.Set}
	if d.Changes, err = queries.ChangeSetItemList(ctx, store, e.Set.ID); err != nil {
		return nil, err
	}
	if d.Threads, err = editorial.Threads(ctx, store, e.Set.ID, d.Changes); err != nil {
		return nil, err
	}
	for _, isOpen := range []bool{true, false} {
		for _, t := range d.Threads {
			if t.ItemID != e.Item.ID || t.IsOpen() != isOpen {
				continue
			}
			shown := Shown(d, t, "item", desk.Moved{Problems: &page.Problems{}})
			shown.CSRF = page.Token(c)
			list = append(list, shown)
		}
	}
	return list, nil
}
