package search_test

import (
	"strings"
	"testing"

	"heliograph/app/documentation/search"
)

// find searches for a text and returns the answer.
func find(t *testing.T, engine *search.Engine, q search.Query) search.Answer {
	t.Helper()
	q.Limit = 20
	answer, err := engine.Find(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v", q.Text, err)
	}
	return answer
}

func title(r search.Result) string {
	var b strings.Builder
	for _, p := range r.Title {
		b.WriteString(p.Text)
	}
	return b.String()
}

// The first result of a query is of the wanted kind, at the wanted address.
func TestFirstResults(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	for query, want := range map[string]string{
		"how do I send an sms":        "guide /productguide/sms/",
		"what is a webhook signature": "guide /",
		"send sms":                    "guide /productguide/sms/send-your-first-sms",
		"error codes":                 "error /docs/",
		"rcs changelog":               "product /docs/rcs/changelog",
		"131047":                      "error /docs/business-messaging/3.0/errors#error-131047",
		"error 131047 message":        "error /docs/business-messaging/3.0/errors#error-131047",
		"botName":                     "field /docs/rcs/1.0/create-bot#body.botName",
	} {
		answer := find(t, engine, search.Query{Text: query})
		if len(answer.Results) == 0 {
			t.Errorf("%s finds nothing", query)
		} else if first := answer.Results[0]; !strings.HasPrefix(first.Kind+" "+first.URL, want) {
			t.Errorf("%s finds %s %s first, want %s", query, first.Kind, first.URL, want)
		}
	}
}

// The first result is the same however many are asked for.
func TestLimitsDoNotChangeTheOrder(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	for _, query := range []string{"webhook not working", "buttons", "create bot", "template", "otp", "error codes"} {
		all := find(t, engine, search.Query{Text: query})
		few, err := engine.Find(t.Context(), search.Query{Text: query, Limit: 3})
		if err != nil || len(few.Results) == 0 || few.Results[0].URL != all.Results[0].URL {
			t.Errorf("%s: the first of three is %+v, the first of many %s, %v", query, few.Results, all.Results[0].URL, err)
		}
	}
}

// Words that the documentation lacks are corrected if it has one that is alike.
func TestSlipsAreCorrected(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	for query, want := range map[string]string{
		"pagination": "", "refund": "", "production": "", "tempalte": "template", "wehbook retry": "webhook retry",
	} {
		if got := find(t, engine, search.Query{Text: query}).Corrected; got != want {
			t.Errorf("%s is corrected to %q, want %q", query, got, want)
		}
	}
}

// A field that several endpoints have, with the same text, is one result.
func TestTwinsAreOneResult(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	for _, query := range []string{"phone_number_id", "131047"} {
		answer := find(t, engine, search.Query{Text: query, PerKind: 20})
		seen, twins := map[string]bool{}, 0
		for _, r := range answer.Results {
			var body strings.Builder
			for _, p := range r.Snippet {
				body.WriteString(p.Text)
			}
			name := strings.Join([]string{r.Kind, r.Product, r.Version, title(r), body.String()}, " ")
			if r.Kind == "field" && seen[name] {
				t.Errorf("%s finds %s twice", query, name)
			}
			seen[name] = true
			twins += r.Twins
		}
		if twins == 0 {
			t.Errorf("%s folds nothing", query)
		}
	}
}

// Where nothing is found, the nearest pages are offered, each once.
func TestNothingFoundOffersTheNearest(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	for query, want := range map[string]int{"webhooking": 3, "сообщение": 0, "qqqq": 0} {
		answer := find(t, engine, search.Query{Text: query, Kind: "version"})
		if answer.Total == 0 && answer.Elsewhere == 0 && len(answer.Nearest) != want {
			t.Errorf("%s offers %d pages, want %d", query, len(answer.Nearest), want)
		}
	}
	answer := find(t, engine, search.Query{Text: "typeahead"})
	if len(answer.Results) > 0 || len(answer.Nearest) != 3 {
		t.Fatalf("typeahead finds %d and offers %d, want 0 and 3", len(answer.Results), len(answer.Nearest))
	}
	pages := map[string]bool{}
	for _, r := range answer.Nearest {
		page, _, _ := strings.Cut(r.URL, "#")
		if pages[page] {
			t.Errorf("%s is offered twice", page)
		}
		pages[page] = true
	}
}

// Two words that are one term to the documentation are looked for together: a filter
// by method does not find by itself what has neither.
func TestMethodAloneFindsNothing(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	for _, query := range []string{"list menu", "blue ticks", "validity period"} {
		for _, r := range find(t, engine, search.Query{Text: query, Method: "DELETE", Kind: "endpoint"}).Results {
			t.Errorf("%s finds %s at %s", query, title(r), r.URL)
		}
	}
}

// A method without words finds endpoints of that method.
func TestMethodsAreListed(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	answer := find(t, engine, search.Query{Text: "delete:"})
	if len(answer.Results) == 0 {
		t.Error("delete: finds nothing")
	}
	for _, r := range answer.Results {
		if r.Method != "DELETE" || r.Kind != "endpoint" {
			t.Errorf("delete: finds %s %s at %s", r.Kind, r.Method, r.URL)
		}
	}
}
