package search

import (
	"maps"
	"testing"

	"heliograph/app/documentation/openapi/model"
)

// Rows of versions that nobody should begin with say so.
func TestRowsOfOldVersions(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]bool{"Current": false, "Beta": false, "Deprecated": true, "Retired": true} {
		for _, row := range (Version{Slug: "1.0", Label: label, API: &model.API{}}).Rows() {
			if row.Deprecated != want {
				t.Errorf("the %s of a version that is %s is deprecated: %t", row.Kind, label, row.Deprecated)
			}
		}
	}
}

// Words that differ in a digit have the same letters, and a digit is none of them.
func TestLetterSet(t *testing.T) {
	t.Parallel()
	if a, b := letterSet("sha1"), letterSet("sha2"); a != b || a == letterSet("sha") {
		t.Errorf("sha1 has the letters %b, sha2 %b and sha %b", a, b, letterSet("sha"))
	}
}

// Each credential of a version has one row, those that go into no field none.
func TestRowsOfCredentials(t *testing.T) {
	t.Parallel()
	key, other := model.AuthScheme{Name: "key", Field: "X-Key"}, model.AuthScheme{Name: "token", Field: "Authorization"}
	certificate := model.AuthScheme{Name: "certificate"}
	api := &model.API{Categories: []*model.Category{{Endpoints: []*model.Endpoint{
		{Auth: [][]model.AuthScheme{{key, certificate}, {other}}}, {Auth: [][]model.AuthScheme{{key}}},
	}}}}
	found := map[string]int{}
	for _, row := range (Version{Slug: "1.0", API: api}).Rows() {
		if row.Kind == "field" {
			found[row.Title]++
		}
	}
	if want := map[string]int{"X-Key": 1, "Authorization": 1}; !maps.Equal(found, want) {
		t.Errorf("the rows of fields are %v, want %v", found, want)
	}
}
