package reader

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/operation/limit"
)

// FileForm is the form of a file that programs read.
type FileForm uint8

// The forms of files. The ones that stand for a product or a version have it in their
// path; without, they stand for everything that is published.
const (
	CatalogueFile FileForm = iota
	ExamplesFile
	OpenAPIFile // JSON or YAML, by the end of the path
	openAPIYAMLFile
	CollectionFile
	EnvironmentFile
	IndexFile
	FullTextFile
	APICatalogFile
)

// contentTypes are the content types of files.
var contentTypes = map[FileForm]string{
	CatalogueFile: echo.MIMEApplicationJSON, ExamplesFile: echo.MIMEApplicationJSON,
	OpenAPIFile: echo.MIMEApplicationJSON, openAPIYAMLFile: "application/yaml", // RFC 9512
	CollectionFile: echo.MIMEApplicationJSON, EnvironmentFile: echo.MIMEApplicationJSON,
	IndexFile: echo.MIMETextPlainCharsetUTF8, FullTextFile: echo.MIMETextPlainCharsetUTF8,
	APICatalogFile: `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
}

// fileName names a file. Names are empty where its path has none.
type fileName struct {
	form                       FileForm
	product, version, endpoint string
}

// isComplete reports whether a name has the product, the version and the endpoint that
// its form needs.
func (n fileName) isComplete() bool {
	switch n.form {
	case IndexFile, FullTextFile, APICatalogFile:
		return true
	case CatalogueFile:
		return (n.product == "") == (n.version == "")
	case ExamplesFile:
		return n.product != "" && n.version != "" && n.endpoint != ""
	}
	return n.product != "" && n.version != ""
}

// fileNameOf reads the name of a file from its path, which must not lack a part. The
// address of an OpenAPI description ends with its format. Versions may have dots: the
// format is the last suffix.
func fileNameOf(c echo.Context, form FileForm) (fileName, error) {
	n := fileName{form, c.Param("product"), c.Param("version"), c.Param("endpoint")}
	if hasEmptyPart(c.Request().URL.Path) {
		return n, emptyPart()
	}
	if form != OpenAPIFile {
		return n, nil
	}
	last := &n.version
	if n.endpoint != "" {
		last = &n.endpoint
	}
	name, isJSON := strings.CutSuffix(*last, ".json")
	if !isJSON {
		var isYAML bool
		if name, isYAML = strings.CutSuffix(*last, ".yaml"); !isYAML {
			return n, notFound("The address of an OpenAPI description must end with .json or .yaml.", nil)
		}
		n.form = openAPIYAMLFile
	}
	*last = name
	return n, nil
}

// hasEmptyPart reports whether a name is missing between the slashes of a path, or
// before the suffix of its end.
func hasEmptyPart(path string) bool {
	return strings.Contains(path, "//") || strings.HasSuffix(path, "/") || strings.HasSuffix(path, "/.json") || strings.HasSuffix(path, "/.yaml")
}

// exportSource is a file that package reference writes.
type exportSource struct {
	place
	form      FileForm
	operation *published.Operation // nil for the whole version
}

// A file has no menu. It may have the name of the portal.
func (src exportSource) release(s *site) release {
	if src.product == nil {
		return release{menu: s.name, scope: s.snapshot.Stamp}
	}
	return release{menu: s.name, scope: src.product.Stamp}
}

// findFile finds a file, false where it does not exist. The catalogue, the indexes and
// the list of APIs also stand for all products; every other form needs a product and a
// version.
func findFile(s *site, n fileName) (exportSource, bool) {
	src := exportSource{form: n.form}
	if !n.isComplete() {
		return src, false
	}
	if n.product == "" {
		return src, true
	}
	if src.product = s.snapshot.Product(n.product); src.product == nil {
		return src, false
	}
	if n.version == "" {
		return src, len(src.product.VisibleVersions())+len(src.product.VisibleGuides()) > 0
	}
	if src.version = src.product.Version(n.version); src.version == nil || src.product.ComingSoon {
		return src, false
	}
	if n.endpoint != "" {
		src.operation = src.version.Operation(n.endpoint)
		return src, src.operation != nil
	}
	return src, true
}

// address returns the path of a file of a version.
func (src exportSource) address() string {
	at := src.reference()
	switch src.form {
	case CatalogueFile:
		return at.CataloguePath()
	case ExamplesFile:
		return at.ExamplesPath(src.operation)
	case CollectionFile:
		return at.PostmanPath("collection")
	case EnvironmentFile:
		return at.PostmanPath("environment")
	}
	form := "json"
	if src.form == openAPIYAMLFile {
		form = "yaml"
	}
	if src.operation != nil {
		return at.OperationOpenAPIPath(src.operation, form)
	}
	return at.OpenAPIPath(form)
}

// meantFile returns the path of the file that a reader meant with an old name,
// with latest or with another spelling of a version, empty where there is none.
// It reports whether something moved for good.
func meantFile(s *site, n fileName) (path string, moved bool) {
	if !n.isComplete() {
		return "", false
	}
	p, moved := currentProduct(s, strings.ToLower(n.product))
	if n.version == "" || p == nil || len(p.VisibleVersions()) == 0 {
		return "", false
	}
	v := versionMeant(p, n.version)
	if v == nil {
		if v, moved = s.snapshot.MovedVersion(p, n.version), true; v == nil {
			return "", false
		}
	}
	src := exportSource{form: n.form, place: place{p, v}}
	if n.endpoint != "" {
		if src.operation = endpointMeant(v, n.endpoint); src.operation == nil {
			if src.version, src.operation = s.snapshot.MovedOperation(p, v, n.endpoint); src.operation == nil {
				return "", false
			}
			moved = true
		}
	}
	return src.address(), moved
}

func (src exportSource) file(ctx context.Context, s *site) ([]byte, string, error) {
	body, err := src.body(ctx, s)
	return body, contentTypes[src.form], err
}

func (src exportSource) body(ctx context.Context, s *site) ([]byte, error) {
	at, files := src.reference(), reference.Files{Site: s.texts}
	switch src.form {
	case CatalogueFile:
		if src.version == nil {
			return files.Catalogue(s.snapshot)
		}
		return files.VersionCatalogue(ctx, at)
	case ExamplesFile:
		return files.Examples(ctx, at, src.operation)
	case CollectionFile:
		return files.Collection(ctx, at)
	case EnvironmentFile:
		return files.Environment(ctx, at)
	case APICatalogFile:
		return files.APICatalog(s.snapshot)
	case IndexFile:
		text, err := s.texts.Index(ctx, s.snapshot, src.product)
		return []byte(text), err
	case FullTextFile:
		text, err := s.texts.FullText(ctx, s.snapshot, src.product)
		return []byte(text), err
	}
	n, err := files.OpenAPI(ctx, at, src.operation)
	if err != nil {
		return nil, err
	}
	if src.form == openAPIYAMLFile {
		return n.YAML(), nil
	}
	return []byte(n.Pretty() + "\n"), nil
}

// download returns the name under which browsers keep a file, empty for files
// that they show.
func (src exportSource) download() string {
	if src.form < OpenAPIFile || src.form > EnvironmentFile {
		return ""
	}
	name := src.product.Slug + "-" + src.version.Slug
	if src.operation != nil {
		name += "-" + src.operation.Slug
	}
	return name + map[FileForm]string{
		OpenAPIFile: ".openapi.json", openAPIYAMLFile: ".openapi.yaml",
		CollectionFile: ".postman_collection.json", EnvironmentFile: ".postman_environment.json",
	}[src.form]
}

// ServeFile handles GET and HEAD of the files of a form: catalogues, exports and
// indexes. Where there is none, it returns a fault that names the nearest ones.
func (p *Pages) ServeFile(form FileForm) echo.HandlerFunc {
	return func(c echo.Context) error {
		n, err := fileNameOf(c, form)
		if err != nil {
			return err
		}
		s := p.site()
		src, ok := findFile(s, n)
		if !ok {
			return s.fileElsewhere(c, n)
		}
		return p.serveFile(c, s, src)
	}
}

// fileElsewhere leads to the file that an address meant, or returns a fault.
func (s *site) fileElsewhere(c echo.Context, n fileName) error {
	to, moved := meantFile(s, n)
	switch {
	case moved:
		return redirect(c, http.StatusMovedPermanently, to)
	case to != "":
		return redirect(c, http.StatusTemporaryRedirect, to)
	}
	return missingFile(s, n)
}

func (p *Pages) serveFile(c echo.Context, s *site, src exportSource) error {
	r := c.Request()
	if err := p.files.take(r.Context(), limit.Client(c.RealIP())); err != nil {
		return err
	}
	content, err := p.content(r.Context(), s, newFound(src, false), key{path: r.URL.Path})
	if err != nil {
		return failedFile(err, published.IsBroken(err))
	}
	header := c.Response().Header()
	if name := src.download(); name != "" {
		header.Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	}
	header.Set("Access-Control-Allow-Origin", "*") // the same for everybody, and without cookies
	if src.form >= IndexFile {
		unlisted(c)
	}
	return content.Serve(c)
}
