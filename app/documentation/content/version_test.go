package content_test

import (
	"slices"
	"testing"

	"heliograph/app/documentation/content"
)

func TestCompareVersions(t *testing.T) {
	t.Parallel()
	// Each list ascends; every pair of it is compared in both directions.
	for _, ascending := range [][]string{
		{"0.9", "1.0-alpha", "1.0-beta", "1.0-beta.2", "1.0-beta.10", "1.0-rc1", "1.0-rc2", "1.0-rc10", "1.0", "1.0.1-beta", "1.0.1", "1.1", "1.9", "1.10", "2.0", "9.1", "10.0"},
		{"1", "1.0", "1.0.0", "2"},
		{"v1-beta", "v1", "v2", "v10"},
		{"2025-12-01", "2026-01-15", "2026-02-01-preview", "2026-02-01", "2026-10-01"},
		{"1.0-beta-1", "1.0-beta-2", "1.0-beta-11"},
		{"1.0", "1.00", "1.1", "1.01", "1.2"},
		{"1.0", "18446744073709551617.0", "28446744073709551617.0"},
		{"2.0", "legacy"},
	} {
		for i, a := range ascending {
			for j, b := range ascending {
				got, want := content.CompareVersions(a, b), i-j
				if got > 0 != (want > 0) || got < 0 != (want < 0) {
					t.Errorf("CompareVersions(%q, %q) = %d, want the sign of %d", a, b, got, want)
				}
			}
		}
		sorted := slices.Clone(ascending)
		slices.Reverse(sorted)
		slices.SortFunc(sorted, content.CompareVersions)
		if !slices.Equal(sorted, ascending) {
			t.Errorf("sorted: %q, want %q", sorted, ascending)
		}
	}
}
