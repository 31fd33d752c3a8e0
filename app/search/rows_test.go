package search

import (
	"testing"

	"heliograph/app/spec/model"
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
