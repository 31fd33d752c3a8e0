//go:build drill

package admin_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// savedOf is how many endpoints of the seed stand for one that is opened and saved by
// the drill:
//
//	go test -tags drill -run TestSavingTheSeedWithoutAChange ./app/web/admin
const savedOf = 1

// The drill of the form opens endpoints of real documents, changes one value as a
// person would, and sends everything that a browser sends. It holds that the draft
// has that change and nothing else, key for key and in order:
//
//	go test -tags drill -run DrillForm -timeout 40m -v ./app/web/admin
func TestDrillForm(t *testing.T) {
	const edits = 1000
	p := &press{T: t, Site: webtest.New(t, nil)}
	p.sue = p.enter("sue", identity.SuperAdmin)
	documents := corpus.Real(t)
	if len(documents) == 0 {
		documents = corpus.Seeds(t)
	}
	files, products := fstest.MapFS{}, []string{}
	for n, d := range documents {
		if len(d.Data) > 2<<20 {
			t.Logf("%s has %d kB: its operations are edited in package outline", d.Name, len(d.Data)>>10)
			continue
		}
		files[d.Name] = &fstest.MapFile{Data: d.Data}
		products = append(products, fmt.Sprintf(`{"slug":"p%d","product":{"name":"P%d"},"version":"1.0","label":"Current","document":%q}`, n, n, d.Name))
	}
	files["products.json"] = &fstest.MapFile{Data: []byte("[" + strings.Join(products, ",") + "]")}
	if err := editorial.Seed(t.Context(), p.DB, files); err != nil {
		t.Fatal(err)
	}
	paths, slugs := p.pages(content.KindEndpoint)
	t.Logf("%d products, %d endpoints", len(products), len(paths))
	random, done := rand.New(rand.NewPCG(1, 2)), map[string]int{}
	for n, tries := 0, 0; n < edits; tries++ {
		if tries > 20*edits {
			t.Fatalf("only %d edits in %d tries: %v", n, tries, done)
		}
		at := random.IntN(len(paths))
		page := p.sue.Get(paths[at])
		form := p.filled(page)
		name := p.oneOf(random, form)
		value := p.another(random, page, name, n)
		if value == form.Get(name) {
			continue
		}
		before := p.draft(slugs[at], paths[at])
		var schemes []string
		page.Find(`[name$="#security"] option`).Each(func(_ int, o *goquery.Selection) {
			if name := o.AttrOr("value", ""); name != "" && name != "None" {
				schemes = append(schemes, name)
			}
		})
		want, ok := edited(t, before, name, value, schemes)
		form.Set(name, value)
		a := p.sue.Once().Post(paths[at], form)
		switch {
		case !ok && a.Status != 422:
			t.Fatalf("%s: %s = %q cannot be, and gives %d", slugs[at], name, value, a.Status)
		case !ok:
			continue
		case a.Status != 303:
			t.Fatalf("%s: %s = %q gives %d: %s", slugs[at], name, value, a.Status, a.Find(".alert, .error").Text())
		}
		got := p.draft(slugs[at], paths[at])
		for field := range want {
			if inOrder(t, got[field]) != inOrder(t, want[field]) {
				t.Fatalf("%s: %s = %q makes %s\n%s\nwant\n%s\nbefore\n%s", slugs[at], name, value, field, got[field], want[field], before[field])
			}
		}
		n++
		_, kind, _ := strings.Cut(name, "#")
		if kind == "" {
			kind = name
		}
		done[kind]++
	}
	t.Logf("%d edits: %v", edits, done)
}

// draft is the head of an item by its fields, with the text of each.
func (p *press) draft(slug, path string) (fields map[string]json.RawMessage) {
	p.Helper()
	id := path[strings.LastIndex(path, "/")+1:]
	text := p.text(`select content::text from revisions where id = (select coalesce(draft_revision_id, live_revision_id) from items where id = ` + id + `)`)
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		p.Fatalf("%s: %v", slug, err)
	}
	return fields
}

// oneOf is the name of a value of a form that a person may change.
func (p *press) oneOf(random *rand.Rand, form url.Values) string {
	var names []string
	for name := range form {
		if strings.HasPrefix(name, outline.Prefix) || slices.Contains([]string{"name", "purpose", "operation_id", "category", "order"}, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[random.IntN(len(names))]
}

// another is another value for an input of a page.
func (p *press) another(random *rand.Rand, page *webtest.Answer, name string, n int) string {
	var value string
	in := page.Find("#item").Find(`[name="` + strings.ReplaceAll(name, `"`, `\"`) + `"]`).Last()
	options := in.Find("option")
	_, key, _ := strings.Cut(name, "#")
	switch {
	case options.Length() > 0:
		return options.Eq(random.IntN(options.Length())).AttrOr("value", "")
	case in.Is("[type=checkbox]"):
		if !in.Is("[checked]") {
			value = "true"
		}
		return value
	case name == "order":
		return fmt.Sprint(random.IntN(1000))
	case key == "code":
		return fmt.Sprint(100 + random.IntN(400))
	case key == "value" || key == "default" || key == "source":
		return fmt.Sprintf(`{"n": %d}`, n)
	case in.Is("textarea"):
		return fmt.Sprintf("Word %d.\r\n\r\n- a\r\n- b", n)
	}
	return fmt.Sprintf("word%d", n)
}

// inOrder is a value with its keys in their order, written in one way.
func inOrder(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	root, err := tree.Read(append(append([]byte("["), raw...), ']'))
	if err != nil {
		t.Fatal(err)
	}
	return string(root.JSON())
}

// edited is a content with one value changed; ok is false where it cannot be.
func edited(t *testing.T, before map[string]json.RawMessage, name, value string, schemes []string) (want map[string]json.RawMessage, ok bool) {
	t.Helper()
	want = map[string]json.RawMessage{}
	for field, raw := range before {
		want[field] = raw
	}
	if !strings.HasPrefix(name, outline.Prefix) {
		text, err := json.Marshal(strings.ReplaceAll(value, "\r\n", "\n"))
		if name == "order" {
			text = []byte(value)
		}
		want[name] = text
		return want, err == nil
	}
	root, err := tree.Read(before["raw"])
	if err != nil {
		t.Fatal(err)
	}
	o := outline.Operation(root, outline.Sources{Schemes: schemes})
	if !o.Apply(map[string]string{name: value}, "") {
		return nil, false
	}
	want["raw"] = o.Root.JSON()
	return want, true
}
