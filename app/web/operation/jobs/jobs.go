// Package jobs serves the job queues and their jobs to operators.
package jobs

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/queue"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	queries "heliograph/db/queries/operation"
	"heliograph/jobs/args"
	view "heliograph/views/operation/jobs"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB      db.Querier // read only
	Queues  *queue.Control
	Signals *db.Signals // notifies open pages; may be nil
}

// jobsQuery is the query of the list.
type query struct {
	listing.Position
	State string `query:"state"`
	Queue string `query:"queue"`
	Kind  string `query:"kind"`
	After string `query:"after"`
}

func (q query) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: page.JobsPath, Filter: page.Query("state", q.State, "queue", q.Queue, "kind", q.Kind),
		Standard: "desc", Orders: listing.Newest, Later: q.After != "", One: "job", Many: "jobs",
	}
}

// List lists queues and jobs.
func (h *Handlers) List(c echo.Context, asked query) error {
	ctx, l := c.Request().Context(), asked.listing()
	queues, err := h.Queues.Queues(ctx)
	if err != nil {
		return err
	}
	found, err := h.Queues.List(ctx, queue.Filter{State: asked.State, Queue: asked.Queue, Kind: asked.Kind, After: asked.After, OldestFirst: l.Reversed()}, l.Rows())
	if err != nil {
		return err
	}
	causes, err := h.Queues.Causes(ctx)
	if err != nil {
		return err
	}
	kinds, err := queries.JobKinds(ctx, h.DB)
	if err != nil {
		return err
	}
	p := view.JobsPage{Frame: page.AdministrationFrame(c, "Jobs", page.JobsPath), List: jobList(asked, queues, kinds, found)}
	l.Finish(c, &p.List, listing.Rows{Count: len(found.Jobs), More: found.Next != "", Mark: func(v url.Values) { v.Set("after", found.Next) }})
	p.List.Live, p.Announcement = page.Refresh(c, ui.Live.Of("jobs"), "jobs"), p.List.Announcement()
	p.Done = queuesDone[c.QueryParam("done")]
	p.Queues = queueTable(queues, p.CSRF, time.Now())
	p.Causes = causeTable(causes)
	p.Queues.Kept, p.Causes.Kept = p.List.Table.Kept, p.List.Table.Kept
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Jobs(p), Address: l.Address()})
}

// attempts returns how often a job was tried, and of how many times if a count
// ends it.
func attempts(j queue.Job) string {
	if j.MaxAttempts == args.Forever {
		return fmt.Sprint(j.Attempt)
	}
	return fmt.Sprintf("%d of %d", j.Attempt, j.MaxAttempts)
}

// jobStates lists the states of jobs with their labels. They are in the order of the
// table of queues.
var jobStates = []struct {
	state, label string
	tone         ui.Tone
}{
	{"available", "Waiting", ui.Info}, {"running", "Running", ui.Info}, {"scheduled", "Scheduled", ""}, {"pending", "Pending", ""},
	{"retryable", "Retrying", ui.Warn}, {"discarded", "Discarded", ui.Bad}, {"cancelled", "Cancelled", ""}, {"completed", "Completed", ui.Good},
}

func stateBadge(state string) ui.Cell {
	for _, s := range jobStates {
		if s.state == state {
			return ui.Cell{Text: s.label, Badge: true, Tone: s.tone}
		}
	}
	return ui.Cell{Text: state, Badge: true}
}

func queueTable(queues []queue.Queue, csrf string, now time.Time) ui.Table {
	t := ui.Table{Caption: "Queues", Quiet: true, Columns: []ui.Column{{Label: "Queue"}, {Label: "State"}}}
	shown := jobStates[:6]
	for _, s := range shown {
		t.Columns = append(t.Columns, ui.Column{Label: s.label, Numeric: true})
	}
	t.Columns = append(t.Columns, ui.Column{Label: "Oldest waits"}, ui.Column{Label: "Change"})
	for _, q := range queues {
		path := page.JobsPath + "/queues/" + url.PathEscape(q.Name)
		state, change := ui.Cell{Text: "Open", Badge: true, Tone: ui.Good}, ui.Cell{Opens: pauseRegion(q.Name)}
		change.Body = ui.AskButton(ui.Ask{Link: ui.Link{Label: "Pause", Href: path + "/pause"}, Object: q.Name, Small: true, Region: change.Opens})
		if q.PausedAt != nil {
			state = ui.Cell{Text: "Paused", Badge: true, Tone: ui.Warn, Title: listing.Ago(*q.PausedAt, now)}
			change.Body = ui.PostButton(ui.Post{Action: path + "/resume", CSRF: csrf, Label: "Resume", Object: q.Name, Small: true})
		}
		row := []ui.Cell{{Text: q.Name, Href: page.Address(page.JobsPath, page.Query("queue", q.Name))}, state}
		for _, s := range shown {
			row = append(row, ui.Cell{Text: listing.Count(q.Jobs[s.state])})
		}
		oldest := ui.Cell{Text: "–"}
		if q.Oldest != nil {
			oldest.Text = listing.Age(now.Sub(*q.Oldest))
		}
		t.Rows = append(t.Rows, append(row, oldest, change))
	}
	return t
}

func jobList(asked query, queues []queue.Queue, known []string, found queue.Page) ui.Listing {
	states, names := []ui.Option{{Label: "All but completed"}}, []ui.Option{{Label: "All"}}
	kinds := []ui.Option{{Label: "All"}}
	if asked.Kind != "" && !slices.Contains(known, asked.Kind) {
		known = append(known, asked.Kind)
	}
	for _, kind := range known {
		kinds = append(kinds, ui.Option{Value: kind, Label: kind})
	}
	for _, s := range jobStates {
		states = append(states, ui.Option{Value: s.state, Label: s.label})
	}
	for _, q := range queues {
		names = append(names, ui.Option{Value: q.Name, Label: q.Name})
	}
	l := ui.Listing{
		Filter: ui.Filter{
			Selects: []ui.Select{
				{Name: "kind", Label: "Kind", Value: asked.Kind, Options: kinds},
				{Name: "state", Label: "State", Value: asked.State, Options: states},
				{Name: "queue", Label: "Queue", Value: asked.Queue, Options: names},
			},
		},
		Table: ui.Table{Caption: "Jobs", Columns: []ui.Column{asked.listing().Sorted(ui.Column{Label: "Job"}), {Label: "State"}, {Label: "Kind"}, {Label: "Queue"}, {Label: "Attempts", Numeric: true}, {Label: "Due (UTC)"}, {Label: "Last error"}}},
		Empty: ui.EmptyState{Title: "No jobs", Text: "No job matches this filter."},
	}
	for _, j := range found.Jobs {
		last := ui.Cell{Text: "–"}
		if n := len(j.Errors); n > 0 {
			last.Text = listing.Clip(j.Errors[n-1].Text, listing.ShortError)
		}
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			{Text: listing.Plain(j.ID), Href: page.JobsPath + "/" + listing.Plain(j.ID), Opens: ui.Details.Of(listing.Plain(j.ID))}, stateBadge(j.State), {Text: j.Kind, Mono: true}, {Text: j.Queue},
			{Text: attempts(j)}, ui.Moment(j.ScheduledAt), last,
		})
	}
	return l
}
