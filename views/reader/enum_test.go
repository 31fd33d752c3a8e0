package reader

import (
	"slices"
	"testing"
)

// An empty text among the values of a field is shown as one, folded or not.
func TestEmptyValuesAreShownOnPages(t *testing.T) {
	t.Parallel()
	for _, values := range [][]string{{"Low", ""}, {"", "a", "b", "c", "d", "e", "f"}, {"a", "b", "c", "d", "e", "f", "g", ""}} {
		shown, folded := splitEnum(values)
		if all := slices.Concat(shown, folded); len(all) != len(values) || slices.Contains(all, "") || !slices.Contains(all, `""`) {
			t.Errorf("%q: %q and %q", values, shown, folded)
		}
		if !slices.Contains(values, "") {
			t.Errorf("the values of the field are changed to %q", values)
		}
	}
}
