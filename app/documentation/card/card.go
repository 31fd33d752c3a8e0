// Package card draws the pictures that chat programs and social networks show
// beside a link to a page (Open Graph): the product, the title and the summary of
// the page, with method and path for an endpoint.
//
// A picture is drawn when it is first requested. It is kept in the file storage
// under the hash of what it shows, so a changed page gets another picture. Those
// that are a month old are deleted; the next request draws them again.
//
// The fonts come from the Go project. They cover Latin, Greek and Cyrillic. A
// page with other letters in its title has no picture of its own.
package card

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// The size of every picture in pixels, which is what readers of Open Graph expect.
const (
	cardWidth  = 1200
	cardHeight = 630
)

// drawing changes whenever the same card is drawn differently.
const drawing = 1

// maxText is the number of characters of a text that can be seen at most.
const maxText = 300

// Card holds the texts of a picture. All of them but Title may be empty.
type Card struct {
	Product string // with its version
	Title   string
	Summary string // a sentence
	Method  string // of an endpoint
	Path    string
	Site    string // name of the portal; empty is the default, with its mark
}

// Hash identifies what the picture shows, as 32 lower-case hexadecimal digits.
func (c Card) Hash() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", drawing, c))
	return hex.EncodeToString(sum[:16])
}

// IsDrawable reports whether the fonts have every letter of the title and the
// product.
func (c Card) IsDrawable() bool {
	return c.Title != "" && covers(c.Title) && covers(c.Product) && covers(c.Site)
}

// shorten returns the start of a text that can be seen, on one line.
func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if letters := []rune(text); len(letters) > maxText {
		return string(letters[:maxText])
	}
	return text
}
