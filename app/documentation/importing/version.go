package importing

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// productContent returns what is published of a product, else its draft; ok is false
// when it has neither.
func productContent(ctx context.Context, q db.Querier, item models.Item) (p content.Product, ok bool, err error) {
	id := cmp.Or(item.LiveRevisionID, item.DraftRevisionID)
	if id == 0 {
		return p, false, nil
	}
	r, err := queries.RevisionGet(ctx, q, id)
	if err != nil {
		return p, false, fmt.Errorf("reading product %s: %w", item.Slug, err)
	}
	return p, true, json.Unmarshal(r.Content, &p)
}

// version is what is published of the version that an import goes into.
type version struct {
	exists  bool
	content content.Version
	orders  map[string]int
	// searchedAs is what parts are searched as, which no imported document says.
	searchedAs map[string]string
}

// request collects what an import is compared with. It has no bytes of the import.
func (s *Service) request(ctx context.Context, q db.Querier, i models.Import) (r prepare.Request, v version, err error) {
	r.Place = "/docs/" + i.ProductSlug + "/" + i.VersionSlug
	if i.ProductID == 0 {
		return r, v, nil
	}
	item, err := queries.ItemGetAt(ctx, q, content.KindVersion, i.ProductID, i.VersionSlug)
	if db.IsNoRows(err) || err == nil && item.Kind == content.KindVersion && item.LiveRevisionID == 0 {
		return r, v, nil
	}
	if err != nil {
		return r, v, fmt.Errorf("looking for version %s: %w", i.VersionSlug, err)
	}
	items, err := queries.ReleaseItemListLatest(ctx, q, item.ID)
	if err != nil {
		return r, v, fmt.Errorf("reading version %s: %w", i.VersionSlug, err)
	}
	live, parts, err := published.Assemble(items)
	if err != nil {
		return r, v, err
	}
	v = version{exists: true, content: live, orders: map[string]int{}, searchedAs: map[string]string{}}
	for _, item := range items {
		var placed struct {
			Order      int    `json:"order"`
			SearchedAs string `json:"searched_as"`
		}
		if item.Kind != content.KindVersion && json.Unmarshal(item.Content, &placed) == nil {
			key := editorial.PartKey(item.Kind, item.Slug)
			v.orders[key], v.searchedAs[key] = placed.Order, placed.SearchedAs
		}
	}
	r.Live, r.Description = &parts, live.Description
	base, err := queries.ImportGetBase(ctx, q, i.ProductID, i.VersionSlug)
	if err != nil {
		return r, v, db.Absent(err, nil, "looking for the last import")
	}
	if base.Converted != "" {
		if r.Base, err = s.bytesOf(ctx, base.Converted); err != nil {
			return r, v, fmt.Errorf("reading the last import: %w", err)
		}
		r.Left = base.Skipped
	}
	return r, v, nil
}
