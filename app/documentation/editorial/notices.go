package editorial

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/views/email"
)

const (
	// noticeDelay is how long events of a review are collected for one email.
	noticeDelay = 10 * time.Minute
	// noticeLife is how long such an email is worth sending.
	noticeLife = 24 * time.Hour
	// noticeBatch is the number of change sets that one run sends emails about.
	noticeBatch = 100
)

// noticed are the moves that people receive an email about, with their events.
var noticed = map[Move]string{
	MoveSubmit: "submitted", MoveRequestChanges: "changes_requested", MoveComment: "comment", MoveApprove: "approved", MoveReject: "rejected",
	MovePublish: "published", MoveOverride: "published",
}

// notice keeps an event of a review for the next email about its change set. Nobody
// waits for what the program releases by itself, or for practice.
func (w *writer) notice(ctx context.Context, set models.ChangeSet, event, note string) error {
	if event == "" || w.practice || set.AuthorID == 0 && event != "submitted" {
		return nil
	}
	err := writes.ReviewNoticeInsert(ctx, w.tx, models.ReviewNotice{ChangeSetID: set.ID, Event: event, ActorID: w.actor.ID, Note: note})
	if err != nil {
		return fmt.Errorf("keeping an event of change set %d: %w", set.ID, err)
	}
	return nil
}

// Notifier sends emails about reviews to authors and reviewers.
type Notifier struct {
	Mail      notification.Mailer
	PublicURL string // the start of links
	Now       func() time.Time
}

// Send queues one email to each person about each change set once its first event is
// ten minutes old. Nobody receives an email about their own moves.
func (n Notifier) Send(ctx context.Context, b db.Beginner) error {
	due, err := queries.ReviewNoticeListDue(ctx, b, n.Now().Add(-noticeDelay), noticeBatch)
	if err != nil {
		return fmt.Errorf("finding events of reviews: %w", err)
	}
	for _, id := range due {
		if err := db.InTx(ctx, b, func(tx pgx.Tx) error { return n.sendSet(ctx, tx, id) }); err != nil {
			return err
		}
	}
	return nil
}

// newsFor returns what others did. A request for changes that began a thread is one
// event.
func newsFor(p models.ReviewReader, events []models.ReviewNotice) (news []email.ReviewEvent) {
	for i, e := range events {
		if e.ActorID != 0 && e.ActorID == p.ID {
			continue
		}
		if i+1 < len(events) && e.Event == "comment" && events[i+1].Event == "changes_requested" && events[i+1].ActorID == e.ActorID && events[i+1].Note == e.Note {
			continue
		}
		news = append(news, email.ReviewEvent{Event: e.Event, Actor: e.ActorName, Note: e.Note})
	}
	return news
}

func (n Notifier) sendSet(ctx context.Context, tx pgx.Tx, setID int64) error {
	events, err := writes.ReviewNoticeTake(ctx, tx, setID)
	if err != nil || len(events) == 0 {
		return err
	}
	set, err := queries.ChangeSetGet(ctx, tx, setID)
	if err != nil {
		return fmt.Errorf("reading change set %d: %w", setID, err)
	}
	submitted := slices.ContainsFunc(events, func(e models.ReviewNotice) bool { return e.Event == "submitted" })
	people, err := queries.ReviewReaderList(ctx, tx, set, submitted)
	if err != nil {
		return fmt.Errorf("finding the readers of change set %d: %w", setID, err)
	}
	for _, p := range people {
		news := newsFor(p, events)
		if len(news) == 0 {
			continue
		}
		err := n.Mail.SendEmail(ctx, tx, notification.Email{
			To: p.Email, Purpose: "review", Topic: fmt.Sprintf("review:%d:%d:%d", setID, p.ID, events[0].ID), ExpiresAt: n.Now().Add(noticeLife),
			Message: email.Review(set.Summary, news, n.PublicURL+fmt.Sprintf("/admin/drafts_and_reviews/%d", setID)),
		})
		if err != nil {
			return fmt.Errorf("queueing an email about change set %d: %w", setID, err)
		}
	}
	return nil
}
