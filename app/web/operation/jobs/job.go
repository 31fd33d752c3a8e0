package jobs

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/queue"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/jobs/args"
	"heliograph/views/layout"
	view "heliograph/views/operation/jobs"
	"heliograph/views/ui"
)

// Show shows one job.
func (h *Handlers) Show(c echo.Context, id int64) error {
	return h.renderJob(c, http.StatusOK, id, jobResult{done: c.QueryParam("done")})
}

// Retry runs a job again immediately.
func (h *Handlers) Retry(c echo.Context) error { return h.changeJob(c, h.Queues.Retry, "retried") }

// AskCancel asks before a job is cancelled.
func (h *Handlers) AskCancel(c echo.Context) (*page.Question, error) {
	id, err := page.ID(c)
	if err != nil {
		return nil, err
	}
	job, err := h.Queues.Get(c.Request().Context(), id)
	if err != nil {
		return nil, err
	}
	if !job.CanCancel {
		return nil, h.renderJob(c, http.StatusConflict, id, jobResult{problem: "The job has ended. It cannot be cancelled."})
	}
	f := page.AdministrationFrame(c, "Cancel job "+listing.Plain(id), page.JobsPath).Under("Job "+listing.Plain(id), jobPath(id))
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of(listing.Plain(id)), Text: cancelText(job),
		Action: ui.Post{Label: "Cancel the job", Kind: ui.Danger}, Back: ui.Link{Label: "Keep the job"},
	}, Into: ui.Details.Of(listing.Plain(id))}, nil
}

// Cancel cancels a job.
func (h *Handlers) Cancel(c echo.Context) error {
	return h.changeJob(c, h.Queues.Cancel, "cancelled")
}

func jobPath(id int64) string { return page.JobsPath + "/" + listing.Plain(id) }

// changeJob changes a job. On a page that has its details, they show the result
// in place.
func (h *Handlers) changeJob(c echo.Context, change func(ctx context.Context, id int64, actor string) error, done string) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	if err := change(c.Request().Context(), id, page.User(c).Actor()); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderJob(c, status, id, jobResult{problem: problems.Form})
		})
	}
	h.Signals.Add("jobs", 0)
	if page.WantsFragment(c) && page.Target(c) == ui.Details.Of(listing.Plain(id)) {
		return h.renderJob(c, http.StatusOK, id, jobResult{done: done})
	}
	return page.Done(c, jobPath(id), done)
}

// jobResult is the result of an action: a problem, or a key of jobsDone. Both may
// be empty.
type jobResult struct{ problem, done string }

var jobsDone = map[string]string{"retried": "The job runs again.", "cancelled": "The job is cancelled."}

func (h *Handlers) renderJob(c echo.Context, status int, id int64, result jobResult) error {
	job, err := h.Queues.Get(c.Request().Context(), id)
	if err != nil {
		return err
	}
	p := newJobPage(job, page.AdministrationFrame(c, "Job "+listing.Plain(id), page.JobsPath))
	p.Problem, p.Kept = result.problem, c.Request().Method == http.MethodGet && status == http.StatusOK
	p.Done = jobsDone[result.done]
	var region ui.Region
	if page.Target(c) != ui.Main {
		region = p.Region
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Job(p), Region: region})
}

func newJobPage(job queue.Job, f layout.Frame) view.JobPage {
	p, id := view.JobPage{Frame: f}, listing.Plain(job.ID)
	p.Up, p.Region = ui.Link{Label: "Jobs", Href: page.JobsPath}, ui.Details.Of(id)
	p.Live = ui.Refresh(p.Region, jobPath(job.ID), "jobs")
	p.Facts = []ui.Pair{
		{Key: "State", Value: stateBadge(job.State).Text}, {Key: "Kind", Value: job.Kind, Mono: true}, {Key: "Queue", Value: job.Queue},
		{Key: "Attempts", Value: attempts(job)},
		{Key: "Created", Value: ui.Moment(job.CreatedAt).Text + " UTC"}, {Key: "Due", Value: ui.Moment(job.ScheduledAt).Text + " UTC"},
	}
	if job.FinalizedAt != nil {
		p.Facts = append(p.Facts, ui.Pair{Key: "Ended", Value: ui.Moment(*job.FinalizedAt).Text + " UTC"})
	}
	if job.CanRetry {
		p.Retry = view.JobRetry{
			Note: "The job runs immediately.",
			Post: ui.Post{Action: jobPath(job.ID) + "/retry", CSRF: p.CSRF, Label: "Retry the job", Into: p.Region},
		}
	}
	if job.CanCancel {
		p.Cancel = view.JobCancel{
			Note: "The job stops and does not run again.",
			Ask:  ui.Ask{Link: ui.Link{Label: "Cancel the job", Href: jobPath(job.ID) + "/cancel"}, Region: ui.Confirm.Of(id), Kind: ui.Danger},
		}
	}
	p.Errors = ui.Table{Caption: "Failed attempts", Quiet: true, Columns: []ui.Column{{Label: "When (UTC)"}, {Label: "Attempt", Numeric: true}, {Label: "Error"}}}
	for _, e := range slices.Backward(job.Errors) {
		p.Errors.Rows = append(p.Errors.Rows, []ui.Cell{ui.Moment(e.At), {Text: fmt.Sprint(e.Attempt)}, {Text: e.Text}})
	}
	return p
}

// cancelText describes what ends when a job is cancelled.
func cancelText(job queue.Job) string {
	text, ok := cancelling[job.Kind]
	if job.Work == "" || !ok {
		return "The job stops and does not run again. Periodic jobs run again at their next time."
	}
	return "This ends " + job.Work + ". " + text
}

// cancelling describes the effect of cancelling a job of a kind.
var cancelling = map[string]string{
	args.CarryMessages{}.Kind(): "Those of its messages that were not handed to their carrier fail, and the organisations' webhooks receive the failures.",
	args.CarryMessage{}.Kind():  "It fails and is not handed to its carrier, and the organisation's webhook receives the failure. A running job may already have handed it over.",
	args.RelayCallback{}.Kind(): "It is given up. The organisation sees it as failed and can replay it.",
	args.SendSMS{}.Kind():       "It is not sent. The user can ask for another code.",
	args.SendEmail{}.Kind():     "It is not sent.",
	args.SendCode{}.Kind():      "No code is sent for it. The user can ask for another one.",
}
