package merge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/editorial/merge"
	"heliograph/app/documentation/openapi/tree"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		base, theirs, mine   string
		withTheirs, withMine string
	}{
		"different paragraphs":      {"One.\n\nTwo.\n\nThree.", "First.\n\nTwo.\n\nThree.", "One.\n\nTwo.\n\nThird.", "First.\n\nTwo.\n\nThird.", ""},
		"neighbouring lines":        {"a\nb", "A\nb", "a\nB", "A\nB", ""},
		"both the same":             {"a\nb\nc", "a\nB\nc", "a\nB\nc", "a\nB\nc", ""},
		"removed and added":         {"a\nb\nc\nd", "b\nc\nd", "a\nb\nc\nd\ne", "b\nc\nd\ne", ""},
		"the same line":             {"a\nb\nc", "a\nx\nc", "A\ny\nc", "a\nx\nc", "A\ny\nc"},
		"two additions in a place":  {"a\nb", "a\nx\nb", "a\ny\nb", "a\nx\nb", "a\ny\nb"},
		"removed there, changed":    {"a\nb\nc", "a\nc", "a\nB\nc", "a\nc", "a\nB\nc"},
		"added beside a change":     {"a\nb\nc", "a\nB\nc", "a\nb\nx\nc", "a\nB\nc", "a\nb\nx\nc"},
		"a longer and a short part": {"a\nb\nc\nd\ne", "a\nx\nd\ne", "a\nb\nC\nd\nE", "a\nx\nd\nE", "a\nb\nC\nd\nE"},
	} {
		left, right, overlaps := merge.Texts(c.base, c.theirs, c.mine)
		if c.withMine == "" {
			c.withMine = c.withTheirs
		}
		if left != c.withTheirs || right != c.withMine || overlaps != (left != right) {
			t.Errorf("%s: %q, %q, %v", name, left, right, overlaps)
		}
	}
}

// Two authors who change different lines keep both changes, whoever comes second. One
// who changes nothing changes nothing of the other's.
func TestTextsKeepBoth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 15)) //nolint:gosec // a fixed seed repeats the test
	for round := range 3000 {
		lines := make([]string, 2+random.IntN(30))
		for i := range lines {
			lines[i] = fmt.Sprint("line ", i)
			if round%2 == 0 { // lines that occur again: which of them went is not known then
				lines[i] = fmt.Sprint("line ", random.IntN(6))
			}
		}
		base := strings.Join(lines, "\n")
		cut := 1 + random.IntN(len(lines)-1)
		theirs := strings.Join(append(changed(random, lines[:cut], "theirs"), lines[cut:]...), "\n")
		mine := strings.Join(append(slices.Clone(lines[:cut]), changed(random, lines[cut:], "mine")...), "\n")
		left, right, overlaps := merge.Texts(base, theirs, mine)
		other, second, again := merge.Texts(base, mine, theirs)
		if overlaps != again || left != second || right != other {
			t.Fatalf("round %d: the order of the authors decides", round)
		}
		if !overlaps && round%2 == 1 {
			want := strings.Join(append(changedLines(theirs, lines[cut:]), changedLinesAfter(mine, lines[:cut])...), "\n")
			if left != right || left != want {
				t.Fatalf("round %d:\nbase %q\ntheirs %q\nmine %q\nmerged %q\nwant %q", round, base, theirs, mine, left, want)
			}
		}
		for _, text := range []string{base, theirs, mine} {
			for _, args := range [][3]string{{base, text, base}, {base, base, text}, {base, text, text}} {
				if l, r, o := merge.Texts(args[0], args[1], args[2]); l != text || r != text || o {
					t.Fatalf("round %d: %q becomes %q", round, text, l)
				}
			}
		}
	}
}

// changed changes, removes and adds lines, but not the last one at the end.
func changed(random *rand.Rand, lines []string, by string) (list []string) {
	for i, line := range lines {
		switch random.IntN(6) {
		case 0:
			list = append(list, fmt.Sprintf("%s changed %d", by, i))
		case 1:
			list = append(list, fmt.Sprintf("%s added %d", by, i), line)
		case 2:
		default:
			list = append(list, line)
		}
	}
	return list
}

