package editorial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Import is a product with one version from an API description. A product that
// is only announced has no version.
type Import struct {
	ProductSlug string
	Product     content.Product
	VersionSlug string
	Version     content.Version   // Frame and Description come from Document
	Document    *openapi.Document // nil for a product without documentation
	Guides      []ImportGuide     // those that the product has beside them stay
	// KeepProduct leaves the content of the product as it is.
	KeepProduct bool
	// Orders are the places of parts that the version has already, by [PartKey]. Other
	// parts stand where the document has them.
	Orders map[string]int
	// SearchedAs holds what parts and guides are searched as, by [PartKey].
	SearchedAs map[string]string
}

// PartKey names a guide or a part of a version in [Import.Orders] and [Import.SearchedAs].
func PartKey(kind, slug string) string { return space(kind) + slug }

// ImportGuide is a guide page of the product.
type ImportGuide struct {
	Slug string
	content.Guide
}

func (im Import) summary() string {
	summary := "Import " + im.Product.Name
	if im.VersionSlug != "" {
		summary += " " + im.VersionSlug
	}
	return summary
}

// Draft turns an import into drafts in one change set of the actor and returns
// its id, or zero when everything is already live. The release archives parts
// of the version that the document no longer has. An import that is in draft is
// continued.
func Draft(ctx context.Context, b db.Beginner, actor Actor, im Import) (changeSetID int64, err error) {
	err = inImport(ctx, b, actor, im, func(d *importer) error {
		if d.direct, err = d.continued(ctx, im); err != nil {
			return err
		}
		list, gone, err := d.wanted(ctx, im)
		if err != nil {
			return err
		}
		if err := d.into(ctx, &d.direct, list, gone); err != nil {
			return err
		}
		changeSetID = d.direct
		return nil
	})
	return changeSetID, err
}

// inImport runs do with the lock of the product. It adds a new product.
func inImport(ctx context.Context, b db.Beginner, actor Actor, im Import, do func(d *importer) error) error {
	return writeProduct(ctx, b, actor, im.ProductSlug, func(w *writer, product models.Item) error {
		origin := originImport
		if actor.isSystem() {
			origin = originSeed
		}
		return do(&importer{writer: w, product: product, origin: origin, summary: im.summary(), liveOnly: im.KeepProduct})
	})
}

// writeProduct is write for the product with a slug. Only a Super Admin may add
// a product.
func writeProduct(ctx context.Context, b db.Beginner, actor Actor, slug string, do func(w *writer, product models.Item) error) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		product, err := queries.ItemGetAt(ctx, tx, content.KindProduct, 0, slug)
		if db.IsNoRows(err) {
			if !actor.isSystem() && actor.Role != identity.SuperAdmin {
				return fault.New(fault.Forbidden, "Only a Super Admin adds a product.")
			}
			list, err := writes.ItemInsert(ctx, tx, 0, []string{content.KindProduct}, []string{slug})
			if db.IsUniqueViolation(err, "items_address") {
				return fault.New(fault.Conflict, "Somebody else is adding the product %s.", slug)
			}
			if err != nil {
				return fmt.Errorf("adding product %s: %w", slug, err)
			}
			product = list[0]
		} else if err != nil {
			return fmt.Errorf("looking for product %s: %w", slug, err)
		}
		return write(ctx, tx, actor, product.ID, func(w *writer) error { return do(w, product) })
	})
}

// importer drafts an import.
type importer struct {
	*writer
	product models.Item
	origin  string
	summary string
	direct  int64 // the change set that drafts go to; zero until there is one
	// liveOnly leaves alone what others have in draft and was never published.
	liveOnly bool
}

// continued returns the change set of the same import that is already in draft,
// zero when there is none.
func (d *importer) continued(ctx context.Context, im Import) (int64, error) {
	summary := im.summary()
	if d.actor.isSystem() {
		summary = "" // whatever a seed before could not finish
	}
	set, err := queries.ChangeSetGetDraft(ctx, d.tx, d.productID, d.actor.ID, summary)
	if err != nil {
		return 0, db.Absent(err, nil, "looking for the change set of an import")
	}
	return set.ID, nil
}

// want is the content of an import for an item.
type want struct {
	kind, slug string
	content    any
}

// wanted finds or adds the items of an import and lists their contents. It
// returns the live parts of the version that the import lacks as gone.
func (d *importer) wanted(ctx context.Context, im Import) (list []pending, gone []models.Item, err error) {
	if !im.KeepProduct {
		if list, err = d.add(list, d.product, want{content.KindProduct, d.product.Slug, im.Product}); err != nil {
			return nil, nil, err
		}
	}
	var wants []want
	if im.Document != nil {
		v := im.Version
		v.Frame, v.Description = im.Document.Frame, im.Document.Description
		wants = append(wants, want{content.KindVersion, im.VersionSlug, v})
	}
	for _, g := range im.Guides {
		g.Guide.SearchedAs = im.SearchedAs[PartKey(content.KindGuide, g.Slug)]
		wants = append(wants, want{content.KindGuide, g.Slug, g.Guide})
	}
	items, _, err := d.place(ctx, d.productID, wants)
	if err != nil {
		return nil, nil, err
	}
	for i, item := range items {
		if list, err = d.add(list, item, wants[i]); err != nil {
			return nil, nil, err
		}
	}
	if im.Document == nil {
		return list, nil, nil
	}
	wants = im.parts()
	items, gone, err = d.place(ctx, items[0].ID, wants)
	if err != nil {
		return nil, nil, err
	}
	for i, item := range items {
		if list, err = d.add(list, item, wants[i]); err != nil {
			return nil, nil, err
		}
	}
	return list, gone, nil
}

