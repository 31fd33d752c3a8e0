package page

import (
	"context"
	"net/http"
	"sync/atomic"

	"heliograph/app/lists"
	"heliograph/app/operation/theme"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Brands returns how surfaces appear. Use NewBrands.
type Brands struct {
	themes *theme.Themes // nil for the default themes
	made   map[theme.Surface]*atomic.Pointer[madeBrand]
}

type madeBrand struct {
	of    *theme.Shown
	brand *layout.Brand
}

// NewBrands returns the brands of the themes that are published.
func NewBrands(themes *theme.Themes) *Brands {
	b := &Brands{themes: themes, made: map[theme.Surface]*atomic.Pointer[madeBrand]{}}
	for _, s := range theme.Surfaces {
		b.made[s] = &atomic.Pointer[madeBrand]{}
	}
	return b
}

// Of returns the brand of a surface. It is the same until the theme changes.
func (b *Brands) Of(s theme.Surface) *layout.Brand {
	shown := b.themes.Current(s)
	if made := b.made[s].Load(); made != nil && made.of == shown {
		return made.brand
	}
	brand := NewBrand(shown)
	b.made[s].Store(&madeBrand{shown, brand})
	return brand
}

// NewBrand returns what pages show of a theme.
func NewBrand(s *theme.Shown) *layout.Brand {
	return &layout.Brand{
		Stylesheet: s.Stylesheet, Name: s.Brand.Name, Footer: s.Brand.Footer,
		Logo: picture(s.Brand.Logo), LogoDark: picture(s.Brand.LogoDark), Icon: picture(s.Brand.Icon), IconDark: picture(s.Brand.IconDark),
		Links: brandLinks(s.Brand.Links), FooterLinks: brandLinks(s.Brand.FooterLinks),
	}
}

func picture(name string) string {
	if name == "" {
		return ""
	}
	return theme.PicturePrefix + name
}

func brandLinks(links []theme.Link) (list []ui.Link) {
	return lists.Map(links, func(l theme.Link) ui.Link { return ui.Link{Label: l.Label, Href: l.Href} })
}

// Trial shows a page with a theme that is not published, in one scheme and without
// script, for a frame of the administration.
type Trial struct {
	Brand  *layout.Brand
	Scheme theme.Scheme
	// Public reports whether the page is the same for everybody.
	Public bool
}

type trialKey struct{}

// On returns a request for a page that is shown for trial.
func (t Trial) On(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), trialKey{}, t))
}

// apply makes the frame of a page one for trial, if the request asks for it.
func (t Trial) apply(header http.Header, f *layout.Page) {
	f.Brand, f.Scheme = t.Brand, string(t.Scheme)
	if t.Public {
		f.Token = ""
	}
	f.Stream = ""
	header.Set(headerPolicy, trialPolicy)
	NoStore(header)
}

// trialPolicy lets a page of the portal show another one in a frame.
const trialPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
