package editorial

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/content"
	"heliograph/app/fault"
	"heliograph/app/spec"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Import is a product with, unless it is only announced, one version of it
// from an API description.
type Import struct {
	ProductSlug string
	Product     content.Product
	VersionSlug string
	Version     content.Version // Frame and Description come from Document
	Document    *spec.Document  // nil for a product without documentation
	Guides      []ImportGuide   // those that the product has beside them stay
}

// ImportGuide is a guide page of the product.
type ImportGuide struct {
	Slug string
	content.Guide
}

// Draft turns an import into drafts in one change set and returns its id; zero
// when everything is live already. Endpoints that the document no longer has
// are archived by the release.
func Draft(ctx context.Context, b db.Beginner, actor Actor, im Import) (changeSetID int64, err error) {
	err = db.InTx(ctx, b, func(tx pgx.Tx) error {
		d := &drafter{tx: tx, actor: actor}
		product, err := d.save(ctx, place{kind: "product", slug: im.ProductSlug}, im.Product)
		if err != nil {
			return err
		}
		if im.Document != nil {
			if err := d.version(ctx, product, im); err != nil {
				return err
			}
		}
		for _, g := range im.Guides {
			if _, err := d.save(ctx, place{kind: "guide", parentID: product.ID, slug: g.Slug}, g.Guide); err != nil {
				return err
			}
		}
		if len(d.changed) == 0 {
			return nil
		}
		summary := "Import " + im.Product.Name
		if im.VersionSlug != "" {
			summary += " " + im.VersionSlug
		}
		changeSetID, err = queries.ChangeSetInsert(ctx, tx, product.ID, summary, actor.ID)
		if err != nil {
			return fmt.Errorf("opening a change set: %w", err)
		}
		for _, item := range d.changed {
			err := queries.ChangeSetItemInsert(ctx, tx, changeSetID, item.ID, item.DraftRevisionID)
			if db.IsUniqueViolation(err, "change_set_items_open") {
				return fault.New(fault.Conflict, "The %s %s is in another open change set: publish or withdraw that first.", item.Kind, item.Slug)
			}
			if err != nil {
				return fmt.Errorf("filling the change set: %w", err)
			}
		}
		return nil
	})
	return changeSetID, err
}

// drafter saves items and remembers which of them changed.
type drafter struct {
	tx      pgx.Tx
	actor   Actor
	changed []models.Item
}

func (d *drafter) save(ctx context.Context, at place, content any) (models.Item, error) {
	item, changed, err := save(ctx, d.tx, d.actor, at, content)
	if changed {
		d.changed = append(d.changed, item)
	}
	return item, err
}

func (d *drafter) version(ctx context.Context, product models.Item, im Import) error {
	described := im.Version
	frame, err := spec.JoinFrame(im.Document.Parts)
	if err != nil {
		return fmt.Errorf("joining the parts of %s: %w", im.VersionSlug, err)
	}
	described.Frame, described.Description = frame, im.Document.Description
	at := place{kind: "version", parentID: product.ID, slug: im.VersionSlug}
	version, err := d.save(ctx, at, described)
	if err != nil {
		return err
	}
	kept := map[int64]bool{}
	for i, o := range im.Document.Operations {
		item, err := d.save(ctx, place{kind: "endpoint", parentID: version.ID, slug: o.Slug}, content.Endpoint{
			OperationID: o.ID, Name: o.Name, Category: o.Category, Method: o.Method, Path: o.Path, Purpose: o.Purpose, Order: i, Raw: o.Raw,
		})
		if err != nil {
			return err
		}
		kept[item.ID] = true
	}
	live, err := queries.ItemListLive(ctx, d.tx, version.ID)
	if err != nil {
		return fmt.Errorf("listing the endpoints of %s: %w", im.VersionSlug, err)
	}
	archived := false
	for _, item := range live {
		if item.Kind != "endpoint" || kept[item.ID] {
			continue
		}
		archived = true
		if err := queries.ItemUpdateArchived(ctx, d.tx, item.ID); err != nil {
			return fmt.Errorf("archiving endpoint %s: %w", item.Slug, err)
		}
	}
	if archived && version.DraftRevisionID == 0 {
		at.anew = true // the version is released again without them
		_, err = d.save(ctx, at, described)
	}
	return err
}
