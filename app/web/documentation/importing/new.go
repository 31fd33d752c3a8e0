package importing

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	rule "heliograph/app/documentation/importing"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/importing"
	"heliograph/views/ui"
)

// fields holds the fields of a new import.
type fields struct {
	Product string `form:"product" query:"product"` // id, or "new"
	Name    string `form:"name"`
	Slug    string `form:"slug"`
	Version string `form:"version" query:"version"`
	Address string `form:"address"`
	Text    string `form:"text"`
}

// newProduct is the value of the choice of a new product.
const newProduct = "new"

// ShowNew shows the form of a new import.
func (h *Handlers) ShowNew(c echo.Context, asked fields) error {
	return h.renderNew(c, http.StatusOK, asked, &page.Problems{})
}

// Start brings a document in.
func (h *Handlers) Start(c echo.Context, f fields) error {
	u, err := f.upload(c)
	var id int64
	if err == nil {
		id, err = h.Rule.Start(c.Request().Context(), desk.Actor(c), u)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			if u.Name != "" && problems.Fields["file"] == "" {
				problems.Fields["file"] = "Choose the file again. The form does not keep it."
			}
			return h.renderNew(c, status, f, problems)
		})
	}
	return page.SeeOther(c, importPath(id))
}

// upload returns what the form brings in.
func (f fields) upload(c echo.Context) (u rule.Upload, err error) {
	name, data, err := readFile(c)
	if err != nil {
		return u, err
	}
	u = rule.Upload{Name: name, Data: data, Source: models.ImportFile, Target: f.target()}
	given := 0
	for _, has := range []bool{len(data) > 0 || name != "", f.Address != "", f.Text != ""} {
		if has {
			given++
		}
	}
	switch {
	case given == 0:
		return u, fault.InvalidFields(fault.Field{Name: "file", Message: "Choose a file, enter an address, or paste the text of a document."})
	case given > 1:
		return u, fault.InvalidFields(fault.Field{Name: "file", Message: "Use one of file, address and text. Leave the other two empty."})
	case f.Address != "":
		u.Source, u.Address = models.ImportAddress, f.Address
	case f.Text != "":
		u.Source, u.Data = models.ImportText, []byte(f.Text)
	}
	return u, nil
}

func (f fields) target() rule.Target {
	t := rule.Target{VersionSlug: f.Version}
	if id, err := strconv.ParseInt(f.Product, 10, 64); err == nil && id > 0 {
		t.ProductID = id
		return t
	}
	t.ProductName, t.ProductSlug = f.Name, f.Slug
	if t.ProductSlug == "" && f.Name != "" {
		t.ProductSlug = naming.Slug(f.Name)
	}
	return t
}

// readFile reads the file of a form; none is no error.
func readFile(c echo.Context) (name string, data []byte, err error) {
	header, err := c.FormFile("file")
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, fault.InvalidFields(fault.Field{Name: "file", Message: "The file did not arrive. Choose it again."})
	}
	file, err := header.Open()
	if err != nil {
		return "", nil, err
	}
	defer file.Close() //nolint:errcheck // it was read
	data, err = io.ReadAll(io.LimitReader(file, rule.MaxBytes+1))
	return header.Filename, data, err
}

func (h *Handlers) renderNew(c echo.Context, status int, f fields, problems *page.Problems) error {
	ctx := c.Request().Context()
	products, err := h.products(ctx, c)
	if err != nil {
		return err
	}
	p := view.FormPage{Frame: frame(c, "Bring your API in"), Lead: "The portal reads the document and shows what it found. You then choose what to take. Nothing is public before it is reviewed and published."}
	p.Up = ui.Link{Label: "Imports", Href: Path}
	says := problems.Fields
	adds := page.User(c).Role == identity.SuperAdmin
	p.Form = view.Form{
		Action: Path, CSRF: p.CSRF, Problem: problems.Form, AddsProduct: adds,
		Product: ui.Select{Name: "product", Label: "Product", Value: f.Product, Options: products, Error: says["product"]},
		Name:    ui.Input{Name: "name", Label: "Name of the new product", Value: f.Name, Error: says["name"], Hint: "Empty for the title of the document.", Unmarked: true},
		Slug:    ui.Input{Name: "slug", Label: "Its address", Value: f.Slug, Error: says["slug"], Hint: "Empty for one made from the name.", Unmarked: true},
		Version: ui.Input{
			Name: "version", Label: "Version", Value: f.Version, Error: says["version"], Unmarked: true, Placeholder: "1.0",
			Hint: "A version that exists is compared with the document; any other is new. Empty for what the file or text says.",
		},
		File: ui.Input{Name: "file", Label: "File", Type: "file", Error: says["file"], Hint: "JSON, YAML or zip, at most 10 MiB.", Unmarked: true},
		Address: ui.Input{
			Name: "address", Label: "Or the address of a document", Unmarked: true, Value: f.Address, Error: says["address"],
			InputMode: "url", Placeholder: "https://", Hint: "Read once, without signing in. Redirects are not followed.",
		},
		Text: ui.TextArea{Name: "text", Label: "Or its text", Unmarked: true, Value: f.Text, Error: says["text"], Rows: 6, Mono: true},
	}
	v := page.View{Frame: p.Page, Body: view.New(p)}
	if status != http.StatusOK {
		v.Region = ui.Form
	}
	return page.Render(c, status, v)
}

// products lists the products that the user may import into.
func (h *Handlers) products(ctx context.Context, c echo.Context) (options []ui.Option, err error) {
	user := page.User(c)
	if user.Role == identity.SuperAdmin {
		options = append(options, ui.Option{Value: newProduct, Label: "A new product"})
	}
	list, err := queries.ImportProductList(ctx, h.DB, map[bool]int64{true: user.ID}[user.Role == identity.Editor])
	for _, p := range list {
		options = append(options, ui.Option{Value: strconv.FormatInt(p.ID, 10), Label: p.Name})
	}
	if len(options) == 0 {
		options = []ui.Option{{Label: "No product is assigned to you"}}
	}
	return options, err
}
