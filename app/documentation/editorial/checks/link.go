package checks

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
)

// Links lists the paths within the portal that the texts of an item link to, for
// [World].
func Links(i Item) (paths []string) {
	f := linkChecks{&finder{item: i}}
	f.read()
	for _, t := range f.texts {
		for _, link := range t.targets() {
			if to, err := f.resolve(link.href); err == nil && to.Host == "" && to.Path != i.Path && !link.image && !slices.Contains(paths, to.Path) {
				paths = append(paths, to.Path)
			}
		}
	}
	if to := f.successor(); to != "" {
		paths = append(paths, to)
	}
	return paths
}

// linkChecks finds links that lead nowhere.
type linkChecks struct{ *finder }

// successor is the page of the version that a version recommends, empty for none.
func (f linkChecks) successor() string {
	if f.item.Kind != content.KindVersion || f.version.MigrateTo == "" {
		return ""
	}
	return path.Join(path.Dir(f.item.Path), f.version.MigrateTo)
}

// recommends finds a recommended version that readers cannot open.
func (f linkChecks) recommends() {
	to := f.successor()
	switch {
	case to == "":
	case to == f.item.Path:
		f.add(nameLinks, "migrate_to", 0, "The version recommends itself.")
	case !f.world.Pages[to].Exists:
		f.add(nameLinks, "migrate_to", 0, fmt.Sprintf("Readers find no version %s. Recommend one that is public, or publish it first or with this one.", f.version.MigrateTo))
	}
}

// resolve returns the address that a link on the item's page leads to. Within the
// portal it has no host. A fragment alone leads to the page itself.
func (f linkChecks) resolve(href string) (*url.URL, error) {
	to, err := url.Parse(href)
	if err != nil {
		return nil, err
	}
	if to.Scheme != "" || to.Host != "" {
		return to, nil
	}
	base := &url.URL{Path: f.item.Path}
	to = base.ResolveReference(to)
	if len(to.Path) > 1 {
		to.Path = path.Clean(to.Path)
	}
	return to, nil
}

// links finds links that do not work.
func (f linkChecks) links(t text) {
	for _, link := range t.targets() {
		if link.image {
			continue
		}
		line := t.lineOf(link.at)
		to, err := f.resolve(link.href)
		switch {
		case link.href == "":
			f.add(nameLinks, t.field, line, "A link has no address.")
		case err != nil:
			f.add(nameLinks, t.field, line, fmt.Sprintf("The link to %s is not an address.", link.href))
		case to.Host != "" || to.Scheme != "":
			f.external(t.field, line, to)
		case to.Path == f.item.Path:
			if own := f.own(); to.Fragment != "" && own != nil && !own[to.Fragment] {
				f.add(nameLinks, t.field, line, fmt.Sprintf("This page has no heading with the anchor #%s.", to.Fragment))
			}
		default:
			f.internal(t.field, line, to)
		}
	}
}

func (f linkChecks) external(field string, line int, to *url.URL) {
	switch {
	case to.Scheme == "mailto" || to.Scheme == "tel":
		if to.Opaque == "" {
			f.add(nameLinks, field, line, fmt.Sprintf("The link to %s names nobody.", to))
		}
	case to.Scheme != "http" && to.Scheme != "https":
		f.add(nameLinks, field, line, fmt.Sprintf("The link to %s is shown as text: start it with https://.", to))
	case !strings.Contains(to.Hostname(), ".") && to.Hostname() != "localhost":
		f.add(nameLinks, field, line, fmt.Sprintf("The link to %s has no complete host name.", to))
	}
}

func (f linkChecks) internal(field string, line int, to *url.URL) {
	page := f.world.Pages[to.Path]
	switch {
	case !page.Exists:
		f.add(nameLinks, field, line, fmt.Sprintf("Readers find no page at %s. Correct the link, or publish that page first or with this one.", to.Path))
	case to.Fragment != "" && page.Anchors != nil && !page.Anchors[to.Fragment]:
		f.add(nameLinks, field, line, fmt.Sprintf("The page %s has no heading with the anchor #%s.", to.Path, to.Fragment))
	}
}

// own returns the anchors of the item's own page, nil where they are not known.
func (f linkChecks) own() map[string]bool { return Anchors(f.item.Kind, f.item.Content) }
