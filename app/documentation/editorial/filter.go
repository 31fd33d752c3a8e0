package editorial

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// maxFilters is the number of filters that one person may save for a list, and
// maxFilterName the longest name of one, in characters.
const (
	maxFilters    = 30
	maxFilterName = 60
)

// filtered are the fields of the filter of each list.
var filtered = map[string][]string{"drafts": {"state", "product", "whose"}, "products": {"q"}, "items": {"q", "state"}}

// SaveFilter keeps the filter of a list for an actor. Everybody has filters of their
// own. Fields that the list does not have are left out.
func SaveFilter(ctx context.Context, b db.Beginner, actor Actor, list, name string, asked url.Values) error {
	fields, ok := filtered[list]
	if !ok {
		return fault.New(fault.Invalid, "The list %s has no filters.", list)
	}
	kept := url.Values{}
	for _, field := range fields {
		if value := asked.Get(field); value != "" && len(value) <= 200 {
			kept.Set(field, value)
		}
	}
	if len(kept) == 0 {
		return fault.New(fault.Invalid, "Choose a filter first: the whole list needs no name.")
	}
	if err := checkFilterName(&name); err != nil {
		return err
	}
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		own, err := queries.ListFilterList(ctx, tx, actor.ID, list)
		if err != nil {
			return fmt.Errorf("reading saved filters: %w", err)
		}
		if len(own) >= maxFilters {
			return fault.New(fault.Conflict, "You have %d filters of this list. Delete one first.", len(own))
		}
		if slices.ContainsFunc(own, func(f models.ListFilter) bool { return f.Name == name }) {
			return errFilterName
		}
		id, err := writes.ListFilterInsert(ctx, tx, actor.ID, models.ListFilter{List: list, Name: name, Query: kept.Encode()})
		if db.IsUniqueViolation(err, filterNames) {
			return errFilterName
		}
		if err != nil {
			return fmt.Errorf("saving a filter: %w", err)
		}
		return recordFilter(ctx, tx, actor, "filter.save", id, map[string]any{"list": list, "name": name, "query": kept.Encode()})
	})
}

const filterNames = "list_filters_admin_user_id_list_name_key"

var errFilterName = fault.InvalidFields(fault.Field{Name: "name", Message: "You have a filter with this name. Choose another name."})

func checkFilterName(name *string) error {
	*name = strings.TrimSpace(*name)
	switch {
	case *name == "":
		return fault.InvalidFields(fault.Field{Name: "name", Message: "Give the filter a name."})
	case utf8.RuneCountInString(*name) > maxFilterName:
		return fault.InvalidFields(fault.Field{Name: "name", Message: fmt.Sprintf("Shorten the name to %d characters.", maxFilterName)})
	}
	return nil
}

// RenameFilter gives a filter of the actor another name.
func RenameFilter(ctx context.Context, b db.Beginner, actor Actor, id int64, name string) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		own, err := queries.ListFilterList(ctx, tx, actor.ID, "")
		if err != nil {
			return fmt.Errorf("reading saved filters: %w", err)
		}
		if !slices.ContainsFunc(own, func(f models.ListFilter) bool { return f.ID == id }) {
			return errNoFilter
		}
		if err := checkFilterName(&name); err != nil {
			return err
		}
		before, err := writes.ListFilterUpdateName(ctx, tx, actor.ID, id, name)
		switch {
		case db.IsNoRows(err):
			return errNoFilter
		case db.IsUniqueViolation(err, filterNames):
			return errFilterName
		case err != nil:
			return fmt.Errorf("renaming a filter: %w", err)
		}
		return recordFilter(ctx, tx, actor, "filter.rename", id, map[string]any{"before": map[string]any{"name": before}, "after": map[string]any{"name": name}})
	})
}

var errNoFilter = fault.New(fault.NotFound, "You have no such filter.")

// RemoveFilter deletes a filter of the actor.
func RemoveFilter(ctx context.Context, b db.Beginner, actor Actor, id int64) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		name, err := writes.ListFilterDelete(ctx, tx, actor.ID, id)
		if err != nil {
			return db.Absent(err, errNoFilter, "deleting a filter")
		}
		return recordFilter(ctx, tx, actor, "filter.remove", id, map[string]any{"name": name})
	})
}

func recordFilter(ctx context.Context, tx pgx.Tx, actor Actor, action string, id int64, details map[string]any) error {
	return audit.Record(ctx, tx, audit.Entry{Actor: actor.Name, Action: action, Target: fmt.Sprintf("filter:%d", id), Details: details})
}
