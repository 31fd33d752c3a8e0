package search

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/db/models"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"botName": "bot name", "bot_name": "bot name", "Bot-Name": "bot name", "setWABALimit_v2": "set waba limit v2",
		"HTTPStatus": "http status", "sha256": "sha256", "X-Request-Id": "x request id", "template.language.code": "template language code",
		"+919812345678": "919812345678", "Größe ändern": "größe ändern", "": "", " .,/ ": "", "131026": "131026", "e2eTest": "e2e test",
	} {
		if got := strings.Join(split(text), " "); got != want {
			t.Errorf("split(%q) = %q, want %q", text, got, want)
		}
	}
	if got := indexed("botName of a one-time password"); got != "bot name botname of a one time onetime password" {
		t.Errorf("indexed gives %q", got)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]parsed{
		"create a bot":           {key: "createabot", words: []string{"create", "bot"}},
		"to":                     {key: "to", words: []string{"to"}},
		"post:":                  {method: "POST"},
		"post":                   {key: "post", words: []string{"post"}},
		"get a template":         {key: "getatemplate", words: []string{"get", "template"}},
		"Delete : media":         {method: "DELETE", key: "media", words: []string{"media"}},
		"get /messages":          {method: "GET", shapes: []string{"/messages", "/messages/"}, like: "%/messages%", path: "/messages", words: []string{"messages"}},
		"/a_b/{Id}/":             {shapes: []string{"/a_b/{}", "/a_b/{}/"}, like: `%/a\_b/{}%`, path: "/a_b/{id}/", words: []string{"b", "id"}},
		"/v3/1234567/x":          {shapes: []string{"/v3/{}/x", "/v3/{}/x/", "/{}/x", "/{}/x/", "/x", "/x/"}, like: "%/v3/{}/x%", path: "/v3/1234567/x", words: []string{"v3", "1234567", "x"}},
		"https://h/x?y=1":        {shapes: []string{"/x", "/x/"}, like: "%/x%", path: "/x", words: []string{"https", "h", "x", "y", "1"}},
		"upload:x":               {key: "uploadx", words: []string{"upload", "x"}},
		"...":                    {},
		"botName":                {key: "botname", words: []string{"bot", "name"}, identifier: true},
		"a webhook not working":  {key: "awebhooknotworking", words: []string{"webhook", "not", "working"}},
		"opt-out":                {key: "optout", words: []string{"opt", "out"}},
		"template rejected why":  {key: "templaterejectedwhy", words: []string{"template", "rejected"}},
		"how do I get a key?":    {key: "howdoigetakey", words: []string{"key"}, question: true},
		"why is my bot rejected": {key: "whyismybotrejected", words: []string{"bot", "rejected"}, question: true},
		"what is":                {key: "whatis", words: []string{"what", "is"}},
		"24 hours":               {key: "24hours", words: []string{"24", "hours"}},
		"how long do you retry":  {key: "howlongdoyouretry", words: []string{"long", "retry"}, question: true},
		"how long":               {key: "howlong", words: []string{"long"}},
		"how do I see what is in the list of a bot": {key: "howdoiseewhatisinthelistofabot", words: []string{"see", "list", "bot"}, question: true}, // the last of many words counts
		"why can't I get it?":                       {key: "whycantigetit", words: []string{"get"}, question: true},
		"send to 5000 people":                       {key: "sendto5000people", words: []string{"send", "5000"}},
		"sms not delivered":                         {key: "smsnotdelivered", words: []string{"sms", "not", "delivered"}},
	} {
		got := parse(text, true)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(parsed{}), cmp.Transformer("empty", func(s []string) string { return strings.Join(s, " ") })); diff != "" {
			t.Errorf("parse(%q) (-want +got):\n%s", text, diff)
		}
	}
	if got := parse("post:media", false); got.method != "" || got.key != "postmedia" {
		t.Errorf("a method beside a filter is %+v", got)
	}
}

