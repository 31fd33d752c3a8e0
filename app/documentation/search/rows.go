package search

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/lists"
	"heliograph/db/models"
)

// What a row is worth by what it is. How well a query matches it lies between
// 0 and 1 and is multiplied with this.
const (
	productWeight  = 1.15
	versionWeight  = 1
	categoryWeight = 0.62
	endpointWeight = 1
	callbackWeight = 0.8
	errorWeight    = 0.95
	schemaWeight   = 0.6
	bodyWeight     = 0.7
	inputWeight    = 0.68 // parameters and credentials
	answerWeight   = 0.55 // fields of answers
	faultWeight    = 0.42 // fields of answers that say what went wrong
	exampleWeight  = 0.42

	deeper     = 0.95 // for each level of a field
	deprecated = 0.6
)

// lifecycles are what rows of a version are worth by its label.
var lifecycles = map[string]float32{"Beta": 0.9, "Deprecated": 0.5, "Retired": 0.35}

// older is what rows of a version are worth that is not the latest.
const older = 0.7

// maxBody is how much of a text is kept for snippets and found by, in bytes.
const maxBody = 4000

// Product is what rows of a product and its versions have in common.
type Product struct {
	ItemID      int64
	Slug, Name  string
	Summary     string
	Description string // Markdown
}

// Rows returns the rows of the product itself and of its changelog.
func (p Product) Rows() []models.SearchRow {
	return []models.SearchRow{p.row(), finish(models.SearchRow{
		ItemID: p.ItemID, Kind: "product", Product: p.Slug, Title: "Changelog", URL: "/docs/" + p.Slug + "/changelog", Breadcrumb: []string{p.Name},
		Body: "What changed in each release of " + p.Name + ".", Names: "changelog", Others: indexed("change log release notes history", p.Name), Weight: categoryWeight,
		Page: &models.SearchPage{Headings: indexed("change log release notes history", p.Name)},
	})}
}

func (p Product) row() models.SearchRow {
	body := strings.TrimSpace(p.Summary + " " + plain(p.Description))
	return finish(models.SearchRow{
		ItemID: p.ItemID, Kind: "product", Product: p.Slug, Title: p.Name, URL: "/docs/" + p.Slug,
		Body: body, Names: indexed(p.Name), Others: indexed(p.Slug), Weight: productWeight, Page: &models.SearchPage{Text: indexed(body)},
	})
}

// Version is a released version to be made findable.
type Version struct {
	Product     Product
	ItemID      int64
	Slug        string
	Label       string // Current, Beta, Deprecated or Retired
	Latest      bool   // the one of its product to read first
	Description string // Markdown
	Notes       string // Markdown
	API         *model.API
	Frame       []byte              // the description without its operations
	Operations  []openapi.Operation // what API was compiled from
	Items       map[string]int64    // ids of the endpoints, by slug
	// SearchedAs is what people call endpoints, by slug.
	SearchedAs map[string][]string
	// SchemasSearchedAs is what people call schemas, by name.
	SchemasSearchedAs map[string][]string
}

// Rows returns everything that readers can find in the version: itself, its
// categories, endpoints, callbacks, schemas, fields, examples and error codes.
func (v Version) Rows() []models.SearchRow {
	w := &writer{version: v, url: "/docs/" + v.Product.Slug + "/" + v.Slug, schemas: newSchemas(v.Frame), shared: map[string]bool{}, codes: map[string]bool{}}
	place := models.SearchRow{URL: w.url, Breadcrumb: w.crumbs(), Deprecated: v.deprecated()}
	intro, titles := w.described(place, v.Description)
	w.add(models.SearchRow{
		Kind: "version", Title: v.Product.Name + " " + v.Slug, URL: w.url, Breadcrumb: []string{v.Product.Name},
		Body: plain(intro + "\n\n" + v.Notes), Weight: versionWeight, Deprecated: v.deprecated(),
		Names: indexed(v.Product.Name, "version", v.Slug), Alias: squeeze(v.Product.Slug + v.Slug),
		Page: &models.SearchPage{Headings: indexed(titles...), Text: indexed(plain(v.Description), plain(v.Notes))},
	})
	w.table("", place, v.Description)
	w.credentials(place, titles)
	for _, category := range slices.Concat(v.API.Categories, v.API.Callbacks) {
		names := lists.Map(category.Endpoints, func(e *model.Endpoint) string { return e.Name })
		text := strings.TrimSpace(plain(category.Description))
		w.add(models.SearchRow{
			Kind: "category", Title: category.Name, URL: w.url + "#category-" + category.Slug, Breadcrumb: w.crumbs(),
			Body: cmp.Or(text, strings.Join(names, ", ")), Names: indexed(category.Name), Weight: categoryWeight, Deprecated: v.deprecated(),
		})
		for _, e := range category.Endpoints {
			w.endpoint(e)
		}
	}
	w.schemaRows()
	w.errorPage()
	// The worthiest first: where a word is so common that not all rows can be
	// looked at, these are.
	slices.SortStableFunc(w.rows, func(a, b models.SearchRow) int { return cmp.Compare(b.Weight, a.Weight) })
	return w.rows
}

