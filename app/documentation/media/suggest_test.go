package media_test

import (
	"testing"

	"heliograph/app/documentation/media"
)

func TestSuggestAlt(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"checkout-flow_v2.png": "Checkout flow", "deliveryReports.svg": "Delivery reports", "ReportStates.png": "Report states", "Message states (3).png": "Message states",
		"callback-sequence-1024x768@2x.png": "Callback sequence", "übersicht.der.kanäle.webp": "Übersicht der kanäle", "logo copy.svg": "Logo",
		"OAuth login.png": "OAuth login", "IMG_2041.jpg": "", "DSC00012.JPG": "", "PXL_20260102_101112.jpg": "", "Screenshot 2026-01-02 at 10.11.12.png": "",
		"image.png": "", "12345.png": "", "9f86d081884c7d659a2feaa0c55ad015.png": "", "": "", ".png": "", "a.png": "",
	} {
		if got := media.SuggestAlt(name); got != want {
			t.Errorf("%q suggests %q, want %q", name, got, want)
		}
	}
}
