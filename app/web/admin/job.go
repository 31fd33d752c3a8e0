package admin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/queue"
	"heliograph/app/web/page"
	"heliograph/jobs/args"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// Job shows one job.
func (h *Handlers) Job(c echo.Context) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	job, err := h.Queues.Get(c.Request().Context(), id)
	if err != nil {
		return err
	}
	return renderJob(c, http.StatusOK, job, "")
}

// RetryJob makes a job run again at once.
func (h *Handlers) RetryJob(c echo.Context) error { return h.changeJob(c, h.Queues.Retry, "retried") }

// CancelJob ends a job.
func (h *Handlers) CancelJob(c echo.Context) error {
	return h.changeJob(c, h.Queues.Cancel, "cancelled")
}

func (h *Handlers) changeJob(c echo.Context, change func(ctx context.Context, id int64, actor string) error, done string) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	err = change(ctx, id, page.User(c).Actor())
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			job, err := h.Queues.Get(ctx, id)
			if err != nil {
				return err
			}
			return renderJob(c, status, job, problems.Form)
		})
	}
	return page.Done(c, jobsPath+"/"+plain(id), done)
}

func renderJob(c echo.Context, status int, job queue.Job, problem string) error {
	p := view.JobPage{Frame: frame(c, "Job "+plain(job.ID), jobsPath), Problem: problem}
	p.Up = ui.Link{Label: "Jobs", Href: jobsPath}
	p.Done = map[string]string{"retried": "The job runs again.", "cancelled": "The job is cancelled."}[c.QueryParam("done")]
	p.Facts = []ui.Pair{
		{Key: "State", Value: stateBadge(job.State).Text}, {Key: "Kind", Value: job.Kind, Mono: true}, {Key: "Queue", Value: job.Queue},
		{Key: "Attempts", Value: fmt.Sprintf("%d of %d", job.Attempt, job.MaxAttempts)},
		{Key: "Made", Value: when(job.CreatedAt).Text + " UTC"}, {Key: "Due", Value: when(job.ScheduledAt).Text + " UTC"},
	}
	if job.FinalizedAt != nil {
		p.Facts = append(p.Facts, ui.Pair{Key: "Ended", Value: when(*job.FinalizedAt).Text + " UTC"})
	}
	path := jobsPath + "/" + plain(job.ID)
	if job.CanRetry {
		p.Actions = append(p.Actions, view.JobAction{
			Note: "Retrying runs it at once. Where every attempt is used up, it gets one more.",
			Post: ui.Post{Action: path + "/retry", CSRF: p.CSRF, Label: "Retry the job"},
		})
	}
	if job.CanCancel {
		p.Actions = append(p.Actions, view.JobAction{
			Note: "Cancelling ends it: what it is for is not done. One that runs just now is asked to stop.",
			Post: ui.Post{Action: path + "/cancel", CSRF: p.CSRF, Label: "Cancel the job", Kind: ui.Danger},
		})
	}
	p.Errors = ui.Table{Caption: "Failed attempts", Quiet: true, Columns: []ui.Column{{Label: "When (UTC)"}, {Label: "Attempt", Numeric: true}, {Label: "Error"}}}
	for _, e := range slices.Backward(job.Errors) {
		p.Errors.Rows = append(p.Errors.Rows, []ui.Cell{when(e.At), {Text: fmt.Sprint(e.Attempt)}, {Text: e.Text}})
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Job(p)})
}

// pausing says what waits while a queue is paused.
var pausing = map[string]string{
	args.QueueOTP:     "One-time passwords wait: nobody can register or set a forgotten password. A code that waits longer than ten minutes is never sent.",
	args.QueueSend:    "Messages are accepted and wait: none is handed to its carrier. Nothing is lost.",
	args.QueueRelay:   "Callbacks wait: partners do not hear what becomes of their messages. Nothing is lost.",
	args.QueueMail:    "Letters wait: invitations, links to set a password, alerts. Those that expire meanwhile are never sent.",
	args.QueueDefault: "Housekeeping waits: usage is not counted, templates are not reviewed, and the audit is neither verified nor anchored.",
}

// queuesDone is what the list says after a queue was steered.
var queuesDone = map[string]string{"paused": "The queue is paused. Jobs that run already end.", "resumed": "The queue is open again."}

// ConfirmPause says what pausing a queue means, and asks.
func (h *Handlers) ConfirmPause(c echo.Context) error {
	queues, err := h.Queues.Queues(c.Request().Context())
	if err != nil {
		return err
	}
	i := slices.IndexFunc(queues, func(q queue.Queue) bool { return q.Name == c.Param("name") })
	if i < 0 {
		return fault.New(fault.NotFound, "There is no such queue.")
	}
	q := queues[i]
	p := view.ConfirmPage{Frame: frame(c, "Pause the queue "+q.Name, jobsPath)}
	p.Up = ui.Link{Label: "Jobs", Href: jobsPath}
	p.Text = strings.TrimSpace(pausing[q.Name] + " It holds for every worker until somebody resumes the queue.")
	p.Facts = []ui.Pair{{Key: "Waiting now", Value: count(q.Jobs["available"])}, {Key: "Running now", Value: count(q.Jobs["running"])}}
	p.Action = ui.Post{Action: jobsPath + "/queues/" + url.PathEscape(q.Name) + "/pause", CSRF: p.CSRF, Label: "Pause " + q.Name, Kind: ui.Danger}
	p.Back = ui.Link{Label: "Leave it open", Href: jobsPath}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Confirm(p)})
}

// PauseQueue keeps workers from taking jobs of a queue.
func (h *Handlers) PauseQueue(c echo.Context) error { return h.steer(c, h.Queues.Pause, "paused") }

// ResumeQueue lets them take jobs again.
func (h *Handlers) ResumeQueue(c echo.Context) error { return h.steer(c, h.Queues.Resume, "resumed") }

// steer leads back to the list whether or not there was something to change:
// the list shows how it is.
func (h *Handlers) steer(c echo.Context, change func(ctx context.Context, name, actor string) error, done string) error {
	err := change(c.Request().Context(), c.Param("name"), page.User(c).Actor())
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	return page.Done(c, jobsPath, done)
}
