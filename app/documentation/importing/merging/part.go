package merging

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/editorial/merge"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// version is an operation of the last import.
type version struct {
	openapi.Operation
	exists bool
}

type schemaVersion struct {
	openapi.Schema
	exists bool
}

// operation merges an operation of the file with the published one. kept reports
// whether texts or examples of people stay that the file has differently.
func operation(file, live openapi.Operation, base version) (merged openapi.Operation, kept bool, err error) {
	mine, err := whole(file)
	if err != nil {
		return live, false, err
	}
	theirs, err := whole(live)
	if err != nil {
		return live, false, err
	}
	var result *tree.Node
	if base.exists {
		was, err := whole(base.Operation)
		if err != nil {
			return live, false, err
		}
		result, kept = threeWay(was, theirs, mine)
	} else {
		result = adopt(mine, theirs)
		kept = !result.Equal(mine)
	}
	merged = file
	if result.Equal(theirs) && file.Path == live.Path && file.Method == live.Method {
		return live, kept, nil
	}
	merged.Slug = live.Slug
	if result.Str("operationId") == "" {
		merged.ID = live.ID
	} else {
		merged.ID = result.Str("operationId")
	}
	merged.Name = cmp.Or(strings.TrimSpace(result.Str("summary")), live.Name, naming.Readable(merged.ID))
	merged.Purpose, merged.Category = result.Str("description"), ""
	if tags := result.List("tags"); len(tags) > 0 {
		merged.Category = tags[0].Text
	}
	merged.Raw = result.JSON()
	return merged, kept, nil
}

// whole returns the object of an operation with its edited fields in it.
func whole(o openapi.Operation) (*tree.Node, error) {
	n, err := tree.Read(o.Raw)
	if err != nil {
		return nil, err
	}
	if summary := strings.TrimSpace(n.Str("summary")); o.Name != summary && (summary != "" || o.Name != naming.Readable(o.ID)) {
		n.Set("summary", tree.String(o.Name))
	}
	switch {
	case n.Str("description") == o.Purpose:
	case o.Purpose == "":
		n.Remove("description")
	default:
		n.Set("description", tree.String(o.Purpose))
	}
	tags := n.List("tags")
	switch first := ""; {
	case len(tags) > 0:
		first = tags[0].Text
		if first != o.Category && o.Category != "" {
			n.Set("tags", tree.Array(append([]*tree.Node{tree.String(o.Category)}, tags[1:]...)...))
		}
	case o.Category != first:
		n.Set("tags", tree.Array(tree.String(o.Category)))
	}
	return n, nil
}

// schema merges a schema of the file with the published one.
func schema(file, live openapi.Schema, base schemaVersion) (openapi.Schema, error) {
	mine, err := tree.Read(file.Raw)
	if err != nil {
		return live, err
	}
	theirs, err := tree.Read(live.Raw)
	if err != nil {
		return live, err
	}
	var result *tree.Node
	if base.exists {
		was, err := tree.Read(base.Raw)
		if err != nil {
			return live, err
		}
		result, _ = threeWay(was, theirs, mine)
	} else {
		result = adopt(mine, theirs)
	}
	if result.Equal(theirs) {
		return live, nil
	}
	live.Raw = result.JSON()
	return live, nil
}

// frame merges what belongs to the version as a whole.
func (m *merger) frame() error {
	d := m.out.Document
	d.Frame, d.Description = m.File.Frame, m.File.Description
	if len(m.Live.Frame) == 0 {
		return nil
	}
	mine, err := tree.Read(m.File.Frame)
	if err != nil {
		return err
	}
	theirs, err := tree.Read(m.Live.Frame)
	if err != nil {
		return err
	}
	// The description of a version is a field of its own.
	var was *tree.Node
	if len(m.Base.Frame) > 0 {
		if was, err = tree.Read(m.Base.Frame); err != nil {
			return err
		}
		if text := m.Description; text != m.Base.Description && text != "" {
			d.Description = text
		}
	} else if m.Description != "" {
		d.Description = m.Description
	}
	result := mine
	if was != nil {
		result, _ = threeWay(was, theirs, mine)
	} else {
		result = adopt(mine, theirs)
	}
	if m.partial {
		union(result, theirs)
	}
	if result.Equal(theirs) {
		d.Frame = m.Live.Frame
		return nil
	}
	d.Frame = result.JSON()
	return nil
}

