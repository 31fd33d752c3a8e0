package itemform

import (
	"context"
	"strconv"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/web/documentation/desk"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/views/ui"
)

// usage holds the parts of a version and the schemas that they refer to.
type usage struct {
	parts []models.SchemaUse
	byRef map[string][]int // schema → places of the parts that refer to it
}

// readUsage reads what the parts of a version refer to.
func readUsage(ctx context.Context, store db.Querier, versionID int64) (u usage, err error) {
	u.byRef = map[string][]int{}
	u.parts, err = queries.SchemaUseList(ctx, store, versionID)
	for i, part := range u.parts {
		for _, name := range part.Refers {
			name = tree.Tokens("/" + tree.Unescape(name))[0]
			u.byRef[name] = append(u.byRef[name], i)
		}
	}
	return u, err
}

// schema returns the item of a schema, zero for an unknown one.
func (u usage) schema(name string) int64 {
	for _, part := range u.parts {
		if part.Kind == content.KindSchema && part.Name == name {
			return part.ID
		}
	}
	return 0
}

// endpoints lists the endpoints and callbacks that use a schema, through other
// schemas too.
func (u usage) endpoints(name string) (list []models.SchemaUse) {
	seen := make([]bool, len(u.parts))
	open := []string{name}
	for len(open) > 0 {
		next := open[0]
		open = open[1:]
		for _, i := range u.byRef[next] {
			if seen[i] {
				continue
			}
			seen[i] = true
			if u.parts[i].Kind == content.KindSchema {
				open = append(open, u.parts[i].Name)
			}
		}
	}
	for i, part := range u.parts {
		if seen[i] && part.Kind != content.KindSchema {
			list = append(list, part)
		}
	}
	return list
}

// mostLinks is the number of pages that link to an item which are named.
const mostLinks = 10

// LinksTo lists what needs an item: the endpoints that use a schema, and the texts
// that link to the page of another item.
func LinksTo(ctx context.Context, store db.Querier, e desk.Editing) (facts []ui.Pair, err error) {
	users, err := UsersOf(ctx, store, e)
	if err != nil {
		return nil, err
	}
	d := desk.Draft{Editing: e, Items: map[int64]models.EditItem{}}
	for _, id := range []int64{e.Product.ID, e.Item.ParentID, e.Item.ID} {
		if id == 0 {
			continue
		}
		item, err := queries.ItemGet(ctx, store, id)
		if err != nil {
			return nil, err
		}
		d.Items[id] = models.EditItem{Item: item}
	}
	var pages []models.LinkingItem
	if e.Item.Kind != content.KindCategory { // which has no page
		path := d.ReaderPath(models.Change{Item: e.Item, Content: e.Head.Content})
		if pages, err = queries.LinkingItemList(ctx, store, e.Product.ID, e.Item.ID, path); err != nil {
			return nil, err
		}
	}
	if len(users) > 0 {
		facts = append(facts, ui.Pair{Key: "Still used", Value: "Used by " + ui.Counted(len(users), "endpoint", "endpoints")})
	}
	var names []string
	for n, p := range pages {
		if n == mostLinks {
			names = append(names, "…")
			break
		}
		names = append(names, p.Name)
	}
	switch len(pages) {
	case 0:
	case 1:
		facts = append(facts, ui.Pair{Key: "1 page links here", Value: names[0], Href: desk.ItemPath(e.Product.ID, pages[0].ID)})
	default:
		facts = append(facts, ui.Pair{Key: strconv.Itoa(len(pages)) + " pages link here", Value: strings.Join(names, ", ")})
	}
	return facts, nil
}
