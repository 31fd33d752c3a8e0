package editorial

import (
	"context"
	"fmt"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/examples"
	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/db"
	"heliograph/db/queries"
)

// Mismatch returns why an example of an endpoint does not match its schema in a version,
// empty where all of them do.
func Mismatch(ctx context.Context, q db.Querier, versionID int64, op content.Endpoint) (string, error) {
	items, err := queries.HeadItemList(ctx, q, versionID, []string{content.KindVersion, content.KindSchema})
	if err != nil {
		return "", fmt.Errorf("reading the schemas of version %d: %w", versionID, err)
	}
	root, err := tree.Read(op.Raw)
	if err != nil {
		return "It cannot be read.", nil //nolint:nilerr // the form says why
	}
	found, _, err := examples.Check(items, content.KindEndpoint, op, outline.Operation(root, outline.Sources{Schema: func(string) *tree.Node { return nil }}))
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].Message, nil
}
