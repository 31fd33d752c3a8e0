// Package sdk serves client libraries: a page for each version that shows how to
// install and use them, their archives, and the state of builds for administrators.
package sdk

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/reference"
	generator "heliograph/app/documentation/sdk"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/web/page"
	"heliograph/app/web/reader"
	"heliograph/db/models"
)

// Handlers answers the routes.
type Handlers struct {
	Pages  *reader.Pages
	Builds *builds.Service
}

// patience is how long a request waits for an archive that is being built, and
// comeBack is when it may ask again.
const (
	patience = 10 * time.Second
	comeBack = 5 * time.Second
)

func archivePath(at reference.Place, l *generator.Language) string {
	return at.SDKPath() + "/" + l.Slug + ".zip"
}

// Archive handles GET and HEAD of an archive. Other names of a language and of a
// version redirect. An archive that nobody asked for is built first.
func (h *Handlers) Archive(c echo.Context) error {
	at, err := h.Pages.Locate(c)
	if err != nil {
		return err
	}
	name, isArchive := strings.CutSuffix(c.Param("file"), ".zip")
	if name == "README.md" || !isArchive {
		return fault.New(fault.NotFound, "Archives end with .zip: %s.", archiveNames(at.Place))
	}
	l := generator.Find(name)
	if l == nil || !slices.Contains(builds.Enabled(at.Product.Product), l) {
		return fault.New(fault.NotFound, "There is no client library of %s for this language. Use one of %s.", at.Name(), archiveNames(at.Place))
	}
	if at.Status != 0 {
		return c.Redirect(at.Status, archivePath(at.Place, l))
	}
	if name != l.Slug {
		return c.Redirect(http.StatusMovedPermanently, archivePath(at.Place, l))
	}
	ctx := c.Request().Context()
	build, err := h.Builds.Await(ctx, at.Version.ReleaseID(), l, patience)
	if errors.Is(err, context.Canceled) {
		return nil // nobody waits any more
	}
	if err != nil {
		return err
	}
	switch build.State {
	case models.SDKBuilt:
		return h.send(c, at.Place, l, build)
	case models.SDKFailed:
		return fault.New(fault.Unavailable, "The %s library of %s could not be made: %s The publishers of the portal can see this.", l.Title, at.Name(), build.Error)
	}
	return beingMade(at.Place, l)
}

func beingMade(at reference.Place, l *generator.Language) error {
	wait := fault.New(fault.Unavailable, "The %s library of %s is being made. Ask again in a few seconds.", l.Title, at.Name())
	wait.RetryAfter = comeBack
	return wait
}

// archiveNames lists the names of a version's archives.
func archiveNames(at reference.Place) string {
	names := lists.Map(builds.Enabled(at.Product.Product), func(l *generator.Language) string { return l.Slug + ".zip" })
	return strings.Join(names, ", ")
}

func (h *Handlers) send(c echo.Context, at reference.Place, l *generator.Language, build models.SDKBuild) error {
	body, err := h.Builds.Open(c.Request().Context(), build)
	if fault.Is(err, fault.NotFound) {
		if err := h.Builds.Rebuild(c.Request().Context(), build); err != nil {
			return err
		}
		return beingMade(at, l)
	}
	if err != nil {
		return err
	}
	defer body.Close() //nolint:errcheck // it was only read
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, "application/zip")
	header.Set(echo.HeaderContentDisposition, `attachment; filename="`+generator.Folder(at.Product.Slug, at.Version.Slug, l)+`.zip"`)
	header.Set("ETag", `"`+build.SHA256+`"`)
	header.Set(echo.HeaderCacheControl, page.Revalidate)
	header.Set("Access-Control-Allow-Origin", "*") // the same for everybody, and without cookies
	var modified time.Time
	if build.EndedAt != nil {
		modified = *build.EndedAt
	}
	http.ServeContent(c.Response(), c.Request(), "", modified, body)
	return nil
}
