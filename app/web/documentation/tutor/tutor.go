// Package tutor answers the pages of the editor's tutor in the administration, and shows
// its next step on the pages that the step is about.
package tutor

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/published"
	rule "heliograph/app/documentation/tutor"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db"
	view "heliograph/views/documentation/tutor"
	"heliograph/views/ui"
)

// Path is the address of the tutor.
const Path = "/admin/editor-tutor"

// Handlers answers the routes.
type Handlers struct {
	DB            db.Beginner
	Documentation *published.Documentation
	// Reader makes the page at a path as readers would get it from a snapshot that is not
	// published.
	Reader func(r *http.Request, now *published.Snapshot, path string) (page.View, error)
}

// done holds the messages after an action.
var done = map[string]string{
	"started": "The practice product is there. Only you see it.", "skipped": "The step is skipped. It counts as done when you do it later.",
	"paused": "The steps are put away. Everything stays as it is.", "resumed": "The steps are shown again.",
	"restarted": "Everything is as it was in the beginning.", "removed": "The practice product is gone, with everything that was written on it.",
}

// Show shows the steps, or to a Viewer why there are none.
func (h *Handlers) Show(c echo.Context) error {
	p := view.Page{Frame: page.AdministrationFrame(c, "Editor tutor", Path), Minutes: "about ten minutes"}
	p.Done = done[c.QueryParam("done")]
	user := page.User(c)
	if user.Role == identity.Viewer {
		p.Refusal = "Viewers read documentation and change nothing, so there is nothing to practise. Ask a Super Admin to make you an Editor."
	}
	progress, err := rule.Read(c.Request().Context(), h.DB, user.ID)
	if err != nil {
		return err
	}
	fill(&p, progress)
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Show(p)})
}

// fill shows where somebody is.
func fill(p *view.Page, progress *rule.Progress) {
	if progress == nil {
		for _, s := range rule.Outline() {
			p.Steps = append(p.Steps, view.Step{Title: s.Title})
		}
		p.Start = ui.Post{Action: Path + "/start", CSRF: p.CSRF, Label: "Start practising", Kind: ui.Primary}
		return
	}
	p.Started, p.Finished, p.Paused = true, progress.IsFinished(), progress.Paused
	for i, s := range progress.Steps {
		step := view.Step{Title: s.Title, Done: s.Done, Skipped: s.Skipped && !s.Done}
		if i == progress.Next {
			step.Current, step.Text = true, progress.Action.Text
			if progress.Action.Target != rule.ToTutor {
				step.Next = ui.Link{Label: label(progress.Action.Target), Href: address(progress)}
			}
			step.Skip = ui.Post{Action: Path + "/steps/" + s.Name + "/skip", CSRF: p.CSRF, Label: "Skip this step", Small: true}
		}
		p.Steps = append(p.Steps, step)
	}
	p.Count = strconv.Itoa(progress.Done()) + " of " + strconv.Itoa(len(progress.Steps)) + " steps done"
	p.Away = ui.Post{Action: Path + "/pause", CSRF: p.CSRF, Label: "Put the steps away", Small: true}
	if progress.Paused {
		p.Away = ui.Post{Action: Path + "/start", CSRF: p.CSRF, Label: "Go on", Kind: ui.Primary}
	}
	p.Restart = ui.Ask{Link: ui.Link{Label: "Start again", Href: Path + "/restart"}, Region: ui.Confirm.Of("restart"), Small: true}
	p.Remove = ui.Ask{Link: ui.Link{Label: "Remove the practice product", Href: Path + "/removal"}, Region: ui.Confirm.Of("removal"), Small: true}
}

// Start makes the practice product, or shows the steps again.
func (h *Handlers) Start(c echo.Context) error {
	ctx, by := c.Request().Context(), desk.Actor(c)
	before, err := rule.Read(ctx, h.DB, by.ID)
	if err != nil {
		return err
	}
	if err := rule.Start(ctx, h.DB, by); err != nil {
		return err
	}
	if before != nil {
		return page.Done(c, Path, "resumed")
	}
	return page.Done(c, Path, "started")
}

// Skip leaves a step out.
func (h *Handlers) Skip(c echo.Context) error {
	if err := rule.Skip(c.Request().Context(), h.DB, desk.Actor(c), c.Param("step")); err != nil {
		return err
	}
	return page.Done(c, Path, "skipped")
}

// Pause puts the steps away.
func (h *Handlers) Pause(c echo.Context) error {
	if err := rule.Pause(c.Request().Context(), h.DB, desk.Actor(c), true); err != nil {
		return err
	}
	return page.Done(c, Path, "paused")
}

// question asks before something is erased.
func question(c echo.Context, title, path, label string) (*page.Question, error) {
	f := page.AdministrationFrame(c, title, Path).Under("Editor tutor", Path)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of(path), Text: "The practice product is erased with its drafts, comments and releases, and cannot be brought back. Nothing else changes.",
		Action: ui.Post{Label: label, Kind: ui.Danger}, Back: ui.Link{Label: "Change nothing"},
	}}, nil
}

// AskRestart asks before the tutor begins again.
func (h *Handlers) AskRestart(c echo.Context) (*page.Question, error) {
	return question(c, "Start again", "restart", "Erase it and start again")
}

// Restart erases the practice product and begins again.
func (h *Handlers) Restart(c echo.Context) error {
	if err := rule.Restart(c.Request().Context(), h.DB, desk.Actor(c)); err != nil {
		return err
	}
	return page.Done(c, Path, "restarted")
}

// AskRemove asks before the practice product is erased.
func (h *Handlers) AskRemove(c echo.Context) (*page.Question, error) {
	return question(c, "Remove the practice product", "removal", "Erase the practice product")
}

// Remove erases the practice product and the progress.
func (h *Handlers) Remove(c echo.Context) error {
	if err := rule.Remove(c.Request().Context(), h.DB, desk.Actor(c)); err != nil {
		return err
	}
	return page.Done(c, Path, "removed")
}