// changedLines is a text without the lines that follow it.
func changedLines(text string, after []string) []string {
	lines := strings.Split(text, "\n")
	return slices.Clone(lines[:len(lines)-len(after)])
}

func changedLinesAfter(text string, before []string) []string {
	return strings.Split(text, "\n")[len(before):]
}

const operation = `{"x-kept":1,"parameters":[{"in":"query","name":"limit","schema":{"type":"integer"}},{"in":"query","name":"after","schema":{"type":"string"}}],
"requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["to"],"properties":{"to":{"type":"string"},"text":{"type":"string","description":"One.\nTwo."}}},
"examples":{"plain":{"value":{"to":"1","list":[1,2,3]}}}}}},"responses":{"200":{"description":"Sent."},"400":{"description":"Wrong."}}}`

func TestTrees(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		theirs, mine []string // replaced, by pairs
		want         string   // overlaps
		has          []string
	}{
		"parameters by name": {theirs: []string{`"integer"`, `"number"`}, mine: []string{`"after","schema":{"type":"string"}`, `"after","required":true,"schema":{"type":"string"}`},
			has: []string{`"limit","schema":{"type":"number"}`, `"after","required":true`}},
		"a parameter each": {theirs: []string{`"parameters":[`, `"parameters":[{"in":"header","name":"a"},`}, mine: []string{`"parameters":[`, `"parameters":[{"in":"header","name":"b"},`},
			has: []string{`[{"in":"header","name":"a"},{"in":"header","name":"b"},{"in":"query","name":"limit"`}},
		"statuses": {theirs: []string{`"400":{`, `"409":{"description":"Again."},"400":{`}, mine: []string{`"Sent."`, `"Accepted."`},
			has: []string{`"200":{"description":"Accepted."},"409":{"description":"Again."},"400"`}},
		"properties": {theirs: []string{`"to":{"type":"string"}`, `"to":{"type":"string","maxLength":9}`}, mine: []string{`"properties":{`, `"properties":{"id":{"type":"integer"},`},
			has: []string{`"id":{"type":"integer"},"to":{"type":"string","maxLength":9}`}},
		"what is required":      {theirs: []string{`["to"]`, `["to","text"]`}, mine: []string{`["to"]`, `["id","to"]`}, has: []string{`["id","to","text"]`}},
		"examples":              {theirs: []string{`"examples":{`, `"examples":{"short":{"value":{}},`}, mine: []string{`"to":"1"`, `"to":"2"`}, has: []string{`"short":{"value":{}},"plain":{"value":{"to":"2"`}},
		"lines of a text":       {theirs: []string{`One.\n`, `First.\n`}, mine: []string{`\nTwo.`, `\nSecond.`}, has: []string{`First.\nSecond.`}},
		"the order":             {theirs: []string{`"x-kept":1,`, ``, `"Wrong."}}}`, `"Wrong."}},"x-kept":1}`}, mine: []string{`"Sent."`, `"Done."`}, has: []string{`"Done."`, `}},"x-kept":1}`}},
		"the same value":        {theirs: []string{`"Sent."`, `"Gone."`}, mine: []string{`"Sent."`, `"Done."`}, want: "/responses/200/description"},
		"removed and changed":   {theirs: []string{`,"400":{"description":"Wrong."}`, ``}, mine: []string{`"Wrong."`, `"Bad."`}, want: "/responses/400"},
		"two new names":         {theirs: []string{`"plain":`, `"a":`}, mine: []string{`"plain":`, `"b":`}, want: "/requestBody/content/application~1json/examples"},
		"two values in a list":  {theirs: []string{`[1,2,3]`, `[1,5,3]`}, mine: []string{`[1,2,3]`, `[1,6,3]`}, want: "/requestBody/content/application~1json/examples/plain/value/list"},
		"a reference, a member": {theirs: []string{`"limit","schema":{"type":"integer"}`, `"limit","schema":{"$ref":"#/a"}`}, mine: []string{`"type":"integer"`, `"type":"integer","maximum":9`}, want: "/parameters/query limit/schema"},
	} {
		theirs, mine := strings.NewReplacer(c.theirs...).Replace(operation), strings.NewReplacer(c.mine...).Replace(operation)
		left, right, overlaps := merge.Trees(read(t, operation), read(t, theirs), read(t, mine))
		if got := strings.Join(overlaps, " "); got != c.want {
			t.Errorf("%s: overlaps %q, want %q", name, got, c.want)
		}
		if c.want == "" && !left.Equal(right) {
			t.Errorf("%s: two results without an overlap", name)
		}
		if c.want != "" && (string(left.JSON()) != string(read(t, theirs).JSON()) || string(right.JSON()) != string(read(t, mine).JSON())) {
			t.Errorf("%s: %s\n%s", name, left.JSON(), right.JSON())
		}
		for _, part := range c.has {
			if !strings.Contains(string(left.JSON()), part) {
				t.Errorf("%s: no %s in\n%s", name, part, left.JSON())
			}
		}
	}
}

