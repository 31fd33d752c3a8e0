package itemform

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/web/documentation/desk"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
)

// How the parts of an operation or a schema are edited.
const (
	// AsRows edits them as the rows of an outline.
	AsRows = "rows"
	// asSource edits them as one text.
	asSource = "source"
)

// outliner returns how the content of a kind is outlined, nil for kinds without
// parts.
func outliner(kind string) func(*tree.Node, outline.Sources) *outline.Outline {
	switch kind {
	case content.KindEndpoint, content.KindCallback:
		return outline.Operation
	case content.KindSchema:
		return outline.Schema
	case content.KindVersion:
		return outline.Frame
	}
	return nil
}

// sourceField names the field of a kind that its rows are written into.
func sourceField(kind string) string {
	if kind == content.KindVersion {
		return "frame"
	}
	return "raw"
}

// versionOf returns the version of a part, or the version that an item itself is.
func versionOf(e desk.Editing) int64 {
	if e.Item.Kind == content.KindVersion {
		return e.Item.ID
	}
	return e.Item.ParentID
}

// foldRows writes the rows of a form into the source of its item. Where one of them
// is wrong, the source stays and the fault names them.
func foldRows(c echo.Context, store db.Querier, e desk.Editing, t *Typed) {
	outlined := outliner(e.Item.Kind)
	if outlined == nil {
		return
	}
	form := c.Request().PostForm
	do := form.Get("do")
	field := sourceField(e.Item.Kind)
	root, err := tree.Read([]byte(t.Values[field]))
	if err != nil {
		t.As = asSource
		return
	}
	if t.As != AsRows {
		t.As = asSource
		if do == AsRows {
			t.As = AsRows
		}
		return
	}
	sources := SourcesOf(c.Request().Context(), store, e)
	sources.Path = t.Values["path"]
	o := outlined(root, sources)
	o.Open = t.opened
	if !o.Apply(rowsOf(form), do) {
		t.Outline, t.Wrong = o, fault.InvalidFields()
		for _, in := range o.Inputs() {
			if in.Error != "" {
				t.Wrong.Fields = append(t.Wrong.Fields, fault.Field{Name: in.Name, Message: in.Error})
			}
		}
		return
	}
	if !o.Root.Equal(root) {
		t.Values[field] = o.Root.Pretty()
	}
	t.rows, t.Outline = o, o.Again(outlined)
	if do == asSource {
		t.As = asSource
	}
	t.opened = t.Outline.Open
}

// rowsOf returns the values of rows. A box that may be checked sends an empty one
// before its own.
func rowsOf(form url.Values) map[string]string {
	rows := map[string]string{}
	for name, list := range form {
		if strings.HasPrefix(name, outline.Prefix) {
			rows[name] = list[len(list)-1]
		}
	}
	return rows
}

// SourcesOf returns what the parts of an item can refer to. Schemas are read when
// the first of them is asked for.
func SourcesOf(ctx context.Context, store db.Querier, e desk.Editing) outline.Sources {
	schemas := sync.OnceValue(func() map[string]*tree.Node {
		found := map[string]*tree.Node{}
		items, err := queries.HeadItemList(ctx, store, versionOf(e), []string{content.KindSchema})
		if err != nil {
			return found // a reference then stays one
		}
		for _, item := range items {
			raw, err := desk.FieldOf(item.Content, "raw")
			if node, broken := tree.Read(raw); err == nil && broken == nil {
				found[desk.NameOf(item.Content)] = node
			}
		}
		return found
	})
	s := outline.Sources{Schema: func(name string) *tree.Node { return schemas()[name] }}
	addShared(ctx, store, &s, versionOf(e))
	return s
}

// addShared names what the endpoints of a version share, nothing where it cannot be
// read.
func addShared(ctx context.Context, store db.Querier, s *outline.Sources, versionID int64) {
	items, err := queries.HeadItemList(ctx, store, versionID, []string{content.KindVersion})
	if err != nil {
		return
	}
	names := func(list []tree.Member) (names []string) {
		return lists.Map(list, func(m tree.Member) string { return m.Key })
	}
	for _, item := range items {
		raw, err := desk.FieldOf(item.Content, "frame")
		if err != nil {
			continue
		}
		if frame, err := tree.Read(raw); err == nil {
			shared := frame.Get("components")
			s.Schemes, s.Responses, s.Parameters = names(shared.Entries("securitySchemes")), names(shared.Entries("responses")), names(shared.Entries("parameters"))
		}
	}
}

// isOpen reports whether a row of a form is open.
func (t Typed) isOpen(r *outline.Row) bool {
	return r.IsNew || r.At != "" && slices.Contains(t.opened, r.At) || slices.ContainsFunc(r.Inputs, func(in *outline.Input) bool { return in.Error != "" }) ||
		slices.ContainsFunc(r.Rows, t.isOpen)
}
