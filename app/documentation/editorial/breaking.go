package editorial

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/published"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Impact compares the contract of a published version with the one that a change
// set would publish.
type Impact struct {
	VersionID int64
	Version   string // its slug
	Label     string // in its lifecycle, as it is published
	Report    *compare.Report
	Accepted  map[string]models.AcceptedChange // by fingerprint
}

// Changes lists the changes of a level, each with the operation that it belongs to,
// nil for what belongs to none.
func (i Impact) Changes(level compare.Level) (list []ContractChange) {
	add := func(op *compare.Operation, changes []compare.Change) {
		for _, c := range changes {
			if c.Level == level {
				list = append(list, ContractChange{c, op})
			}
		}
	}
	for n := range i.Report.Operations {
		add(&i.Report.Operations[n], i.Report.Operations[n].Changes)
	}
	add(nil, i.Report.General)
	return list
}

// ContractChange is a change of the contract of a version.
type ContractChange struct {
	compare.Change
	Operation *compare.Operation
}

// NeedsReason reports whether breaking changes to the version need a reason: only
// those to a Current one do.
func (i Impact) NeedsReason() bool { return i.Label == content.Current }

// Unexplained lists the breaking changes that lack a reason and need one.
func (i Impact) Unexplained() (list []ContractChange) {
	if !i.NeedsReason() {
		return nil
	}
	return slices.DeleteFunc(i.Changes(compare.Breaking), func(c ContractChange) bool {
		_, ok := i.Accepted[c.Fingerprint]
		return ok
	})
}

// Impacts compares each version that changes concern with what is published of it.
// Versions that would not compile are left out, which other checks refuse.
func Impacts(ctx context.Context, q db.Querier, changes []models.Change) (list []Impact, err error) {
	live, err := liveContents(ctx, q, changes)
	if err != nil {
		return nil, err
	}
	concerned := map[int64][]models.Change{}
	var versions []int64
	for _, c := range changes {
		if !concernsContract(c, live[c.Item.ID]) {
			continue
		}
		for _, id := range versionsOf(c) {
			if concerned[id] == nil {
				versions = append(versions, id)
			}
			concerned[id] = append(concerned[id], c)
		}
	}
	for _, id := range versions {
		impact, ok, err := impactOn(ctx, q, id, concerned[id])
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, impact)
		}
	}
	return list, nil
}

// liveContents returns what is published of items, by item.
func liveContents(ctx context.Context, q db.Querier, changes []models.Change) (map[int64]json.RawMessage, error) {
	ids := lists.Map(changes, func(c models.Change) int64 { return c.Item.LiveRevisionID })
	byRevision, err := queries.RevisionContentList(ctx, q, ids)
	if err != nil {
		return nil, fmt.Errorf("reading what is published: %w", err)
	}
	live := lists.Pairs(changes, func(c models.Change) (int64, json.RawMessage) { return c.Item.ID, byRevision[c.Item.LiveRevisionID] })
	return live, nil
}

// contractFields are the fields of contents that make the contract, as JSON names.
var contractFields = []string{"method", "path", "raw", "frame"}

// concernsContract reports whether a change can change the contract of a version.
func concernsContract(c models.Change, live json.RawMessage) bool {
	switch c.Item.Kind {
	case content.KindProduct, content.KindGuide, content.KindCategory:
		return false
	}
	if c.Action == actionArchive || content.IsUnpublished(c.Item.Kind, c.Content) || c.ParentID != 0 || live == nil || !c.Item.Public() {
		return true
	}
	var was, is map[string]json.RawMessage
	if json.Unmarshal(live, &was) != nil || json.Unmarshal(c.Content, &is) != nil {
		return true
	}
	names := contractFields
	if c.Item.Kind == content.KindSchema {
		names = append([]string{"name"}, names...)
	}
	return slices.ContainsFunc(names, func(name string) bool { return !bytes.Equal(was[name], is[name]) })
}

// versionsOf lists the versions that a change concerns.
func versionsOf(c models.Change) []int64 {
	if c.Item.Kind == content.KindVersion {
		if c.Action == actionArchive {
			return nil
		}
		return []int64{c.Item.ID}
	}
	if c.ParentID != 0 {
		return []int64{c.Item.ParentID, c.ParentID}
	}
	return []int64{c.Item.ParentID}
}

