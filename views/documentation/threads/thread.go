package threads

import (
	"cmp"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// reply is the field of a reply.
func (t Thread) reply() ui.TextArea {
	return ui.TextArea{Name: "text", ID: string(t.Region), Label: "Reply", Value: t.Text, Rows: 2, Error: t.Error}
}

// isShown reports whether a thread is unfolded.
func (t Thread) isShown() bool { return t.IsOpen || t.Error != "" || t.Problem != "" }

// title is the line of a thread by which it is found.
func (t Thread) title() string {
	return cmp.Or(t.About.Label, "The item")
}

func (t Thread) count() string {
	return ui.Counted(len(t.Comments), "comment", "comments")
}

// sent makes the answer to a reply replace the thread.
func (t Thread) sent() templ.Attributes {
	attributes := ui.Into(t.Region)
	attributes["hx-disabled-elt"], attributes["hx-sync"] = "find button[type=submit]", "this:drop"
	return attributes
}
