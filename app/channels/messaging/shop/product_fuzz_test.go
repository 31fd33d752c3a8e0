package shop

import (
	"net/url"
	"testing"
	"unicode/utf8"

	"heliograph/db/models"
)

// Whatever a partner writes as a filter, what comes out names known fields and
// operators only, and holds values of the kind of their field.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{
		`{"availability":{"eq":"in stock"}}`, `{"or":[{"price":{"lt":1,"gt":"2"}},{"and":[{"id":{"is_any":[1]}}]}]}`,
		`{"name":{"is_any":["a","b"],"i_contains":"x"}}`, `{"and":[{}]}`, `{"name":{"eq":null}}`, `[`, `null`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := parseFilter(text)
		if err == nil {
			checkFilter(t, filter, 0)
		}
	})
}

func checkFilter(t *testing.T, f models.ArticleFilter, depth int) {
	t.Helper()
	if depth > 4*maxFilterDepth {
		t.Fatal("the filter is too deep")
	}
	for _, part := range append(f.All, f.Any...) {
		checkFilter(t, part, depth+1)
	}
	if f.Field == "" {
		return
	}
	number, known := models.ArticleFields[f.Field]
	if !known {
		t.Errorf("unknown field %q", f.Field)
	}
	switch f.Value.(type) {
	case string:
		known = !number && f.Operator != "is_any"
	case int64:
		known = number && f.Operator != "is_any" && f.Operator != "contains" && f.Operator != "i_contains"
	case []string:
		known = !number && f.Operator == "is_any"
	case []int64:
		known = number && f.Operator == "is_any"
	}
	if !known {
		t.Errorf("%s %s takes %#v", f.Field, f.Operator, f.Value)
	}
}

// A change that is taken leaves a product that the database can keep.
func FuzzProductChange(f *testing.F) {
	for _, seed := range []string{
		`{"method":"CREATE","retailer_id":"a","data":{"name":"A","price":"5","currency":"inr","url":"https://a.example/","shipping":[{"country":"IN"}]},"applinks":{"ios":[{"app_store_id":"7"}]}}`,
		`{"method":"update","retailer_id":1,"data":{"name":"A","availability":"Preorder","condition":"NEW"}}`, `{"method":"DELETE"}`, `[]`, `{"data":{"price":-1}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := readChange([]byte(text))
		p := models.ArticleData{RetailerID: string(c.RetailerID)}
		if len(c.problems) > 0 || len(c.apply(&p)) > 0 {
			return
		}
		if n := utf8.RuneCountInString(p.RetailerID); n < 1 || n > 100 || !utf8.ValidString(p.RetailerID+p.Name+p.Description) {
			t.Errorf("retailer id %q of %q", p.RetailerID, p.Name)
		}
		if p.Name == "" || p.Price != nil && (*p.Price < 0 || len(p.Currency) != 3) {
			t.Errorf("taken: %+v", p)
		}
		for _, address := range []string{p.URL, p.ImageURL} {
			if u, err := url.Parse(address); address != "" && (err != nil || u.Scheme != "https") {
				t.Errorf("address %q", address)
			}
		}
	})
}
