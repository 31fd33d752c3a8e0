package editorial

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// A practice product belongs to one administrator, who learns on it. Nobody else sees it.
// It takes the same moves as every product. A reviewer is played there: the program asks
// for changes after the first submission, and the owner then approves in the part of that
// reviewer. Elsewhere nobody is played: standingOf gives the played reviewer no standing,
// and the database keeps no review without a reviewer.

// played is the reviewer of practice products.
var played = Actor{Name: "practice reviewer"}

func (a Actor) isPlayed() bool { return a == played }

// playedStanding is the standing of the played reviewer: none outside of practice.
func playedStanding(set models.ChangeSet) standing {
	if set.PracticeOf == 0 {
		return 0
	}
	return person | reviewer
}

// mayPractise refuses everybody but the owner of a practice product.
func mayPractise(actor Actor, owner int64) error {
	switch {
	case actor.isPlayed():
		return nil
	case actor.ID != owner:
		return fault.New(fault.Forbidden, "Somebody else practises on this product.")
	case actor.Role == identity.Viewer:
		return refuseViewer()
	}
	return nil
}

// reviewerID returns the administrator of a review, zero for the played reviewer: the
// owner of a practice product approves in that part.
func (s *setMove) reviewerID(verdict string) int64 {
	if s.practice && verdict == "approved" {
		return 0
	}
	return s.actor.ID
}

// playedRequest is what the played reviewer asks for.
const playedRequest = "Readers will ask what happens when the appointment is cancelled. Add a sentence about it at the end of the guide, answer here, and submit again."

// playReviewer has the played reviewer answer the first change set that is submitted on a
// practice product with a request for changes, and does nothing elsewhere.
func playReviewer(ctx context.Context, tx pgx.Tx, actor Actor, setID int64) error {
	set, err := queries.ChangeSetGet(ctx, tx, setID)
	if err != nil {
		return fmt.Errorf("reading change set %d: %w", setID, err)
	}
	if set.PracticeOf == 0 || actor.isSystem() {
		return nil
	}
	asked, err := queries.PracticeWasReviewed(ctx, tx, set.ProductID)
	if err != nil {
		return fmt.Errorf("reading the reviews of practice: %w", err)
	}
	if asked {
		return nil
	}
	return askForPractice(ctx, tx, setID)
}

// askForPractice has the played reviewer comment on a guide of a change set, else on its
// first item, and send it back.
func askForPractice(ctx context.Context, tx pgx.Tx, setID int64) error {
	changes, err := queries.ChangeSetItemList(ctx, tx, setID)
	if err != nil || len(changes) == 0 {
		return err
	}
	about := Subject{ItemID: changes[0].Item.ID}
	for _, c := range changes {
		if c.Item.Kind == "guide" {
			about.ItemID = c.Item.ID
		}
	}
	if _, err := OpenThread(ctx, tx, played, setID, about, playedRequest); err != nil {
		return err
	}
	return RequestChanges(ctx, tx, played, setID, playedRequest)
}
