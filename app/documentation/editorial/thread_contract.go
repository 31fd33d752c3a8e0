package editorial

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
)

// contractChange identifies a change of the contract of a version. Another change of
// the same place has another fingerprint.
type contractChange struct {
	versionID   int64
	fingerprint string
}

// rows lists the changes that the page of a change set shows.
func (i Impact) rows() (list []ContractChange) {
	for _, level := range compare.Levels {
		list = append(list, i.Changes(level)...)
	}
	return list
}

// ItemOf returns the item of a change set that a change of the contract belongs to:
// the endpoint or callback that it is in, else a shared part, else any of the version.
// It is zero if none concerns the version.
func (i Impact) ItemOf(row ContractChange, changes []models.Change) int64 {
	id, best := int64(0), 0
	for _, c := range changes {
		if !slices.Contains(versionsOf(c), i.VersionID) || c.Item.Kind == content.KindProduct || c.Item.Kind == content.KindGuide {
			continue
		}
		rank := 1
		switch {
		case row.Operation != nil && isOperation(c, row.Operation):
			rank = 3
		case c.Item.Kind == content.KindSchema:
			rank = 2
		}
		if rank > best {
			id, best = c.Item.ID, rank
		}
	}
	return id
}

// isOperation reports whether a change is of an operation of a contract.
func isOperation(c models.Change, op *compare.Operation) bool {
	var e content.Endpoint
	if json.Unmarshal(c.Content, &e) != nil || e.Path == "" {
		return false
	}
	for _, s := range []*compare.Subject{op.Before, op.After} {
		if s != nil && strings.EqualFold(s.Method, e.Method) && s.Path == e.Path {
			return true
		}
	}
	return false
}

// ContractExcerpt returns a change of a contract in words.
func ContractExcerpt(ctx context.Context, q db.Querier, changes []models.Change, about Subject) (string, error) {
	impacts, err := Impacts(ctx, q, changes)
	if err != nil {
		return "", err
	}
	for _, i := range impacts {
		for _, row := range i.rows() {
			if i.VersionID == about.VersionID && row.Fingerprint == about.Change {
				return row.words(i.Version), nil
			}
		}
	}
	return "", &fault.Error{Kind: fault.Conflict, Code: "changed", Message: "The change set does not make this change any more. Load the page again."}
}

// words describes a change where its row is not beside it.
func (c ContractChange) words(version string) string {
	lines := []string{"Version " + version + ": " + c.Title}
	if c.Operation != nil {
		shown := c.Operation.Shown()
		lines = append(lines, shown.Method+" "+shown.Path)
	}
	if c.Place != "" {
		lines = append(lines, c.Place)
	}
	if c.Before != "" || c.After != "" {
		lines = append(lines, cmp.Or(c.Before, "nothing")+" → "+cmp.Or(c.After, "nothing"))
	}
	return strings.Join(lines, "\n")
}

// contractChanges returns the changes that a change set makes to contracts now, nil
// where no thread is about one or everything is published.
func contractChanges(ctx context.Context, q db.Querier, threads []models.ReviewThread, changes []models.Change) (map[contractChange]bool, error) {
	isPublished := !slices.ContainsFunc(changes, func(c models.Change) bool { return c.Action == actionArchive || c.RevisionID != c.Item.LiveRevisionID })
	if isPublished || !slices.ContainsFunc(threads, func(t models.ReviewThread) bool { return t.ContractChange != "" }) {
		return nil, nil
	}
	impacts, err := Impacts(ctx, q, changes)
	if err != nil {
		return nil, err
	}
	found := map[contractChange]bool{}
	for _, i := range impacts {
		for _, row := range i.rows() {
			found[contractChange{i.VersionID, row.Fingerprint}] = true
		}
	}
	return found, nil
}
