//go:build drill

package sdk

import "testing"

// The library of each language does all that the matrix asks for.
func TestDrillSDKMatrix(t *testing.T) {
	t.Parallel()
	api, server := matrixAPI(t), newFaulty(t)
	var all []string
	for _, c := range matrixCases {
		all = append(all, c.name)
	}
	for _, l := range Languages {
		t.Run(l.Slug, func(t *testing.T) { runMatrix(t, api, server, l, all) })
	}
}
