package views_test

import (
	"heliograph/views/gallery"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// galleryPage is the gallery with a delivery and a note in conflict.
func galleryPage() gallery.Page {
	p := gallery.Page{
		Frame: layout.Frame{Page: layout.Page{Title: "Components", HasNav: true, Token: "token"}, Area: ui.Link{Label: "Components", Href: "/ui"}, Heading: "Components", Sections: []ui.LinkGroup{{Links: []ui.Link{{Label: "List", Href: "#lists"}}}}},
		Deliveries: ui.Listing{
			Summary: "First 2 deliveries",
			Filter:  ui.Filter{Action: "/ui", Region: ui.List, Inputs: []ui.Input{{Name: "q", Label: "Recipient", Type: "search"}}, Sort: ui.Select{Name: "order", Label: "Sort", Options: []ui.Option{{Label: "Newest first"}}}},
			Table: ui.Table{Caption: "Deliveries", Quiet: true, Columns: []ui.Column{{Label: "Time", Sort: ui.Link{Label: "Time", Href: "/ui?order=asc"}, Order: "descending"}, {Label: "Recipient", Lead: true}, {Label: "State"}}, Rows: [][]ui.Cell{
				{{Text: "09:59"}, {Text: "+919812300001", Mono: true, Href: "/ui/deliveries/2", Opens: "details-2"}, {Text: "Waiting", Badge: true, Tone: ui.Info}},
				{{Text: "09:58"}, {Text: "+919812300002", Mono: true, Href: "/ui/deliveries/1", Opens: "details-1"}, {Text: "Delivered", Badge: true, Tone: ui.Good}},
			}, Rest: ui.Rest{Pages: 1, Link: ui.Link{Label: "Show more deliveries", Href: "/ui?after=1"}}},
		},
		Advance: ui.Post{Action: "/ui/advance", CSRF: "token", Label: "Deliver the next one", Into: ui.List},
		Note: gallery.Note{
			Action: "/ui/note", CSRF: "token", Base: "2", Problem: "Somebody else changed the note.", Theirs: "Their text", Text: ui.Input{Name: "text", Label: "Note", Value: "My text", Required: true, Error: "Enter a note."},
			Elsewhere: ui.Post{Action: "/ui/note/elsewhere", CSRF: "token", Label: "Change the note as somebody else"},
		},
		Handlers: map[string]string{"list": "func list() {}", "action": "func Advance() {}", "form": "func SaveNote() {}", "question": "func ConfirmRemove() {}"},
	}
	return p
}
