package editorial

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// liveProduct holds the properties of a product that the search rows of all its
// versions depend on.
type liveProduct struct {
	product  models.Item
	content  content.Product
	versions []liveVersion // the newest first
}

// liveVersion is a version of a liveProduct.
type liveVersion struct {
	item   models.Item
	label  string
	latest bool // the one to read first
}

// indexer writes the search rows of a product.
type indexer struct{ *writer }

// read reads the product as it is live now.
func (x indexer) read(ctx context.Context) (p liveProduct, err error) {
	if p.product, err = x.item(ctx, x.productID); err != nil {
		return p, err
	}
	revision, err := x.revision(ctx, p.product.LiveRevisionID)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(revision.Content, &p.content); err != nil {
		return p, fmt.Errorf("reading product %s: %w", p.product.Slug, err)
	}
	items, err := queries.ItemListLive(ctx, x.tx, x.productID)
	if err != nil {
		return p, fmt.Errorf("listing the versions of %s: %w", p.product.Slug, err)
	}
	labels, err := queries.VersionLabelList(ctx, x.tx, x.productID)
	if err != nil {
		return p, fmt.Errorf("reading the labels of %s: %w", p.product.Slug, err)
	}
	for _, item := range items {
		if item.Kind == content.KindVersion {
			p.versions = append(p.versions, liveVersion{item: item, label: labels[item.ID]})
		}
	}
	slices.SortStableFunc(p.versions, func(a, b liveVersion) int { return content.CompareVersions(b.item.Slug, a.item.Slug) })
	if len(p.versions) > 0 {
		first := max(0, slices.IndexFunc(p.versions, func(v liveVersion) bool { return v.label == content.Current }))
		p.versions[first].latest = true
	}
	return p, nil
}

// isFound reports whether search shows the product. It shows no hidden, announced or
// archived products, and none for practice.
func (p liveProduct) isFound() bool {
	return p.product.Public() && p.product.PracticeOf == 0 && !p.content.Hidden && !p.content.ComingSoon
}

func (p liveProduct) version(id int64) (liveVersion, bool) {
	i := slices.IndexFunc(p.versions, func(v liveVersion) bool { return v.item.ID == id })
	if i < 0 {
		return liveVersion{}, false
	}
	return p.versions[i], true
}

func (p liveProduct) row() search.Product {
	return search.Product{ItemID: p.product.ID, Slug: p.product.Slug, Name: p.content.Name, Summary: p.content.Summary, Description: p.content.Description}
}

// index writes the search rows of released scopes and of those that depend on
// them: all versions when the product's name or address changed, and those that
// became or are no longer the version to read first. A version that does not
// compile is a Conflict with code broken.
func (x indexer) index(ctx context.Context, before liveProduct, scopes []int64, changes []models.Change) error {
	now, err := x.read(ctx)
	if err != nil {
		return err
	}
	all := now.isFound() != before.isFound() || now.product.Slug != before.product.Slug || now.content.Name != before.content.Name
	for _, v := range before.versions {
		if _, live := now.version(v.item.ID); !live {
			if err := writes.SearchRowClear(ctx, x.tx, v.item.ID); err != nil {
				return fmt.Errorf("clearing the index of %s: %w", v.item.Slug, err)
			}
		}
	}
	if all || slices.Contains(scopes, x.productID) {
		if err := x.indexProduct(ctx, now); err != nil {
			return err
		}
	}
	for _, v := range now.versions {
		was, _ := before.version(v.item.ID)
		alike := !all && was.latest == v.latest
		if alike && !slices.Contains(scopes, v.item.ID) {
			continue
		}
		if alike {
			done, err := x.indexParts(ctx, now, v, within(changes, v.item.ID))
			if err != nil {
				return err
			}
			if done {
				continue
			}
		}
		if err := x.indexVersion(ctx, now, v); err != nil {
			return err
		}
	}
	return nil
}

// within lists the changes of a version and its parts.
func within(changes []models.Change, versionID int64) (list []models.Change) {
	return lists.Where(changes, func(c models.Change) bool {
		return c.Item.ID == versionID || c.Item.ParentID == versionID || c.ParentID == versionID
	})
}

