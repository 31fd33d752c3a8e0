package editorial

import (
	"context"
	"fmt"
	"slices"

	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/people/identity"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Policy returns the level of each check in a product, by the name of the check.
func Policy(ctx context.Context, q db.Querier, productID int64) (map[string]checks.Level, error) {
	levels := lists.Pairs(checks.All, func(c checks.Check) (string, checks.Level) { return c.Name, c.Level })
	chosen, err := queries.CheckPolicyList(ctx, q, productID)
	if err != nil {
		return nil, fmt.Errorf("reading the levels of checks: %w", err)
	}
	for _, p := range chosen {
		if _, known := levels[p.CheckName]; known {
			levels[p.CheckName] = checks.Level(p.Level)
		}
	}
	return levels, nil
}

// SetPolicy changes the levels of checks in a product. A check that levels lacks
// keeps its own.
func SetPolicy(ctx context.Context, b db.Beginner, actor Actor, productID int64, levels map[string]checks.Level) error {
	if actor.Role != identity.SuperAdmin {
		return fault.New(fault.Forbidden, "Only a Super Admin changes what checks do.")
	}
	return writeItem(ctx, b, actor, productID, func(w *writer) error {
		if w.productID != productID {
			return fault.New(fault.Invalid, "Item %d is not a product.", productID)
		}
		now, err := Policy(ctx, w.tx, productID)
		if err != nil {
			return err
		}
		before, after := map[string]any{}, map[string]any{}
		var names, chosen []string
		for _, c := range checks.All {
			level, ok := levels[c.Name]
			if !ok {
				level = c.Level
			}
			if !slices.Contains(checks.Levels, level) {
				return fault.InvalidFields(fault.Field{Name: c.Name, Message: "Choose whether findings block, warn or are left out."})
			}
			if level != c.Level {
				names, chosen = append(names, c.Name), append(chosen, string(level))
			}
			if level != now[c.Name] {
				before[c.Name], after[c.Name] = string(now[c.Name]), string(level)
			}
		}
		if len(after) == 0 {
			return nil
		}
		if err := writes.CheckPolicyPut(ctx, w.tx, productID, names, chosen); err != nil {
			return fmt.Errorf("keeping the levels of checks: %w", err)
		}
		return w.record(ctx, "product.checks", itemTarget(productID), map[string]any{"before": before, "after": after})
	})
}
