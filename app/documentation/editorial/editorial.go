// Package editorial writes documentation. Items (products, versions, endpoints,
// schemas, guides …) hold their content as immutable revisions. A change set
// collects changes to items of one product: new content, archiving, moving. It is
// reviewed, and a release publishes it in one transaction. Seeding, importing and
// editing all use this package.
//
// The policy where the specification is silent: One approval is enough, by an
// Editor of the product or a Super Admin who wrote none of the changes. A product
// may let authors approve their own changes (content.Product.OwnApproval). Everybody
// who may edit a product may publish approved changes. Restoring a revision,
// reverting a release, releasing without approval and adding a product take a
// Super Admin. An item is in one open change set at a time, and only its author
// edits it there. On a practice product (practice.go) its owner does everything.
//
// Writes to one product wait for each other: each holds the product's lock
// until its transaction ends.
package editorial

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Actor is the author of a write.
type Actor struct {
	ID   int64  // of the administrator, zero for the program itself
	Name string // for the audit: admin:7, or system
	Role string // of the administrator, as app/people/identity names it
}

// System is the program itself, when it seeds and publishes scheduled changes.
var System = Actor{Name: "system"}

func (a Actor) isSystem() bool { return a.ID == 0 && a.Name == System.Name }

// The origins of a revision.
const (
	originSeed    = "seed"
	originImport  = "import"
	originEdit    = "edit"
	originRestore = "restore"
)

// The actions of a change.
const (
	actionUpdate  = "update"
	actionArchive = "archive"
	actionMove    = "move"
)

// writer writes to one product. Its transaction holds the product's lock.
type writer struct {
	tx        pgx.Tx
	actor     Actor
	productID int64
	practice  bool // the product is one that its owner practises on
}

// write runs do in a transaction that holds the lock of the product. The actor
// must be allowed to edit it.
func write(ctx context.Context, b db.Beginner, actor Actor, productID int64, do func(w *writer) error) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		if err := writes.ProductLock(ctx, tx, productID); err != nil {
			return fmt.Errorf("waiting for another writer: %w", err)
		}
		practiceOf, err := mayEdit(ctx, tx, actor, productID)
		if err != nil {
			return err
		}
		return do(&writer{tx, actor, productID, practiceOf != 0})
	})
}

// writeItem is write for the product that an item belongs to.
func writeItem(ctx context.Context, b db.Beginner, actor Actor, itemID int64, do func(w *writer) error) error {
	productID, err := queries.ItemProduct(ctx, b, itemID)
	if err != nil {
		return db.Absent(err, fault.New(fault.NotFound, "There is no item %d.", itemID), "finding the product of item %d", itemID)
	}
	return write(ctx, b, actor, productID, do)
}

func (w *writer) item(ctx context.Context, id int64) (models.Item, error) {
	item, err := queries.ItemGet(ctx, w.tx, id)
	if err != nil {
		return item, db.Absent(err, fault.New(fault.NotFound, "There is no item %d.", id), "reading item %d", id)
	}
	return item, nil
}

// record adds an entry to the audit. Practice leaves no entry, because an audit is never
// erased: what was practised is in revisions, reviews and releases until its owner starts
// again.
func (w *writer) record(ctx context.Context, action, target string, details map[string]any) error {
	if w.practice {
		return nil
	}
	return audit.Record(ctx, w.tx, audit.Entry{Actor: w.actor.Name, Action: action, Target: target, Details: details})
}

func itemTarget(id int64) string { return fmt.Sprintf("item:%d", id) }

func setTarget(id int64) string { return fmt.Sprintf("change_set:%d", id) }

// sum returns the hash of a revision's content.
func sum(content []byte) []byte {
	hash := sha256.Sum256(content)
	return hash[:]
}
