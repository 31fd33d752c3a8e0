package portal

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/catalogue"
	"heliograph/app/reference"
	"heliograph/app/web/page"
)

// latest stands in an address for the version to read first.
const latest = "latest"

// redirect leads to the page that an address means. It is asked for anew each
// time, because another version may be the latest tomorrow.
func redirect(c echo.Context, to string) error {
	c.Response().Header().Set(echo.HeaderCacheControl, page.CacheRevalidate)
	path, fragment, _ := strings.Cut(to, "#")
	if query := c.Request().URL.RawQuery; query != "" {
		path += "?" + query
	}
	if fragment != "" {
		path += "#" + fragment
	}
	return c.Redirect(http.StatusTemporaryRedirect, path)
}

// meant is the page that readers mean who guess its address, "" where there is
// none: the products under /docs, the latest version, a version whose number
// is written otherwise (v3, 3), an endpoint by its operationId.
func (s *site) meant(c echo.Context) string {
	path := c.Request().URL.Path
	if path == "/docs" {
		return "/#products"
	}
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

// versionMeant is the version that a name in an address stands for, nil where
// there is none.
func versionMeant(p *catalogue.Product, name string) *catalogue.Version {
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

// endpointMeant is the endpoint of a version by its slug or its operationId,
// nil where there is none.
func endpointMeant(v *catalogue.Version, name string) *catalogue.Operation {
	i := slices.IndexFunc(v.Operations(), func(e *catalogue.Operation) bool {
		return strings.EqualFold(e.Slug, name) || strings.EqualFold(e.ID, name)
	})
	if i < 0 {
		return nil
	}
	return v.Operations()[i]
}
