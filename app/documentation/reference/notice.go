package reference

import (
	"heliograph/app/documentation/content"
	"heliograph/app/documentation/published"
)

// Notice asks readers of a version to move to another one. Its Title is empty
// where there is no reason to.
type Notice struct {
	Title string // "Version 2.0 is deprecated."
	Text  string // "It stops answering on 30 June 2027."; may be empty
	Label string // of the link to the version to read instead; may be empty
	Href  string
}

// NewNotice returns the notice of a version, or of an operation in it. The
// operation may be nil.
func NewNotice(at Place, op *published.Operation) Notice {
	v := at.Version
	var notice Notice
	switch v.Label {
	case content.Deprecated:
		notice.Title = "Version " + v.Slug + " is deprecated."
		if v.SunsetOn != "" {
			notice.Text = "It stops answering on " + Day(v.SunsetOn) + "."
		}
	case content.Retired:
		notice.Title = "Version " + v.Slug + " is retired."
		if ended := v.EndedOn(); ended != "" {
			notice.Text = "It stopped answering on " + Day(ended) + "."
		}
	case content.Beta:
		return notice
	default:
		if v != at.Product.Latest() {
			notice.Title = "Version " + v.Slug + " is not the latest."
		}
	}
	if to := at.Successor(); notice.Title != "" && to != nil {
		if op != nil && to.Twin(op) == nil {
			if notice.Text != "" {
				notice.Text += " "
			}
			notice.Text += "Version " + to.Slug + " does not have this endpoint."
		}
		notice.Label, notice.Href = "Move to version "+to.Slug, Place{at.Product, to}.Nearest(op)
	}
	return notice
}

// Nearest returns the path of the page of the same operation in the version,
// else of the version itself. The operation may be nil.
func (at Place) Nearest(op *published.Operation) string {
	if twin := at.Version.Twin(op); twin != nil {
		return at.Operation(twin)
	}
	return at.Path()
}
