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

// fileForm is the form of a file that programs read.
type fileForm uint8

const (
	noFile fileForm = iota
	catalogueForm
	examplesForm
	openAPIJSONForm
	openAPIYAMLForm
	collectionForm
	environmentForm
	indexForm
	fullTextForm
	apiCatalogForm
)

// contentTypes are the content types of files.
var contentTypes = map[fileForm]string{
	catalogueForm: echo.MIMEApplicationJSON, examplesForm: echo.MIMEApplicationJSON,
	openAPIJSONForm: echo.MIMEApplicationJSON, openAPIYAMLForm: "application/yaml", // RFC 9512
	collectionForm: echo.MIMEApplicationJSON, environmentForm: echo.MIMEApplicationJSON,
	indexForm: echo.MIMETextPlainCharsetUTF8, fullTextForm: echo.MIMETextPlainCharsetUTF8,
	apiCatalogForm: `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`,
}

// fileName names what a path asks for. Names are empty where the path has none.
type fileName struct {
	form                       fileForm
	product, version, endpoint string
}

// isComplete reports whether a name has the product, the version and the endpoint that
// its form needs.
func (n fileName) isComplete() bool {
	switch n.form {
	case indexForm, fullTextForm, apiCatalogForm:
		return true
	case catalogueForm:
		return (n.product == "") == (n.version == "")
	case examplesForm:
		return n.product != "" && n.version != "" && n.endpoint != ""
	}
	return n.product != "" && n.version != ""
}

// exactFiles are the files without a name in their path.
var exactFiles = map[string]fileForm{
	"/api/catalog": catalogueForm, reference.IndexPath: indexForm, "/.well-known" + reference.IndexPath: indexForm,
	reference.FullTextPath: fullTextForm, "/.well-known/api-catalog": apiCatalogForm,
}