// What both changed is put together where its parts say which they are. Otherwise each
// side has its own.
func TestTreesOfParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		base, theirs, mine   string
		withTheirs, withMine string // the second is "" for the same
		overlaps             string
	}{
		"a server by its address": {`{"servers":[{"url":"a"},{"url":"b"}]}`, `{"servers":[{"url":"a","description":"A"},{"url":"b"}]}`, `{"servers":[{"url":"a","variables":{}},{"url":"b"}]}`,
			`{"servers":[{"url":"a","description":"A","variables":{}},{"url":"b"}]}`, "", ""},
		"references": {`{"l":[{"$ref":"#/a"},{"$ref":"#/b"}]}`, `{"l":[{"$ref":"#/a","summary":"S"},{"$ref":"#/b"}]}`, `{"l":[{"$ref":"#/a","description":"D"},{"$ref":"#/b"}]}`,
			`{"l":[{"$ref":"#/a","summary":"S","description":"D"},{"$ref":"#/b"}]}`, "", ""},
		"a parameter is in a place": {`{"l":[{"name":"a"}]}`, `{"l":[{"name":"a","x":1}]}`, `{"l":[{"name":"a","y":1}]}`,
			`{"l":[{"name":"a","x":1}]}`, `{"l":[{"name":"a","y":1}]}`, "/l"},
		"the same value twice":       {`{"l":[1,1,2]}`, `{"l":[1,1,2,3]}`, `{"l":[1,1,2,4]}`, `{"l":[1,1,2,3]}`, `{"l":[1,1,2,4]}`, "/l"},
		"a value twice on one side":  {`{"l":[1,2]}`, `{"l":[1,2,3]}`, `{"l":[1,2,2]}`, `{"l":[1,2,3]}`, `{"l":[1,2,2]}`, "/l"},
		"a value twice on the other": {`{"l":[1,2]}`, `{"l":[1,2,2]}`, `{"l":[1,2,3]}`, `{"l":[1,2,2]}`, `{"l":[1,2,3]}`, "/l"},
		"a value twice before":       {`{"l":[1,1]}`, `{"l":[1,2]}`, `{"l":[1,3]}`, `{"l":[1,2]}`, `{"l":[1,3]}`, "/l"},
		"an element without a name":  {`{"l":[{"url":"a"}]}`, `{"l":[{"url":"a"},{"url":"b"}]}`, `{"l":[{"url":"a"},{}]}`, `{"l":[{"url":"a"},{"url":"b"},{}]}`, "", ""},
		"a name that went":           {`{"l":[{"url":"a"}]}`, `{"l":[{"url":"a"},{}]}`, `{"l":[{"url":"a"},{"url":"b"}]}`, `{"l":[{"url":"a"},{},{"url":"b"}]}`, "", ""},
		"a name that came":           {`{"l":[{}]}`, `{"l":[{},{"url":"a"}]}`, `{"l":[{"url":"b"}]}`, `{"l":[{"url":"a"},{"url":"b"}]}`, "", ""},
		"a removal and an order":     {`{"l":["a","b","c"]}`, `{"l":["a","c"]}`, `{"l":["c","b","a"]}`, `{"l":["c","a"]}`, "", ""},
		"an order and a removal":     {`{"l":["a","b","c"]}`, `{"l":["c","b","a"]}`, `{"l":["a","c"]}`, `{"l":["c","a"]}`, "", ""},
		"two maps that are new":      {`{}`, `{"headers":{"A":{}}}`, `{"headers":{"B":{}}}`, `{"headers":{"A":{},"B":{}}}`, "", ""},
		"two schemas that are new": {`{}`, `{"schema":{"type":"string"}}`, `{"schema":{"maxLength":9}}`,
			`{"schema":{"type":"string"}}`, `{"schema":{"maxLength":9}}`, "/schema"},
		"two kinds":                {`{"a":{"b":1}}`, `{"a":{"b":2}}`, `{"a":["b"]}`, `{"a":{"b":2}}`, `{"a":["b"]}`, "/a"},
		"a reference on one side":  {`{"a":{"$ref":"#/a"}}`, `{"a":{"$ref":"#/a","x":1}}`, `{"a":{"$ref":"#/b"}}`, `{"a":{"$ref":"#/a","x":1}}`, `{"a":{"$ref":"#/b"}}`, "/a"},
		"two orders":               {`{"l":["a","b","c"]}`, `{"l":["c","a","b"]}`, `{"l":["b","a","c"]}`, `{"l":["c","a","b"]}`, `{"l":["b","a","c"]}`, "/l"},
		"an order and an addition": {`{"l":["a","b","c"]}`, `{"l":["c","a","b"]}`, `{"l":["a","d","b","c"]}`, `{"l":["c","a","d","b"]}`, "", ""},
		"an addition and an order": {`{"l":["a","b","c"]}`, `{"l":["a","d","b","c"]}`, `{"l":["c","a","b"]}`, `{"l":["c","a","d","b"]}`, "", ""},
		"the same order":           {`{"l":["a","b","c"]}`, `{"l":["c","a","b","x"]}`, `{"l":["c","y","a","b"]}`, `{"l":["c","y","a","b","x"]}`, "", ""},
		"additions in one place":   {`{"l":["a","b"]}`, `{"l":["a","x","b"]}`, `{"l":["a","y","z","b"]}`, `{"l":["a","x","y","z","b"]}`, "", ""},
		"two removals":             {`{"l":["a","b","c"]}`, `{"l":["a","c"]}`, `{"l":["a","b"]}`, `{"l":["a"]}`, "", ""},
		"one removal by both":      {`{"l":["a","b","c"]}`, `{"l":["a","c","x"]}`, `{"l":["a","c","x"],"m":1}`, `{"l":["a","c","x"],"m":1}`, "", ""},
		"lines of a text": {`{"d":"One.\nTwo.\nThree."}`, `{"d":"One.\n2.\nThree."}`, `{"d":"One.\nZwei.\nThird."}`,
			`{"d":"One.\n2.\nThree."}`, `{"d":"One.\nZwei.\nThird."}`, "/d"},
	} {
		left, right, overlaps := merge.Trees(read(t, c.base), read(t, c.theirs), read(t, c.mine))
		if c.withMine == "" {
			c.withMine = c.withTheirs
		}
		if string(left.JSON()) != c.withTheirs || string(right.JSON()) != c.withMine || strings.Join(overlaps, " ") != c.overlaps {
			t.Errorf("%s: overlaps %q\n%s\n%s", name, overlaps, left.JSON(), right.JSON())
		}
	}
}

