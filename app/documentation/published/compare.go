package published

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
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
	k := comparisonKey{older.release, v.release, false}
	return v.compareItems(ctx, k, func(ctx context.Context) (was, is []models.LiveItem, err error) {
		return v.shelf.readPair(ctx, k)
	})
}

// Changes is Compare for callers who need only what differs: the report may lack
// operations that are unchanged.
func (v *Version) Changes(ctx context.Context, older *Version) (*compare.Report, error) {
	k := comparisonKey{older.release, v.release, false}
	if whole, ok := v.shelf.peek(k).(*compare.Report); ok {
		return whole, nil
	}
	k.brief = true
	return v.compareItems(ctx, k, func(ctx context.Context) (was, is []models.LiveItem, err error) {
		if was, err = queries.ReleaseItemListUnlike(ctx, v.shelf.db, k.before, k.after); err != nil {
			return nil, nil, &unreadError{err}
		}
		if is, err = queries.ReleaseItemListUnlike(ctx, v.shelf.db, k.after, k.before); err != nil {
			return nil, nil, &unreadError{err}
		}
		if shared, err := shareParts(was, is); err != nil {
			return nil, nil, err
		} else if !shared {
			return v.shelf.readPair(ctx, k)
		}
		was, is = withoutMoved(was, is)
		return was, is, nil
	})
}

// readPair reads two releases.
func (s *shelf) readPair(ctx context.Context, k comparisonKey) (was, is []models.LiveItem, err error) {
	if was, err = queries.ReleaseItemList(ctx, s.db, k.before); err != nil {
		return nil, nil, &unreadError{err}
	}
	if is, err = queries.ReleaseItemList(ctx, s.db, k.after); err != nil {
		return nil, nil, &unreadError{err}
	}
	return was, is, nil
}

// compareItems compares the items of two releases, which read returns.
func (v *Version) compareItems(ctx context.Context, k comparisonKey, read func(ctx context.Context) (was, is []models.LiveItem, err error)) (*compare.Report, error) {
	name := fmt.Sprintf("comparison with release %d", k.before)
	return compiled(ctx, v, k, name, func(ctx context.Context) (*compare.Report, int, error) {
		was, is, err := read(ctx)
		if err != nil {
			return nil, 0, err
		}
		for _, list := range [][]models.LiveItem{was, is} {
			for i := range list {
				list[i].Content = openapi.At(v.shelf.url, list[i].Content)
			}
		}
		var before, after *openapi.Assembly
		if err := together(
			func() (err error) { before, err = assemble(was); return err },
			func() (err error) { after, err = assemble(is); return err },
		); err != nil {
			return nil, 0, err
		}
		tell := compare.Documents
		if k.brief {
			tell = compare.Changes
		}
		report := tell(before, after)
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
func assemble(items []models.LiveItem) (*openapi.Assembly, error) {
	_, parts, err := Assemble(items)
	if err != nil {
		return nil, err
	}
	return openapi.Assemble(parts)
}

// together does tasks at the same time, as many as there are processors, and
// returns the error of the first one that failed. A panic is an error too.
func together(tasks ...func() error) error {
	failed := make([]error, len(tasks))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for i, task := range tasks {
		slots <- struct{}{}
		running.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failed[i] = fmt.Errorf("it panicked: %v", r)
				}
				<-slots
			}()
			failed[i] = task()
		})
	}
	running.Wait()
	return lists.First(failed, func(err error) bool { return err != nil })
}

// shareParts reports whether two releases have the same schemas and the same frame
// but for what concerns no endpoint, so that the same endpoint means the same in
// both.
func shareParts(was, is []models.LiveItem) (bool, error) {
	var before, after string
	err := together(
		func() (err error) { before, err = commonFrame(was); return err },
		func() (err error) { after, err = commonFrame(is); return err },
	)
	if err != nil || before != after || before == "" {
		return false, err
	}
	schemas := map[string]models.LiveItem{}
	for _, i := range was {
		if i.Kind == content.KindSchema {
			schemas[i.Slug] = i
		}
	}
	for _, i := range is {
		if i.Kind != content.KindSchema {
			continue
		}
		if !isSameContent[content.Schema](schemas[i.Slug], i, func(s *content.Schema) { s.Order = 0 }) {
			return false, nil
		}
		delete(schemas, i.Slug)
	}
	return len(schemas) == 0, nil
}

// withoutMoved drops the endpoints that differ in their order only.
func withoutMoved(was, is []models.LiveItem) (before, after []models.LiveItem) {
	old := map[string]models.LiveItem{}
	for _, i := range was {
		if i.Kind == content.KindEndpoint {
			old[i.Slug] = i
		}
	}
	same := map[string]bool{}
	for _, i := range is {
		if i.Kind == content.KindEndpoint {
			same[i.Slug] = isSameContent[content.Endpoint](old[i.Slug], i, func(e *content.Endpoint) { e.Order = 0 })
		}
	}
	isMoved := func(i models.LiveItem) bool { return i.Kind == content.KindEndpoint && same[i.Slug] }
	return slices.DeleteFunc(was, isMoved), slices.DeleteFunc(is, isMoved)
}

// isSameContent reports whether two items have the same content but for their
// order, which clear removes.
func isSameContent[T any](a, b models.LiveItem, clear func(*T)) bool {
	var x, y T
	if json.Unmarshal(a.Content, &x) != nil || json.Unmarshal(b.Content, &y) != nil {
		return false
	}
	clear(&x)
	clear(&y)
	return reflect.DeepEqual(x, y)
}

// commonFrame returns the frame of a release but for what concerns no endpoint: its
// title, texts, addresses and paths. It is empty where some endpoints have their
// place in it.
func commonFrame(items []models.LiveItem) (string, error) {
	_, parts, err := Assemble(slices.DeleteFunc(slices.Clone(items), func(i models.LiveItem) bool { return i.Kind != content.KindVersion }))
	if err != nil {
		return "", err
	}
	root, err := tree.Read(parts.Frame)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(root.Entries("paths"), func(path tree.Member) bool { return path.Value.Get("$ref") != nil }) {
		return "", nil
	}
	return string(root.Without("paths", "info", "servers", "tags").JSON()), nil
}
