package reader

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/reference"
	"heliograph/app/operation/limit"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Located is the version that an address means.
type Located struct {
	reference.Place
	// Status is 0 for the version's own address. Other spellings and latest redirect
	// with 307, old names with 301.
	Status int
}

// Locate finds the published version that the parameters product and version of a
// request mean. Without one it returns a fault that names the nearest. It counts the
// request towards the limit of files.
func (p *Pages) Locate(c echo.Context) (Located, error) {
	s := p.site()
	name := fileName{form: OpenAPIFile, product: c.Param("product"), version: c.Param("version")}
	if err := p.files.take(c.Request().Context(), limit.Client(c.RealIP())); err != nil {
		return Located{}, err
	}
	if !name.isComplete() {
		return Located{}, emptyPart()
	}
	if src, ok := findFile(s, name); ok {
		return Located{Place: src.reference()}, nil
	}
	product, moved := currentProduct(s, strings.ToLower(name.product))
	if product == nil || product.ComingSoon || len(product.VisibleVersions()) == 0 {
		return Located{}, missingFile(s, name)
	}
	v := versionMeant(product, name.version)
	if v == nil {
		if v, moved = s.snapshot.MovedVersion(product, name.version), true; v == nil {
			return Located{}, missingFile(s, name)
		}
	}
	at := Located{Place: reference.Place{Product: product, Version: v}, Status: http.StatusTemporaryRedirect}
	if moved {
		at.Status = http.StatusMovedPermanently
	}
	return at, nil
}

// FrameOf returns the frame of a page of a version, and the way to it.
func (p *Pages) FrameOf(at reference.Place) (layout.Page, []ui.Link) {
	s := p.site()
	return s.frameOf(place{at.Product, at.Version}), []ui.Link{{Label: "Products", Href: "/#products"}, {Label: at.Product.Name, Href: reference.ProductPath(at.Product)}, {Label: at.Version.Slug, Href: at.Path()}}
}

// Site returns what writes texts of this installation.
func (p *Pages) Site() reference.Site { return reference.Site{URL: p.url} }