func read(t *testing.T, text string) *tree.Node {
	t.Helper()
	n, err := tree.Read([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return n
}

// Random edits of different leaves of a tree are all kept; edits of the same leaf
// overlap, and each side has its own.
func TestTreesKeepBoth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 15)) //nolint:gosec // a fixed seed repeats the test
	for round := range 2000 {
		base := grown(random, 0)
		places := leaves("", base)
		if len(places) < 2 {
			continue
		}
		random.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
		cut := 1 + random.IntN(len(places)-1)
		theirs, mine, both := copied(base), copied(base), copied(base)
		for n, place := range places[:min(len(places), 8)] {
			side, name := theirs, "theirs"
			if n >= cut {
				side, name = mine, "mine"
			}
			edit(side, place, name)
			edit(both, place, name)
		}
		left, right, overlaps := merge.Trees(base, theirs, mine)
		if len(overlaps) > 0 || !left.Equal(right) {
			t.Fatalf("round %d: %v overlap in %s", round, overlaps, base.JSON())
		}
		if diff := cmp.Diff(both.Plain(), left.Plain()); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
		if other, _, _ := merge.Trees(base, mine, theirs); !cmp.Equal(other.Plain(), left.Plain()) {
			t.Fatalf("round %d: the order of the authors decides", round)
		}
		for _, n := range []*tree.Node{base, theirs, mine} {
			if l, r, o := merge.Trees(base, n, base); !l.Equal(n) || !r.Equal(n) || len(o) > 0 {
				t.Fatalf("round %d: %s becomes %s", round, n.JSON(), l.JSON())
			}
			if l, r, o := merge.Trees(base, base, n); !l.Equal(n) || !r.Equal(n) || len(o) > 0 {
				t.Fatalf("round %d: %s becomes %s", round, n.JSON(), l.JSON())
			}
		}
		edit(theirs, places[0], "they")
		edit(mine, places[0], "I")
		left, right, overlaps = merge.Trees(base, theirs, mine)
		if len(overlaps) == 0 || left.Equal(right) {
			t.Fatalf("round %d: two edits of %s do not overlap", round, places[0])
		}
		if !strings.Contains(string(left.JSON()), `"they"`) || !strings.Contains(string(right.JSON()), `"I"`) {
			t.Fatalf("round %d: the sides are not kept: %s, %s", round, left.JSON(), right.JSON())
		}
	}
}

