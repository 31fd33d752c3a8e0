package sample

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
)

// pathWithPlaceholders replaces the segments of a path, or what follows a colon in
// one, that readers replace with values of their own.
func pathWithPlaceholders(path string, list []model.Placeholder) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		at := strings.LastIndexByte(segment, ':') + 1
		segments[i] = segment[:at] + textWithPlaceholder(segment[at:], list)
	}
	return strings.Join(segments, "/")
}

// textWithPlaceholder returns the placeholder of a text, else the text.
func textWithPlaceholder(text string, list []model.Placeholder) string {
	for _, p := range list {
		if text == p.Value {
			return "<" + p.Name + ">"
		}
	}
	return text
}

// exampleWithPlaceholders replaces the texts of an example that readers replace with
// values of their own.
func exampleWithPlaceholders(x model.Example, list []model.Placeholder) model.Example {
	if x.Node != nil && !x.Generated {
		x.Node = replaceTexts(x.Node, list)
	}
	return x
}

// replaceTexts returns the value with placeholders in the place of texts. A value
// without any is returned itself.
func replaceTexts(n *tree.Node, list []model.Placeholder) *tree.Node {
	switch n.Kind {
	case tree.KindString:
		if text := textWithPlaceholder(n.Text, list); text != n.Text {
			return tree.String(text)
		}
	case tree.KindArray:
		for i, item := range n.Items {
			if changed := replaceTexts(item, list); changed != item {
				copied := *n
				copied.Items = slices.Clone(n.Items)
				copied.Items[i] = changed
				n = &copied
			}
		}
	case tree.KindObject:
		for i, m := range n.Members {
			if changed := replaceTexts(m.Value, list); changed != m.Value {
				copied := *n
				copied.Members = slices.Clone(n.Members)
				copied.Members[i].Value = changed
				n = &copied
			}
		}
	}
	return n
}
