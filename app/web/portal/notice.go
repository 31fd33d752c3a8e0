package portal

import (
	"heliograph/app/catalogue"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// newNotice tells readers of a version that they should move on, and where to:
// to the same operation of the version to read instead. The operation may be
// nil.
func newNotice(at place, op *catalogue.Operation) views.Notice {
	v := at.version
	var notice views.Notice
	switch ui.Lifecycle(v.Label) {
	case ui.Deprecated:
		notice = views.Notice{Tone: ui.Warn, Title: "Version " + v.Slug + " is deprecated."}
		if v.SunsetOn != "" {
			notice.Text = "It stops answering on " + day(v.SunsetOn) + "."
		}
	case ui.Retired:
		notice = views.Notice{Tone: ui.Bad, Title: "Version " + v.Slug + " is retired."}
		if v.SunsetOn != "" {
			notice.Text = "It stopped answering on " + day(v.SunsetOn) + "."
		}
	case ui.Beta:
		return notice
	default:
		if v != at.product.Latest() {
			notice = views.Notice{Tone: ui.Info, Title: "Version " + v.Slug + " is not the latest."}
		}
	}
	if to := successor(at); notice.Title != "" && to != nil {
		next := place{at.product, to}
		if op != nil && to.Twin(op) == nil {
			notice.Text = joined(notice.Text, "Version "+to.Slug+" does not have this endpoint.")
		}
		notice.Link = ui.Link{Label: "Move to version " + to.Slug, Href: next.nearest(op)}
	}
	return notice
}

// successor is the version to move to: the recommended one, else the latest;
// nil when that is the version itself.
func successor(at place) *catalogue.Version {
	to := at.product.Version(at.version.MigrateTo)
	if to == nil {
		to = at.product.Latest()
	}
	if to == at.version {
		return nil
	}
	return to
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}
