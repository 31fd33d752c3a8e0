package reference

import (
	"strings"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/published"
)

// ComparePath returns the path of the page that compares versions of a product.
func ComparePath(p *published.Product) string { return ProductPath(p) + "/compare" }

// Compared is the comparison of two versions of a product.
type Compared struct {
	From, To *published.Version
	*compare.Report
}

// Comparison writes the comparison of two versions.
func (s Site) Comparison(p *published.Product, c Compared) string {
	w := s.newWriter("Changes from "+c.From.Slug+" to "+c.To.Slug, p.Name, ComparePath(p)+"?from="+c.From.Slug+"&to="+c.To.Slug)
	w.block("%d breaking, %d risky and %d safe changes, and %d of texts.", c.Levels.Breaking, c.Levels.Risky, c.Levels.Safe, c.Levels.Prose)
	w.block("Endpoints and callbacks: %d added, %d removed, %d changed, %d unchanged.", c.Endpoints.Added, c.Endpoints.Removed, c.Endpoints.Changed, c.Endpoints.Unchanged)
	w.block("Fields: %d added, %d removed, %d changed, %d unchanged.", c.Fields.Added, c.Fields.Removed, c.Fields.Changed, c.Fields.Unchanged)
	if c.Incomplete {
		w.block("The versions are too large to be compared to the end.")
	}
	var unchanged []string
	for i := range c.Operations {
		op := &c.Operations[i]
		if op.Class == compare.Unchanged {
			unchanged = append(unchanged, op.Shown().Name)
			continue
		}
		w.block("## %s: %s", op.Shown().Name, op.Class)
		w.block("`%s %s`", op.Shown().Method, op.Shown().Path)
		w.changes(op.Changes)
		if len(op.UnchangedFields) > 0 {
			w.block("Unchanged fields: %s", strings.Join(op.UnchangedFields, ", "))
		}
	}
	if len(c.General) > 0 {
		w.block("## General")
		w.changes(c.General)
	}
	if len(unchanged) > 0 {
		w.block("## Unchanged")
		w.block("- %s", strings.Join(unchanged, "\n- "))
	}
	return w.String()
}

func (w *writer) changes(list []compare.Change) {
	for _, c := range list {
		line := "- **" + string(c.Level) + "** " + c.Title
		if c.Place != "" {
			line += " `" + c.Place + "`"
		}
		if c.Schema != "" {
			line += " (schema " + c.Schema + ")"
		}
		if c.Before != "" || c.After != "" {
			line += ": " + quoted(c.Before) + " → " + quoted(c.After)
		}
		line += ". " + c.Reason + " " + c.Advice
		if c.Accepted != "" {
			line += " Why it was necessary: " + strings.Join(strings.Fields(c.Accepted), " ")
		}
		w.WriteString(line + "\n")
	}
	w.WriteString("\n")
}

// quoted shortens a value to one line of code.
func quoted(value string) string {
	if value == "" {
		return "none"
	}
	value = strings.Join(strings.Fields(value), " ")
	if runes := []rune(value); len(runes) > 200 {
		value = string(runes[:200]) + "…"
	}
	return "`" + strings.ReplaceAll(value, "`", "'") + "`"
}
