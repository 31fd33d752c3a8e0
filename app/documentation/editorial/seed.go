package editorial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/queries/documentation/writes"
)

// seedProduct is an entry of products.json.
type seedProduct struct {
	Slug    string          `json:"slug"`
	Product content.Product `json:"product"`
	seedVersion
	Earlier []seedVersion `json:"earlier"` // versions before the one above
	Guides  []struct {
		Slug    string `json:"slug"`
		Title   string `json:"title"`
		Summary string `json:"summary"`
		Group   string `json:"group"`
		Section string `json:"section"`
	} `json:"guides"` // in order; the text of each is guides/<product>/<slug>.md
}

// seedVersion is a version of a product of the seed.
type seedVersion struct {
	Version   string `json:"version"`    // slug, empty for a product without documentation
	Label     string `json:"label"`      // lifecycle of the version
	Released  string `json:"released"`   // yyyy-mm-dd
	Sunset    string `json:"sunset"`     // yyyy-mm-dd, empty for none
	MigrateTo string `json:"migrate_to"` // slug of the recommended version, empty for none
	Document  string `json:"document"`   // file of the API description
}

// Seed publishes the products of products.json with the documents and guides
// that it names. Live items stay, and newer texts replace the texts of an earlier
// seed. Where people published since, the newer text goes into a change set for
// review. Items that people are changing stay as they are. Both are logged.
// Concurrent seeds wait for each other, and an interrupted one is completed by
// the next.
func Seed(ctx context.Context, b db.Beginner, files fs.FS) error {
	data, err := fs.ReadFile(files, "products.json")
	if err != nil {
		return fmt.Errorf("reading the seed: %w", err)
	}
	var products []seedProduct
	if err := json.Unmarshal(data, &products); err != nil {
		return fmt.Errorf("reading products.json: %w", err)
	}
	phrases, err := readSearchedAs(files)
	if err != nil {
		return err
	}
	for i, p := range products {
		p.Product.Order = i
		for _, v := range append([]seedVersion{p.seedVersion}, p.Earlier...) {
			im, err := p.load(files, v)
			if err != nil {
				return err
			}
			im.SearchedAs = phrases[p.Slug]
			err = db.InTx(ctx, b, func(tx pgx.Tx) error {
				if err := writes.SeedLock(ctx, tx); err != nil {
					return fmt.Errorf("waiting for another seed: %w", err)
				}
				return seedOne(ctx, tx, im)
			})
			if err != nil {
				return fmt.Errorf("seeding %s %s: %w", p.Slug, v.Version, err)
			}
		}
	}
	if err := seedSynonyms(ctx, b, files); err != nil {
		return err
	}
	return reindex(ctx, b)
}

// seedSynonyms gives a search without synonyms the ones of synonyms.tsv: a term, a tab and
// what it also means. Lines that start with # are comments. A seed may lack the file.
func seedSynonyms(ctx context.Context, b db.Beginner, files fs.FS) error {
	data, err := fs.ReadFile(files, "synonyms.tsv")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the seed: %w", err)
	}
	var terms, means []string
	for line := range strings.Lines(string(data)) {
		if term, other, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && term[0] != '#' {
			terms, means = append(terms, term), append(means, other)
		}
	}
	return db.InTx(ctx, b, func(tx pgx.Tx) error { return writes.SynonymFill(ctx, tx, terms, means) })
}

// readSearchedAs reads searched_as.tsv: the phrases of guides, endpoints and callbacks
// by product and [PartKey]. Lines that start with # are comments. A seed may lack the
// file.
func readSearchedAs(files fs.FS) (map[string]map[string]string, error) {
	data, err := fs.ReadFile(files, "searched_as.tsv")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the seed: %w", err)
	}
	products := map[string]map[string]string{}
	for line := range strings.Lines(string(data)) {
		place, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		product, slug, isPage := strings.Cut(place, "/")
		if !isPage || place[0] == '#' {
			continue
		}
		phrases, err := content.ReadPhrases(text)
		if err == nil && products[product][PartKey(content.KindGuide, slug)] != "" {
			err = errors.New("it has two lines")
		}
		if err != nil {
			return nil, fmt.Errorf("reading searched_as.tsv: %s: %w", place, err)
		}
		if products[product] == nil {
			products[product] = map[string]string{}
		}
		for _, kind := range []string{content.KindGuide, content.KindEndpoint, content.KindCallback} {
			products[product][PartKey(kind, slug)] = phrases
		}
	}
	return products, nil
}

// load reads the files of a product and of one of its versions.
func (p seedProduct) load(files fs.FS, v seedVersion) (Import, error) {
	im := Import{
		ProductSlug: p.Slug, Product: p.Product, VersionSlug: v.Version,
		Version: content.Version{Label: v.Label, ReleasedOn: v.Released, SunsetOn: v.Sunset, MigrateTo: v.MigrateTo},
	}
	if v.Document != "" {
		data, err := fs.ReadFile(files, v.Document)
		if err != nil {
			return im, fmt.Errorf("reading the seed: %w", err)
		}
		if im.Document, err = openapi.Read(data); err != nil {
			return im, fmt.Errorf("reading %s: %w", v.Document, err)
		}
	}
	for i, g := range p.Guides {
		text, err := fs.ReadFile(files, path.Join("guides", p.Slug, g.Slug+".md"))
		if err != nil {
			return im, fmt.Errorf("reading the seed: %w", err)
		}
		im.Guides = append(im.Guides, ImportGuide{Slug: g.Slug, Guide: content.Guide{Title: g.Title, Summary: g.Summary, Group: g.Group, Section: g.Section, Order: i, Text: string(text)}})
	}
	return im, nil
}

// seedOne drafts and publishes a product of the seed. Texts that must not be
// published are left for review.
func seedOne(ctx context.Context, tx pgx.Tx, im Import) error {
	var direct, left int64
	err := inImport(ctx, tx, System, im, func(d *importer) (err error) {
		list, gone, err := d.wanted(ctx, im)
		if err != nil {
			return err
		}
		plan, err := d.sort(ctx, list, gone)
		if err != nil {
			return err
		}
		if d.direct, err = d.unfinished(ctx, plan); err != nil {
			return err
		}
		if err := d.into(ctx, &d.direct, plan.direct.list, plan.direct.gone); err != nil {
			return err
		}
		direct = d.direct
		left, err = d.leave(ctx, plan)
		return err
	})
	if err != nil {
		return err
	}
	if left != 0 {
		slog.WarnContext(ctx, "people published changes of what the seed has in a newer form: it is left for review", "product", im.ProductSlug, "change_set", left)
	}
	if direct == 0 {
		return nil
	}
	err = Publish(ctx, tx, System, direct, true)
	if f := fault.As(err); f != nil {
		slog.WarnContext(ctx, "the seed cannot be published: it is left for review", "product", im.ProductSlug, "change_set", direct, "reason", f.Message)
		return Submit(ctx, tx, System, direct, im.summary())
	}
	return err
}
