package model

import "heliograph/app/documentation/openapi/graph"

// Placeholder is a value of examples that readers replace with one of their own.
type Placeholder struct {
	Name  string // PHONE_NUMBER_ID
	Value string // of the examples, the whole of a text
	Found string // where readers find theirs, a sentence in Markdown
}

// placeholders reads x-placeholders of a document: a map of names to their value
// and found.
func placeholders(g *graph.Graph) (list []Placeholder) {
	for _, m := range g.Entries("x-placeholders") {
		p := Placeholder{Name: m.Key, Value: m.Value.Get("value").Display(), Found: m.Value.Get("found").Display()}
		if p.Value != "" {
			list = append(list, p)
		}
	}
	return list
}
