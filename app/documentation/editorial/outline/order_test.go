package outline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/tree"
)

// lists returns the rows that have an order by what holds them.
func lists(rows []*outline.Row) map[string][]*outline.Row {
	found := map[string][]*outline.Row{}
	var walk func(rows []*outline.Row)
	walk = func(rows []*outline.Row) {
		for _, r := range rows {
			if r.List != "" {
				found[r.List] = append(found[r.List], r)
			}
			walk(r.Rows)
		}
	}
	walk(rows)
	return found
}

const fields = "/requestBody/content/application~1json/schema/properties"

// A row goes to the place of another one, and says where it is.
func TestPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ do, before, after, says string }{
		{"place:1:" + fields + "/to", `"to":{"type":"string","x-b":null},"list":{"type":"array","items":{"$ref":"#/components/schemas/Letter"}}`,
			`"list":{"type":"array","items":{"$ref":"#/components/schemas/Letter"}},"to":{"type":"string","x-b":null}`, "to is now 2 of 2."},
		{"place:0:/parameters/1", `{"name":"limit","in":"query","x-a":1.50,"schema":{"type":"integer"}},{"$ref":"#/components/parameters/Page"}`,
			`{"$ref":"#/components/parameters/Page"},{"name":"limit","in":"query","x-a":1.50,"schema":{"type":"integer"}}`, "Page is now 1 of 2."},
		{"place:0:/parameters/0", "", "", "limit is now 1 of 2."},
		{"place:2:/parameters/0", "", "", ""}, {"place:-1:/parameters/0", "", "", ""}, {"place:x:/parameters/0", "", "", ""},
		{"place:0:/requestBody", "", "", ""}, {"place:0:/none/0", "", "", ""}, {"place:", "", "", ""},
	} {
		o := outline.Operation(read(t, operation), sources())
		if !o.Apply(nil, c.do) {
			t.Fatalf("%s is refused", c.do)
		}
		want := strings.Replace(string(read(t, operation).JSON()), c.before, c.after, 1)
		if got := string(o.Root.JSON()); got != want {
			t.Errorf("%s gives\n%s\nwant\n%s", c.do, got, want)
		}
		if again := o.Again(outline.Operation); again.Done != c.says {
			t.Errorf("%s says %q, want %q", c.do, again.Done, c.says)
		}
	}
}

// Rows that are open stay open under another name and at another place. What is
// deleted leaves the author at the row after it.
func TestOpenRowsFollow(t *testing.T) {
	t.Parallel()
	o := outline.Operation(read(t, operation), sources())
	o.Open = []string{"/parameters/0", "/responses/200", fields + "/list", "/gone"}
	o.Apply(map[string]string{"in:/responses/200#code": "201", "in:" + fields + "/list#name": "letters"}, "down:/parameters/0")
	next := o.Again(outline.Operation)
	slices.Sort(next.Open)
	if want := []string{"/parameters", "/parameters/1", fields + "/letters", "/responses/201"}; !slices.Equal(next.Open, want) {
		t.Errorf("open are %q, want %q", next.Open, want)
	}
	if r := lists(next.Rows)["/parameters"][1]; r.Follows != "down" || r.IsNew {
		t.Errorf("the moved row follows %q", r.Follows)
	}
	next.Apply(nil, "delete:/parameters/1")
	last := next.Again(outline.Operation)
	if r := lists(last.Rows)["/parameters"]; len(r) != 1 || r[0].Follows != "delete" || last.Done != "limit is deleted." {
		t.Errorf("after deleting: %+v, %q", r, last.Done)
	}
}

// A thousand random places in real documents change the order of one list, as they
// say, and no value.
func TestRandomPlaces(t *testing.T) {
	t.Parallel()
	var operations []*tree.Node
	for _, d := range slices.Concat(corpus.Real(t), corpus.Seeds(t)) {
		document, err := openapi.Read(d.Data)
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		for _, op := range document.Operations {
			operations = append(operations, read(t, string(op.Raw)))
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	for n := 0; n < 1000; {
		op := operations[random.IntN(len(operations))]
		o := outline.Operation(op, outline.Sources{})
		for list, rows := range lists(o.Rows) {
			from, to := random.IntN(len(rows)), random.IntN(len(rows))
			want := titles(rows)
			title := want[from]
			want = slices.Insert(slices.Delete(want, from, from+1), to, title)
			if !o.Apply(nil, fmt.Sprintf("place:%d:%s", to, rows[from].At)) {
				t.Fatalf("%s to %d is refused", rows[from].At, to)
			}
			if got := titles(lists(o.Again(outline.Operation).Rows)[list]); !slices.Equal(got, want) {
				t.Fatalf("%s to %d gives %q, want %q", rows[from].At, to, got, want)
			}
			before, after := values(op), values(o.Root)
			if !slices.Equal(before, after) {
				t.Fatalf("%s to %d changes values", rows[from].At, to)
			}
			n++
			break
		}
	}
}

func titles(rows []*outline.Row) (list []string) {
	for _, r := range rows {
		list = append(list, r.Title)
	}
	return list
}

// values lists every value of a tree, without what its place in a list says.
func values(n *tree.Node) (list []string) {
	for _, line := range flat(n, "") {
		list = append(list, strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, line))
	}
	slices.Sort(list)
	return list
}
