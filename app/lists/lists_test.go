package lists_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"heliograph/app/lists"
)

func TestLists(t *testing.T) {
	t.Parallel()
	if got := lists.Map([]int{1, 22}, strconv.Itoa); !slices.Equal(got, []string{"1", "22"}) {
		t.Errorf("Map returned %q", got)
	}
	if got := lists.Map(nil, strconv.Itoa); got != nil {
		t.Errorf("Map of nothing returned %q", got)
	}
	length := func(s string) int { return len(s) }
	if got := lists.By([]string{"a", "bb", "c"}, length); !maps.Equal(got, map[int]string{1: "c", 2: "bb"}) {
		t.Errorf("By returned %v", got)
	}
	if got := lists.Set([]string{"a", "a"}); !maps.Equal(got, map[string]bool{"a": true}) {
		t.Errorf("Set returned %v", got)
	}
	if got := lists.SetBy([]string{"a", "bb", "c"}, length); !maps.Equal(got, map[int]bool{1: true, 2: true}) {
		t.Errorf("SetBy returned %v", got)
	}
	isLong := func(s string) bool { return len(s) > 1 }
	if got := lists.Where([]string{"a", "bb", "cc"}, isLong); !slices.Equal(got, []string{"bb", "cc"}) {
		t.Errorf("Where returned %q", got)
	}
	if got := lists.Where([]string{"a"}, isLong); got != nil {
		t.Errorf("Where without a value returned %q", got)
	}
	if got := lists.First([]string{"a", "bb", "cc"}, isLong); got != "bb" {
		t.Errorf("First returned %q", got)
	}
	if got := lists.First([]string{"a"}, isLong); got != "" {
		t.Errorf("First without a value returned %q", got)
	}
	if got := lists.Pairs([]string{"a", "bb"}, func(s string) (string, int) { return s, len(s) }); !maps.Equal(got, map[string]int{"a": 1, "bb": 2}) {
		t.Errorf("Pairs returned %v", got)
	}
}
