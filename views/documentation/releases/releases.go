// Package releases renders the releases of a version.
package releases

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// ReleasesPage lists the releases of a product.
type ReleasesPage struct {
	layout.Frame
	Lead  string
	Table ui.Table
}
