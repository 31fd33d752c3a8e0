package editorial

import (
	"context"

	"heliograph/app/fault"
	"heliograph/db"
)

// Arranged is arranged, for its property test.
var Arranged = arranged

// OwnPages are the pages of the portal beside the documentation.
var OwnPages = own

// Open opens an empty change set of a product and returns its id.
func Open(ctx context.Context, b db.Beginner, actor Actor, productID int64, summary string) (id int64, err error) {
	if err := checkText("summary", "Say in a sentence what changes.", &summary); err != nil {
		return 0, err
	}
	err = writeItem(ctx, b, actor, productID, func(w *writer) error {
		if w.productID != productID {
			return fault.New(fault.Invalid, "Item %d is not a product.", productID)
		}
		id, err = w.open(ctx, summary)
		return err
	})
	return id, err
}