// parts lists the items of the version that the document describes. A part without a
// place of its own follows the part before it.
func (im Import) parts() (wants []want) {
	d, orders, last := im.Document, im.Orders, 0
	place := func(kind, slug string, i int) int {
		order, known := orders[PartKey(kind, slug)]
		switch {
		case known:
			last = order
		case len(orders) > 0 && i > 0:
			order = last
		default:
			order, last = i, i
		}
		return order
	}
	for i, c := range d.Categories {
		wants = append(wants, want{content.KindCategory, c.Slug, content.Category{Name: c.Name, Description: c.Description, Order: place(content.KindCategory, c.Slug, i), Raw: c.Raw}})
	}
	for i, o := range d.Operations {
		wants = append(wants, want{content.KindEndpoint, o.Slug, im.operation(content.KindEndpoint, o, place(content.KindEndpoint, o.Slug, i))})
	}
	for i, o := range d.Callbacks {
		wants = append(wants, want{content.KindCallback, o.Slug, im.operation(content.KindCallback, o, place(content.KindCallback, o.Slug, i))})
	}
	for i, s := range d.Schemas {
		wants = append(wants, want{content.KindSchema, s.Slug, content.Schema{
			Name: s.Name, Order: place(content.KindSchema, s.Slug, i), Raw: s.Raw, SearchedAs: im.SearchedAs[PartKey(content.KindSchema, s.Slug)],
		}})
	}
	return wants
}

func (im Import) operation(kind string, o openapi.Operation, order int) content.Endpoint {
	return content.Endpoint{
		OperationID: o.ID, Name: o.Name, Category: o.Category, Method: o.Method, Path: o.Path, Purpose: o.Purpose, Order: order, Raw: o.Raw,
		SearchedAs: im.SearchedAs[PartKey(kind, o.Slug)],
	}
}

func (d *importer) add(list []pending, item models.Item, w want) ([]pending, error) {
	raw, err := json.Marshal(w.content)
	if err != nil {
		return nil, fmt.Errorf("writing the content of %s %s: %w", w.kind, w.slug, err)
	}
	return append(list, pending{item: item, content: raw, origin: d.origin}), nil
}

// into drafts contents and archives items in a change set. It opens the change
// set with the first change.
func (d *importer) into(ctx context.Context, setID *int64, list []pending, gone []models.Item) error {
	ids := lists.Map(list, func(p pending) int64 { return p.item.ID })
	for _, item := range gone {
		ids = append(ids, item.ID)
	}
	heads, err := queries.ItemHeadList(ctx, d.tx, ids)
	if err != nil {
		return fmt.Errorf("reading what is there already: %w", err)
	}
	var archived []models.Change
	for _, item := range gone {
		head := heads[item.ID]
		if d.liveOnly && item.LiveRevisionID == 0 && head.ChangeSetID != *setID {
			continue
		}
		if err := d.checkAuthor(ctx, item); err != nil {
			return err
		}
		switch {
		case item.Public() && head.Action != actionArchive:
			archived = append(archived, models.Change{Item: item, Action: actionArchive, RevisionID: item.LiveRevisionID})
		case item.LiveRevisionID == 0 && head.ChangeSetID != 0: // drafted by an import before, and given up by this one
			if _, err := writes.ChangeSetItemDelete(ctx, d.tx, head.ChangeSetID, item.ID); err != nil {
				return fmt.Errorf("giving up %s %s: %w", item.Kind, item.Slug, err)
			}
			if err := writes.ItemUpdateUndrafted(ctx, d.tx, item.ID); err != nil {
				return fmt.Errorf("giving up %s %s: %w", item.Kind, item.Slug, err)
			}
		}
	}
	changed := len(archived) > 0
	for _, p := range list {
		head := heads[p.item.ID]
		changed = changed || head.ChangeSetID == 0 && (head.Archived || !bytes.Equal(head.HeadHash, sum(p.content)))
	}
	if changed && *setID == 0 {
		if *setID, err = d.open(ctx, d.summary); err != nil {
			return err
		}
	}
	drafts := drafter{d.writer}
	if _, err := drafts.draft(ctx, list, *setID); err != nil {
		return err
	}
	if len(archived) == 0 {
		return nil
	}
	return d.put(ctx, *setID, archived)
}
