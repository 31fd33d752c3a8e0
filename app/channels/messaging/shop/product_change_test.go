package shop

import (
	"encoding/json"
	"testing"

	"heliograph/db/models"
)

// A change sets what it names and leaves the rest as it was; what a product
// lacks after it is said.
func TestProductChangeKeepsWhatItDoesNotName(t *testing.T) {
	t.Parallel()
	var to models.ArticleData
	change := func(text string) []string {
		t.Helper()
		var c change
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		return c.apply(&to)
	}
	if errors := change(`{"retailer_id":"lamp","data":{"name":"Lamp","price":5,"currency":"INR"},"applinks":{"ios":[{"app_name":"Lamps","url":"lamps://a"}]}}`); len(errors) != 0 {
		t.Fatal(errors)
	}
	links := string(to.AppLinks)
	var kept appLinks
	if err := json.Unmarshal(to.AppLinks, &kept); err != nil || len(links) < len(`{"ios":[{}]}`) {
		t.Errorf("the links to apps are %q, %v; want those of the change", links, err)
	}
	if errors := change(`{"retailer_id":"lamp","data":{"brand":"Lantern lane"}}`); len(errors) != 0 || string(to.AppLinks) != links || to.Name != "Lamp" || to.Brand != "Lantern lane" {
		t.Errorf("after a change of the brand: %+v, %q", to, errors)
	}
	if errors := change(`{"retailer_id":"lamp"}`); len(errors) != 0 || to.Name != "Lamp" {
		t.Errorf("after a change of nothing: %+v, %q", to, errors)
	}
	to = models.ArticleData{}
	if errors := change(`{"retailer_id":"lamp","data":{"price":5}}`); len(errors) != 2 {
		t.Errorf("without name and currency: %q, want both said", errors)
	}
}
