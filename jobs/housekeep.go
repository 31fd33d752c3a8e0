package jobs

import (
	"context"
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
	"heliograph/db/queries"
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

// housekeep deletes old rows.
type housekeep struct {
	river.WorkerDefaults[args.Housekeep]
	deps Deps
}

func (w *housekeep) Timeout(*river.Job[args.Housekeep]) time.Duration { return time.Minute }

func (w *housekeep) Work(ctx context.Context, _ *river.Job[args.Housekeep]) error {
	if err := queries.AdminLinkDelete(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting links of administrators: %w", err)
	}
	if err := queries.UserLinkDelete(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting links of users: %w", err)
	}
	if err := queries.AssetDeleteRemoved(ctx, w.deps.Pool, keepRemoved); err != nil {
		return fmt.Errorf("deleting removed numbers and accounts: %w", err)
	}
	if err := queries.CatalogueBatchDelete(ctx, w.deps.Pool, keepBatches); err != nil {
		return fmt.Errorf("deleting catalogue batches: %w", err)
	}
	if err := queries.CarrierMinuteDelete(ctx, w.deps.Pool, keepCarrierMinutes); err != nil {
		return fmt.Errorf("deleting old counts of carriers: %w", err)
	}
	if err := queries.CarrierIDDelete(ctx, w.deps.Pool, keepCarrierIDs, messaging.KeepUpstreamIDs); err != nil {
		return fmt.Errorf("deleting ids of carriers: %w", err)
	}
	if _, err := queries.IdempotencyDelete(ctx, w.deps.Pool, keepReplies); err != nil {
		return fmt.Errorf("deleting idempotency keys: %w", err)
	}
	if err := queries.OTPChallengeDelete(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting challenges: %w", err)
	}
	if err := queries.JobTrimErrors(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("shortening the errors of jobs: %w", err)
	}
	if _, err := queries.RateLimitDelete(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting rate-limit cells: %w", err)
	}
	if err := queries.SMSReferenceDelete(ctx, w.deps.Pool, keepReferences); err != nil {
		return fmt.Errorf("deleting references of SMS: %w", err)
	}
	if err := queries.RCSMessageIDDelete(ctx, w.deps.Pool, rcs.KeepStatus); err != nil {
		return fmt.Errorf("deleting message ids of RCS: %w", err)
	}
	if err := queries.RCSCarrierEventDelete(ctx, w.deps.Pool, rcs.KeepCarrierEvents); err != nil {
		return fmt.Errorf("deleting events of RCS carriers: %w", err)
	}
	if err := queries.UpstreamMessageDelete(ctx, w.deps.Pool, messaging.KeepUpstreamIDs); err != nil {
		return fmt.Errorf("deleting ids of received messages: %w", err)
	}
	if err := queries.UpstreamMediaDelete(ctx, w.deps.Pool, messaging.KeepUpstreamMedia); err != nil {
		return fmt.Errorf("deleting ids of uploaded files: %w", err)
	}
	if err := queries.UpstreamPostDeleteOld(ctx, w.deps.Pool, messaging.KeepUpstreamPosts); err != nil {
		return fmt.Errorf("deleting posts of carriers: %w", err)
	}
	if err := queries.ParkedSweep(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting parked messages that have moved: %w", err)
	}
	if err := queries.UploadedDelete(ctx, w.deps.Pool, keepUploaded); err != nil {
		return fmt.Errorf("deleting counts of uploads: %w", err)
	}
	if _, err := queries.SessionDelete(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting sessions: %w", err)
	}
	if err := queries.InvitationDeleteExpired(ctx, w.deps.Pool, keepInvitations); err != nil {
		return fmt.Errorf("deleting invitations: %w", err)
	}
	if err := queries.PreviewLinkDelete(ctx, w.deps.Pool, keepPreviewLinks); err != nil {
		return fmt.Errorf("deleting preview links: %w", err)
	}
	if err := queries.OTPBlockDelete(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting blocks of numbers: %w", err)
	}
	if err := queries.SMSOTPDelete(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting one-time passwords of SMS: %w", err)
	}
	if _, err := editorial.DropSteps(ctx, w.deps.Pool, time.Now()); err != nil {
		return err
	}
	if err := queries.FeedbackDelete(ctx, w.deps.Pool, feedback.Keep); err != nil {
		return fmt.Errorf("deleting feedback of readers: %w", err)
	}
	if err := queries.MockCallbackDelete(ctx, w.deps.Pool, mock.KeepCallbacks); err != nil {
		return fmt.Errorf("deleting callbacks of mocks: %w", err)
	}
	if err := queries.RangeDeleteExpired(ctx, w.deps.Pool, webhookrange.Keep); err != nil {
		return fmt.Errorf("deleting webhook ranges: %w", err)
	}
	if err := queries.MockRecordDeleteExpired(ctx, w.deps.Pool); err != nil {
		return fmt.Errorf("deleting what callers of mocks created: %w", err)
	}
	if err := tutor.Sweep(ctx, w.deps.Pool, time.Now()); err != nil {
		return err
	}
	if err := insight.Sweep(ctx, w.deps.Pool, time.Now()); err != nil {
		return err
	}
	if err := refusal.Sweep(ctx, w.deps.Pool, time.Now()); err != nil {
		return err
	}
	enquiries := contact.New(contact.Options{DB: w.deps.Pool, Settings: w.deps.Settings})
	if err := enquiries.Sweep(ctx); err != nil {
		return err
	}
	if w.deps.KeepUnverified > 0 {
		if err := identity.DeleteUnverified(ctx, w.deps.Pool, w.deps.KeepUnverified); err != nil {
			return err
		}
	}
	return notification.Sweep(ctx, w.deps.Pool)
}
