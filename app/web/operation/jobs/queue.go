package jobs

import (
	"context"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/queue"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/jobs/args"
	"heliograph/views/ui"
)

// pausing describes what waits while a queue is paused.
var pausing = map[string]string{
	args.QueueOTP:     "One-time passwords wait. Nobody can register or reset a password. A code that waits longer than ten minutes is never sent.",
	args.QueueSend:    "Messages are accepted and wait. None is handed to its carrier, and none is lost.",
	args.QueueRelay:   "Callbacks wait. Webhooks receive no status of messages until the queue is resumed. Nothing is lost.",
	args.QueueMail:    "Emails wait: invitations, password links and alerts. An email that expires meanwhile is never sent.",
	args.QueueBuild:   "Client libraries wait. Readers who download one that is not built yet are asked to come back.",
	args.QueueDefault: "Periodic jobs wait. Usage is not counted, templates are not reviewed, and the audit is neither verified nor anchored.",
}

// queuesDone holds the messages after a queue was changed.
var queuesDone = map[string]string{"paused": "The queue is paused. Running jobs finish.", "resumed": "The queue is open again.", "retried": "The jobs run again."}

// AskPause asks before a queue is paused.
func (h *Handlers) AskPause(c echo.Context) (*page.Question, error) {
	queues, err := h.Queues.Queues(c.Request().Context())
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(queues, func(q queue.Queue) bool { return q.Name == c.Param("name") })
	if i < 0 {
		return nil, fault.New(fault.NotFound, "This queue does not exist.")
	}
	q := queues[i]
	f := page.AdministrationFrame(c, "Pause the queue "+q.Name, page.JobsPath).Under("Jobs", page.JobsPath)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: pauseRegion(q.Name),
		Text:   strings.TrimSpace(pausing[q.Name] + " Every worker stops taking jobs of this queue until somebody resumes it."),
		Facts:  []ui.Pair{{Key: "Waiting now", Value: listing.Count(q.Jobs["available"])}, {Key: "Running now", Value: listing.Count(q.Jobs["running"])}},
		Action: ui.Post{Label: "Pause " + q.Name, Kind: ui.Danger},
		Back:   ui.Link{Label: "Leave it open"},
	}}, nil
}

func pauseRegion(name string) ui.Region { return ui.Confirm.Of("queue-" + name) }

// PauseQueue keeps workers from taking jobs of a queue.
func (h *Handlers) PauseQueue(c echo.Context) error { return h.steer(c, h.Queues.Pause, "paused") }

// ResumeQueue lets workers take jobs of a queue again.
func (h *Handlers) ResumeQueue(c echo.Context) error { return h.steer(c, h.Queues.Resume, "resumed") }

// steer changes a queue and shows the list, which has the current state even if
// there was nothing to change.
func (h *Handlers) steer(c echo.Context, change func(ctx context.Context, name, actor string) error, done string) error {
	err := change(c.Request().Context(), c.Param("name"), page.User(c).Actor())
	if err != nil && !fault.Is(err, fault.Conflict) {
		return err
	}
	h.Signals.Add("jobs", 0)
	return page.Done(c, page.JobsPath, done)
}