// grown is a random tree in the form of an operation: objects, texts and lists of
// parameters.
func grown(random *rand.Rand, depth int) *tree.Node {
	n := tree.Object()
	for i := range 1 + random.IntN(4) {
		key := fmt.Sprintf("k%d", i)
		switch kind := random.IntN(4); {
		case kind == 0 && depth < 4:
			n.Append(key, grown(random, depth+1))
		case kind == 1 && depth < 4:
			list := tree.Array()
			for p := range random.IntN(3) {
				item := tree.Object(tree.Member{Key: "in", Value: tree.String("query")}, tree.Member{Key: "name", Value: tree.String(fmt.Sprint("p", p))})
				item.Append("schema", grown(random, depth+1))
				list.Items = append(list.Items, item)
			}
			n.Append(key, list)
		default:
			n.Append(key, tree.String(fmt.Sprint("was ", random.IntN(3))))
		}
	}
	return n
}

// leaves lists the pointers of the texts that an edit may change.
func leaves(at string, n *tree.Node) (list []string) {
	for _, m := range n.Members {
		if m.Value.Is(tree.KindString) && m.Key != "in" && m.Key != "name" {
			list = append(list, at+"/"+m.Key)
		}
		list = append(list, leaves(at+"/"+m.Key, m.Value)...)
	}
	for i, item := range n.Items {
		list = append(list, leaves(fmt.Sprintf("%s/%d", at, i), item)...)
	}
	return list
}

func copied(n *tree.Node) *tree.Node {
	c := *n
	c.Items, c.Members = nil, nil
	for _, item := range n.Items {
		c.Items = append(c.Items, copied(item))
	}
	for _, m := range n.Members {
		c.Members = append(c.Members, tree.Member{Key: m.Key, Value: copied(m.Value)})
	}
	return &c
}

// edit changes a text.
func edit(root *tree.Node, place, by string) {
	parent := root.At(tree.Parent(place))
	key := place[strings.LastIndex(place, "/")+1:]
	parent.Set(key, tree.String(by))
}
