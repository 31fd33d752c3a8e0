package drafts

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/threads"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/views/ui"
)

// draftDone holds the messages after a move of a change set.
var draftDone = map[string]string{
	"submit": "The change set waits for a review.", "request-changes": "The author has to change it.", "comment": "The comment is added.", "approve": "The change set is approved.",
	"reject": "The change set is rejected.", "withdraw": "The change set is a draft again.", "discard": "The change set is discarded.", "publish": "The changes are public.",
	"override": "The changes are public.", "schedule": "The release is scheduled.", "accept": "The reason is kept with the change.", "cancel": "The schedule is cancelled.",
	"thread": "The comment is added.", "reply": "The reply is added.", "resolve": "The comments are resolved.", "reopen": "The comments are open again.",
	"resume": "The changes are in a change set of yours, in draft.", "split": "The items are in a change set of their own.", "removal": "The item is out of the change set.", "reverted": "The release is reverted.",
}

// draftForm holds the fields of every form of a change set.
type draftForm struct {
	Summary      string  `form:"summary"`
	Reason       string  `form:"reason"`
	About        string  `form:"about"`
	Hash         string  `form:"hash"`
	ScheduledFor string  `form:"scheduled_for"`
	Items        []int64 `form:"item"`
	Version      int64   `form:"version"`
	Fingerprint  string  `form:"fingerprint"`
	// Reasons are given for blocking checks, by check.
	Reasons map[string]string
}

// text is what was typed, for showing it again.
func (f draftForm) text() string { return f.Summary + f.Reason + f.ScheduledFor }

// Moves names the moves of a change set as their addresses do.
var Moves = []string{"submit", "comment", "request-changes", "approve", "reject", "withdraw", "discard", "publish", "override", "schedule", "cancel", "resume", "split", "accept"}

// Move makes a move with a change set.
func (h *Handlers) Move(name string) echo.HandlerFunc {
	return func(c echo.Context) error {
		d, err := desk.OpenDraft(c, h.DB)
		if err != nil {
			return err
		}
		if err := d.Guard(); err != nil {
			return err
		}
		var form draftForm
		if err := page.Bind(c, &form); err != nil {
			return err
		}
		form.Reasons = map[string]string{}
		for field := range c.Request().PostForm {
			if check, ok := strings.CutPrefix(field, editorial.ReasonField); ok {
				form.Reasons[check] = c.Request().PostForm.Get(field)
			}
		}
		to, err := h.makeMove(c.Request().Context(), d, name, form)
		if err != nil {
			return page.Again(c, err, func(status int, problems *page.Problems) error {
				shown := name
				if name == "accept" {
					shown += "-" + form.Fingerprint
				}
				return h.render(c, status, d, desk.Moved{Move: shown, Problems: problems, Text: form.text(), About: form.About, Reasons: form.Reasons})
			})
		}
		h.Signals.Add(desk.DraftsTopic, 0)
		return page.Done(c, desk.DraftPath(to), name)
	}
}

// makeMove makes a move and returns the change set to show then.
func (h *Handlers) makeMove(ctx context.Context, d desk.Draft, name string, form draftForm) (to int64, err error) {
	b, id := h.Rules, d.Set.ID
	switch name {
	case "submit":
		err = editorial.Submit(ctx, b, d.Actor, id, form.Summary)
	case "comment":
		err = editorial.Comment(ctx, b, d.Actor, id, form.Reason)
	case "request-changes":
		err = h.requestChanges(ctx, d, form)
	case "approve":
		err = h.approve(ctx, d, form.Hash)
	case "reject":
		err = editorial.Reject(ctx, b, d.Actor, id, form.Reason)
	case "withdraw":
		err = editorial.Withdraw(ctx, b, d.Actor, id)
	case "discard":
		err = editorial.Discard(ctx, b, d.Actor, id)
	case "publish":
		err = editorial.Publish(ctx, b, d.Actor, id, false)
	case "override":
		err = editorial.Override(ctx, b, d.Actor, id, form.Reason, form.Reasons)
	case "schedule":
		err = h.schedule(ctx, d, form.ScheduledFor)
	case "cancel":
		err = editorial.Cancel(ctx, b, d.Actor, id)
	case "accept":
		err = editorial.AcceptChange(ctx, b, d.Actor, id, editorial.Acceptance{VersionID: form.Version, Fingerprint: form.Fingerprint, Reason: form.Reason})
	case "resume":
		return editorial.Resume(ctx, b, d.Actor, id)
	case "split":
		return editorial.Split(ctx, b, d.Actor, id, form.Items)
	}
	return id, err
}

