package reader

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"regexp"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/db/models"
)

// galleryImage matches an image of the gallery in rendered Markdown.
var galleryImage = regexp.MustCompile(`<img src="/media/([a-z2-7]{10})/[^"/]*"(?: alt="([^"]*)")?\s*/?>`)

// shownWidth is how wide an image of a text is at most: the whole screen, or the column
// of the text.
const shownWidth = "(max-width: 60rem) 100vw, 46rem"

// defaultWidth is the width of the size for browsers that do not choose one, in pixels.
const defaultWidth = 960

// withPictures gives images of the gallery their size, so that the page does not move
// when they load, and the addresses of their smaller sizes, of which browsers choose
// the one that fits. Addresses have the hash of their bytes: a replaced image has
// another one.
func (s *site) withPictures(page []byte) []byte {
	if len(s.snapshot.Pictures) == 0 || !bytes.Contains(page, []byte(`<img src="/media/`)) {
		return page
	}
	return galleryImage.ReplaceAllFunc(page, func(tag []byte) []byte {
		m := galleryImage.FindSubmatch(tag)
		sizes := s.snapshot.Pictures[string(m[1])]
		if len(sizes) == 0 {
			return tag
		}
		return []byte(pictureTag(sizes, html.UnescapeString(string(m[2]))))
	})
}

// pictureTag writes an image that is available in sizes, the largest first.
func pictureTag(sizes []models.GalleryPicture, alt string) string {
	full, shown := sizes[0], sizes[0]
	alt = cmp.Or(alt, full.Alt)
	var set []string
	for _, p := range sizes {
		if p.MIMEType != full.MIMEType { // the still of an animation
			continue
		}
		if p.Width >= defaultWidth {
			shown = p
		}
		set = append(set, fmt.Sprintf("%s %dw", content.FixedMediaAddress(p.ID, p.SHA256, p.Name), p.Width))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<img src="%s"`, html.EscapeString(content.FixedMediaAddress(shown.ID, shown.SHA256, shown.Name)))
	if len(set) > 1 {
		fmt.Fprintf(&b, ` srcset="%s" sizes="%s"`, html.EscapeString(strings.Join(set, ", ")), shownWidth)
	}
	fmt.Fprintf(&b, ` width="%d" height="%d" alt="%s" loading="lazy" decoding="async">`, full.Width, full.Height, html.EscapeString(alt))
	return b.String()
}
