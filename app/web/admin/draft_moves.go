package admin

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
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

// DraftMoves names the moves of a change set as their addresses do.
var DraftMoves = []string{"submit", "comment", "request-changes", "approve", "reject", "withdraw", "discard", "publish", "override", "schedule", "cancel", "resume", "split", "accept"}

// MoveDraft makes a move with a change set.
func (h *Handlers) MoveDraft(name string) echo.HandlerFunc {
	return func(c echo.Context) error {
		d, err := OpenDraft(c, h.DB)
		if err != nil {
			return err
		}
		if err := d.guard(); err != nil {
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
		to, err := h.move(c.Request().Context(), d, name, form)
		if err != nil {
			return page.Again(c, err, func(status int, problems *page.Problems) error {
				shown := name
				if name == "accept" {
					shown += "-" + form.Fingerprint
				}
				return h.renderDraft(c, status, d, moved{move: shown, problems: problems, text: form.text(), about: form.About, reasons: form.Reasons})
			})
		}
		h.Signals.Add(draftsTopic, 0)
		return page.Done(c, draftPath(to), name)
	}
}

// move makes a move and returns the change set to show then.
func (h *Handlers) move(ctx context.Context, d draft, name string, form draftForm) (to int64, err error) {
	b, id := h.Documentation, d.set.ID
	switch name {
	case "submit":
		err = editorial.Submit(ctx, b, d.actor, id, form.Summary)
	case "comment":
		err = editorial.Comment(ctx, b, d.actor, id, form.Reason)
	case "request-changes":
		err = h.requestChanges(ctx, d, form)
	case "approve":
		err = h.approve(ctx, d, form.Hash)
	case "reject":
		err = editorial.Reject(ctx, b, d.actor, id, form.Reason)
	case "withdraw":
		err = editorial.Withdraw(ctx, b, d.actor, id)
	case "discard":
		err = editorial.Discard(ctx, b, d.actor, id)
	case "publish":
		err = editorial.Publish(ctx, b, d.actor, id, false)
	case "override":
		err = editorial.Override(ctx, b, d.actor, id, form.Reason, form.Reasons)
	case "schedule":
		err = h.schedule(ctx, d, form.ScheduledFor)
	case "cancel":
		err = editorial.Cancel(ctx, b, d.actor, id)
	case "accept":
		err = editorial.AcceptChange(ctx, b, d.actor, id, editorial.Acceptance{VersionID: form.Version, Fingerprint: form.Fingerprint, Reason: form.Reason})
	case "resume":
		return editorial.Resume(ctx, b, d.actor, id)
	case "split":
		return editorial.Split(ctx, b, d.actor, id, form.Items)
	}
	return id, err
}

// approve approves what the reviewer saw.
func (h *Handlers) approve(ctx context.Context, d draft, seen string) error {
	hash, err := hex.DecodeString(seen)
	if err != nil {
		return fault.New(fault.Invalid, "The form could not be read. Load the page again.")
	}
	return editorial.Approve(ctx, h.Documentation, d.actor, d.set.ID, hash)
}

// requestChanges sends a change set back. The reason begins a thread on the part that
// it is about.
func (h *Handlers) requestChanges(ctx context.Context, d draft, form draftForm) error {
	return db.InTx(ctx, h.Documentation, func(tx pgx.Tx) error {
		if form.About != "" {
			about, err := readSubject(d, form.About)
			if err != nil {
				return err
			}
			if _, err := editorial.OpenThread(ctx, tx, d.actor, d.set.ID, about, form.Reason); err != nil {
				return asReason(err)
			}
		}
		return editorial.RequestChanges(ctx, tx, d.actor, d.set.ID, form.Reason)
	})
}

func (h *Handlers) schedule(ctx context.Context, d draft, text string) error {
	at, err := readClock(text)
	if err != nil {
		return err
	}
	return h.Scheduler.Schedule(ctx, d.actor, d.set.ID, at)
}

// ConfirmDraft asks before a change set is published or discarded.
func (h *Handlers) ConfirmDraft(name string) echo.HandlerFunc {
	return func(c echo.Context) error {
		d, err := OpenDraft(c, h.DB)
		if err != nil {
			return err
		}
		f := frame(c, "Discard the change set", draftsPath)
		q := ui.Question{
			Region: ui.Confirm.Of(name), Text: "Its drafts are given up. The revisions stay in the history of their items, and an item can be edited again.",
			Action: ui.Post{Action: draftPath(d.set.ID) + "/" + name, Label: "Discard the change set", Kind: ui.Danger}, Back: ui.Link{Label: "Change nothing", Href: draftPath(d.set.ID)},
		}
		if name == "publish" {
			f = frame(c, publishLabel(d), draftsPath)
			q.Text, q.Action.Label, q.Action.Kind = "Readers see the changes at once.", publishLabel(d), ui.Primary
		}
		f.Up = ui.Link{Label: clip(d.set.Summary, longestValue), Href: draftPath(d.set.ID)}
		return page.Confirm(c, f, q, "")
	}
}

// ConfirmTakeOut asks before an item is taken out of a change set.
func (h *Handlers) ConfirmTakeOut(c echo.Context) error {
	d, at, err := OpenDraftItem(c, h.DB)
	if err != nil {
		return err
	}
	change := d.changes[at]
	name := label(change.Item, nameOf(change.Content))
	f := frame(c, "Take "+name+" out of the change set", draftsPath)
	f.Up = ui.Link{Label: clip(d.set.Summary, longestValue), Href: draftPath(d.set.ID)}
	return page.Confirm(c, f, ui.Question{
		Region: ui.Confirm.Of(plain(change.Item.ID)),
		Text:   "Its draft is given up. The revisions stay in its history, from where the text can be restored.",
		Action: ui.Post{Action: draftPath(d.set.ID) + "/items/" + plain(change.Item.ID) + "/removal", Label: "Take it out", Kind: ui.Danger},
		Back:   ui.Link{Label: "Change nothing", Href: draftPath(d.set.ID)},
	}, "")
}

// TakeOut takes an item out of a change set.
func (h *Handlers) TakeOut(c echo.Context) error {
	d, at, err := OpenDraftItem(c, h.DB)
	if err != nil {
		return err
	}
	if err := editorial.Remove(c.Request().Context(), h.Documentation, d.actor, d.set.ID, d.changes[at].Item.ID); err != nil {
		return err
	}
	h.Signals.Add(draftsTopic, 0)
	return page.Done(c, draftPath(d.set.ID), "removal")
}

// PreviewDraft shows the page of an item as readers will see it.
func (h *Handlers) PreviewDraft(c echo.Context) error {
	d, at, err := OpenDraftItem(c, h.DB)
	if err != nil {
		return err
	}
	r := c.Request()
	now, err := h.Catalogue.Preview(r.Context(), slices.Clone(d.changes))
	if err != nil {
		return err
	}
	v, err := h.Reader(r, now, d.readerPath(d.changes[at]))
	if f := fault.As(err); f != nil && f.Kind == fault.NotFound {
		return fault.New(fault.Conflict, "Readers would have no page for this item: its product or version is not public, or it does not compile. The change set says why.")
	}
	if err != nil {
		return err
	}
	v.Frame.Draft = ui.Link{Label: "Back to change set " + plain(d.set.ID), Href: draftPath(d.set.ID)}
	return page.Render(c, 200, v)
}
