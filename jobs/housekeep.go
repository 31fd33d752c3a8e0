package jobs

import (
	"context"
	"slices"
	"time"

	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/refusal"
	"heliograph/app/channels/sms"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/feedback"
	"heliograph/app/documentation/mock"
	"heliograph/app/documentation/tutor"
	"heliograph/app/operation/insight"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/queue"
	"heliograph/app/operation/retention"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
)

// taskTime is how long a task of housekeeping may take. The next run goes on with the
// rest.
const taskTime = 20 * time.Second

// housekeepTime leaves time for every task to be slow.
const housekeepTime = 15 * time.Minute

// housekeep deletes old rows.
func housekeep(ctx context.Context, deps Deps) error {
	return retention.RunTasks(ctx, taskTime, tasks(deps))
}

// tasks lists the tasks of all rules.
func tasks(deps Deps) []retention.Task {
	pool, now := deps.Pool, time.Now()
	return slices.Concat(
		carry.Housekeeping(pool), pipeline.Housekeeping(pool), messaging.Housekeeping(pool), rcs.Housekeeping(pool), sms.Housekeeping(pool),
		editorial.Housekeeping(pool), mock.Housekeeping(pool), identity.Housekeeping(pool, deps.KeepUnverified),
		[]retention.Task{
			{What: "shortening the errors of jobs", Do: func(ctx context.Context) error { return queue.TrimErrors(ctx, pool) }},
			{What: "deleting rate-limit cells", Do: func(ctx context.Context) error { return limit.Sweep(ctx, pool) }},
			{What: "deleting feedback of readers", Do: func(ctx context.Context) error { return feedback.Sweep(ctx, pool) }},
			{What: "deleting webhook ranges", Do: func(ctx context.Context) error { return webhookrange.Sweep(ctx, pool) }},
			{What: "sweeping the tutor", Do: func(ctx context.Context) error { return tutor.Sweep(ctx, pool, now) }},
			{What: "sweeping the counts of readers", Do: func(ctx context.Context) error { return insight.Sweep(ctx, pool, now) }},
			{What: "sweeping refused calls", Do: func(ctx context.Context) error { return refusal.Sweep(ctx, pool, now) }},
			{What: "sweeping enquiries", Do: contact.New(contact.Options{DB: pool, Settings: deps.Settings}).Sweep},
			{What: "sweeping notifications", Do: func(ctx context.Context) error { return notification.Sweep(ctx, pool) }},
		},
	)
}
