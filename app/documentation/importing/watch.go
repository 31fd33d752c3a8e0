package importing

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// WatchHours are the hours between two readings of an address, the usual number first.
var WatchHours = []int{24, 1, 6, 168}

// maxWatches is how many addresses one administrator can watch.
const maxWatches = 50

// Watches read addresses on a schedule.
type Watches struct{ service *Service }

// Add reads an address on a schedule. Each change becomes a change set of the actor.
func (w *Watches) Add(ctx context.Context, actor editorial.Actor, address models.ImportWatched) (id int64, err error) {
	i := models.Import{VersionSlug: address.VersionSlug}
	if address.ProductID == 0 {
		return 0, fault.InvalidFields(fault.Field{Name: "product", Message: "Choose a product."})
	}
	if err := checkAddress(address.Address); err != nil {
		return 0, err
	}
	if err := w.service.checkTarget(ctx, actor, Target{ProductID: address.ProductID}, &i); err != nil {
		return 0, err
	}
	if address.EveryHours < 1 || address.EveryHours > 168 {
		return 0, fault.InvalidFields(fault.Field{Name: "hours", Message: "Choose how often the address is read."})
	}
	address.CreatedBy = actor.ID
	err = db.InTx(ctx, w.service.DB, func(tx pgx.Tx) error {
		own, err := queries.ImportWatchList(ctx, tx, actor.ID)
		if err != nil {
			return err
		}
		if len(own) >= maxWatches {
			return fault.New(fault.Conflict, "You watch %d addresses already. Remove one first.", maxWatches)
		}
		if id, err = writes.ImportWatchInsert(ctx, tx, address); err != nil {
			return fmt.Errorf("adding a watched address: %w", err)
		}
		i.ID, i.Address, i.Source = id, address.Address, models.ImportWatch
		return record(ctx, tx, actor, "import_watch.create", i, map[string]any{"every_hours": address.EveryHours})
	})
	return id, err
}

// Remove ends reading an address on a schedule. Only its administrator and Super Admins
// may.
func (w *Watches) Remove(ctx context.Context, actor editorial.Actor, id int64) error {
	return db.InTx(ctx, w.service.DB, func(tx pgx.Tx) error {
		known, err := queries.ImportWatchGet(ctx, tx, id)
		if db.IsNoRows(err) || err == nil && !owns(actor, known.CreatedBy) {
			return fault.New(fault.NotFound, "This watched address does not exist.")
		}
		if err != nil {
			return err
		}
		if err := writes.ImportWatchDelete(ctx, tx, id); err != nil {
			return err
		}
		return record(ctx, tx, actor, "import_watch.remove", models.Import{ID: id, Source: models.ImportWatch, Address: known.Address, ProductSlug: known.ProductSlug, VersionSlug: known.VersionSlug}, nil)
	})
}

// dueAtOnce is how many watched addresses one run starts.
const dueAtOnce = 20

// check starts reading the watched addresses that are due.
func (w *Watches) check(ctx context.Context) error {
	return db.InTx(ctx, w.service.DB, func(tx pgx.Tx) error {
		due, err := writes.ImportWatchListDue(ctx, tx, dueAtOnce)
		if err != nil {
			return err
		}
		in := *w.service
		in.DB = tx
		for _, id := range due {
			if err := in.checkWatch(ctx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkWatch starts reading a watched address, unless its administrator may no longer
// write the product.
func (s *Service) checkWatch(ctx context.Context, id int64) error {
	w, err := queries.ImportWatchGet(ctx, s.DB, id)
	if err != nil {
		return err
	}
	actor, err := s.actorOf(ctx, w.CreatedBy)
	if err == nil {
		_, err = s.Start(ctx, actor, Upload{Source: models.ImportWatch, Address: w.Address, WatchID: w.ID, Target: Target{ProductID: w.ProductID, VersionSlug: w.VersionSlug}})
	}
	if f := fault.As(err); f != nil {
		w.LastOutcome, w.Failures = cut(message(f), 500), 1
		return writes.ImportWatchUpdateRead(ctx, s.DB, w)
	}
	return err
}

// actorOf returns the active administrator with an id, with the role of now.
func (s *Service) actorOf(ctx context.Context, id int64) (editorial.Actor, error) {
	a, err := queries.ImportActorGet(ctx, s.DB, id)
	if err != nil && !db.IsNoRows(err) {
		return editorial.Actor{}, err
	}
	if err != nil || !a.Active {
		return editorial.Actor{}, fault.New(fault.Forbidden, "The administrator who set this up is no longer active.")
	}
	return editorial.Actor{ID: a.ID, Name: fmt.Sprintf("admin:%d", a.ID), Role: a.Role}, nil
}

// settleWatch stores what reading a watched address led to. What changed is accepted for
// its administrator, so that a change set opens.
func (s *Service) settleWatch(ctx context.Context, tx pgx.Tx, i models.Import, state string) error {
	w, err := queries.ImportWatchGet(ctx, tx, i.WatchID)
	if err != nil {
		return db.Absent(err, nil, "reading a watched address") // it may be removed meanwhile
	}
	w.LastSHA256, w.Failures = i.SHA256, 0
	switch state {
	case models.ImportUnchanged:
		w.LastOutcome = "Nothing has changed."
	case models.ImportFailed:
		w.LastSHA256, w.Failures, w.LastOutcome = nil, 1, cut(i.Error, 500)
	default:
		if err := s.acceptWatched(ctx, tx, i, &w); err != nil {
			return err
		}
	}
	return writes.ImportWatchUpdateRead(ctx, tx, w)
}

// acceptWatched opens the change set of a watched address. If that is refused, the
// import waits for a decision of people.
func (s *Service) acceptWatched(ctx context.Context, tx pgx.Tx, i models.Import, w *models.ImportWatched) error {
	actor, err := s.actorOf(ctx, w.CreatedBy)
	if err == nil {
		err = pgx.BeginFunc(ctx, tx, func(inner pgx.Tx) error {
			read, err := writes.ImportLock(ctx, inner, i.ID)
			if err != nil {
				return err
			}
			if err := s.may(ctx, inner, actor, read); err != nil {
				return err
			}
			setID, err := s.accept(ctx, inner, actor, read, nil)
			w.LastOutcome = fmt.Sprintf("Change set %d was opened.", setID)
			return err
		})
	}
	if f := fault.As(err); f != nil {
		w.LastOutcome = cut("The changes wait on the page of import "+fmt.Sprint(i.ID)+": "+message(f), 500)
		return nil
	}
	return err
}

// owns reports whether an actor may manage what an administrator set up.
func owns(actor editorial.Actor, adminID int64) bool {
	return actor.ID == adminID || actor.Role == identity.SuperAdmin
}
