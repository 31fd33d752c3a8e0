package drafts

import (
	"cmp"
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/threads"
	"heliograph/app/web/page"
	"heliograph/db"
	threadsview "heliograph/views/documentation/threads"
)

// threadForm holds the fields of a reply.
type threadForm struct {
	Text string `form:"text"`
	Do   string `form:"do"`   // reply, resolve or reopen; with a text the others reply too
	From string `form:"from"` // item for the page of the item
}

// Reply replies to a thread, resolves it or opens it again. In place the
// answer is the thread.
func (h *Handlers) Reply(c echo.Context, d desk.Draft) error {
	t, err := threads.Find(d, c.Param("thread"))
	if err != nil {
		return err
	}
	var form threadForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	if err := h.saveReply(c.Request().Context(), d, t.ID, form); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			m := desk.Moved{Move: string(threads.Region(t.ID)), Problems: problems, Text: form.Text}
			if page.Target(c) != threads.Region(t.ID) {
				return h.render(c, status, d, m)
			}
			return renderThread(c, status, d, threads.Shown(d, t, form.From, m))
		})
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	word := cmp.Or(map[string]string{"resolve": "resolve", "reopen": "reopen"}[form.Do], "reply")
	if page.Target(c) != threads.Region(t.ID) {
		back := desk.DraftPath(d.Set.ID)
		if form.From == "item" {
			back = desk.ItemPath(d.Set.ProductID, t.ItemID)
		}
		return page.SeeOther(c, back+"?done="+word+threads.Region(t.ID).Selector())
	}
	if d, err = desk.OpenDraft(c, h.DB); err != nil {
		return err
	}
	if t, err = threads.Find(d, c.Param("thread")); err != nil {
		return err
	}
	shown := threads.Shown(d, t, form.From, desk.Moved{Problems: &page.Problems{}})
	shown.Focus = true
	return renderThread(c, http.StatusOK, d, shown)
}

func renderThread(c echo.Context, status int, d desk.Draft, t threadsview.Thread) error {
	t.CSRF = page.Token(c)
	f := page.AdministrationFrame(c, d.Set.Summary, page.DraftsPath)
	return page.Render(c, status, page.View{Frame: f.Page, Body: threadsview.Comments(t)})
}

// saveReply does what a reply asks for, all of it or nothing.
func (h *Handlers) saveReply(ctx context.Context, d desk.Draft, id int64, form threadForm) error {
	return db.InTx(ctx, h.Rules, func(tx pgx.Tx) error {
		settles := form.Do == "resolve" || form.Do == "reopen"
		if form.Text != "" || !settles {
			if err := editorial.Reply(ctx, tx, d.Actor, id, form.Text); err != nil {
				return err
			}
		}
		switch form.Do {
		case "resolve":
			return editorial.ResolveThread(ctx, tx, d.Actor, id)
		case "reopen":
			return editorial.ReopenThread(ctx, tx, d.Actor, id)
		}
		return nil
	})
}
