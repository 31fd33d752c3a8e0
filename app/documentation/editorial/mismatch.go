package editorial

import (
	"context"
	"fmt"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/examples"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
)

// Mismatch is an example that does not match its schema.
type Mismatch struct {
	Message string
	Field   string // the field of the form with the example, empty where none is known
}

// FindMismatch returns the first example of an endpoint that does not match its schema in
// a version, the zero value where all of them do.
func FindMismatch(ctx context.Context, q db.Querier, versionID int64, op content.Endpoint) (Mismatch, error) {
	items, err := queries.HeadItemList(ctx, q, versionID, []string{content.KindVersion, content.KindSchema})
	if err != nil {
		return Mismatch{}, fmt.Errorf("reading the schemas of version %d: %w", versionID, err)
	}
	root, err := tree.Read(op.Raw)
	if err != nil {
		return Mismatch{Message: "It cannot be read."}, nil //nolint:nilerr // the form says why
	}
	found, _, err := examples.Check(items, content.KindEndpoint, op, outline.Operation(root, outline.Sources{Schema: func(string) *tree.Node { return nil }}))
	if err != nil || len(found) == 0 {
		return Mismatch{}, err
	}
	return Mismatch{found[0].Message, found[0].Input.Name}, nil
}
