package jobs

import (
	"context"
	"strconv"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/documentation/mock"
	"heliograph/app/outbound"
	"heliograph/jobs/args"
)

// sendMockCallback sends a callback that a caller of a mock asked for, once.
type sendMockCallback struct {
	river.WorkerDefaults[args.SendMockCallback]
	deps Deps
}

func (w *sendMockCallback) Work(ctx context.Context, job *river.Job[args.SendMockCallback]) error {
	c, err := mock.TakeCallback(ctx, w.deps.Pool, job.Args.CallbackID)
	if err != nil || c == nil {
		return err
	}
	// What comes back is the business of the receiver.
	w.deps.Poster.Post(ctx, outbound.Delivery{
		ID: c.ID.String(), At: time.Now(), Owner: "mock " + strconv.FormatInt(c.OrganisationID, 10), Method: c.Method, URL: c.URL, Body: c.Body, Signed: c.Headers,
	})
	return nil
}
