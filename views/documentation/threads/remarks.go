// Package threads renders comments and their threads.
package threads

import (
	"heliograph/views/ui"
)

// Remark is what somebody said of a change set, or of a part of it.
type Remark struct {
	Who, When, Ago string
	Mark           ui.Mark // empty in a thread
	Text           ui.HTML
}
