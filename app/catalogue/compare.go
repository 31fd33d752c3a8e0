package catalogue

import (
	"context"
	"fmt"

	"heliograph/app/compare"
	"heliograph/app/spec"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// comparisonKey identifies the comparison of two releases. A brief one lacks
// operations that are unchanged.
type comparisonKey struct {
	before, after int64
	brief         bool
}

// Compare compares an older version with this one. The first caller compares
// them, and concurrent callers wait. [IsBroken] holds of the error when one of
// them cannot be read.
func (v *Version) Compare(ctx context.Context, older *Version) (*compare.Report, error) {
	return v.compareItems(ctx, comparisonKey{older.release, v.release, false}, func(ctx context.Context, release int64) ([]models.LiveItem, error) {
		return queries.ReleaseItemList(ctx, v.shelf.db, release)
	})
}

// compareItems compares the items of two releases, which read returns.
func (v *Version) compareItems(ctx context.Context, k comparisonKey, read func(ctx context.Context, release int64) ([]models.LiveItem, error)) (*compare.Report, error) {
	name := fmt.Sprintf("comparison with release %d", k.before)
	return compiled(ctx, v, k, name, func(ctx context.Context) (*compare.Report, int, error) {
		was, err := read(ctx, k.before)
		if err != nil {
			return nil, 0, &unreadError{err}
		}
		is, err := read(ctx, k.after)
		if err != nil {
			return nil, 0, &unreadError{err}
		}
		before, err := assemble(was)
		if err != nil {
			return nil, 0, err
		}
		after, err := assemble(is)
		if err != nil {
			return nil, 0, err
		}
		report := compare.Documents(before, after)
		accepted, err := queries.AcceptedChangeList(ctx, v.shelf.db, v.id)
		if err != nil {
			return nil, 0, &unreadError{err}
		}
		reasons := make(map[string]string, len(accepted))
		for _, a := range accepted {
			reasons[a.Fingerprint] = a.Reason
		}
		report.Explain(reasons)
		return report, report.Size(), nil
	})
}

// assemble puts a document together from its items.
func assemble(items []models.LiveItem) (*spec.Assembly, error) {
	_, parts, err := Assemble(items)
	if err != nil {
		return nil, err
	}
	return spec.Assemble(parts)
}
