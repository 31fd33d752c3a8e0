package editorial

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/search"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// maxParts is the number of endpoints up to which they are indexed without the
// rest of their version. Beyond it, indexing the version is not much slower.
const maxParts = 20

// indexParts writes the rows of changed endpoints without reading the other
// endpoints of their version. It reports false, and writes nothing, where the
// rows of other parts may change too.
func (x indexer) indexParts(ctx context.Context, p liveProduct, at liveVersion, changes []models.Change) (done bool, err error) {
	if !p.isFound() || len(changes) == 0 || len(changes) > maxParts {
		return false, nil
	}
	concerned := map[int64]bool{}
	before := make([]models.LiveItem, 0, len(changes))
	now := make([]models.LiveItem, 0, len(changes))
	for _, c := range changes {
		if c.Item.Kind != content.KindEndpoint || c.Action != actionUpdate || !c.Item.Public() || content.IsUnpublished(c.Item.Kind, c.Content) {
			return false, nil
		}
		old, err := x.revision(ctx, c.Item.LiveRevisionID)
		if err != nil {
			return false, err
		}
		if same, err := standsAlike(old.Content, c.Content); err != nil || !same {
			return false, err
		}
		concerned[c.Item.ID] = true
		item := models.LiveItem{ID: c.Item.ID, Kind: c.Item.Kind, ParentID: c.Item.ParentID, Slug: c.Item.Slug, Content: old.Content}
		before = append(before, item)
		item.Content = c.Content
		now = append(now, item)
	}
	frame, err := queries.ReleaseFrameListLatest(ctx, x.tx, at.item.ID)
	if err != nil {
		return false, fmt.Errorf("reading the release of %s: %w", at.item.Slug, err)
	}
	was, err := rowsOf(p, at, append(frame[:len(frame):len(frame)], before...))
	if err != nil {
		return false, nil //nolint:nilerr // what was readable before is judged with the whole version
	}
	is, err := rowsOf(p, at, append(frame[:len(frame):len(frame)], now...))
	if err != nil {
		return false, err
	}
	gone, added := queries.SearchRowDiff(was, is)
	for _, row := range append(gone[:len(gone):len(gone)], added...) {
		if !concerned[row.ItemID] || concernsOthers(row) {
			return false, nil
		}
	}
	done, err = writes.SearchRowExchange(ctx, x.tx, at.item.ID, gone, added)
	if err != nil || !done {
		return false, err
	}
	if err := writes.SearchWordExchange(ctx, x.tx, at.item.ID, search.Vocabulary(gone), search.Vocabulary(added)); err != nil {
		return false, fmt.Errorf("writing search words: %w", err)
	}
	return true, nil
}

// standsAlike reports whether two contents of an endpoint have the same name
// and place. The rows of other parts hold both.
func standsAlike(a, b json.RawMessage) (bool, error) {
	var x, y content.Endpoint
	if err := json.Unmarshal(a, &x); err != nil {
		return false, fmt.Errorf("reading an endpoint: %w", err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		return false, fmt.Errorf("reading an endpoint: %w", err)
	}
	return x.OperationID == y.OperationID && x.Name == y.Name && x.Category == y.Category && x.Method == y.Method && x.Path == y.Path && x.Order == y.Order, nil
}

// concernsOthers reports whether a row of an endpoint may stand for another
// endpoint too. Equal responses, examples and schemas share one row.
func concernsOthers(row models.SearchRow) bool {
	switch row.Kind {
	case "endpoint", "guide", "error":
		return false
	case "field":
		return strings.HasPrefix(row.Breadcrumb[len(row.Breadcrumb)-1], "Response ")
	}
	return true
}
