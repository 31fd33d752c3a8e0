package sdk

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
)

// listNames are the members that hold the items of a page, the likeliest first.
var listNames = []string{"data", "items", "results", "records", "entries", "list"}

// page recognises how a list continues: by a cursor or an address in the response, by
// an offset or a page number in the request, or by a Link header (RFC 8288). It returns
// nil for other operations.
func (b *builder) page(m *Method, op graph.Operation) *Page {
	if m.Verb != "GET" || m.Result == nil || m.Result.Kind != BodyJSON {
		return nil
	}
	t := m.Result.Type
	if t.Kind == Array {
		if p := query(m, "page"); p != nil && p.Type.Kind == Integer {
			return &Page{Kind: "page", Param: p, Item: t.Elem}
		}
		if p := query(m, "offset", "skip", "start"); p != nil && p.Type.Kind == Integer {
			return &Page{Kind: "offset", Param: p, Item: t.Elem}
		}
		if hasLink(op) {
			return &Page{Kind: "link", Item: t.Elem}
		}
		return nil
	}
	if t.Kind != Ref || t.Model.Kind != Object {
		return nil
	}
	list := itemsOf(t.Model)
	if list == nil {
		return nil
	}
	page := &Page{Items: []string{list.Wire}, Item: list.Type.Elem}
	return page.cursor(m, t.Model)
}

// cursor finds where a page names the next one.
func (page *Page) cursor(m *Method, model *Model) *Page {
	after := query(m, "after", "cursor", "page_token", "pageToken", "next_cursor", "starting_after", "next_token", "nextToken")
	for _, path := range [][]string{
		{"paging", "cursors", "after"}, {"next_cursor"}, {"nextCursor"}, {"next_page_token"}, {"nextPageToken"}, {"next_token"}, {"nextToken"},
		{"meta", "next_cursor"}, {"pagination", "next_cursor"}, {"paging", "next_cursor"}, {"cursor"}, {"last_id"},
	} {
		if after != nil && fieldAt(model, path) != nil {
			page.Kind, page.Next, page.Param = "cursor", path, after
			return page
		}
	}
	for _, path := range [][]string{{"paging", "next"}, {"links", "next"}, {"pagination", "next"}, {"meta", "next"}, {"next"}, {"next_url"}, {"nextLink"}} {
		if f := fieldAt(model, path); f != nil && f.Type.Kind == String {
			page.Kind, page.Next = "url", path
			return page
		}
	}
	if p := query(m, "offset", "skip", "start"); p != nil && p.Type.Kind == Integer {
		page.Kind, page.Param = "offset", p
		return page
	}
	if p := query(m, "page", "page_number", "pageNumber"); p != nil && p.Type.Kind == Integer {
		page.Kind, page.Param = "page", p
		return page
	}
	return nil
}

// query returns the first query parameter with one of the names.
func query(m *Method, list ...string) *Param {
	for _, name := range list {
		for _, p := range m.Params {
			if p.In == "query" && strings.EqualFold(p.Wire, name) && p.Type.Kind != Array && p.Type.Kind != Map {
				return p
			}
		}
	}
	return nil
}

// itemsOf returns the member of a page that holds its items: one with a usual name, or
// the only list.
func itemsOf(model *Model) *Field {
	var lists []*Field
	for _, f := range model.Fields {
		if f.Type.Kind == Array {
			lists = append(lists, f)
		}
	}
	for _, name := range listNames {
		if i := slices.IndexFunc(lists, func(f *Field) bool { return strings.EqualFold(f.Wire, name) }); i >= 0 {
			return lists[i]
		}
	}
	if len(lists) == 1 {
		return lists[0]
	}
	return nil
}

func fieldAt(model *Model, path []string) *Field {
	var found *Field
	for _, name := range path {
		if model == nil || model.Kind != Object {
			return nil
		}
		i := slices.IndexFunc(model.Fields, func(f *Field) bool { return f.Wire == name })
		if i < 0 {
			return nil
		}
		found = model.Fields[i]
		model = found.Type.Model
	}
	return found
}

func hasLink(op graph.Operation) bool {
	for _, r := range op.Responses() {
		for _, h := range r.Value.Headers() {
			if strings.HasPrefix(r.Name, "2") && strings.EqualFold(h.Name, "Link") {
				return true
			}
		}
	}
	return false
}
