package drafts

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/quality"
	"heliograph/app/web/documentation/rebase"
	"heliograph/app/web/documentation/threads"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/drafts"
	threadsview "heliograph/views/documentation/threads"
	"heliograph/views/ui"
)

// Show shows a change set.
func (h *Handlers) Show(c echo.Context, d desk.Draft) error {
	return h.render(c, http.StatusOK, d, desk.Moved{Problems: &page.Problems{}})
}

func (h *Handlers) render(c echo.Context, status int, d desk.Draft, m desk.Moved) error {
	ctx := c.Request().Context()
	p := view.DraftPage{Frame: page.AdministrationFrame(c, listing.Clip(d.Set.Summary, listing.LongestValue), page.DraftsPath), Mark: desk.StateMark(d.Set.State), Blocked: d.Set.BlockedReason}
	p.Up, p.Done = ui.Link{Label: "Drafts and reviews", Href: page.DraftsPath}, draftDone[c.QueryParam("done")]
	if c.QueryParam("done") == "rebase" {
		p.Done = rebase.Done(c.QueryParam("merged"), c.QueryParam("chosen"))
	}
	p.Note = stateNotes[d.Set.State]
	if d.Set.PracticeOf != 0 && d.Set.State == editorial.StateInReview {
		p.Note = "You approve it yourself, as the practice reviewer."
	}
	if !d.Writes {
		p.Note = d.Refusal
	}
	if err := orient(ctx, h.DB, d, &p); err != nil {
		return err
	}
	p.Facts = factsOf(d, time.Now())
	p.Talk, p.Request = talkOf(d, time.Now()), desk.RequestOf(d.Set, d.Reviews, time.Now())
	p.Threads, p.Live = threads.OpenThreads(d), ui.Refresh(ui.Live.Of("threads"), desk.DraftPath(d.Set.ID), desk.DraftsTopic)
	if d.IsOpen() {
		p.Presence = desk.PresencePath(desk.DraftPath(d.Set.ID))
	}
	items, err := shownItems(ctx, h.DB, d, c.QueryParam("item"))
	if err != nil {
		return err
	}
	p.Items = items
	if d.IsOpen() {
		if err := quality.Read(ctx, h.DB, &d); err != nil {
			return err
		}
		p.Quality = quality.OfDraft(d)
		if p.Checks, err = h.checks(ctx, d, p.Items); err != nil {
			return err
		}
		if err := addImpacts(ctx, h.DB, d, &p, m); err != nil {
			return err
		}
	}
	threads.Discuss(d, &p, m)
	offerMoves(d, &p, m)
	if m.Problems.Form != "" && page.Target(c) != ui.Form.Of(m.Move) {
		p.Problem = m.Problems.Form
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Draft(p), Region: page.Current(status)})
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

func factsOf(d desk.Draft, now time.Time) []ui.Pair {
	facts := []ui.Pair{
		{Key: "Change set", Value: listing.Plain(d.Set.ID)}, {Key: "Product", Value: d.Title, Href: desk.ProductPath(d.Set.ProductID)},
		{Key: "Author", Value: desk.AuthorName(d.Set)}, {Key: "Changed", Value: listing.Ago(d.Set.UpdatedAt, now)},
	}
	if d.Set.State == editorial.StateScheduled {
		facts = append(facts, ui.Pair{Key: "To be published", Value: d.Set.ScheduledFor.UTC().Format("2 Jan 2006, 15:04 UTC")})
	}
	return facts
}

// verdicts names what was said of a change set.
var verdicts = map[string]ui.Mark{
	"comment": {Text: "Comment"}, "changes_requested": {Tone: ui.Warn, Text: "Changes requested"}, "approved": {Tone: ui.Good, Text: "Approved"}, "rejected": {Tone: ui.Bad, Text: "Rejected"},
}

// talkOf lists what was said. An approval of older content is marked.
func talkOf(d desk.Draft, now time.Time) (list []threadsview.Remark) {
	hash := editorial.Hash(d.Changes)
	for _, r := range d.Reviews {
		mark := verdicts[r.Verdict]
		if r.Verdict == "approved" && d.IsOpen() {
			mark.Text = "Approved, and nothing changed since"
			if !bytes.Equal(r.ContentHash, hash) {
				mark = ui.Mark{Tone: ui.Warn, Text: "Approved an earlier content"}
			}
		}
		list = append(list, threadsview.Remark{Who: r.ReviewerName, When: desk.TalkTime(r.CreatedAt), Ago: listing.Ago(r.CreatedAt, now), Mark: mark, Text: desk.Prose(r.Reason)})
	}
	return list
}

// liveContents returns what each change is compared with: what is live, or for a
// closed change set what it was written on.
func liveContents(ctx context.Context, store db.Querier, d desk.Draft) (map[int64][]byte, error) {
	before := map[int64]int64{}
	var ids []int64
	for _, c := range d.Changes {
		id := c.BaseID
		if d.IsOpen() {
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
