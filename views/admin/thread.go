package admin

import (
	"cmp"
	"strconv"

	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// ThreadRegion is a thread of comments, named by Of its id. CommentRegion is a place
// where a new one begins.
const (
	ThreadRegion  = ui.Region("thread")
	CommentRegion = ui.Region("comment")
)

// Thread is a thread of comments on a part of a change set.
type Thread struct {
	Region   ui.Region
	Mark     Mark
	About    ui.Link // what it is about; without an address where it stands beside that
	Outdated string  // that the text was changed since; empty if it was not
	Excerpt  string  // the lines that it is about
	Comments []Remark
	// Action takes replies, Text is what was typed and Error what is wrong with it.
	// Without an action the thread is only read.
	Action, CSRF string
	Text, Error  string
	Problem      string
	// Settle is the value of the button that resolves the thread or opens it again,
	// and SettleLabel its label.
	Settle, SettleLabel string
	From                string // the page that shows the thread: item, or empty
	IsOpen              bool
	Focus               bool // takes the focus: it was just replied to
}

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
	if len(t.Comments) == 1 {
		return "1 comment"
	}
	return strconv.Itoa(len(t.Comments)) + " comments"
}

// sent makes the answer to a reply replace the thread.
func (t Thread) sent() templ.Attributes {
	attributes := ui.Into(t.Region)
	attributes["hx-disabled-elt"], attributes["hx-sync"] = "find button[type=submit]", "this:drop"
	return attributes
}

// NewThreadPage asks for the first comment of a thread.
type NewThreadPage struct {
	layout.Frame
	Region  ui.Region // where it opens on the page of the change set
	InPlace bool
	Excerpt string
	Form    Form
	Back    ui.Link
	// Opened is the thread that began: the answer to its first comment.
	Opened *Thread
}
