package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// FetchWindows is how long after a fetch it counts for further messages.
type FetchWindows struct {
	File    time.Duration // if there is a file
	Problem time.Duration // if it cannot be sent
}

// FetchedLinkFind returns the last fetch of a link of an organisation that counts for
// a message accepted at a time.
func FetchedLinkFind(ctx context.Context, q db.Querier, organisationID int64, link []byte, accepted time.Time, w FetchWindows) (models.FetchedLink, error) {
	return collect.One[models.FetchedLink](ctx, q, `
		select problem, fetched_at from fetched_links
		where organisation_id = $1 and link = $2 and $3::timestamptz < fetched_at + case when problem = '' then $4::interval else $5::interval end`,
		organisationID, link, accepted, w.File, w.Problem)
}
