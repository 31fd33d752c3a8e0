package reader

import (
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
)

// latest stands for the version to read first in an address.
const latest = "latest"

// redirect redirects to another page. Caches ask again each time: another version
// may become the latest, and another item may take an old address.
func redirect(c echo.Context, status int, to string) error {
	c.Response().Header().Set(echo.HeaderCacheControl, page.Revalidate)
	path, fragment, _ := strings.Cut(to, "#")
	if query := c.Request().URL.RawQuery; query != "" {
		path += "?" + query
	}
	if fragment != "" {
		path += "#" + fragment
	}
	return c.Redirect(status, path)
}

// meantPath returns the path for an address that a reader guessed, "" where there
// is none: the latest version, another spelling of a version (v3, 3), an endpoint
// by its operationId.
func meantPath(c echo.Context, s *site) string {
	path := c.Request().URL.Path
	p := s.snapshot.Product(strings.ToLower(c.Param("product")))
	if c.Param("guide") != "" || p == nil || len(p.VisibleVersions()) == 0 {
		return ""
	}
	to := reference.ProductPath(p)
	if version := c.Param("version"); version != "" {
		v := versionMeant(p, version)
		if v == nil {
			return ""
		}
		to = place{p, v}.path()
		if e := endpointMeant(v, c.Param("endpoint")); e != nil {
			to = place{p, v}.endpoint(e)
		} else if strings.HasSuffix(path, "/errors") {
			to = place{p, v}.reference().Errors()
		} else if strings.HasSuffix(path, reference.TextPath("/errors")) {
			to = reference.TextPath(place{p, v}.reference().Errors())
		} else if schema := c.Param("schema"); schema != "" {
			to = place{p, v}.schema(schema)
		} else if c.Param("endpoint") != "" {
			return ""
		}
	}
	if _, there := s.find(to); !there || to == path {
		return ""
	}
	return to
}

// movedPath returns the path of a page by a path that it had before it moved, "" where
// there is none. A page as Markdown moves with its page.
func movedPath(s *site, path string) string {
	to := movedPage(s, path)
	if _, exists := s.find(to); exists {
		return to
	}
	page, isText := strings.CutSuffix(path, reference.TextPath(""))
	if !isText {
		return ""
	}
	to = reference.TextPath(movedPage(s, page))
	if _, exists := s.find(to); !exists {
		return ""
	}
	return to
}

func movedPage(s *site, path string) string {
	if rest, ok := strings.CutPrefix(path, reference.GuidesPath+"/"); ok {
		product, slug, _ := strings.Cut(rest, "/")
		p, hasMoved := currentProduct(s, product)
		if p == nil {
			return ""
		}
		i := slices.IndexFunc(p.Guides, func(g *published.Guide) bool { return g.Slug == slug })
		if i >= 0 && hasMoved {
			return reference.GuidePath(p, p.Guides[i])
		}
		if g := s.snapshot.MovedGuide(p, slug); i < 0 && g != nil {
			return reference.GuidePath(p, g)
		}
		return ""
	}
	rest, ok := strings.CutPrefix(path, "/docs/")
	if !ok {
		return ""
	}
	slug, rest, _ := strings.Cut(rest, "/")
	p, hasMoved := currentProduct(s, slug)
	switch {
	case p == nil:
		return ""
	case rest != "":
		return movedReference(s, p, rest, hasMoved)
	case hasMoved:
		return reference.ProductPath(p)
	}
	return ""
}

// currentProduct returns the product that has a slug, or that had it before it
// moved.
func currentProduct(s *site, slug string) (p *published.Product, hasMoved bool) {
	if p := s.snapshot.Product(slug); p != nil {
		return p, false
	}
	p = s.snapshot.MovedProduct(slug)
	return p, p != nil
}

// movedReference returns the path of a page of a product by the rest of a path
// that it had before, "" where nothing of it moved.
func movedReference(s *site, p *published.Product, rest string, hasMoved bool) string {
	slug, rest, inside := strings.Cut(rest, "/")
	v := versionMeant(p, slug)
	if v == nil {
		if v = s.snapshot.MovedVersion(p, slug); v == nil {
			return ""
		}
		hasMoved = true
	}
	at := place{p, v}
	to := at.path()
	if inside {
		to += "/" + rest
	}
	if op := v.Operation(rest); op == nil && inside {
		if home, op := s.snapshot.MovedOperation(p, v, rest); op != nil {
			return place{p, home}.endpoint(op)
		}
		if op := endpointMeant(v, rest); op != nil {
			to = at.endpoint(op)
		}
	}
	if !hasMoved {
		return ""
	}
	return to
}

// versionMeant returns the version for a name in an address, nil where there is
// none.
func versionMeant(p *published.Product, name string) *published.Version {
	if v := p.Version(name); v != nil {
		return v
	}
	if strings.EqualFold(name, latest) {
		return p.Latest()
	}
	number := strings.TrimPrefix(strings.ToLower(name), "v")
	if v := p.Version(number); v != nil {
		return v
	}
	return p.Version(number + ".0")
}

// endpointMeant returns the endpoint of a version by its slug or its
// operationId, nil where there is none.
func endpointMeant(v *published.Version, name string) *published.Operation {
	i := slices.IndexFunc(v.Operations(), func(e *published.Operation) bool {
		return strings.EqualFold(e.Slug, name) || strings.EqualFold(e.ID, name)
	})
	if i < 0 {
		return nil
	}
	return v.Operations()[i]
}
