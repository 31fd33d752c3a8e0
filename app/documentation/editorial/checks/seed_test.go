package checks_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/documentation/openapi"
	"heliograph/db/models"
	"heliograph/db/seed"
)

func marshal(t *testing.T, v any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What the program publishes itself passes every check that blocks, so that the first
// edit of an editor is not held up by what others wrote.
func TestSeedPasses(t *testing.T) {
	t.Parallel()
	documents, err := fs.Glob(seed.Files, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range documents {
		data, err := seed.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := openapi.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		w := &checks.World{Parts: []models.LiveItem{{ID: 1, Kind: content.KindVersion, Slug: "1.0", Content: marshal(t, content.Version{Label: content.Current, Frame: doc.Frame})}}}
		var items []checks.Item
		add := func(kind, slug string, c any) {
			items = append(items, checks.Item{ID: int64(len(items) + 2), Kind: kind, Slug: slug, Path: "/docs/x/1.0/" + slug, Content: marshal(t, c)})
		}
		for _, s := range doc.Schemas {
			add(content.KindSchema, s.Slug, content.Schema{Name: s.Name, Raw: s.Raw})
			last := items[len(items)-1]
			w.Parts = append(w.Parts, models.LiveItem{ID: last.ID, Kind: last.Kind, Slug: last.Slug, Content: last.Content})
		}
		for kind, list := range map[string][]openapi.Operation{content.KindEndpoint: doc.Operations, content.KindCallback: doc.Callbacks} {
			for _, o := range list {
				add(kind, o.Slug, content.Endpoint{OperationID: o.ID, Name: o.Name, Method: o.Method, Path: o.Path, Purpose: o.Purpose, Raw: o.Raw})
				w.Operations = append(w.Operations, models.OperationEntry{ID: items[len(items)-1].ID, Kind: kind, Slug: o.Slug, OperationID: o.ID, Method: o.Method, Path: o.Path})
			}
		}
		checked += passes(t, name, items, w)
	}
	if checked < 71 {
		t.Errorf("%d items were checked", checked)
	}
}

// passes reports findings that block. Links are checked with the database.
func passes(t *testing.T, name string, items []checks.Item, w *checks.World) int {
	t.Helper()
	for _, i := range items {
		w.Pages = map[string]checks.Page{}
		for _, to := range checks.Links(i) {
			w.Pages[to] = checks.Page{Exists: true}
		}
		for _, f := range checks.Run(i, w) {
			if c, _ := checks.Get(f.Check); c.Level == checks.Block {
				t.Errorf("%s, %s %s, %s line %d: %s: %s", name, i.Kind, i.Slug, f.Field, f.Line, f.Check, f.Message)
			} else {
				t.Logf("%s, %s %s, %s line %d: %s: %s", name, i.Kind, i.Slug, f.Field, f.Line, f.Check, f.Message)
			}
		}
	}
	return len(items)
}

func TestGuidesPass(t *testing.T) {
	t.Parallel()
	err := fs.WalkDir(seed.Files, "guides", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := seed.Files.ReadFile(name)
		if err != nil {
			return err
		}
		slug := strings.TrimSuffix(d.Name(), ".md")
		passes(t, name, []checks.Item{{ID: 1, Kind: content.KindGuide, Slug: slug, Path: "/productguide/x/" + slug,
			Content: marshal(t, content.Guide{Title: slug, Summary: "A guide.", Text: string(text)})}}, &checks.World{})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
