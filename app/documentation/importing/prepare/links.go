package prepare

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

// viewerLink is a link in the Markdown of a document that works only in viewers with one
// long page, which have an anchor for everything. It is matched in JSON.
var viewerLink = regexp.MustCompile(`\[([^\[\]]*)\]\(#(operation|tag|section|schema|definition)/([^()\s"\\]+)\)`)

// relink makes such links lead to the pages of the version at place. A link to nothing
// becomes its text.
func relink(d *openapi.Document, converted []byte, place string, found *finding.List) (*openapi.Document, []byte, error) {
	if place == "" || !viewerLink.Match(converted) {
		return d, converted, nil
	}
	l := newLinks(d, place)
	led, lost := 0, map[string]bool{}
	text := viewerLink.ReplaceAllFunc(converted, func(link []byte) []byte {
		m := viewerLink.FindSubmatch(link)
		if to := l.target(string(m[2]), string(m[3])); to != "" {
			led++
			return fmt.Appendf(nil, "[%s](%s)", m[1], to)
		}
		lost["#"+string(m[2])+"/"+string(m[3])] = true
		return m[1]
	})
	if led > 0 {
		found.Add(finding.Repaired, nil, "", "Links of the form #operation/… now lead to the pages of this version: %d of them.", led)
	}
	for _, name := range sorted(lost) {
		found.Add(finding.Kept, nil, name, "Nothing in the document has the anchor %s. The text of the link stays without it.", name)
	}
	root, err := tree.Read(text)
	if err != nil {
		return nil, nil, err
	}
	if d, err = openapi.ReadTree(root); err != nil {
		return nil, nil, err
	}
	return d, text, nil
}

// links finds pages by the names that viewers give them.
type links struct {
	place                      string
	operations, tags, sections map[string]string
	schemas                    map[string]string
}

func newLinks(d *openapi.Document, place string) links {
	l := links{place, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	for _, list := range [][]openapi.Operation{d.Callbacks, d.Operations} {
		for _, o := range list {
			l.operations[o.ID] = place + "/" + o.Slug
		}
	}
	for _, s := range d.Schemas {
		l.schemas[s.Name] = place + "/schemas/" + s.Slug
	}
	for _, t := range d.Categories {
		l.tags[naming.Slug(t.Name)] = place
	}
	_, headings := markdown.RenderDescription(d.Description)
	for _, h := range headings {
		l.sections[naming.Slug(h.Text)] = place + "#" + h.ID
	}
	return l
}

// target returns the address of a page, or nothing. Names can have their parents in
// front: tag/Images/operation/ImageGet.
func (l links) target(kind, name string) string {
	if kind == "tag" {
		if _, id, ok := strings.Cut(name, "/operation/"); ok {
			kind, name = "operation", id
		}
	}
	switch kind {
	case "operation":
		return l.operations[name]
	case "schema", "definition":
		return l.schemas[path.Base(name)]
	case "tag":
		tag, _, _ := strings.Cut(name, "/")
		return l.tags[naming.Slug(strings.ReplaceAll(tag, "%20", " "))]
	}
	return l.sections[naming.Slug(path.Base(strings.ReplaceAll(name, "%20", " ")))]
}
