// Package merging puts an imported document over what is published of a version. It
// is pure. Operations, schemas and categories that the version has already keep their
// addresses. Texts and examples that people wrote since the last import stay.
package merging

import (
	"regexp"
	"slices"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/lists"
)

// Sources are the documents that are merged.
type Sources struct {
	File *openapi.Document // what is imported
	// Base is what the last import brought that was published; nil for none. Left
	// names the operations that it did not take, by slug.
	Base *openapi.Document
	Left map[string]bool
	Live *openapi.Parts // what is published; nil for a new version
	// Description is the text of the published version.
	Description string
	// Skip names the operations that are not taken, by their slug in the result: an
	// added one is left out, and all others stay as they are.
	Skip map[string]bool
}

// Merged is the document that would be published.
type Merged struct {
	Document *openapi.Document
	// Kept lists the names of operations with texts or examples of people that the file
	// has differently.
	Kept []string
	// Own lists the names of operations that people added. They stay.
	Own []string
}

// Merge merges an imported document with a version. It does not change the sources.
func Merge(s Sources) (*Merged, error) {
	m := &merger{Sources: s, out: &Merged{Document: &openapi.Document{Title: s.File.Title, Version: s.File.Version}}}
	if s.Live == nil {
		m.Live = &openapi.Parts{}
	}
	if s.Base == nil {
		m.Base = &openapi.Document{}
	}
	if err := m.operations(); err != nil {
		return nil, err
	}
	if err := m.frame(); err != nil {
		return nil, err
	}
	if err := m.schemas(); err != nil {
		return nil, err
	}
	m.categories()
	return m.out, nil
}

type merger struct {
	Sources
	out     *Merged
	partial bool // whether something of the version stays that the file does not have
}

// matches pairs operations of two documents, each at most once: by id, by method and
// path, and by slug.
func matches(from, to []openapi.Operation, isCallback bool) map[string]openapi.Operation {
	found, taken := map[string]openapi.Operation{}, map[string]bool{}
	for level := range 3 {
		byName := map[string]openapi.Operation{}
		for _, o := range to {
			if name := names(o, isCallback)[level]; !taken[o.Slug] {
				if _, known := byName[name]; !known {
					byName[name] = o
				}
			}
		}
		for _, o := range from {
			other, ok := byName[names(o, isCallback)[level]]
			if _, done := found[o.Slug]; ok && !done && !taken[other.Slug] {
				found[o.Slug], taken[other.Slug] = other, true
			}
		}
	}
	return found
}

func names(o openapi.Operation, isCallback bool) [3]string {
	return compare.Identity{ID: o.ID, Method: o.Method, Path: o.Path, Slug: o.Slug, Callback: isCallback}.Names()
}

// operations merges endpoints and callbacks, which share their addresses.
func (m *merger) operations() error {
	slugs := lists.SetBy(slices.Concat(m.Live.Operations, m.Live.Callbacks), func(o openapi.Operation) string { return o.Slug })
	var err error
	d := m.out.Document
	if d.Operations, err = m.merge(m.File.Operations, m.Live.Operations, m.Base.Operations, kind{slugs, false}); err != nil {
		return err
	}
	d.Callbacks, err = m.merge(m.File.Callbacks, m.Live.Callbacks, m.Base.Callbacks, kind{slugs, true})
	return err
}

// kind is the kind of operations that are merged.
type kind struct {
	slugs      map[string]bool // that are taken
	isCallback bool
}

func (m *merger) merge(file, live, base []openapi.Operation, k kind) (list []openapi.Operation, err error) {
	toLive, toBase := matches(file, live, k.isCallback), matches(live, base, k.isCallback)
	matched := map[string]bool{}
	for _, o := range file {
		was, ok := toLive[o.Slug]
		if !ok {
			o.Slug = naming.Unique(k.slugs, o.Slug, "-")
			if !m.Skip[o.Slug] {
				list = append(list, o)
			}
			continue
		}
		matched[was.Slug] = true
		if m.Skip[was.Slug] {
			m.partial = true
			list = append(list, was)
			continue
		}
		known, imported := toBase[was.Slug]
		merged, kept, err := operation(o, was, version{known, imported && !m.Left[was.Slug]})
		if err != nil {
			return nil, err
		}
		if kept {
			m.out.Kept = append(m.out.Kept, merged.Name)
		}
		list = append(list, merged)
	}
	var stay []openapi.Operation
	for _, o := range live {
		if matched[o.Slug] {
			continue
		}
		_, imported := toBase[o.Slug]
		isOwn := len(base) > 0 && !imported
		if isOwn {
			m.out.Own = append(m.out.Own, o.Name)
		}
		if isOwn || m.Skip[o.Slug] {
			m.partial = true
			stay = append(stay, o)
		}
	}
	return append(list, stay...), nil
}

