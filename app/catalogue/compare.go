package catalogue

import (
	"context"
	"fmt"

	"heliograph/app/compare"
	"heliograph/app/spec"
	"heliograph/db/queries"
)

// comparisonKey identifies the comparison of two releases.
type comparisonKey struct{ before, after int64 }

// Compare compares an older version with this one. The first caller compares
// them, and concurrent callers wait. [IsBroken] holds of the error when one of
// them cannot be read.
func (v *Version) Compare(ctx context.Context, older *Version) (*compare.Report, error) {
	return v.compareReleases(ctx, older.release, v.release)
}

func (v *Version) compareReleases(ctx context.Context, before, after int64) (*compare.Report, error) {
	name := fmt.Sprintf("comparison with release %d", before)
	return compiled(ctx, v, comparisonKey{before, after}, name, func(ctx context.Context) (*compare.Report, int, error) {
		was, err := v.shelf.document(ctx, before)
		if err != nil {
			return nil, 0, err
		}
		is, err := v.shelf.document(ctx, after)
		if err != nil {
			return nil, 0, err
		}
		report := compare.Documents(was, is)
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

// document puts the document of a release of a version together.
func (s *shelf) document(ctx context.Context, release int64) (*spec.Assembly, error) {
	items, err := queries.ReleaseItemList(ctx, s.db, release)
	if err != nil {
		return nil, &unreadError{err}
	}
	_, parts, err := Assemble(items)
	if err != nil {
		return nil, err
	}
	return spec.Assemble(parts)
}