// impactOn compares a version with what changes make of it; ok is false where
// nothing is published of it. Endpoints that do not change are only read where a
// shared part of the version does.
func impactOn(ctx context.Context, q db.Querier, versionID int64, changes []models.Change) (i Impact, ok bool, err error) {
	read := queries.ReleaseItemListLatest
	if !slices.ContainsFunc(changes, isShared) {
		read = queries.ReleaseFrameListLatest
	}
	before, err := read(ctx, q, versionID)
	if err != nil {
		return i, false, fmt.Errorf("reading what is published: %w", err)
	}
	if len(before) == 0 {
		return i, false, nil
	}
	live, err := liveContents(ctx, q, changes)
	if err != nil {
		return i, false, err
	}
	was, is := slices.Clone(before), slices.Clone(before)
	for _, c := range changes {
		same := func(item models.LiveItem) bool { return item.ID == c.Item.ID }
		was, is = slices.DeleteFunc(was, same), slices.DeleteFunc(is, same)
		item := models.LiveItem{ID: c.Item.ID, Kind: c.Item.Kind, ParentID: c.Item.ParentID, Slug: c.Item.Slug, Content: live[c.Item.ID]}
		if c.Item.Public() && (c.Item.ParentID == versionID || c.Item.ID == versionID) {
			was = append(was, item)
		}
		item.Content = c.Content
		if c.Action != actionArchive && !content.IsUnpublished(c.Item.Kind, c.Content) && (destination(c.Item, c.ParentID) == versionID || c.Item.ID == versionID) {
			is = append(is, item)
		}
	}
	version, older, err := assembled(was)
	if err != nil {
		return i, false, nil //nolint:nilerr // what is published cannot be compared
	}
	_, newer, err := assembled(is)
	if err != nil {
		return i, false, nil //nolint:nilerr // the index refuses it
	}
	item, err := queries.ItemGet(ctx, q, versionID)
	if err != nil {
		return i, false, fmt.Errorf("reading version %d: %w", versionID, err)
	}
	accepted, err := queries.AcceptedChangeList(ctx, q, versionID)
	if err != nil {
		return i, false, fmt.Errorf("reading the accepted changes of version %s: %w", item.Slug, err)
	}
	i = Impact{VersionID: versionID, Version: item.Slug, Label: version.Label, Report: compare.Documents(older, newer), Accepted: map[string]models.AcceptedChange{}}
	for _, a := range accepted {
		i.Accepted[a.Fingerprint] = a
	}
	return i, true, nil
}

// isShared reports whether a change can concern endpoints that do not change.
func isShared(c models.Change) bool {
	return c.Item.Kind != content.KindEndpoint && c.Item.Kind != content.KindCallback
}

func assembled(items []models.LiveItem) (content.Version, *openapi.Assembly, error) {
	version, parts, err := published.Assemble(items)
	if err != nil {
		return version, nil, err
	}
	whole, err := openapi.Assemble(parts)
	return version, whole, err
}

// guardBreaking refuses breaking changes to a Current version that lack a reason.
// What the program itself releases needs none, and neither does the way back to a
// release.
func (s *setMove) guardBreaking(ctx context.Context) error {
	if s.set.AuthorID == 0 || s.reverts {
		return nil
	}
	impacts, err := Impacts(ctx, s.tx, s.changes)
	if err != nil {
		return err
	}
	for _, i := range impacts {
		if open := i.Unexplained(); len(open) > 0 {
			return &fault.Error{Kind: fault.Conflict, Code: "breaking",
				Message: fmt.Sprintf("Version %s is Current, and programs that use it can fail: %s. Give a reason for each of the %d breaking changes first.", i.Version, open[0].Title, len(open))}
		}
	}
	return nil
}

// Acceptance is a reason for a breaking change.
type Acceptance struct {
	VersionID   int64
	Fingerprint string
	Reason      string
}

// AcceptChange gives a breaking change of a change set its reason. It is kept for
// every later draft and release that has the change.
func AcceptChange(ctx context.Context, b db.Beginner, actor Actor, setID int64, a Acceptance) error {
	if err := checkText("reason", "Say why the change is necessary, for those whose programs it can break.", &a.Reason); err != nil {
		return err
	}
	return move(ctx, b, actor, setID, MoveAccept, func(s *setMove) error {
		impacts, err := Impacts(ctx, s.tx, s.changes)
		if err != nil {
			return err
		}
		for _, i := range impacts {
			for _, c := range i.Changes(compare.Breaking) {
				if i.VersionID != a.VersionID || c.Fingerprint != a.Fingerprint {
					continue
				}
				s.details["version"], s.details["change"], s.details["reason"] = i.Version, c.Title, a.Reason
				if err := writes.AcceptedChangePut(ctx, s.tx, a.VersionID, setID, actor.ID, models.AcceptedChange{Fingerprint: a.Fingerprint, Reason: a.Reason}); err != nil {
					return fmt.Errorf("accepting a change: %w", err)
				}
				return nil
			}
		}
		return fault.New(fault.Conflict, "The change set does not make this change any more. Load the page again.")
	})
}