// readFileName reads the path of a file. The name has no form where the path is
// none of a file, or has an empty part. Versions may have dots: a form is the last
// suffix.
func readFileName(path string) fileName {
	if form := exactFiles[path]; form != noFile {
		return fileName{form: form}
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	last := parts[len(parts)-1]
	switch {
	case hasEmptyPart(path):
	case strings.HasPrefix(path, "/api/catalog/") && len(parts) == 4:
		return fileName{catalogueForm, parts[2], parts[3], ""}
	case strings.HasPrefix(path, "/api/catalog/") && len(parts) == 6 && last == "examples":
		return fileName{examplesForm, parts[2], parts[3], parts[4]}
	case strings.HasPrefix(path, "/openapi/") && (len(parts) == 3 || len(parts) == 4):
		name, isJSON := strings.CutSuffix(last, ".json")
		form := openAPIJSONForm
		if !isJSON {
			var isYAML bool
			if name, isYAML = strings.CutSuffix(last, ".yaml"); !isYAML {
				return fileName{}
			}
			form = openAPIYAMLForm
		}
		if len(parts) == 3 {
			return fileName{form, parts[1], name, ""}
		}
		return fileName{form, parts[1], parts[2], name}
	case strings.HasPrefix(path, "/postman/") && len(parts) == 4 && last == "collection.json":
		return fileName{collectionForm, parts[1], parts[2], ""}
	case strings.HasPrefix(path, "/postman/") && len(parts) == 4 && last == "environment.json":
		return fileName{environmentForm, parts[1], parts[2], ""}
	case strings.HasPrefix(path, "/docs/") && len(parts) == 3 && "/"+last == reference.IndexPath:
		return fileName{indexForm, parts[1], "", ""}
	case strings.HasPrefix(path, "/docs/") && len(parts) == 3 && "/"+last == reference.FullTextPath:
		return fileName{fullTextForm, parts[1], "", ""}
	}
	return fileName{}
}

// hasEmptyPart reports whether a name is missing between the slashes of a path, or
// before the suffix of its end.
func hasEmptyPart(path string) bool {
	return strings.Contains(path, "//") || strings.HasSuffix(path, "/") || strings.HasSuffix(path, "/.json") || strings.HasSuffix(path, "/.yaml")
}

// findFile returns the source of a file, false where it does not exist. The catalogue,
// the indexes and the list of APIs also stand for all products; every other form
// needs a product and a version.
func findFile(s *site, n fileName) (source, bool) {
	src := source{kind: fileSource, file: n.form}
	if n.form == noFile || !n.isComplete() {
		return source{}, false
	}
	if n.product == "" {
		return src, true
	}
	if src.product = s.snapshot.Product(n.product); src.product == nil {
		return source{}, false
	}
	if n.version == "" {
		return src, len(src.product.VisibleVersions())+len(src.product.VisibleGuides()) > 0
	}
	if src.version = src.product.Version(n.version); src.version == nil || src.product.ComingSoon {
		return source{}, false
	}
	if n.endpoint != "" {
		src.operation = src.version.Operation(n.endpoint)
		return src, src.operation != nil
	}
	return src, true
}

// filePathOf returns the path of a file.
func filePathOf(s *site, src source) string {
	at := src.reference()
	switch src.file {
	case catalogueForm:
		return at.CataloguePath()
	case examplesForm:
		return at.ExamplesPath(src.operation)
	case collectionForm:
		return at.PostmanPath("collection")
	case environmentForm:
		return at.PostmanPath("environment")
	}
	form := "json"
	if src.file == openAPIYAMLForm {
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
	src := source{kind: fileSource, file: n.form, place: place{p, v}}
	if n.endpoint != "" {
		if src.operation = endpointMeant(v, n.endpoint); src.operation == nil {
			if src.version, src.operation = s.snapshot.MovedOperation(p, v, n.endpoint); src.operation == nil {
				return "", false
			}
			moved = true
		}
	}
	return filePathOf(s, src), moved
}

// fileBody makes a file.
func (src source) fileBody(ctx context.Context, s *site) ([]byte, error) {
	at, files := src.reference(), reference.Files{Site: s.texts}
	switch src.file {
	case catalogueForm:
		if src.version == nil {
			return files.Catalogue(s.snapshot)
		}
		return files.VersionCatalogue(ctx, at)
	case examplesForm:
		return files.Examples(ctx, at, src.operation)
	case collectionForm:
		return files.Collection(ctx, at)
	case environmentForm:
		return files.Environment(ctx, at)
	case apiCatalogForm:
		return files.APICatalog(s.snapshot)
	case indexForm:
		text, err := s.texts.Index(ctx, s.snapshot, src.product)
		return []byte(text), err
	case fullTextForm:
		text, err := s.texts.FullText(ctx, s.snapshot, src.product)
		return []byte(text), err
	}
	n, err := files.OpenAPI(ctx, at, src.operation)
	if err != nil {
		return nil, err
	}
	if src.file == openAPIYAMLForm {
		return n.YAML(), nil
	}
	return []byte(n.Pretty() + "\n"), nil
}

// download returns the name under which browsers keep a file, empty for files
// that they show.
func (src source) download() string {
	if src.file < openAPIJSONForm || src.file > environmentForm {
		return ""
	}
	name := src.product.Slug + "-" + src.version.Slug
	if src.operation != nil {
		name += "-" + src.operation.Slug
	}
	return name + map[fileForm]string{
		openAPIJSONForm: ".openapi.json", openAPIYAMLForm: ".openapi.yaml",
		collectionForm: ".postman_collection.json", environmentForm: ".postman_environment.json",
	}[src.file]
}

// ServeFile handles GET and HEAD of all files: catalogues, exports and indexes.
// Where there is none, it returns a fault that names the nearest ones.
func (p *Pages) ServeFile(c echo.Context) error {
	r, s := c.Request(), p.site()
	n := readFileName(r.URL.Path)
	src, ok := findFile(s, n)
	if !ok {
		if to, moved := meantFile(s, n); moved {
			return redirect(c, http.StatusMovedPermanently, to)
		} else if to != "" {
			return redirect(c, http.StatusTemporaryRedirect, to)
		}
		if n.form == noFile {
			return unnamedFile(r.URL.Path)
		}
		return missingFile(s, n)
	}
	if err := p.files.take(r.Context(), limit.Client(c.RealIP())); err != nil {
		return err
	}
	content, err := p.content(r.Context(), s, address{path: r.URL.Path, source: src})
	if err != nil {
		return failedFile(err, published.IsBroken(err))
	}
	header := c.Response().Header()
	if name := src.download(); name != "" {
		header.Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	}
	header.Set("Access-Control-Allow-Origin", "*") // the same for everybody, and without cookies
	if src.file >= indexForm {
		unlisted(c)
	}
	return content.Serve(c)
}
