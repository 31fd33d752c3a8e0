package admin

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// Draft shows a change set.
func (h *Handlers) Draft(c echo.Context) error {
	d, err := OpenDraft(c, h.DB)
	if err != nil {
		return err
	}
	return h.renderDraft(c, http.StatusOK, d, moved{problems: &page.Problems{}})
}

func (h *Handlers) renderDraft(c echo.Context, status int, d draft, m moved) error {
	ctx := c.Request().Context()
	p := view.DraftPage{Frame: frame(c, clip(d.set.Summary, longestValue), draftsPath), Mark: stateMark(d.set.State), Blocked: d.set.BlockedReason}
	p.Up, p.Done = ui.Link{Label: "Drafts and reviews", Href: draftsPath}, draftDone[c.QueryParam("done")]
	if c.QueryParam("done") == "rebase" {
		p.Done = rebaseDone(c.QueryParam("merged"), c.QueryParam("chosen"))
	}
	p.Note = stateNotes[d.set.State]
	if d.set.PracticeOf != 0 && d.set.State == editorial.StateInReview {
		p.Note = "You approve it yourself, as the practice reviewer."
	}
	if !d.writes {
		p.Note = d.refusal
	}
	if err := orient(ctx, h.DB, d, &p); err != nil {
		return err
	}
	p.Facts = factsOf(d, time.Now())
	p.Talk, p.Request = talkOf(d, time.Now()), requestOf(d.set, d.reviews, time.Now())
	p.Threads, p.Live = openThreads(d), ui.Refresh(ui.Live.Of("threads"), draftPath(d.set.ID), draftsTopic)
	if d.isOpen() {
		p.Presence = presencePath(draftPath(d.set.ID))
	}
	items, err := shownItems(ctx, h.DB, d, c.QueryParam("item"))
	if err != nil {
		return err
	}
	p.Items = items
	if d.isOpen() {
		if err := readQuality(ctx, h.DB, &d); err != nil {
			return err
		}
		p.Quality = qualityOfDraft(d)
		if p.Checks, err = h.checks(ctx, d, p.Items); err != nil {
			return err
		}
		if err := addImpacts(ctx, h.DB, d, &p, m); err != nil {
			return err
		}
	}
	discuss(d, &p, m)
	offerMoves(d, &p, m)
	if m.problems.Form != "" && page.Target(c) != ui.Form.Of(m.move) {
		p.Problem = m.problems.Form
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Draft(p), Region: current(status)})
}

// stateNotes says what happens next with a change set in a state.
var stateNotes = map[string]string{
	editorial.StateDraft:            "Submit it for review when it is complete.",
	editorial.StateInReview:         "Somebody who wrote none of it has to approve it.",
	editorial.StateChangesRequested: "The author has to change it and submit it again.",
	editorial.StateApproved:         "It can be published or scheduled. A change of its content needs another approval.",
	editorial.StateScheduled:        "It is published at its time as it was approved. Drafts that are saved later wait for another release.",
	editorial.StateBlocked:          "Correct the reason, or cancel the schedule.",
	editorial.StatePublished:        "Readers see these changes.",
	editorial.StateRejected:         "It is closed. Its revisions stay in the history of their items.",
	editorial.StateWithdrawn:        "It is closed. Its revisions stay in the history of their items.",
}

func factsOf(d draft, now time.Time) []ui.Pair {
	facts := []ui.Pair{
		{Key: "Change set", Value: plain(d.set.ID)}, {Key: "Product", Value: d.title, Href: productPath(d.set.ProductID)},
		{Key: "Author", Value: authorName(d.set)}, {Key: "Changed", Value: ago(d.set.UpdatedAt, now)},
	}
	if d.set.State == editorial.StateScheduled {
		facts = append(facts, ui.Pair{Key: "To be published", Value: d.set.ScheduledFor.UTC().Format("2 Jan 2006, 15:04 UTC")})
	}
	return facts
}

// verdicts names what was said of a change set.
var verdicts = map[string]view.Mark{
	"comment": {Text: "Comment"}, "changes_requested": {Tone: ui.Warn, Text: "Changes requested"}, "approved": {Tone: ui.Good, Text: "Approved"}, "rejected": {Tone: ui.Bad, Text: "Rejected"},
}

// talkOf lists what was said. An approval of other content than that of now is marked.
func talkOf(d draft, now time.Time) (list []view.Remark) {
	hash := editorial.Hash(d.changes)
	for _, r := range d.reviews {
		mark := verdicts[r.Verdict]
		if r.Verdict == "approved" && d.isOpen() {
			mark.Text = "Approved, and nothing changed since"
			if !bytes.Equal(r.ContentHash, hash) {
				mark = view.Mark{Tone: ui.Warn, Text: "Approved an earlier content"}
			}
		}
		list = append(list, view.Remark{Who: r.ReviewerName, When: talkTime(r.CreatedAt), Ago: ago(r.CreatedAt, now), Mark: mark, Text: prose(r.Reason)})
	}
	return list
}

// liveContents returns what each change is compared with: what is live, or for a
// closed change set what it was written on.
func liveContents(ctx context.Context, store db.Querier, d draft) (map[int64][]byte, error) {
	before := map[int64]int64{}
	var ids []int64
	for _, c := range d.changes {
		id := c.BaseID
		if d.isOpen() {
			id = c.Item.LiveRevisionID
		}
		if id != 0 {
			before[c.Item.ID] = id
			ids = append(ids, id)
		}
	}
	contents, err := queries.RevisionContentList(ctx, store, ids)
	if err != nil {
		return nil, err
	}
	found := map[int64][]byte{}
	for item, revision := range before {
		found[item] = contents[revision]
	}
	return found, nil
}