// approve approves what the reviewer saw.
func (h *Handlers) approve(ctx context.Context, d desk.Draft, seen string) error {
	hash, err := hex.DecodeString(seen)
	if err != nil {
		return fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	return editorial.Approve(ctx, h.Rules, d.Actor, d.Set.ID, hash)
}

// requestChanges sends a change set back. The reason begins a thread on the part that
// it is about.
func (h *Handlers) requestChanges(ctx context.Context, d desk.Draft, form draftForm) error {
	return db.InTx(ctx, h.Rules, func(tx pgx.Tx) error {
		if form.About != "" {
			about, err := threads.ReadSubject(d, form.About)
			if err != nil {
				return err
			}
			if _, err := editorial.OpenThread(ctx, tx, d.Actor, d.Set.ID, about, form.Reason); err != nil {
				return threads.AsReason(err)
			}
		}
		return editorial.RequestChanges(ctx, tx, d.Actor, d.Set.ID, form.Reason)
	})
}

func (h *Handlers) schedule(ctx context.Context, d desk.Draft, text string) error {
	at, err := readClock(text)
	if err != nil {
		return err
	}
	return h.Scheduler.Schedule(ctx, d.Actor, d.Set.ID, at)
}

// Ask asks before a change set is published or discarded, which the other moves do not.
func (h *Handlers) Ask(name string) page.Asker {
	if name != "publish" && name != "discard" {
		return nil
	}
	return func(c echo.Context) (*page.Question, error) {
		d, err := desk.OpenDraft(c, h.DB)
		if err != nil {
			return nil, err
		}
		f := page.AdministrationFrame(c, "Discard the change set", page.DraftsPath)
		q := ui.Question{
			Region: ui.Confirm.Of(name), Text: "Its drafts are given up. The revisions stay in the history of their items, and an item can be edited again.",
			Action: ui.Post{Label: "Discard the change set", Kind: ui.Danger}, Back: ui.Link{Label: "Change nothing"},
		}
		if name == "publish" {
			f = page.AdministrationFrame(c, publishLabel(d), page.DraftsPath)
			q.Text, q.Action.Label, q.Action.Kind = "Readers see the changes at once.", publishLabel(d), ui.Primary
		}
		f.Up = ui.Link{Label: listing.Clip(d.Set.Summary, listing.LongestValue), Href: desk.DraftPath(d.Set.ID)}
		return &page.Question{Frame: f, Question: q}, nil
	}
}

// AskTakeOut asks before an item is taken out of a change set.
func (h *Handlers) AskTakeOut(c echo.Context) (*page.Question, error) {
	d, at, err := desk.OpenDraftItem(c, h.DB)
	if err != nil {
		return nil, err
	}
	change := d.Changes[at]
	name := desk.Label(change.Item, desk.NameOf(change.Content))
	f := page.AdministrationFrame(c, "Take "+name+" out of the change set", page.DraftsPath).Under(listing.Clip(d.Set.Summary, listing.LongestValue), desk.DraftPath(d.Set.ID))
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of(listing.Plain(change.Item.ID)),
		Text:   "Its draft is given up. The revisions stay in its history, from where the text can be restored.",
		Action: ui.Post{Label: "Take it out", Kind: ui.Danger},
		Back:   ui.Link{Label: "Change nothing"},
	}}, nil
}

// TakeOut takes an item out of a change set.
func (h *Handlers) TakeOut(c echo.Context) error {
	d, at, err := desk.OpenDraftItem(c, h.DB)
	if err != nil {
		return err
	}
	if err := editorial.Remove(c.Request().Context(), h.Rules, d.Actor, d.Set.ID, d.Changes[at].Item.ID); err != nil {
		return err
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	return page.Done(c, desk.DraftPath(d.Set.ID), "removal")
}

// Preview shows the page of an item as readers will see it.
func (h *Handlers) Preview(c echo.Context) error {
	d, at, err := desk.OpenDraftItem(c, h.DB)
	if err != nil {
		return err
	}
	r := c.Request()
	now, err := h.Documentation.Preview(r.Context(), slices.Clone(d.Changes))
	if err != nil {
		return err
	}
	v, err := h.Reader(r, now, d.ReaderPath(d.Changes[at]))
	if f := fault.As(err); f != nil && f.Kind == fault.NotFound {
		return fault.New(fault.Conflict, "Readers would have no page for this item: its product or version is not public, or it does not compile. The change set says why.")
	}
	if err != nil {
		return err
	}
	v.Frame.Draft = ui.Link{Label: "Back to change set " + listing.Plain(d.Set.ID), Href: desk.DraftPath(d.Set.ID)}
	return page.Render(c, 200, v)
}
