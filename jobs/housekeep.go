package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/refusal"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/feedback"
	"heliograph/app/documentation/mock"
	"heliograph/app/documentation/tutor"
	"heliograph/app/operation/insight"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	channelswrites "heliograph/db/queries/channels/writes"
	documentationwrites "heliograph/db/queries/documentation/writes"
	"heliograph/db/queries/errands"
	operationwrites "heliograph/db/queries/operation/writes"
	peoplewrites "heliograph/db/queries/people/writes"
	"heliograph/jobs/args"
)

const (
	keepBatches        = 7 * 24 * time.Hour  // how long the errors of a catalogue batch can be read
	keepCarrierMinutes = 2 * 24 * time.Hour  // how long the counts of carriers can be read
	keepCarrierIDs     = 8 * 24 * time.Hour  // how long a carrier can report a message by its own id
	keepReferences     = 24 * time.Hour      // how long a cust_ref of SMS cannot be used again
	keepRemoved        = 40 * 24 * time.Hour // how long a removed number stays for its callbacks, over the life of messages
	keepUploaded       = 2 * 24 * time.Hour  // how long the counts of uploads are kept
	keepReplies        = 72 * time.Hour      // how long the reply to an Idempotency-Key is repeated
	keepInvitations    = 30 * 24 * time.Hour // how long an expired invitation stays in the list of its organisation
	keepPreviewLinks   = 30 * 24 * time.Hour // how long an expired preview link stays in the list of its item
)

// housekeep deletes old rows. Each task runs on its own: one that fails or is slow
// stops none of the others.
type housekeep struct {
	river.WorkerDefaults[args.Housekeep]
	deps Deps
	// patience is how long a task may take; taskTime when it is zero.
	patience time.Duration
}

// taskTime is how long a task of housekeeping may take. The next run goes on with the
// rest.
const taskTime = 20 * time.Second

// Timeout leaves time for every task to be slow.
func (w *housekeep) Timeout(*river.Job[args.Housekeep]) time.Duration { return 15 * time.Minute }

func (w *housekeep) Work(ctx context.Context, _ *river.Job[args.Housekeep]) error {
	var failures []error
	for _, t := range w.tasks() {
		if err := t.run(ctx, cmp.Or(w.patience, taskTime)); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", t.what, err))
		}
	}
	return errors.Join(failures...)
}

// task is one task of housekeeping.
type task struct {
	what string
	do   func(ctx context.Context) error
}

func (t task) run(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return t.do(ctx)
}

