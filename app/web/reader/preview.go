package reader

import (
	"net/http"

	"heliograph/app/documentation/published"
	"heliograph/app/fault"
	"heliograph/app/web/page"
)

// Preview returns the page at a path as readers would get it from a snapshot
// that is not published. The error is NotFound where it has no such page, and
// [published.IsBroken] holds of it where the page does not compile.
func (p *Pages) Preview(r *http.Request, now *published.Snapshot, path string) (page.View, error) {
	s := newSite(now, p.url, p.appearance(), p.console(), p.library)
	s.draft = true
	found, ok := s.find(path)
	if !ok || found.page == nil {
		return page.View{}, fault.New(fault.NotFound, "Readers would have no page at %s.", path)
	}
	wish, err := found.read(r)
	if err != nil {
		return page.View{}, err
	}
	view, err := found.page.view(r.Context(), s, wish)
	view.Frame.Canonical, view.Frame.Text, view.Frame.Address = "", "", ""
	return view, err
}
