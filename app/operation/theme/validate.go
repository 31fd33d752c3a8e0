package theme

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"heliograph/app/fault"
)

// The largest values of a brand.
const (
	maxName   = 40  // characters
	maxFooter = 200 // characters
	maxLabel  = 40  // characters
	maxHref   = 500 // bytes
	maxLinks  = 6
)

// pictureName is the form of the name of a picture.
var pictureName = regexp.MustCompile(`^[0-9a-f]{32}\.(png|svg)$`)

// normal returns the document as it is stored: colours as #rrggbb, without the colours of the
// default theme and without names that do not exist. The error names each wrong field.
func (d Document) normal() (Document, error) {
	var wrong fault.Fields
	refuse := func(name, message string, values ...any) {
		wrong.Add(name, fmt.Sprintf(message, values...))
	}
	n := Document{Brand: d.Brand}
	for _, s := range Schemes {
		for _, name := range slices.Sorted(maps.Keys(d.colors(s))) {
			field, text := string(s)+"."+name, strings.TrimSpace(d.colors(s)[name])
			v := byName[name]
			switch {
			case v == nil:
				refuse(field, "There is no variable %q.", shortened(name))
				continue
			case text == "":
				continue
			}
			color, err := ParseColor(text)
			if err != nil {
				refuse(field, "%q is no colour. Enter one such as #1a73e8 or oklch(0.55 0.2 260).", shortened(text))
				continue
			}
			if color.Hex() != n.Color(s, name) {
				n = n.With(s, name, color.Hex())
			}
		}
	}
	if d.Radius = strings.TrimSpace(d.Radius); d.Radius != "" {
		pixels, err := strconv.Atoi(d.Radius)
		if err != nil || pixels < 0 || pixels > 16 {
			refuse("radius", "Enter a whole number of pixels from 0 to 16.")
		} else if pixels != DefaultRadius {
			n.Radius = strconv.Itoa(pixels)
		}
	}
	for _, c := range []struct {
		name, value string
		list        []Choice
		into        *string
	}{{"density", d.Density, Densities, &n.Density}, {"text", d.Text, TextFaces, &n.Text}, {"mono", d.Mono, MonoFaces, &n.Mono}} {
		if slices.ContainsFunc(c.list, func(o Choice) bool { return o.Value == c.value }) {
			*c.into = c.value
		} else {
			refuse(c.name, "%q is none of the values offered.", shortened(c.value))
		}
	}
	n.Brand.check(refuse)
	if err := wrong.Err(); err != nil {
		return d, err
	}
	return n, nil
}

// DefaultRadius is the radius of corners of the default theme, in pixels.
const DefaultRadius = 6

// shortened returns the start of a text that somebody sent.
func shortened(text string) string {
	if letters := []rune(text); len(letters) > 60 {
		return string(letters[:60]) + "…"
	}
	return text
}

// check trims the brand and refuses what pages cannot show.
func (b *Brand) check(refuse func(name, message string, values ...any)) {
	b.Name, b.Footer = strings.TrimSpace(b.Name), strings.TrimSpace(b.Footer)
	if !isLine(b.Name, maxName) {
		refuse("name", "Enter at most %d characters on one line.", maxName)
	}
	if !isLine(b.Footer, maxFooter) {
		refuse("footer", "Enter at most %d characters on one line.", maxFooter)
	}
	for _, p := range []struct{ name, value string }{{"logo", b.Logo}, {"logo_dark", b.LogoDark}, {"icon", b.Icon}, {"icon_dark", b.IconDark}} {
		if p.value != "" && !pictureName.MatchString(p.value) {
			refuse(p.name, "This is not the name of an uploaded picture.")
		}
	}
	for _, l := range []struct {
		name  string
		links []Link
	}{{"links", b.Links}, {"footer_links", b.FooterLinks}} {
		if len(l.links) > maxLinks {
			refuse(l.name, "Enter at most %d links.", maxLinks)
		}
		for i, link := range l.links {
			if message := link.problem(); message != "" {
				refuse(l.name, "Link %d: %s", i+1, message)
				break
			}
		}
	}
}

// problem says what is wrong with a link, if anything is.
func (l Link) problem() string {
	if l.Label == "" || !isLine(l.Label, maxLabel) {
		return fmt.Sprintf("write a label of at most %d characters.", maxLabel)
	}
	u, err := url.Parse(l.Href)
	local := err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(l.Href, "/") && !strings.HasPrefix(l.Href, "//")
	outside := err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil
	if len(l.Href) > maxHref || !local && !outside || strings.ContainsAny(l.Href, "\\\"'<>") || strings.ContainsFunc(l.Href, unicode.IsSpace) {
		return fmt.Sprintf("%q is no address. Write a path such as /productguide, or an address with https://.", shortened(l.Href))
	}
	return ""
}

// isLine reports whether a text is one line of at most so many characters.
func isLine(text string, most int) bool {
	return utf8.RuneCountInString(text) <= most && !strings.ContainsFunc(text, unicode.IsControl)
}

// ParseLinks reads links from lines of a label, a space and an address. A line without
// an address is a link without one, which the check of the document refuses.
func ParseLinks(text string) (links []Link) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch len(words) {
		case 0:
		case 1:
			links = append(links, Link{Label: words[0]})
		default:
			last := len(words) - 1
			links = append(links, Link{Label: strings.Join(words[:last], " "), Href: words[last]})
		}
		if len(links) > maxLinks {
			return links
		}
	}
	return links
}

// WriteLinks writes links as ParseLinks reads them.
func WriteLinks(links []Link) string {
	var b strings.Builder
	for _, l := range links {
		b.WriteString(l.Label + " " + l.Href + "\n")
	}
	return b.String()
}