// tasks lists the tasks.
func (w *housekeep) tasks() []task {
	pool, now := w.deps.Pool, time.Now()
	return []task{
		{"deleting links of administrators", func(ctx context.Context) error { return peoplewrites.AdminLinkDelete(ctx, pool) }},
		{"deleting links of users", func(ctx context.Context) error { return peoplewrites.UserLinkDelete(ctx, pool) }},
		{"deleting removed numbers and accounts", func(ctx context.Context) error { return channelswrites.AssetDeleteRemoved(ctx, pool, keepRemoved) }},
		{"deleting catalogue batches", func(ctx context.Context) error { return channelswrites.CatalogueBatchDelete(ctx, pool, keepBatches) }},
		{"deleting old counts of carriers", func(ctx context.Context) error {
			return channelswrites.CarrierMinuteDelete(ctx, pool, keepCarrierMinutes)
		}},
		{"deleting ids of carriers", func(ctx context.Context) error {
			return channelswrites.CarrierIDDelete(ctx, pool, keepCarrierIDs, messaging.KeepUpstreamIDs)
		}},
		{"deleting idempotency keys", func(ctx context.Context) error {
			_, err := channelswrites.IdempotencyDelete(ctx, pool, keepReplies)
			return err
		}},
		{"deleting challenges", func(ctx context.Context) error { return peoplewrites.OTPChallengeDelete(ctx, pool) }},
		{"shortening the errors of jobs", func(ctx context.Context) error { return errands.JobTrimErrors(ctx, pool) }},
		{"deleting rate-limit cells", func(ctx context.Context) error {
			_, err := operationwrites.RateLimitDelete(ctx, pool)
			return err
		}},
		{"deleting references of SMS", func(ctx context.Context) error { return channelswrites.SMSReferenceDelete(ctx, pool, keepReferences) }},
		{"deleting message ids of RCS", func(ctx context.Context) error { return channelswrites.RCSMessageIDDelete(ctx, pool, rcs.KeepStatus) }},
		{"deleting events of RCS carriers", func(ctx context.Context) error {
			return channelswrites.RCSCarrierEventDelete(ctx, pool, rcs.KeepCarrierEvents)
		}},
		{"deleting ids of received messages", func(ctx context.Context) error {
			return channelswrites.UpstreamMessageDelete(ctx, pool, messaging.KeepUpstreamIDs)
		}},
		{"deleting ids of uploaded files", func(ctx context.Context) error {
			return channelswrites.UpstreamMediaDelete(ctx, pool, messaging.KeepUpstreamMedia)
		}},
		{"deleting posts of carriers", func(ctx context.Context) error {
			return channelswrites.UpstreamPostDeleteOld(ctx, pool, messaging.KeepUpstreamPosts)
		}},
		{"deleting parked messages that have moved", func(ctx context.Context) error { return channelswrites.ParkedSweep(ctx, pool) }},
		{"deleting counts of uploads", func(ctx context.Context) error { return channelswrites.UploadedDelete(ctx, pool, keepUploaded) }},
		{"deleting sessions", func(ctx context.Context) error {
			_, err := peoplewrites.SessionDelete(ctx, pool)
			return err
		}},
		{"deleting invitations", func(ctx context.Context) error {
			return peoplewrites.InvitationDeleteExpired(ctx, pool, keepInvitations)
		}},
		{"deleting preview links", func(ctx context.Context) error {
			return documentationwrites.PreviewLinkDelete(ctx, pool, keepPreviewLinks)
		}},
		{"deleting blocks of numbers", func(ctx context.Context) error { return peoplewrites.OTPBlockDelete(ctx, pool) }},
		{"deleting one-time passwords of SMS", func(ctx context.Context) error { return channelswrites.SMSOTPDelete(ctx, pool) }},
		{"dropping steps of undo", func(ctx context.Context) error {
			_, err := editorial.DropSteps(ctx, pool, now)
			return err
		}},
		{"deleting feedback of readers", func(ctx context.Context) error { return documentationwrites.FeedbackDelete(ctx, pool, feedback.Keep) }},
		{"deleting callbacks of mocks", func(ctx context.Context) error {
			return documentationwrites.MockCallbackDelete(ctx, pool, mock.KeepCallbacks)
		}},
		{"deleting webhook ranges", func(ctx context.Context) error {
			return channelswrites.RangeDeleteExpired(ctx, pool, webhookrange.Keep)
		}},
		{"deleting what callers of mocks created", func(ctx context.Context) error { return documentationwrites.MockRecordDeleteExpired(ctx, pool) }},
		{"sweeping the tutor", func(ctx context.Context) error { return tutor.Sweep(ctx, pool, now) }},
		{"sweeping the counts of readers", func(ctx context.Context) error { return insight.Sweep(ctx, pool, now) }},
		{"sweeping refused calls", func(ctx context.Context) error { return refusal.Sweep(ctx, pool, now) }},
		{"sweeping enquiries", contact.New(contact.Options{DB: pool, Settings: w.deps.Settings}).Sweep},
		{"deleting registrations without a code", func(ctx context.Context) error {
			if w.deps.KeepUnverified <= 0 {
				return nil
			}
			return identity.DeleteUnverified(ctx, pool, w.deps.KeepUnverified)
		}},
		{"sweeping notifications", func(ctx context.Context) error { return notification.Sweep(ctx, pool) }},
	}
}
