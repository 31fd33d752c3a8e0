package reader

import (
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// newNotice asks readers of a version to move to another one. The operation may
// be nil.
func newNotice(at place, op *published.Operation) views.Notice {
	n := reference.NewNotice(at.reference(), op)
	if n.Title == "" {
		return views.Notice{}
	}
	notice := views.Notice{Tone: ui.Info, Title: n.Title, Text: n.Text, Link: ui.Link{Label: n.Label, Href: n.Href}}
	switch ui.Lifecycle(at.version.Label) {
	case ui.Deprecated:
		notice.Tone = ui.Warn
	case ui.Retired:
		notice.Tone = ui.Bad
	}
	return notice
}
