package reader

import (
	"cmp"
	"strconv"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// errorTexts say, for each status that a visitor can meet, what happened and
// what to do.
var errorTexts = map[int]struct{ heading, text string }{
	400: {"The request could not be read", "Something in the address or the form is malformed. Go back, check what you entered and send it again."},
	401: {"Sign in to see this page", "It belongs to an account, and this browser is not signed in."},
	403: {"This page is not yours to open", "You are signed in, but your role does not include it. An administrator can grant it."},
	404: {"There is no page at this address", "The page may have moved, or its documentation was withdrawn. Go to the products to find everything that is published."},
	405: {"This address does not work that way", "It exists, but not for the kind of request that was sent. Open it from a link instead."},
	409: {"Somebody changed this first", "Nothing of yours was saved. Load the page again to see the newer state, then repeat your change."},
	413: {"That is too large", "Nothing was saved. Send a smaller file or less text."},
	422: {"Some fields are invalid", "Nothing was saved. Go back and correct the marked fields."},
	429: {"Too many requests", "Wait a minute, then try again. Nothing was lost."},
	500: {"Something broke on our side", "The fault is recorded under the number below. Try again; if it stays, report that number."},
	503: {"The service is not available just now", "It is starting, or a part that it needs does not answer. Try again in a minute."},
}

// ContactLink opens the contact form. The form names the page that it was opened
// from.
var ContactLink = ui.Link{Label: "Contact us", Href: "/contact-us"}

// NewErrorPage gives the page for an HTTP status, with words of its own for
// the common ones and general words for any other. The frame's title is set;
// RequestID may be empty.
func NewErrorPage(frame layout.Page, status int, requestID string) ErrorPage {
	t, known := errorTexts[status]
	if !known {
		class := 400
		if status >= 500 {
			class = 500
		}
		t = errorTexts[class]
	}
	frame.Title, frame.Canonical = t.heading, ""
	page := ErrorPage{
		Page:      frame,
		Status:    strconv.Itoa(status),
		Heading:   t.heading,
		Text:      t.text,
		RequestID: requestID,
		Actions:   []ui.Link{{Label: "Go to the products", Href: "/#products"}},
	}
	if status == 401 && frame.Account.Exists() {
		page.Actions = []ui.Link{{Label: cmp.Or(frame.Account.Label, "Sign in"), Href: frame.Account.Href}}
	}
	return page
}