// union adds the components of a version that the file does not have: operations that
// stay may refer to them.
func union(result, live *tree.Node) {
	for _, m := range live.Entries("components") {
		if !m.Value.Is(tree.KindObject) || m.Key == "schemas" {
			continue
		}
		list := result.Child("components").Child(m.Key)
		for _, c := range m.Value.Members {
			if list.Get(c.Key) == nil {
				list.Append(c.Key, c.Value)
			}
		}
	}
}

// texts are members that people write for readers.
var texts = []string{"summary", "description", "title", "example", "examples"}

// threeWay merges what people and the file changed since the last import. Where both
// changed the same place, people's texts and examples stay, and the file decides
// everything else.
func threeWay(base, theirs, mine *tree.Node) (result *tree.Node, kept bool) {
	withTheirs, withMine, overlaps := merge.Trees(base, theirs, mine)
	if len(overlaps) == 0 {
		return withMine, false
	}
	p := &picker{}
	return p.pick(withTheirs, withMine), p.kept
}

// picker takes the texts of people from one of two results.
type picker struct{ kept bool }

func (p *picker) pick(theirs, mine *tree.Node) *tree.Node {
	if theirs == nil || mine == nil || theirs.Equal(mine) || theirs.Kind != mine.Kind {
		return mine
	}
	out := &tree.Node{Kind: mine.Kind, Text: mine.Text}
	switch {
	case mine.Kind == tree.KindObject:
		for _, m := range mine.Members {
			other := theirs.Get(m.Key)
			if other != nil && slices.Contains(texts, m.Key) && other.Kind != tree.KindObject {
				p.kept = p.kept || !other.Equal(m.Value)
				out.Append(m.Key, other)
				continue
			}
			out.Append(m.Key, p.pick(other, m.Value))
		}
	case mine.Kind == tree.KindArray && len(mine.Items) == len(theirs.Items):
		for i, item := range mine.Items {
			out.Items = append(out.Items, p.pick(theirs.Items[i], item))
		}
	default:
		return mine
	}
	return out
}

// adopt returns what the file has with the texts that the published one has. It is
// for parts that were never imported.
func adopt(mine, theirs *tree.Node) *tree.Node {
	if !mine.Is(tree.KindObject) || !theirs.Is(tree.KindObject) || mine.Equal(theirs) {
		return mine
	}
	out := &tree.Node{Kind: mine.Kind}
	for _, m := range mine.Members {
		other := theirs.Get(m.Key)
		switch {
		case other == nil:
			out.Append(m.Key, m.Value)
		case slices.Contains(texts[:3], m.Key) && other.Is(tree.KindString) && other.Text != "":
			out.Append(m.Key, other)
		case m.Key == "examples" && other.Is(tree.KindObject) && m.Value.Is(tree.KindObject):
			list := m.Value.Without()
			for _, e := range other.Members {
				if list.Get(e.Key) == nil {
					list.Append(e.Key, e.Value)
				}
			}
			out.Append(m.Key, list)
		case m.Key == "parameters" && m.Value.Is(tree.KindArray):
			out.Append(m.Key, adoptParameters(m.Value, other))
		default:
			out.Append(m.Key, adopt(m.Value, other))
		}
	}
	for _, m := range theirs.Members {
		if slices.Contains(texts, m.Key) && mine.Get(m.Key) == nil && mine.Get("$ref") == nil {
			out.Append(m.Key, m.Value)
		}
	}
	return out
}

func adoptParameters(mine, theirs *tree.Node) *tree.Node {
	known := lists.By(theirs.Elements(), func(p *tree.Node) string { return p.Str("in") + " " + p.Str("name") })
	out := tree.Array()
	for _, p := range mine.Items {
		if other := known[p.Str("in")+" "+p.Str("name")]; other != nil && p.Str("name") != "" {
			p = adopt(p, other)
		}
		out.Items = append(out.Items, p)
	}
	return out
}