func lexiconOf(words string, synonyms ...models.Synonym) *lexicon {
	var list []models.SearchWord
	for i, word := range strings.Fields(words) {
		list = append(list, models.SearchWord{Word: word, Rows: 10 + i})
	}
	return newLexicon(list, synonyms)
}

func TestExpress(t *testing.T) {
	t.Parallel()
	known := lexiconOf("create bot bottom both webhook", models.Synonym{Term: "hook", Means: "webhook"}, models.Synonym{Term: "one time password", Means: "otp"})
	for text, want := range map[string]tsqueries{
		"create bot": {name: "'create' & 'bot'", text: "('create') & ('bot') & ('create':ABC  | 'bot':ABC )",
			near: "('create') & ('bot') & ('create':AB  | 'bot':AB )", most: "(('bot') | ('create')) & ('create':ABC  | 'bot':ABC )"},
		"bot":                        {name: "'bot'", text: "'bot':ABC ", near: "'bot':AB "},
		"bo":                         {name: "('bo' | 'both' | 'bottom' | 'bot')"},
		"1310":                       {name: "'1310':*"},
		"hook":                       {name: "'hook'", wide: "('hook' | 'webhook')"},
		"send one time password now": {name: "'send' & 'one' & 'time' & 'password' & 'now'", wide: "('send') & (('one' & 'time' & 'password') | 'otp') & ('now')"},
	} {
		got := newTSQueries(strings.Fields(text), known)
		if got.name != want.name || got.wide != want.wide || want.text != "" && got != (tsqueries{
			name: want.name, wide: want.wide, text: want.text, near: want.near, most: want.most, any: got.any, either: got.either,
		}) {
			t.Errorf("%s gives %+v", text, got)
		}
	}
}

func TestTelling(t *testing.T) {
	t.Parallel()
	known := lexiconOf("rare scarce seldom some more common")
	for query, want := range map[string]string{"common rare": "common rare", "common some more seldom rare scarce": "some more seldom rare scarce", "a b": "a b"} {
		if got := strings.Join(known.rarest(strings.Fields(query)), " "); got != want {
			t.Errorf("of %q tell %q, want %q", query, got, want)
		}
	}
}

func TestMend(t *testing.T) {
	t.Parallel()
	known := lexiconOf("template templates message webhook media voice banner receive validation found tidals trials")
	for slip, want := range map[string]string{
		"tempalte": "template", "mesage": "message", "wehbook": "webhook", "mdia": "media", "vioce": "voice", "recieve": "receive",
		"tirals":  "trials", // swapped, not another letter
		"banners": "banner", "pagination": "", "refund": "", "temp": "", "abc": "", "xylophone": "", "m3ssage": "", "message": "",
	} {
		if got := strings.Join(known.correct([]string{slip}), " "); got != want {
			t.Errorf("%s becomes %q, want %q", slip, got, want)
		}
	}
	if got := known.correct([]string{"send", "mesage"}); len(got) != 2 || got[1] != "message" {
		t.Errorf("two words become %v", got)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]int{{"", "abc"}: 3, {"abc", "abc"}: 0, {"acb", "abc"}: 1, {"abd", "abc"}: 1, {"kitten", "sitting"}: 3, {"größe", "grösse"}: 2} {
		if got := distance(pair[0], pair[1]); got != want {
			t.Errorf("%v are %d apart, want %d", pair, got, want)
		}
	}
}

func TestMark(t *testing.T) {
	t.Parallel()
	known := lexiconOf("", models.Synonym{Term: "otp", Means: "one time password"})
	for query, want := range map[string]string{
		"bot name":  "the [botName] of [bots], its [name]",
		"botname":   "the [botName] of bots, its name",
		"names":     "the bot[Name] of bots, its [name]",
		"otp":       "the botName of bots, its name",
		"pin":       "the botName of bots, its name",
		"zzz":       "the botName of bots, its name",
		"":          "the botName of bots, its name",
		"the its x": "[the] botName of bots, [its] name",
	} {
		var got strings.Builder
		for _, p := range newMarker(strings.Fields(query), known).mark("the botName of bots, its name") {
			if p.Marked {
				got.WriteString("[" + p.Text + "]")
			} else {
				got.WriteString(p.Text)
			}
		}
		if got.String() != want {
			t.Errorf("%q marks %s, want %s", query, got.String(), want)
		}
	}
}

