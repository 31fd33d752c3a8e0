package catalogue

import (
	"context"
	"maps"
	"slices"

	"heliograph/app/compare"
	"heliograph/app/content"
	"heliograph/app/spec/tree"
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

	// Report compares it with the release before. It is nil for the first. It may
	// lack operations that are unchanged.
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
		c, err := v.shelf.newContents(ctx, list)
		if err != nil {
			return nil, 0, &unreadError{err}
		}
		var history []Release
		for i, r := range list {
			switch {
			case r.Number == 1:
				history = append(history, Release{Release: r})
			case i+1 < len(list):
				report, err := v.compareBrief(ctx, c, comparisonKey{list[i+1].ID, r.ID, true})
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

// releaseContents knows which revisions some releases consist of.
type releaseContents struct {
	shelf     *shelf
	items     []models.LiveItem         // of all releases, without content
	revisions map[int64]map[int64]int64 // of items, by release
	frames    map[int64]string          // by revision of the version
}

func (s *shelf) newContents(ctx context.Context, releases []models.Release) (*releaseContents, error) {
	var ids []int64
	for _, r := range releases {
		ids = append(ids, r.ID)
	}
	revisions, err := queries.ReleaseRevisionListOf(ctx, s.db, ids)
	if err != nil {
		return nil, err
	}
	all := map[int64]int64{}
	for _, of := range revisions {
		maps.Copy(all, of)
	}
	items, err := queries.ItemListPlain(ctx, s.db, slices.Collect(maps.Keys(all)))
	return &releaseContents{s, items, revisions, map[int64]string{}}, err
}

// compareBrief compares two releases of the version. Endpoints that are the same in
// both are not read, unless what endpoints share differs.
func (v *Version) compareBrief(ctx context.Context, c *releaseContents, k comparisonKey) (*compare.Report, error) {
	if c.isEqual(k, func(models.LiveItem) bool { return true }) {
		return &compare.Report{}, nil
	}
	shared, err := c.sharesFrame(ctx, k)
	if err != nil {
		return nil, err
	}
	return v.compareItems(ctx, k, func(ctx context.Context, release int64) ([]models.LiveItem, error) {
		return c.read(ctx, release, func(i models.LiveItem) bool {
			return !shared || i.Kind != content.KindEndpoint || !c.isSame(k, i)
		})
	})
}

// sharesFrame reports whether two releases have the same schemas and the same frame
// but for its title, texts and paths, so that the same endpoint means the same in
// both.
func (c *releaseContents) sharesFrame(ctx context.Context, k comparisonKey) (bool, error) {
	if !c.isEqual(k, func(i models.LiveItem) bool { return i.Kind == content.KindSchema }) {
		return false, nil
	}
	before, err := c.frame(ctx, k.before)
	if err != nil {
		return false, err
	}
	after, err := c.frame(ctx, k.after)
	return err == nil && before == after && after != "", err
}

// frame returns the frame of a release but for its title, texts and paths, empty
// where some of its endpoints have their place in it.
func (c *releaseContents) frame(ctx context.Context, release int64) (string, error) {
	i := slices.IndexFunc(c.items, isVersion)
	if i < 0 {
		return "", nil
	}
	revision := c.revisions[release][c.items[i].ID]
	if known, ok := c.frames[revision]; ok {
		return known, nil
	}
	items, err := c.read(ctx, release, isVersion)
	if err != nil {
		return "", &unreadError{err}
	}
	_, parts, err := Assemble(items)
	if err != nil {
		return "", err
	}
	root, err := tree.Read(parts.Frame)
	if err != nil {
		return "", err
	}
	frame := string(root.Without("paths", "info").JSON())
	if slices.ContainsFunc(root.Entries("paths"), func(path tree.Member) bool { return path.Value.Get("$ref") != nil }) {
		frame = ""
	}
	c.frames[revision] = frame
	return frame, nil
}

func isVersion(i models.LiveItem) bool { return i.Kind == content.KindVersion }

func (c *releaseContents) isSame(k comparisonKey, i models.LiveItem) bool {
	return c.revisions[k.before][i.ID] == c.revisions[k.after][i.ID]
}

// isEqual reports whether two releases have the same revisions of some items.
func (c *releaseContents) isEqual(k comparisonKey, of func(models.LiveItem) bool) bool {
	return !slices.ContainsFunc(c.items, func(i models.LiveItem) bool { return of(i) && !c.isSame(k, i) })
}

// read returns some items of a release.
func (c *releaseContents) read(ctx context.Context, release int64, of func(models.LiveItem) bool) ([]models.LiveItem, error) {
	var items []models.LiveItem
	var revisions []int64
	for _, i := range c.items {
		if revision := c.revisions[release][i.ID]; revision != 0 && of(i) {
			items, revisions = append(items, i), append(revisions, revision)
		}
	}
	contents, err := queries.RevisionContentList(ctx, c.shelf.db, revisions)
	for n := range items {
		items[n].Content = contents[revisions[n]]
	}
	return items, err
}
