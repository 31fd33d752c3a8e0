package newitem

import (
	"context"
	"maps"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
)

// beginnings holds what the form of a new item begins with.
var beginnings = map[string]map[string]string{
	content.KindProduct:  {"homepage": "true"},
	content.KindVersion:  {"label": content.Beta},
	content.KindEndpoint: {"method": "GET"},
	content.KindCallback: {"method": "POST", "raw": "{\n  \"responses\": {\n    \"200\": {\"description\": \"Received\"}\n  }\n}"},
	content.KindSchema:   {"raw": "{\n  \"type\": \"object\"\n}"},
}

// firstFrame is what the first version of a product begins with: a key in a header,
// and the errors that most APIs answer.
const firstFrame = `{"openapi":"3.1.0","info":{"title":"API","version":"1.0"},"security":[{"apiKey":[]}],"components":{
"securitySchemes":{"apiKey":{"type":"apiKey","in":"header","name":"apikey","description":"The key of your organisation."}},
"responses":{"BadRequest":{"description":"The request is invalid."},"Unauthorized":{"description":"The key is missing or invalid."},"NotFound":{"description":"The resource does not exist."},"ServerError":{"description":"The server failed."}}}}`

// usualErrors are the statuses of shared responses, by names that APIs give them.
var usualErrors = map[string]string{
	"badrequest": "400", "unauthorized": "401", "forbidden": "403", "notfound": "404", "conflict": "409", "toomanyrequests": "429", "servererror": "500", "internalservererror": "500",
}

// beginningOf is what the form of a new item begins with. A version continues the latest
// one of its product. An endpoint has the errors that its version shares.
func beginningOf(ctx context.Context, store db.Querier, e desk.Editing) (values map[string]string, err error) {
	if values = maps.Clone(beginnings[e.Item.Kind]); values == nil {
		values = map[string]string{}
	}
	switch e.Item.Kind {
	case content.KindVersion:
		values["frame"], err = nextFrame(ctx, store, e)
	case content.KindEndpoint:
		values["raw"] = firstOperation(itemform.SourcesOf(ctx, store, e).Responses)
	}
	return values, err
}

// nextFrame is the frame of a new version.
func nextFrame(ctx context.Context, store db.Querier, e desk.Editing) (string, error) {
	items, err := queries.EditItemList(ctx, store, e.Product.ID)
	if err != nil {
		return "", err
	}
	var slug string
	var head int64
	for _, i := range items {
		if i.Kind == content.KindVersion && i.Head() != 0 && !i.Trashed && (slug == "" || content.CompareVersions(i.Slug, slug) > 0) {
			slug, head = i.Slug, i.Head()
		}
	}
	frame, err := tree.Read([]byte(firstFrame))
	if err != nil {
		return "", err
	}
	frame.Get("info").Set("title", tree.String(e.Title+" API"))
	if latest, err := desk.Revision(ctx, store, head); err != nil {
		return "", err
	} else if raw, err := desk.FieldOf(latest.Content, "frame"); head != 0 && err == nil {
		if before, err := tree.Read(raw); err == nil && before.Is(tree.KindObject) {
			frame = before.Without("paths", "webhooks", "tags")
		}
	}
	return frame.Pretty(), nil
}

// firstOperation is the operation of a new endpoint of a version with shared responses.
func firstOperation(shared []string) string {
	media := tree.Object(tree.Member{Key: "application/json", Value: tree.Object(tree.Member{Key: "schema", Value: tree.Object(tree.Member{Key: "type", Value: tree.String("object")})})})
	responses := tree.Object(tree.Member{Key: "200", Value: tree.Object(tree.Member{Key: "description", Value: tree.String("The call succeeded.")}, tree.Member{Key: "content", Value: media})})
	statuses := map[string]string{}
	for _, name := range shared {
		if status := usualErrors[strings.ToLower(name)]; status != "" && statuses[status] == "" {
			statuses[status] = name
		}
	}
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		responses.Append(status, tree.Object(tree.Member{Key: "$ref", Value: tree.String("#/components/responses/" + tree.Escape(statuses[status]))}))
	}
	return tree.Object(tree.Member{Key: "responses", Value: responses}).Pretty()
}