func (v Version) deprecated() bool { return v.Label == "Deprecated" || v.Label == "Retired" }

// writer makes the rows of a version.
type writer struct {
	version Version
	url     string
	rows    []models.SearchRow
	schemas *schemas
	shared  map[string]bool // fields of faults that are there already
	codes   map[string]bool // error codes that are there already
	texts   map[string]string
}

// crumbs is where things of the version stand, with what is further inwards.
func (w *writer) crumbs(inwards ...string) []string {
	return append([]string{w.version.Product.Name, w.version.Slug}, inwards...)
}

// add completes a row with what it has of the version.
func (w *writer) add(row models.SearchRow) {
	v := w.version
	row.Product, row.Version = v.Product.Slug, v.Slug
	row.ItemID = cmp.Or(row.ItemID, v.ItemID)
	row.Weight *= cmp.Or(lifecycles[v.Label], 1)
	if !v.Latest {
		row.Weight *= older
	}
	if row.Deprecated && !v.deprecated() {
		row.Weight *= deprecated
	}
	row.Context += " " + indexed(around(row)...) + " " + indexed(v.Product.Slug)
	w.rows = append(w.rows, finish(row))
}

// around is where a row stands, as far as that tells it from others: half of all
// rows are in a body, the others in an answer.
func around(row models.SearchRow) []string {
	switch row.Kind {
	case "field", "schema", "example":
		return row.Breadcrumb[:len(row.Breadcrumb)-1]
	}
	return row.Breadcrumb
}

// text is plain with a memory: descriptions repeat within a document.
func (w *writer) text(markdown string) string {
	if w.texts == nil {
		w.texts = map[string]string{}
	}
	text, known := w.texts[markdown]
	if !known {
		text = plain(markdown)
		w.texts[markdown] = text
	}
	return text
}

// finish fills what follows from the rest of a row.
func finish(row models.SearchRow) models.SearchRow {
	row.Breadcrumb = append([]string{}, row.Breadcrumb...) // null is no list
	row.Body = cut(row.Body, maxBody)
	row.Text = strings.TrimSpace(row.Text + " " + indexed(row.Body))
	row.Key = squeeze(row.Title)
	if row.Kind == "field" {
		row.Key = squeeze(row.Title[strings.LastIndexByte(row.Title, '.')+1:])
	}
	words := slices.DeleteFunc(split(row.Title), func(word string) bool { return fillers[word] })
	row.Size = max(len(words), 1)
	if key := strings.Join(words, ""); row.Alias == "" && key != row.Key {
		row.Alias = key // a query is looked up without its fillers
	}
	return row
}

// Vocabulary counts the words of rows that misspellings can be corrected with.
func Vocabulary(rows []models.SearchRow) []models.SearchWord {
	counts := map[string]int{}
	for _, row := range rows {
		seen := map[string]bool{}
		texts := []string{row.Names, row.Others, row.Context, row.Text}
		if row.Page != nil {
			texts = append(texts, row.Page.Headings)
		}
		for _, text := range texts {
			for word := range strings.FieldsSeq(text) {
				if n := len([]rune(word)); n < 3 || n > 40 || seen[word] || strings.ContainsAny(word, "0123456789") {
					continue
				}
				seen[word] = true
				counts[word]++
			}
		}
	}
	list := make([]models.SearchWord, 0, len(counts))
	for word, n := range counts {
		list = append(list, models.SearchWord{Word: word, Rows: n})
	}
	slices.SortFunc(list, func(a, b models.SearchWord) int { return strings.Compare(a.Word, b.Word) })
	return list
}
