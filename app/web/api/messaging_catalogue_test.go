package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// catalogue is a path below the partner's catalogue.
func (p *partner) catalogue(rest string) string {
	return fmt.Sprintf("/%d%s", p.sandbox.CatalogueID, rest)
}

// remarks are what a batch says of one item: its errors and its warnings.
type remarks struct {
	ID               string
	Errors, Warnings int
}

// batch changes the partner's catalogue.
func (p *partner) batch(t *testing.T, body string, headers ...string) (handle string, got []remarks) {
	t.Helper()
	a := p.call(t, http.MethodPost, p.catalogue("/batch"), body, headers...)
	var result struct {
		Handles    []string
		Validation []struct {
			ID               string `json:"retailer_id"`
			Errors, Warnings []struct{ Message string }
		} `json:"validation_status"`
	}
	if err := json.Unmarshal(a.body, &result); err != nil || a.status != 200 || len(result.Handles) != 1 {
		t.Fatalf("batch = %d %s", a.status, a.body)
	}
	for _, v := range result.Validation {
		got = append(got, remarks{v.ID, len(v.Errors), len(v.Warnings)})
	}
	return result.Handles[0], got
}

type productPage struct {
	Data    []map[string]string
	Paging  *struct{ Next, Previous string }
	Summary *struct {
		Total int `json:"total_count"`
	}
}

func (p *partner) products(t *testing.T, query string) (page productPage) {
	t.Helper()
	a := p.call(t, http.MethodGet, p.catalogue("/products")+query, "")
	if err := json.Unmarshal(a.body, &page); err != nil || a.status != 200 {
		t.Fatalf("products%s = %d %s", query, a.status, a.body)
	}
	return page
}

// found lists the retailer ids that a filter leaves, in order.
func (p *partner) found(t *testing.T, filter string) []string {
	t.Helper()
	ids := []string{}
	for _, product := range p.products(t, "?limit=100&filter="+escape(filter)).Data {
		ids = append(ids, product["retailer_id"])
	}
	slices.Sort(ids)
	return ids
}

func escape(s string) string {
	return strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B", "#", "%23", " ", "%20").Replace(s)
}

const lamp = `{"method":"CREATE","retailer_id":"lamp-copper","data":{"name":"Copper lamp","description":"Table lamp of spun copper, 40 cm high.",
	"availability":"in stock","condition":"new","brand":"Lantern lane","category":"Home > Lighting","price":21000,"currency":"INR",
	"url":"https://shop.example.com/lamps/copper","image_url":"https://shop.example.com/img/copper.jpg","retailer_product_group_id":"lamps",
	"shipping":[{"country":"IN","region":"MH","service":"Standard","price_value":"4900","price_currency":"INR"}]},
	"applinks":{"android":[{"app_name":"Lamp shop","package":"com.example.lamps","url":"lamps://copper"}],"ios":[{"app_name":"Lamp shop","app_store_id":1234567890,"url":"lamps://copper"}]}}`

