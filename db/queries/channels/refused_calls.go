package queries

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// RefusedCallFilter narrows the list of refused calls. Zero members ask for everything.
type RefusedCallFilter struct {
	OrganisationID int64
	Channel        string
	Code           int
	Text           string // in the path, the request id or the prefix of the key
	From, To       time.Time
	Before         int64 // the last one of the page before
	OldestFirst    bool
}

// RefusedCallList returns refused calls, the newest first unless the filter says
// otherwise.
func RefusedCallList(ctx context.Context, q db.Querier, f RefusedCallFilter, limit int) ([]models.RefusedCall, error) {
	follows := `(@before = 0 or r.id < @before) order by r.id desc`
	if f.OldestFirst {
		follows = `r.id > @before order by r.id`
	}
	return collect.ManyLax[models.RefusedCall](ctx, q, `
		select r.id, r.organisation_id, coalesce(o.name, '') as organisation, r.key_prefix, r.channel, r.method, r.path, r.status, r.code, r.request_id, r.repeats, r.at
		from refused_calls r left join organisations o on o.id = r.organisation_id
		where (@organisation = 0 or r.organisation_id = @organisation) and (@channel = '' or r.channel = @channel) and (@code = 0 or r.code = @code)
			and (@text = '' or strpos(lower(r.path), lower(@text)) > 0 or r.request_id = @text or r.key_prefix <> '' and (starts_with(@text, r.key_prefix) or starts_with(r.key_prefix, @text)))
			and (@from::timestamptz is null or r.at >= @from) and (@to::timestamptz is null or r.at < @to)
			and `+follows+` limit @limit`, pgx.NamedArgs{
		"organisation": f.OrganisationID, "channel": f.Channel, "code": f.Code, "text": f.Text,
		"from": collect.Null(f.From), "to": collect.Null(f.To), "before": f.Before, "limit": limit,
	})
}
