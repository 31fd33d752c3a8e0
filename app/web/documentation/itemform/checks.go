package itemform

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/examples"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	draftsview "heliograph/views/documentation/drafts"
	"heliograph/views/ui"
)

// IsChecked reports whether items of a kind have code to check.
func IsChecked(kind string) bool {
	return outliner(kind) != nil || kind == content.KindCategory
}

// Check lists what is wrong with the code of a form: first what cannot be
// read, else what is not OpenAPI or JSON Schema, and examples that do not match.
func Check(ctx context.Context, store db.Querier, e desk.Editing, t Typed) ([]draftsview.Finding, error) {
	if list := unreadable(e.Item.Kind, t); len(list) > 0 {
		return list, nil
	}
	k := codeCheck{kind: e.Item.Kind, o: cmp.Or(t.rows, t.Outline), isSource: t.As != AsRows || t.Outline == nil}
	field := sourceField(k.kind)
	if strings.TrimSpace(t.Values[field]) == "" {
		return []draftsview.Finding{}, nil
	}
	var err error
	if k.root, err = tree.Read([]byte(t.Values[field])); err != nil {
		return nil, err
	}
	k.href = "#field-" + field
	list, err := k.flaws()
	if err != nil || k.kind != content.KindEndpoint && k.kind != content.KindCallback {
		return list, err
	}
	if k.o == nil {
		k.o = outliner(k.kind)(k.root, SourcesOf(ctx, store, e))
	}
	found, err := checkExamples(ctx, store, e, t, k)
	return append(list, found...), err
}

// unreadable lists the texts of a form that are no JSON or YAML.
func unreadable(kind string, t Typed) (list []draftsview.Finding) {
	if t.Outline != nil {
		for _, in := range t.Outline.Inputs() {
			if in.Error == "" {
				continue
			}
			label := in.Label
			if in.CheckedBy != "" {
				label = examples.Title(in)
			}
			list = append(list, draftsview.Finding{Tone: ui.Bad, Text: in.Error, Link: ui.Link{Label: label, Href: "#field-" + rowID(in.Name)}})
		}
	}
	_, err := fields.Content(kind, nil, t.Values)
	f := fault.As(err)
	if f == nil {
		return list
	}
	for _, wrong := range f.Fields {
		for _, field := range fields.Of(kind) {
			if field.Name == wrong.Name && field.Type == fields.Code {
				list = append(list, draftsview.Finding{Tone: ui.Bad, Text: wrong.Message, Link: ui.Link{Label: field.Label, Href: "#field-" + field.Name}})
			}
		}
	}
	return list
}

// codeCheck checks the code of a form, which shows it as one text or as rows.
type codeCheck struct {
	kind     string
	root     *tree.Node
	o        *outline.Outline
	isSource bool
	href     string // of the text
}

// flaws lists what is not OpenAPI or JSON Schema.
func (k codeCheck) flaws() ([]draftsview.Finding, error) {
	check := map[string]func(*tree.Node) ([]openapi.Flaw, error){
		content.KindEndpoint: openapi.OperationFlaws, content.KindCallback: openapi.OperationFlaws, content.KindSchema: openapi.SchemaFlaws, content.KindVersion: openapi.FrameFlaws,
	}[k.kind]
	list := []draftsview.Finding{}
	if check == nil {
		return list, nil
	}
	found, err := check(k.root)
	for _, f := range found {
		text := strings.ToUpper(f.Reason[:1]) + f.Reason[1:] + "."
		if k.isSource {
			list = append(list, draftsview.Finding{Tone: ui.Warn, Text: tree.WithPlace(k.root, f.Pointer, text), Link: ui.Link{Label: strings.Join(tree.Tokens(f.Pointer), " › "), Href: k.href}})
			continue
		}
		finding := draftsview.Finding{Tone: ui.Warn, Text: text, Link: ui.Link{Label: strings.Join(tree.Tokens(f.Pointer), " › ")}}
		if in := k.nearest(f.Pointer); in != nil {
			finding.Href = "#field-" + rowID(in.Name)
		}
		list = append(list, finding)
	}
	return list, err
}

// nearest returns the first input of the row that a value is in.
func (k codeCheck) nearest(pointer string) (found *outline.Input) {
	longest := -1
	for _, in := range k.o.Inputs() {
		at, _, _ := strings.Cut(strings.TrimPrefix(in.Name, outline.Prefix), "#")
		if (pointer == at || strings.HasPrefix(pointer, at+"/")) && len(at) > longest {
			found, longest = in, len(at)
		}
	}
	return found
}

// checkExamples lists what is wrong with the examples of an operation.
func checkExamples(ctx context.Context, store db.Querier, e desk.Editing, t Typed, k codeCheck) (list []draftsview.Finding, err error) {
	raw, err := fields.Content(k.kind, e.Head.Content, t.Values)
	if err != nil {
		return nil, nil //nolint:nilerr // the form says what is wrong with it
	}
	var op content.Endpoint
	if err := json.Unmarshal(raw, &op); err != nil {
		return nil, err
	}
	items, err := queries.HeadItemList(ctx, store, e.Item.ParentID, []string{content.KindVersion, content.KindSchema})
	if err != nil {
		return nil, err
	}
	found, checked, err := examples.Check(items, k.kind, op, k.o)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		finding := draftsview.Finding{Tone: ui.Warn, Text: p.Message, Link: ui.Link{Label: examples.Title(p.Input), Href: "#field-" + rowID(p.Input.Name)}}
		if k.isSource {
			finding.Text, finding.Href = tree.WithPlace(k.root, examples.Pointer(p.Input)+p.Pointer, p.Reason), k.href
		}
		list = append(list, finding)
	}
	if len(found) == 0 && checked > 0 {
		list = append(list, draftsview.Finding{Tone: ui.Good, Text: "Every example matches its schema."})
	}
	return list, nil
}
