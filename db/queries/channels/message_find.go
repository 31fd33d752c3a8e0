package queries

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// MessageSearch is what an administrator looks for in the messages of all
// organisations. Zero fields find nothing.
type MessageSearch struct {
	ID        uuid.UUID
	Recipient string // a whole number, digits only, or a user id
	Reference string // the partner's own
	// RequestID is of the HTTP request or, for SMS, of the submission. It began at
	// RequestAt.
	RequestID string
	RequestAt time.Time
	Limit     int
}

// acceptedWithin is how long after its start a request may store its messages to be
// found by its id.
const acceptedWithin = time.Minute

// MessageFind returns the newest messages that have the id, the recipient, the
// reference or the id of the request, with the name of their organisation. It looks
// the recipient up in each organisation, where the log has the index, and the messages of a
// request among the ones of its minute.
func MessageFind(ctx context.Context, q db.Querier, s MessageSearch) ([]models.FoundMessage, error) {
	return collect.ManyLax[models.FoundMessage](ctx, q, `
		select distinct on (m.id) m.id, m.organisation_id, o.name as organisation, m.channel, m.recipient, m.kind, m.state, m.reference, m.created_at
		from (
			(select * from messages where id = $1)
			union all
			(select found.* from organisations o cross join lateral (
				select * from messages where organisation_id = o.id and recipient = $2 order by id desc limit $4) found where $2 <> '')
			union all
			(select * from messages where reference = $3 and reference <> '' order by id desc limit $4)
			union all
			(select * from messages where $5 <> '' and id >= $6 and id < $7 and (request_id = $5 or channel = 'sms' and payload->>'req_id' = $5)
				order by id desc limit $4)
		) m join organisations o on o.id = m.organisation_id
		order by m.id desc limit $4`, s.ID, s.Recipient, s.Reference, s.Limit,
		s.RequestID, models.FirstMessageID(s.RequestAt.Add(-time.Second)), models.FirstMessageID(s.RequestAt.Add(acceptedWithin)))
}

// MessageGetOwner returns the organisation of a message.
func MessageGetOwner(ctx context.Context, q db.Querier, id uuid.UUID) (organisationID int64, err error) {
	return collect.Value[int64](ctx, q, `select organisation_id from messages where id = $1`, id)
}
