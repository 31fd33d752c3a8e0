package editorial

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/spec"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// index writes anew what readers can find of a product: the product and each
// released version. Hidden and announced products are not found.
func index(ctx context.Context, q db.Querier, productID int64) error {
	item, content, err := liveProduct(ctx, q, productID)
	if err != nil {
		return err
	}
	found := !content.Hidden && !content.ComingSoon
	var rows []models.SearchRow
	if found {
		rows = []models.SearchRow{{
			ItemID: productID, Kind: "product", Product: item.Slug, Title: content.Name,
			URL: "/docs/" + item.Slug, Body: content.Summary + "\n" + content.Description,
		}}
	}
	if err := queries.SearchRowReplace(ctx, q, productID, rows); err != nil {
		return fmt.Errorf("indexing product %s: %w", item.Slug, err)
	}
	versions, err := queries.ItemListLive(ctx, q, productID)
	if err != nil {
		return fmt.Errorf("listing the versions of %s: %w", item.Slug, err)
	}
	latest, err := queries.ReleaseListLatest(ctx, q)
	if err != nil {
		return fmt.Errorf("listing releases: %w", err)
	}
	for _, version := range versions {
		rows = nil
		if found {
			items, err := queries.ReleaseItemList(ctx, q, latest[version.ID].ID)
			if err != nil {
				return fmt.Errorf("reading the release of %s: %w", version.Slug, err)
			}
			if rows, err = versionRows(item.Slug, content.Name, items); err != nil {
				return err
			}
		}
		if err := queries.SearchRowReplace(ctx, q, version.ID, rows); err != nil {
			return fmt.Errorf("indexing %s %s: %w", item.Slug, version.Slug, err)
		}
	}
	return nil
}

// versionRows are a version and its endpoints.
func versionRows(product, name string, items []models.LiveItem) ([]models.SearchRow, error) {
	version, operations, err := Assemble(items)
	if err != nil {
		return nil, err
	}
	ids := map[string]int64{}
	row := models.SearchRow{Kind: "version", Product: product}
	for _, item := range items {
		if item.Kind == "version" {
			row.ItemID, row.Version = item.ID, item.Slug
		}
		ids[item.Slug] = item.ID
	}
	row.Title, row.Breadcrumb, row.Body = name+" "+row.Version, name, version.Description
	row.URL = "/docs/" + product + "/" + row.Version
	rows := []models.SearchRow{row}
	for _, o := range operations {
		rows = append(rows, models.SearchRow{
			ItemID: ids[o.Slug], Kind: "endpoint", Product: product, Version: row.Version,
			Method: o.Method, Title: o.Name, Path: o.Path, URL: row.URL + "/" + o.Slug,
			Breadcrumb: row.Title + " / " + o.Category, Body: o.Purpose + "\n" + words(o),
		})
	}
	return rows, nil
}

// liveProduct returns a product and its public content.
func liveProduct(ctx context.Context, q db.Querier, id int64) (models.Item, Product, error) {
	var content Product
	item, err := queries.ItemGet(ctx, q, id)
	if err != nil {
		return item, content, fmt.Errorf("reading product %d: %w", id, err)
	}
	revision, err := queries.RevisionGet(ctx, q, item.LiveRevisionID)
	if err != nil {
		return item, content, fmt.Errorf("reading product %s: %w", item.Slug, err)
	}
	if err := json.Unmarshal(revision.Content, &content); err != nil {
		return item, content, fmt.Errorf("reading product %s: %w", item.Slug, err)
	}
	return item, content, nil
}

// words are the names within an operation that people look for: parameters,
// members of bodies, tags.
func words(o spec.Operation) string {
	var tree any
	if json.Unmarshal(o.Raw, &tree) != nil {
		return ""
	}
	seen := map[string]bool{}
	var found []string
	add := func(name string) {
		if name != "" && !seen[name] && !strings.HasPrefix(name, "$") {
			seen[name] = true
			found = append(found, name)
		}
	}
	var walk func(any)
	walk = func(node any) {
		switch node := node.(type) {
		case map[string]any:
			if name, ok := node["name"].(string); ok && node["in"] != nil {
				add(name)
			}
			if properties, ok := node["properties"].(map[string]any); ok {
				for name := range properties {
					add(name)
				}
			}
			for _, child := range node {
				walk(child)
			}
		case []any:
			for _, child := range node {
				walk(child)
			}
		}
	}
	walk(tree)
	slices.Sort(found)
	return strings.Join(found, " ")
}
