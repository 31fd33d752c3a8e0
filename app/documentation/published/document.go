package published

import (
	"context"
	"encoding/json"
	"fmt"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db/models"
)

// Document puts the API description of the version together from its items. It
// is made for each call. [IsBroken] holds of the error when it cannot be put
// together.
func (v *Version) Document(ctx context.Context) (*openapi.Assembly, error) {
	p, err := v.parts(ctx)
	if err != nil {
		return nil, err
	}
	a, err := openapi.Assemble(p)
	if err != nil {
		return nil, v.broken(ctx, "document", err)
	}
	return a, nil
}

// Compile compiles all operations of the version at once. It is made for each
// call: use [Version.Endpoint] for single ones. [IsBroken] holds of the error
// when the version cannot be compiled.
func (v *Version) Compile(ctx context.Context) (api *model.API, err error) {
	p, err := v.parts(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("compiling it panicked: %v", r)
		}
		if err != nil {
			err = v.broken(ctx, "document", err)
		}
	}()
	return model.Compile(p)
}

// parts reads the items of the version, with one statement for those that are
// not in memory.
func (v *Version) parts(ctx context.Context) (openapi.Parts, error) {
	items := v.base.items
	if !v.base.whole {
		items = items[:len(items):len(items)]
		for _, op := range v.Endpoints() {
			items = append(items, models.PublishedItem{ID: op.item, RevisionID: op.revision, Kind: content.KindEndpoint, Slug: op.Slug})
		}
	}
	var missing []int64
	list := make([]models.LiveItem, len(items))
	for i, item := range items {
		list[i] = models.LiveItem{ID: item.ID, Kind: item.Kind, Slug: item.Slug}
		if held, ok := v.shelf.peek(contentKey(item.RevisionID)).(json.RawMessage); ok {
			list[i].Content = held
		} else {
			missing = append(missing, item.RevisionID)
		}
	}
	read, err := v.shelf.contents(ctx, missing)
	if err != nil {
		return openapi.Parts{}, err
	}
	for i, item := range items {
		if list[i].Content == nil {
			list[i].Content = read[item.RevisionID]
		}
	}
	_, p, err := Assemble(list)
	if err != nil {
		return p, v.broken(ctx, "document", err)
	}
	if err := v.rebase(&p); err != nil {
		return p, v.broken(ctx, "document", err)
	}
	return p, nil
}
