package reader

import "heliograph/views/layout"

// ScanPage is the page of a scanned QR code.
type ScanPage struct {
	layout.Page
	Name    string // of the business
	Number  string // E.164
	Message string // that the chat begins with
}
