package page

import "github.com/labstack/echo/v4"

// Counted is what a handler says about a request that the route and the path do not. It
// is counted after the response, and the words of a query are not part of it.
type Counted struct {
	// Product and Version are what it is about; both may be empty.
	Product, Version string
	// Searched tells that Length characters were looked for, with Results.
	Searched        bool
	Length, Results int
	// Samples is the language of the samples that a page shows.
	Samples string
	// Copied is the page that a sample was copied from, and Language its language.
	Copied, Language string
	// Tools are the tools that an assistant called, and Client its name as it says it.
	Tools  []string
	Client string
}

const countedKey = "page.counted"

// Count says something about a request that is counted.
func Count(c echo.Context, counted Counted) { c.Set(countedKey, &counted) }

// CountedOf returns what Count said, or nil.
func CountedOf(c echo.Context) *Counted {
	counted, _ := c.Get(countedKey).(*Counted)
	return counted
}

// IsView reports whether a request shows a page to someone: it is neither for a part of
// an open page, nor is it loaded before someone asks for it, nor for going back.
func IsView(c echo.Context) bool {
	header := c.Request().Header
	for _, name := range ahead {
		if header[name] != nil {
			return false
		}
	}
	if !byScript(c) {
		return true
	}
	return header.Get(headerBoosted) != "" && header.Get(headerHistoryRestore) == ""
}

// ahead are the headers of requests for pages that nobody asked for yet, of htmx and of
// browsers.
var ahead = []string{headerPreloaded, "Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"}

// IsPart reports whether a request of htmx is for a part of an open page.
func IsPart(c echo.Context) bool { return byScript(c) }
