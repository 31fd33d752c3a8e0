package catalogue

import (
	"context"

	"heliograph/app/compare"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// maxHistory is the number of releases of a version that its history has.
const maxHistory = 20

// historyKey identifies the history of a version.
type historyKey struct{ release int64 }

// Release is a release of a version with what it changed.
type Release struct {
	models.Release

	// Report compares it with the release before. It is nil for the first.
	Report *compare.Report
}

// History lists the last releases of a version, the latest first, without those
// that changed nothing for readers.
func (v *Version) History(ctx context.Context) ([]Release, error) {
	return compiled(ctx, v, historyKey{v.release}, "history", func(ctx context.Context) ([]Release, int, error) {
		list, err := queries.ReleaseListByScope(ctx, v.shelf.db, v.id, v.Number, maxHistory+1)
		if err != nil {
			return nil, 0, &unreadError{err}
		}
		var history []Release
		for i, r := range list {
			switch {
			case r.Number == 1:
				history = append(history, Release{Release: r})
			case i+1 < len(list):
				report, err := v.compareReleases(ctx, list[i+1].ID, r.ID)
				if err != nil {
					return nil, 0, err
				}
				if report.Levels != (compare.LevelCounts{}) {
					history = append(history, Release{r, report})
				}
			}
		}
		return history, len(history) * 200, nil
	})
}