func TestProductsComeAndGo(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	if got := first.products(t, "?summary=true"); len(got.Data) != 0 || got.Summary.Total != 0 {
		t.Errorf("a new catalogue lists %+v", got)
	}
	if _, got := first.batch(t, `{"requests":[`+lamp+`]}`); got != nil {
		t.Errorf("adding a product is doubted: %+v", got)
	}
	page := first.products(t, "?summary=total_count")
	id := page.Data[0]["id"]
	want := map[string]string{
		"id": id, "retailer_id": "lamp-copper", "name": "Copper lamp", "category": "Home > Lighting", "price": "₹210.00", "availability": "in stock",
		"description": "Table lamp of spun copper, 40 cm high.", "brand": "Lantern lane", "image_url": "https://shop.example.com/img/copper.jpg", "retailer_product_group_id": "lamps",
	}
	if diff := cmp.Diff(want, page.Data[0]); diff != "" || page.Summary.Total != 1 {
		t.Errorf("product (-want +got), of %d:\n%s", page.Summary.Total, diff)
	}
	if got := second.products(t, ""); len(got.Data) != 0 || got.Summary != nil {
		t.Errorf("the other partner lists %+v", got)
	}

	first.batch(t, `{"requests":[{"method":"update","retailer_id":"lamp-copper","data":{"price":"19999","availability":"OUT OF STOCK"}}]}`)
	want["price"], want["availability"] = "₹199.99", "out of stock"
	if diff := cmp.Diff(want, first.products(t, "").Data[0]); diff != "" {
		t.Errorf("after an update (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"id": id, "price": "₹199.99"}, first.products(t, "?fields=price").Data[0]); diff != "" {
		t.Errorf("chosen fields (-want +got):\n%s", diff)
	}

	remove := `{"requests":[{"method":"DELETE","retailer_id":"lamp-copper"}]}`
	if _, got := first.batch(t, remove); got != nil || len(first.products(t, "").Data) != 0 {
		t.Errorf("deleting says %+v", got)
	}
	if _, got := first.batch(t, remove); !cmp.Equal(got, []remarks{{"lamp-copper", 0, 1}}) {
		t.Errorf("deleting again says %+v, want a warning", got)
	}
}

func TestItemsOfABatchAreJudgedAlone(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	long := strings.Repeat("x", 10_000)
	_, got := first.batch(t, `{"allow_upsert":false,"requests":[
		{"method":"CREATE","retailer_id":"good","data":{"name":"Good"}},
		{"method":"CREATE","retailer_id":"good","data":{"name":"Twice"}},
		{"method":"UPDATE","retailer_id":"unknown","data":{"name":"Unknown"}},
		{"method":"CREATE","retailer_id":"nameless"},
		{"method":"CREATE","retailer_id":"poor","data":{"name":"No currency","price":5}},
		{"method":"CREATE","retailer_id":"all","data":{"name":"`+long[:201]+`","brand":"`+long[:101]+`","description":"`+long+`","url":"http://shop.example.com",
			"image_url":"https://","availability":"maybe","condition":"broken","currency":"rupees","price":-1}},
		{"method":"CREATE","retailer_id":"text","data":{"name":"Text price","price":"cheap"}},
		{"method":"CREATE","retailer_id":"shape","data":[]},
		{"method":"REPLACE","retailer_id":"method","data":{"name":"X"}},
		{"method":"CREATE","retailer_id":"`+long[:101]+`","data":{"name":"X"}},
		{"method":"CREATE","data":{"name":"X"}},
		{"method":"CREATE","retailer_id":"nul\u0000","data":{"name":"X"}},
		"text", null, 7,
		{"method":"UPDATE","retailer_id":"good","data":{"brand":"Later in the batch"}},
		{"method":"CREATE","retailer_id":"brief","data":{"name":"Gone again"}},
		{"method":"DELETE","retailer_id":"brief"}
	]}`)
	want := []remarks{
		{"good", 1, 0}, {"unknown", 1, 0}, {"nameless", 1, 0}, {"poor", 1, 0}, {"all", 9, 0}, {"text", 1, 0}, {"shape", 1, 0}, {"method", 1, 0},
		{long[:100], 1, 0}, {"", 1, 0}, {"", 2, 0}, {"", 3, 0}, {"", 2, 0}, {"", 3, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("remarks (-want +got):\n%s", diff)
	}
	page := first.products(t, "")
	if len(page.Data) != 1 || page.Data[0]["name"] != "Good" || page.Data[0]["brand"] != "Later in the batch" {
		t.Errorf("products = %+v, want the good one only", page.Data)
	}
	if _, got := first.batch(t, `{"requests":[{"method":"UPDATE","retailer_id":"unknown","data":{"name":"Known now"}}]}`); got != nil {
		t.Errorf("an upsert says %+v", got)
	}
}

func TestBatchStatus(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	handle, _ := first.batch(t, `{"requests":[{"method":"CREATE","retailer_id":"a","data":{"name":"A"}},{"method":"CREATE","retailer_id":"b"}]}`)
	status := "/check_batch_request_status?handle="
	a := first.call(t, http.MethodGet, first.catalogue(status+handle), "")
	want := `{"data":[{"handle":"` + handle + `","status":"finished","errors":[{"line":2,"id":"b","message":"name is missing: a product needs one"}],"errors_total_count":1}]}`
	if string(a.body) != want {
		t.Errorf("status = %s, want %s", a.body, want)
	}
	for path, status := range map[string]int{first.catalogue(status): 400, first.catalogue("/check_batch_request_status"): 400, first.catalogue(status + "x"): 404, second.catalogue(status + handle): 403} {
		if a := first.call(t, http.MethodGet, path, ""); a.status != status {
			t.Errorf("%s = %d %s, want %d", path, a.status, a.body, status)
		}
	}
	if a := second.call(t, http.MethodGet, second.catalogue(status+handle), ""); a.status != 404 {
		t.Errorf("a handle of another catalogue: %d", a.status)
	}
}

func TestBatchesThatAreRefused(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	item := `{"method":"CREATE","retailer_id":"a","data":{"name":"A"}}`
	good := `{"requests":[` + item + `]}`
	for _, tt := range []struct {
		name, path, body string
		status, code     int
	}{
		{"another tenant", second.catalogue("/batch"), good, 403, 200},
		{"unknown", "/1234567890123456/batch", good, 404, 803},
		{"nonsense", "/x/batch", good, 404, 803},
		{"a number", first.number("/batch"), good, 404, 803},
		{"no items", first.catalogue("/batch"), `{"requests":[]}`, 400, 100},
		{"nothing", first.catalogue("/batch"), ``, 400, 100},
		{"too many", first.catalogue("/batch"), `{"requests":[1` + strings.Repeat(",1", 5000) + `]}`, 400, 100},
		{"not a list", first.catalogue("/batch"), `{"requests":{}}`, 400, 100},
		{"not JSON", first.catalogue("/batch"), `{"requests":[`, 400, 100},
		{"deep", first.catalogue("/batch"), strings.Repeat(`[`, 20_000), 400, 100},
		{"too large", first.catalogue("/batch"), `{"requests":["` + strings.Repeat("x", 10<<20) + `"]}`, 400, 100},
	} {
		if a := first.call(t, http.MethodPost, tt.path, tt.body); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %.300s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	if n := first.products(t, "?summary=1").Summary.Total; n != 0 {
		t.Errorf("%d products came of refused batches", n)
	}
}

func TestBatchIsRepeatedUnderItsKey(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	body := `{"requests":[` + lamp + `]}`
	handle, _ := first.batch(t, body, "Idempotency-Key", "k1")
	again, got := first.batch(t, body, "Idempotency-Key", "k1")
	if again != handle || got != nil {
		t.Errorf("the batch repeated = %s %+v, want %s", again, got, handle)
	}
	if a := first.call(t, http.MethodPost, first.catalogue("/batch"), `{"requests":[1]}`, "Idempotency-Key", "k1"); a.status != 400 || a.code(t) != 100 {
		t.Errorf("the key with another body: %d %s", a.status, a.body)
	}
}

// The largest batch is well over the usual limit of a body.
func TestLargestBatch(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	items := func(method, data string) string {
		list := make([]string, 5000)
		for i := range list {
			list[i] = fmt.Sprintf(`{"method":%q,"retailer_id":"p-%04d","data":%s}`, method, i, data)
		}
		return `{"requests":[` + strings.Join(list, ",") + `]}`
	}
	create := items("CREATE", `{"name":"Lamp","price":100,"currency":"INR","description":"`+strings.Repeat("bright ", 100)+`"}`)
	if len(create) < 3<<20 {
		t.Fatalf("the batch has only %d bytes", len(create))
	}
	if _, got := first.batch(t, create); got != nil {
		t.Fatalf("remarks: %+v", got[:min(3, len(got))])
	}
	first.batch(t, items("UPDATE", `{"price":200}`))
	if got := first.products(t, "?limit=1&summary=true"); got.Summary.Total != 5000 || got.Data[0]["price"] != "₹2.00" {
		t.Errorf("after the update %d products, the first %v", got.Summary.Total, got.Data)
	}
	first.batch(t, items("DELETE", `{}`))
	if got := first.products(t, "?summary=true"); got.Summary.Total != 0 {
		t.Errorf("%d products are left", got.Summary.Total)
	}
}

func TestProductsArePaged(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	var items []string
	for i := range 25 {
		items = append(items, fmt.Sprintf(`{"method":"CREATE","retailer_id":"p-%02d","data":{"name":"Lamp %d"}}`, i, i))
	}
	first.batch(t, `{"requests":[`+strings.Join(items, ",")+`]}`)
	second.batch(t, `{"requests":[`+lamp+`]}`)
	seen := map[string]bool{}
	query, last := "?limit=10", ""
	for query != "" {
		page := first.products(t, query)
		for _, product := range page.Data {
			seen[product["retailer_id"]] = true
		}
		last, query = page.Paging.Previous, ""
		if page.Paging.Next != "" {
			_, query, _ = strings.Cut(page.Paging.Next, "/products")
		}
	}
	if len(seen) != 25 {
		t.Errorf("walked over %d products, want 25", len(seen))
	}
	_, query, _ = strings.Cut(last, "/products")
	if page := first.products(t, query); len(page.Data) != 10 || page.Paging.Previous == "" {
		t.Errorf("the page before the last has %d products, previous %q", len(page.Data), page.Paging.Previous)
	}
}

func TestProductFilters(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	item := func(id, name, availability, brand string, price any) string {
		return fmt.Sprintf(`{"method":"CREATE","retailer_id":%q,"data":{"name":%q,"availability":%q,"brand":%q,"price":%v,"currency":"INR"}}`, id, name, availability, brand, price)
	}
	first.batch(t, `{"requests":[`+strings.Join([]string{
		item("a", "Copper lamp", "in stock", "Lane", 100), item("b", "Brass LAMP 50%", "out of stock", "Lane", 200),
		item("c", "O'Neill_chair", "in stock", "", 300), item("d", `quote " and \\ back`, "preorder", "Nook", "null"),
	}, ",")+`]}`)
	for filter, want := range map[string]string{
		`{}`:                                                                            "a b c d",
		`{"retailer_id":{"eq":"a"}}`:                                                    "a",
		`{"availability":{"neq":"in stock"}}`:                                           "b d",
		`{"name":{"contains":"lamp"}}`:                                                  "a",
		`{"name":{"i_contains":"lamp"}}`:                                                "a b",
		`{"name":{"contains":"%"}}`:                                                     "b",
		`{"name":{"contains":"_"}}`:                                                     "c",
		`{"name":{"contains":"'"}}`:                                                     "c",
		`{"name":{"eq":"' or 1=1 --"}}`:                                                 "",
		`{"retailer_id":{"is_any":["a","c","x"]}}`:                                      "a c",
		`{"retailer_id":{"is_any":[]}}`:                                                 "",
		`{"retailer_id":{"gt":"b"}}`:                                                    "c d",
		`{"price":{"lt":200}}`:                                                          "a",
		`{"price":{"gt":"100"}}`:                                                        "b c",
		`{"price":{"gt":100,"lt":300}}`:                                                 "b",
		`{"price":{"neq":100}}`:                                                         "b c d",
		`{"price":{"is_any":[100,"300"]}}`:                                              "a c",
		`{"brand":{"eq":"Lane"},"price":{"lt":200}}`:                                    "a",
		`{"or":[{"brand":{"eq":"Nook"}},{"price":{"eq":300}}]}`:                         "c d",
		`{"and":[{"brand":{"eq":"Lane"}},{"or":[{"price":{"eq":200}}]}]}`:               "b",
		`{"or":[{"retailer_id":{"eq":"a"}}],"brand":{"eq":"Nook"}}`:                     "",
		`{"id":{"gt":1},"currency":{"eq":"INR"},"condition":{"eq":""}}`:                 "a b c d",
		`{"or":[{"and":[{"name":{"i_contains":"LAMP"}},{"price":{"gt":150}}]},{}]}`:     "a b c d",
		`{"description":{"eq":""},"category":{"contains":""},"url":{"lt":"a"}}`:         "a b c d",
		`{"image_url":{"neq":"x"},"retailer_product_group_id":{"is_any":["",""]}}`:      "a b c d",
		`{"or":[{"name":{"eq":"x"}},{"name":{"eq":"y"}},{"name":{"contains":"hair"}}]}`: "c",
	} {
		if got := strings.Join(first.found(t, filter), " "); got != want {
			t.Errorf("%s leaves %q, want %q", filter, got, want)
		}
	}
	if got := first.products(t, `?limit=1&summary=true&filter=`+escape(`{"brand":{"eq":"Lane"}}`)).Summary.Total; got != 2 {
		t.Errorf("the filter leaves %d, want 2", got)
	}
	for _, filter := range []string{
		`x`, `[]`, `null`, `"a"`, `{"colour":{"eq":"red"}}`, `{"name":{"like":"x"}}`, `{"name":"x"}`, `{"name":{}}`, `{"name":{"eq":null}}`,
		`{"name":{"eq":["x"]}}`, `{"name":{"is_any":"x"}}`, `{"name":{"is_any":[null]}}`, `{"name":{"is_any":null}}`, `{"name":{"eq":"\u0000"}}`,
		`{"price":{"eq":"x"}}`, `{"price":{"contains":"1"}}`, `{"price":{"lt":1.5}}`, `{"and":{}}`, `{"or":[]}`, `{"or":[1]}`, `{"and":[{"x":1}]}`,
		`{"name\" or true --":{"eq":"x"}}`, `{"name":{"eq') or true --":"x"}}`,
		strings.Repeat(`{"and":[`, 9) + `{}` + strings.Repeat(`]}`, 9), `{"name":{"eq":"` + strings.Repeat("x", 4096) + `"}}`,
	} {
		if a := first.call(t, http.MethodGet, first.catalogue("/products?filter="+escape(filter)), ""); a.status != 400 || a.code(t) != 100 {
			t.Errorf("filter %.80s: %d %s, want 400 code 100", filter, a.status, a.body)
		}
	}
}

func TestProductListsThatAreRefused(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	for _, tt := range []struct {
		name, path   string
		status, code int
	}{
		{"another tenant", second.catalogue("/products"), 403, 200},
		{"unknown", "/1234567890123456/products", 404, 803},
		{"an account", fmt.Sprintf("/%d/products", first.sandbox.BusinessAccountID), 404, 803},
		{"limit", first.catalogue("/products?limit=0"), 400, 100},
		{"cursor", first.catalogue("/products?after=eA"), 400, 100},
	} {
		if a := first.call(t, http.MethodGet, tt.path, ""); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
}

func TestPricesAreWrittenForPeople(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	for given, want := range map[string]string{
		`21000,"currency":"INR"`: "₹210.00", `5,"currency":"usd"`: "$0.05", `0,"currency":"EUR"`: "€0.00", `1500,"currency":"JPY"`: "¥1500",
		`1234,"currency":"KWD"`: "KWD 1.234", `9223372036854775807,"currency":"GBP"`: "£92233720368547758.07", `null`: "",
	} {
		first.batch(t, `{"requests":[{"method":"DELETE","retailer_id":"a"},{"method":"CREATE","retailer_id":"a","data":{"name":"A","price":`+given+`}}]}`)
		if got := first.products(t, "").Data[0]["price"]; got != want {
			t.Errorf("price %s is written %q, want %q", given, got, want)
		}
	}
}
