package admin

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/web/page"
	"heliograph/db"
	view "heliograph/views/admin"
)

// threadForm holds the fields of a reply.
type threadForm struct {
	Text string `form:"text"`
	Do   string `form:"do"`   // reply, resolve or reopen; with a text the others reply too
	From string `form:"from"` // item for the page of the item
}

// ReplyToThread replies to a thread, resolves it or opens it again. In place the
// answer is the thread.
func (h *Handlers) ReplyToThread(c echo.Context) error {
	d, err := OpenDraft(c, h.DB)
	if err != nil {
		return err
	}
	t, err := findThread(d, c.Param("thread"))
	if err != nil {
		return err
	}
	var form threadForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	if err := h.reply(c.Request().Context(), d, t.ID, form); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			m := moved{move: string(threadRegion(t.ID)), problems: problems, text: form.Text}
			if page.Target(c) != threadRegion(t.ID) {
				return h.renderDraft(c, status, d, m)
			}
			return renderThread(c, status, d, shownThread(d, t, form.From, m))
		})
	}
	h.Signals.Add(draftsTopic, 0)
	word := map[string]string{"resolve": "resolve", "reopen": "reopen"}[form.Do]
	if word == "" {
		word = "reply"
	}
	if page.Target(c) != threadRegion(t.ID) {
		back := draftPath(d.set.ID)
		if form.From == "item" {
			back = itemPath(d.set.ProductID, t.ItemID)
		}
		return page.SeeOther(c, back+"?done="+word+threadRegion(t.ID).Selector())
	}
	if d, err = OpenDraft(c, h.DB); err != nil {
		return err
	}
	if t, err = findThread(d, c.Param("thread")); err != nil {
		return err
	}
	shown := shownThread(d, t, form.From, moved{problems: &page.Problems{}})
	shown.Focus = true
	return renderThread(c, http.StatusOK, d, shown)
}

func renderThread(c echo.Context, status int, d draft, t view.Thread) error {
	t.CSRF = page.Token(c)
	f := frame(c, d.set.Summary, draftsPath)
	return page.Render(c, status, page.View{Frame: f.Page, Body: view.Comments(t)})
}

// reply does what a reply asks for, all of it or nothing.
func (h *Handlers) reply(ctx context.Context, d draft, id int64, form threadForm) error {
	return db.InTx(ctx, h.Documentation, func(tx pgx.Tx) error {
		settles := form.Do == "resolve" || form.Do == "reopen"
		if form.Text != "" || !settles {
			if err := editorial.Reply(ctx, tx, d.actor, id, form.Text); err != nil {
				return err
			}
		}
		switch form.Do {
		case "resolve":
			return editorial.ResolveThread(ctx, tx, d.actor, id)
		case "reopen":
			return editorial.ReopenThread(ctx, tx, d.actor, id)
		}
		return nil
	})
}
