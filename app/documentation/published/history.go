package published

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/content"
	"heliograph/app/lists"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
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
			return nil, 0, err
		}
		history, err := v.newHistory(ctx, c, list)
		return history, len(history) * 200, err
	})
}

// newHistory compares each of some releases with the next one, which is older.
func (v *Version) newHistory(ctx context.Context, c *releaseContents, list []models.Release) ([]Release, error) {
	reports := make([]*compare.Report, len(list))
	var tasks []func() error
	for i, r := range list {
		if r.Number > 1 && i+1 < len(list) {
			tasks = append(tasks, func() (err error) {
				reports[i], err = v.compareReleases(ctx, c, comparisonKey{list[i+1].ID, r.ID, true})
				return err
			})
		}
	}
	if err := together(tasks...); err != nil {
		return nil, err
	}
	var history []Release
	for i, r := range list {
		if r.Number == 1 || reports[i] != nil && reports[i].Levels != (compare.LevelCounts{}) {
			history = append(history, Release{r, reports[i]})
		}
	}
	return history, nil
}

// releaseContents knows which revisions some releases consist of. It holds the
// content of those that differ between them, and of what endpoints share.
type releaseContents struct {
	shelf     *shelf
	items     []models.LiveItem         // of all releases, without content
	revisions map[int64]map[int64]int64 // of items, by release
	contents  map[int64]json.RawMessage // by revision
	frames    map[int64]string          // common frames, by revision of the version
}

func (s *shelf) newContents(ctx context.Context, releases []models.Release) (*releaseContents, error) {
	ids := lists.Map(releases, func(r models.Release) int64 { return r.ID })
	revisions, err := queries.ReleaseRevisionListOf(ctx, s.db, ids)
	if err != nil {
		return nil, &unreadError{err}
	}
	all := map[int64]int64{}
	for _, of := range revisions {
		maps.Copy(all, of)
	}
	items, err := queries.ItemListPlain(ctx, s.db, slices.Collect(maps.Keys(all)))
	if err != nil {
		return nil, &unreadError{err}
	}
	c := &releaseContents{s, items, revisions, nil, map[int64]string{}}
	if c.contents, err = s.contents(ctx, c.varying()); err != nil {
		return nil, err
	}
	return c, c.readFrames()
}

// readFrames reads the frames of the releases, each revision once.
func (c *releaseContents) readFrames() error {
	for _, i := range c.items {
		if i.Kind != content.KindVersion {
			continue
		}
		for _, of := range c.revisions {
			revision := of[i.ID]
			if _, known := c.frames[revision]; known || revision == 0 {
				continue
			}
			i.Content = c.contents[revision]
			frame, err := commonFrame([]models.LiveItem{i})
			if err != nil {
				return err
			}
			c.frames[revision] = frame
		}
	}
	return nil
}

// varying lists the revisions of endpoints that not all releases have, and all
// revisions of other items.
func (c *releaseContents) varying() []int64 {
	uses := map[int64]int{}
	for _, of := range c.revisions {
		for _, revision := range of {
			uses[revision]++
		}
	}
	var list []int64
	for _, i := range c.items {
		for _, of := range c.revisions {
			if revision := of[i.ID]; revision != 0 && (i.Kind != content.KindEndpoint || uses[revision] < len(c.revisions)) {
				list = append(list, revision)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// compareReleases compares two releases of the version. Endpoints that are the same
// in both are not read, unless what endpoints share differs.
func (v *Version) compareReleases(ctx context.Context, c *releaseContents, k comparisonKey) (*compare.Report, error) {
	if c.isEqual(k, func(models.LiveItem) bool { return true }) {
		return &compare.Report{}, nil
	}
	shared := c.sharesParts(k)
	part := func(i models.LiveItem) bool {
		return !shared || i.Kind != content.KindEndpoint || !c.isSame(k, i)
	}
	return v.compareItems(ctx, k, func(ctx context.Context) (was, is []models.LiveItem, err error) {
		if was, err = c.read(ctx, k.before, part); err != nil {
			return nil, nil, err
		}
		is, err = c.read(ctx, k.after, part)
		return was, is, err
	})
}

// sharesParts is shareParts for two of the releases.
func (c *releaseContents) sharesParts(k comparisonKey) bool {
	at := slices.IndexFunc(c.items, func(i models.LiveItem) bool { return i.Kind == content.KindVersion })
	if at < 0 || !c.isEqual(k, func(i models.LiveItem) bool { return i.Kind == content.KindSchema }) {
		return false
	}
	id := c.items[at].ID
	before, after := c.frames[c.revisions[k.before][id]], c.frames[c.revisions[k.after][id]]
	return before == after && after != ""
}

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
	var revisions, missing []int64
	for _, i := range c.items {
		revision := c.revisions[release][i.ID]
		if revision == 0 || !of(i) {
			continue
		}
		i.Content = c.contents[revision]
		if i.Content == nil {
			missing = append(missing, revision)
		}
		items, revisions = append(items, i), append(revisions, revision)
	}
	if len(missing) == 0 {
		return items, nil
	}
	contents, err := c.shelf.contents(ctx, missing)
	for n := range items {
		if items[n].Content == nil {
			items[n].Content = contents[revisions[n]]
		}
	}
	return items, err
}
