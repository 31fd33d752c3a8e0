package editorial

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"

	"heliograph/app/content"
	"heliograph/app/fault"
	"heliograph/app/spec"
	"heliograph/db"
)

// seedProduct is an entry of products.json.
type seedProduct struct {
	Slug     string          `json:"slug"`
	Product  content.Product `json:"product"`
	Version  string          `json:"version"`  // slug, empty for a product without documentation
	Label    string          `json:"label"`    // lifecycle of the version
	Released string          `json:"released"` // yyyy-mm-dd
	Document string          `json:"document"` // file of the API description
	Guides   []struct {
		Slug    string `json:"slug"`
		Title   string `json:"title"`
		Summary string `json:"summary"`
		Group   string `json:"group"`
	} `json:"guides"` // in order; the text of each is guides/<product>/<slug>.md
}

// Seed publishes the products that files describe (products.json and the
// documents and guides that it names). What is live already stays; a newer document is
// released over the older one unless somebody has an open draft there, which
// is left alone.
func Seed(ctx context.Context, b db.Beginner, files fs.FS) error {
	data, err := fs.ReadFile(files, "products.json")
	if err != nil {
		return fmt.Errorf("reading the seed: %w", err)
	}
	var products []seedProduct
	if err := json.Unmarshal(data, &products); err != nil {
		return fmt.Errorf("reading products.json: %w", err)
	}
	for i, p := range products {
		p.Product.Order = i
		im := Import{ProductSlug: p.Slug, Product: p.Product, VersionSlug: p.Version, Version: content.Version{Label: p.Label, ReleasedOn: p.Released}}
		if p.Document != "" {
			data, err := fs.ReadFile(files, p.Document)
			if err != nil {
				return fmt.Errorf("reading the seed: %w", err)
			}
			if im.Document, err = spec.Read(data); err != nil {
				return fmt.Errorf("reading %s: %w", p.Document, err)
			}
		}
		if im.Guides, err = p.guides(files); err != nil {
			return err
		}
		set, err := Draft(ctx, b, System, im)
		if fault.Is(err, fault.Conflict) {
			continue
		}
		if err != nil {
			return fmt.Errorf("importing %s: %w", p.Slug, err)
		}
		if set == 0 {
			continue
		}
		if err := Publish(ctx, b, System, set, true); err != nil {
			return fmt.Errorf("publishing %s: %w", p.Slug, err)
		}
	}
	return reindex(ctx, b)
}

func (p seedProduct) guides(files fs.FS) ([]ImportGuide, error) {
	var list []ImportGuide
	for i, g := range p.Guides {
		text, err := fs.ReadFile(files, path.Join("guides", p.Slug, g.Slug+".md"))
		if err != nil {
			return nil, fmt.Errorf("reading the seed: %w", err)
		}
		list = append(list, ImportGuide{Slug: g.Slug, Guide: content.Guide{Title: g.Title, Summary: g.Summary, Group: g.Group, Order: i, Text: string(text)}})
	}
	return list, nil
}