// reference finds the names of schemas that a part refers to.
var reference = regexp.MustCompile(`"#/components/schemas/([^"/]+)`)

// schemas merges the schemas. The file replaces what it imported before. Other schemas
// stay while something that stays refers to them, or people added them.
func (m *merger) schemas() error {
	live, base := map[string]openapi.Schema{}, map[string]openapi.Schema{}
	slugs := map[string]bool{}
	for _, s := range m.Live.Schemas {
		live[s.Name], slugs[s.Slug] = s, true
	}
	for _, s := range m.Base.Schemas {
		base[s.Name] = s
	}
	inFile := lists.By(m.File.Schemas, func(s openapi.Schema) string { return s.Name })
	needed := m.needed(inFile, live)
	done := map[string]bool{}
	for _, s := range m.File.Schemas {
		was, isLive := live[s.Name]
		if m.partial && !needed[s.Name] && !isLive {
			continue // of an operation that is left out
		}
		done[s.Name] = true
		if !isLive {
			s.Slug = naming.Unique(slugs, s.Slug, "-")
			m.out.Document.Schemas = append(m.out.Document.Schemas, s)
			continue
		}
		known, imported := base[s.Name]
		merged, err := schema(s, was, schemaVersion{known, imported})
		if err != nil {
			return err
		}
		m.out.Document.Schemas = append(m.out.Document.Schemas, merged)
	}
	for _, s := range m.Live.Schemas {
		_, imported := base[s.Name]
		if !done[s.Name] && (m.partial && needed[s.Name] || len(base) > 0 && !imported) {
			m.out.Document.Schemas = append(m.out.Document.Schemas, s)
		}
	}
	return nil
}

// needed lists the schemas that the merged operations and the frame refer to, with
// the ones behind them.
func (m *merger) needed(file, live map[string]openapi.Schema) map[string]bool {
	found := map[string]bool{}
	var follow func(raw []byte)
	follow = func(raw []byte) {
		for _, match := range reference.FindAllSubmatch(raw, -1) {
			name := string(match[1])
			if found[name] {
				continue
			}
			found[name] = true
			if s, ok := file[name]; ok {
				follow(s.Raw)
			} else if s, ok := live[name]; ok {
				follow(s.Raw)
			}
		}
	}
	d := m.out.Document
	for _, o := range slices.Concat(d.Operations, d.Callbacks) {
		follow(o.Raw)
	}
	follow(d.Frame)
	return found
}

// categories merges the tags. A category stays while operations are in it.
func (m *merger) categories() {
	live, base := map[string]openapi.Tag{}, map[string]openapi.Tag{}
	slugs, used := map[string]bool{}, map[string]bool{}
	for _, t := range m.Live.Categories {
		live[t.Name], slugs[t.Slug] = t, true
	}
	for _, t := range m.Base.Categories {
		base[t.Name] = t
	}
	for _, o := range m.out.Document.Operations {
		used[o.Category] = true
	}
	done := map[string]bool{}
	for _, t := range m.File.Categories {
		was, isLive := live[t.Name]
		done[t.Name] = true
		if isLive {
			t.Slug = was.Slug
			known, imported := base[t.Name]
			isWritten := was.Description != "" && (!imported || was.Description != known.Description)
			isSame := t.Description == was.Description && string(t.Raw) == string(was.Raw)
			if isWritten || isSame {
				t = was
			}
		} else {
			t.Slug = naming.Unique(slugs, t.Slug, "-")
		}
		m.out.Document.Categories = append(m.out.Document.Categories, t)
	}
	for _, t := range m.Live.Categories {
		if !done[t.Name] && used[t.Name] {
			m.out.Document.Categories = append(m.out.Document.Categories, t)
		}
	}
}
