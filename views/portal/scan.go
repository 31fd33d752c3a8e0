package portal

import "heliograph/views/layout"

// ScanPage is what somebody sees who scanned a QR code.
type ScanPage struct {
	layout.Page
	Name    string // of the business
	Number  string // E.164
	Message string // that the chat begins with
}