// A synonym of several words is marked where all of them stand together.
func TestMarkPhrases(t *testing.T) {
	t.Parallel()
	known := lexiconOf("", models.Synonym{Term: "otp", Means: "one time password"})
	var marked []string
	const text = "One of the OTPs is a One-Time Password, one of many passwords sent in time."
	var joined string
	for _, p := range newMarker([]string{"otp"}, known).mark(text) {
		joined += p.Text
		if p.Marked {
			marked = append(marked, p.Text)
		}
	}
	if got := strings.Join(marked, "|"); got != "OTPs|One-Time Password" || joined != text {
		t.Errorf("otp marks %s of %q", got, joined)
	}
}

func TestSnippet(t *testing.T) {
	t.Parallel()
	m := newMarker([]string{"needle"}, lexiconOf(""))
	long := strings.Repeat("Some hay. ", 30) + "Then a needle in it. " + strings.Repeat("More häy. ", 30)
	got := m.snippet(long, 60)
	if !strings.Contains(got, "needle") || len(got) > 80 || strings.Contains(got, "\uFFFD") {
		t.Errorf("the snippet is %q", got)
	}
	if got := m.snippet("short", 60); got != "short" {
		t.Errorf("a short text becomes %q", got)
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for markdown, want := range map[string]string{
		"plain text":                           "plain text",
		"a `code` and **bold**\n\nnew [l](/x)": "a code and bold new l",
		"| A | B |\n|---|---|\n| 1 | 2 < 3 |":  "A · B 1 · 2 < 3",
		"<script>alert(1)</script>x":           "alert(1)x",
	} {
		if got := plain(markdown); got != want && markdown[0] != '<' || strings.Contains(got, "<script") {
			t.Errorf("plain(%q) = %q, want %q", markdown, got, want)
		}
	}
}

// A snippet ends between words, unless a word fills half of it.
func TestSnippetEndsBetweenWords(t *testing.T) {
	t.Parallel()
	m := newMarker([]string{"lamp"}, lexiconOf(""))
	for text, want := range map[string]string{
		strings.Repeat("lantern ", 10):      "lantern lantern lantern …",
		"wick " + strings.Repeat("x", 100):  "wick " + strings.Repeat("x", 25) + " …",
		"lantern " + strings.Repeat("x", 9): "lantern xxxxxxxxx",
	} {
		if got := m.snippet(text, 30); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}

// Fields are one result where they say the same, guides where they are one page.
func TestFoldTwins(t *testing.T) {
	t.Parallel()
	row := func(kind, version, title, body, url string) models.SearchResult {
		r := models.SearchResult{}
		r.Kind, r.Product, r.Version, r.Title, r.Body, r.URL = kind, "sms", version, title, body, url
		return r
	}
	folded := foldTwins([]models.SearchResult{
		row("field", "1.0", "to", "The recipient.", "/a#to"), row("field", "1.0", "to", "The recipient.", "/b#to"), row("field", "1.0", "to", "The end.", "/c#to"),
		row("field", "2.0", "to", "The recipient.", "/d#to"), row("error", "1.0", "608", "Absent.", "/e"), row("error", "1.0", "608", "Away.", "/f"),
		row("endpoint", "1.0", "Send", "", "/g"), row("endpoint", "1.0", "Send", "", "/h"), row("guide", "", "Start", "", "/i"), row("guide", "", "Start", "", "/i#first"),
	})
	var got []string
	for _, r := range folded {
		got = append(got, strings.Repeat("+", r.Twins)+r.URL)
	}
	if want := "+/a#to /c#to /d#to +/e /g /h /i"; strings.Join(got, " ") != want {
		t.Errorf("the results are %v, want %s", got, want)
	}
}
