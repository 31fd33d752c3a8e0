package jobs

import (
	"fmt"
	"hash/fnv"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/queue"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/views/ui"
)

const (
	retryPath = page.JobsPath + "/retry"
	// shownCauses is the number of causes that the page of jobs lists.
	shownCauses = 20
)

// causeQuery is a kind and a cause of failing jobs.
type causeQuery struct {
	Kind  string `query:"kind" form:"kind"`
	Cause string `query:"cause" form:"cause"`
}

func (q causeQuery) region() ui.Region {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d:%s%s", len(q.Kind), q.Kind, q.Cause)
	return ui.Confirm.Of(fmt.Sprintf("cause-%x", h.Sum64()))
}

// causeTable lists why jobs fail, with a button that retries all jobs of a cause.
func causeTable(causes []queue.CauseCount) ui.Table {
	t := ui.Table{Caption: "Failing jobs by cause", Quiet: true, Columns: []ui.Column{{Label: "Kind"}, {Label: "Cause"}, {Label: "Jobs", Numeric: true}, {Label: "Retry"}}}
	for _, c := range causes[:min(len(causes), shownCauses)] {
		q := causeQuery{c.Kind, c.Cause}
		ask := ui.Cell{Opens: q.region()}
		ask.Body = ui.AskButton(ui.Ask{
			Link:   ui.Link{Label: "Retry all", Href: page.Address(retryPath, page.Query("kind", q.Kind, "cause", q.Cause))},
			Object: "of " + q.Kind, Small: true, Region: ask.Opens,
		})
		t.Rows = append(t.Rows, []ui.Cell{{Text: c.Kind, Mono: true}, {Text: c.Cause}, {Text: listing.Number(c.Jobs)}, ask})
	}
	return t
}

// AskRetryMany asks before all jobs of a kind and cause are retried.
func (h *Handlers) AskRetryMany(c echo.Context) (*page.Question, error) {
	asked, err := page.Ask[causeQuery](c)
	if err != nil {
		return nil, err
	}
	f := page.AdministrationFrame(c, "Retry failing jobs", page.JobsPath).Under("Jobs", page.JobsPath)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: asked.region(),
		Text:   fmt.Sprintf("All failing jobs of this kind and cause run at once, up to %s. Retry them when the cause is removed.", listing.Number(queue.RetryLimit)),
		Facts:  []ui.Pair{{Key: "Kind", Value: asked.Kind, Mono: true}, {Key: "Cause", Value: asked.Cause}},
		Action: ui.Post{Label: "Retry the jobs", Values: []ui.Pair{{Key: "kind", Value: asked.Kind}, {Key: "cause", Value: asked.Cause}}},
		Back:   ui.Link{Label: "Leave them"},
	}}, nil
}

// RetryMany retries all jobs of a kind and cause.
func (h *Handlers) RetryMany(c echo.Context, asked causeQuery) error {
	if _, err := h.Queues.RetryMany(c.Request().Context(), asked.Kind, asked.Cause, page.User(c).Actor()); err != nil {
		return err
	}
	h.Signals.Add("jobs", 0)
	return page.Done(c, page.JobsPath, "retried")
}