// indexProduct writes the rows of the product itself and of its guides.
func (x indexer) indexProduct(ctx context.Context, p liveProduct) error {
	if !p.isFound() {
		return x.replaceRows(ctx, p.product.ID, nil)
	}
	guides, err := queries.GuideList(ctx, x.tx, x.productID)
	if err != nil {
		return fmt.Errorf("reading the guides of %s: %w", p.product.Slug, err)
	}
	var rows []models.SearchRow
	for _, item := range guides {
		var g content.Guide
		if err := json.Unmarshal(item.Content, &g); err != nil {
			return fmt.Errorf("reading guide %s: %w", item.Slug, err)
		}
		rows = append(rows, search.Guide{
			Product:    p.row(),
			ItemID:     item.ID,
			Slug:       item.Slug,
			Title:      g.Title,
			Summary:    g.Summary,
			Section:    g.Section,
			Text:       g.Text,
			SearchedAs: content.Phrases(g.SearchedAs),
		}.Rows()...)
	}
	return x.replaceRows(ctx, p.product.ID, append(rows, p.row().Rows()...))
}

// indexVersion compiles the latest release of a version and writes its rows.
func (x indexer) indexVersion(ctx context.Context, p liveProduct, at liveVersion) error {
	items, err := queries.ReleaseItemListLatest(ctx, x.tx, at.item.ID)
	if err != nil {
		return fmt.Errorf("reading the release of %s: %w", at.item.Slug, err)
	}
	rows, err := rowsOf(p, at, items)
	if err != nil {
		return err
	}
	if !p.isFound() {
		rows = nil
	}
	return x.replaceRows(ctx, at.item.ID, rows)
}

// rowsOf compiles a version from its items and makes its rows.
func rowsOf(p liveProduct, at liveVersion, items []models.LiveItem) ([]models.SearchRow, error) {
	version, parts, err := published.Assemble(items)
	if err != nil {
		return nil, err
	}
	frame, err := openapi.JoinFrame(parts)
	if err != nil {
		return nil, brokenVersion(at, err)
	}
	v := search.Version{
		Product: p.row(), ItemID: at.item.ID, Slug: at.item.Slug, Label: version.Label, Latest: at.latest, Description: version.Description, Notes: version.Notes,
		Frame: frame, Operations: parts.Operations, Items: map[string]int64{}, SearchedAs: map[string][]string{}, SchemasSearchedAs: map[string][]string{},
	}
	for _, item := range items {
		var said struct {
			Name       string `json:"name"`
			SearchedAs string `json:"searched_as"`
		}
		if err := json.Unmarshal(item.Content, &said); err != nil {
			return nil, fmt.Errorf("reading %s %s: %w", item.Kind, item.Slug, err)
		}
		switch item.Kind {
		case content.KindEndpoint, content.KindCallback:
			v.Items[item.Slug], v.SearchedAs[item.Slug] = item.ID, content.Phrases(said.SearchedAs)
		case content.KindSchema:
			v.SchemasSearchedAs[said.Name] = content.Phrases(said.SearchedAs)
		}
	}
	if v.API, err = model.Compile(parts); err != nil {
		return nil, brokenVersion(at, err)
	}
	return v.Rows(), nil
}

func brokenVersion(v liveVersion, err error) error {
	return &fault.Error{Kind: fault.Conflict, Code: "broken", Message: fmt.Sprintf("Version %s would not be readable: %v", v.item.Slug, err)}
}

// replaceRows replaces the search rows of a scope. Equal rows stay.
func (x indexer) replaceRows(ctx context.Context, scopeID int64, rows []models.SearchRow) error {
	changed, err := writes.SearchRowReplace(ctx, x.tx, scopeID, rows)
	if err != nil {
		return fmt.Errorf("writing search rows: %w", err)
	}
	if changed == 0 {
		return nil
	}
	if err := writes.SearchWordReplace(ctx, x.tx, scopeID, search.Vocabulary(rows)); err != nil {
		return fmt.Errorf("writing search words: %w", err)
	}
	return nil
}

// reindex indexes products that were published before the current form of the
// index.
func reindex(ctx context.Context, b db.Beginner) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		ids, err := queries.ProductListUnindexed(ctx, tx)
		if err != nil {
			return fmt.Errorf("looking for products without an index: %w", err)
		}
		for _, id := range ids {
			err := write(ctx, tx, System, id, func(w *writer) error {
				x := indexer{w}
				if p, err := x.read(ctx); err != nil || !p.isFound() {
					return err
				}
				return x.index(ctx, liveProduct{}, nil, nil)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}
