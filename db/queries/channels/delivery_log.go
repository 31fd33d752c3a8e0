package queries

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// DeliveryFilter narrows the log of an organisation's callbacks. Zero members
// ask for everything.
type DeliveryFilter struct {
	OrganisationID int64
	Subject        string // of the webhook: the id of a phone number, a bot or an organisation
	State, Event   string
	From, To       time.Time               // stored at or after, and before
	Before         models.DeliveryPosition // the last delivery of the page before
	Replay         int64                   // a replay's own
	OldestFirst    bool
}

const loggedDelivery = `
	select d.id, w.channel, w.subject, d.message_id, d.event, d.state, d.attempts, d.next_attempt_at as next_at, d.created_at, d.finished_at,
		coalesce(a.status, 0) as last_status, coalesce(a.error, '') as last_error
	from (%s) d
	join webhooks w on w.id = d.webhook_id
	left join lateral (select status, error from delivery_attempts where delivery_id = d.id order by number desc limit 1) a on true `

// DeliveryList returns up to size callbacks that pass the filter.
func DeliveryList(ctx context.Context, q db.Querier, f DeliveryFilter, size int) (page LogPage[models.LoggedDelivery, models.DeliveryPosition], err error) {
	args := f.args(size)
	source := `
		select * from deliveries
		where organisation_id = @organisation and created_at >= @from and created_at < @to and (created_at, id) ` + after(f.OldestFirst) + ` (@at, @id)`
	switch { // both have an index of their own
	case f.Replay != 0:
		source += ` and replay_id = @replay`
	case f.State == "failed":
		source += ` and state = 'failed'`
	}
	source = ordered(source+` order by created_at desc, id desc limit @reach`, f.OldestFirst)
	order := ordered(` order by d.created_at desc, d.id desc`, f.OldestFirst)
	page.Items, err = collect.Many[models.LoggedDelivery](ctx, q, fmt.Sprintf(loggedDelivery, `
		select d.* from (`+source+`) d join webhooks w on w.id = d.webhook_id
		where (@state = '' or state = @state) and (@event = '' or event = @event) and (@subject = '' or w.subject = @subject)
		`+order+` limit @limit`)+order, args)
	if err != nil {
		return page, err
	}
	if len(page.Items) > size {
		page.Items = page.Items[:size]
		last := page.Items[size-1]
		page.Next, page.More = models.DeliveryPosition{At: last.CreatedAt, ID: last.ID}, true
		return page, nil
	}
	var examined int
	err = q.QueryRow(ctx, `
		select created_at, id, count(*) over () from (select created_at, id from (`+source+`) d) d
		order by created_at`+farthest(f.OldestFirst)+`, id`+farthest(f.OldestFirst)+` limit 1`, args).
		Scan(&page.Next.At, &page.Next.ID, &examined)
	if db.IsNoRows(err) {
		return page, nil
	}
	page.More = examined == reach
	return page, err
}

func (f DeliveryFilter) args(size int) pgx.NamedArgs {
	to, at := f.To, f.Before.At
	if to.IsZero() {
		to = farFuture
	}
	if at.IsZero() && !f.OldestFirst {
		at = farFuture
	}
	return pgx.NamedArgs{
		"organisation": f.OrganisationID, "subject": f.Subject, "state": f.State, "event": f.Event, "replay": f.Replay,
		"from": f.From, "to": to, "at": at, "id": f.Before.ID, "limit": size + 1, "reach": reach,
	}
}

// after compares an entry with the last one of the page before.
func after(oldestFirst bool) string {
	if oldestFirst {
		return ">"
	}
	return "<"
}

var farFuture = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// DeliveryListOfMessage returns the callbacks about a message, oldest first.
func DeliveryListOfMessage(ctx context.Context, q db.Querier, organisationID int64, messageID uuid.UUID) ([]models.LoggedDelivery, error) {
	return collect.Many[models.LoggedDelivery](ctx, q,
		fmt.Sprintf(loggedDelivery, `select * from deliveries where message_id = $1 and organisation_id = $2 and id > (select deliveries_after(id_made($1)))`)+` order by d.created_at, d.id`, messageID, organisationID)
}

// DeliveryGetLogged returns a callback of an organisation, what was posted and
// every attempt at it.
func DeliveryGetLogged(ctx context.Context, q db.Querier, organisationID, id int64) (d models.LoggedDelivery, body []byte, attempts []models.Attempt, err error) {
	batch := &pgx.Batch{}
	batch.Queue(fmt.Sprintf(loggedDelivery, `select * from deliveries where id = $1 and organisation_id = $2`), id, organisationID).
		Query(func(rows pgx.Rows) (err error) {
			d, err = pgx.CollectOneRow(rows, pgx.RowToStructByName[models.LoggedDelivery])
			return err
		})
	batch.Queue(`select body from deliveries where id = $1 and organisation_id = $2`, id, organisationID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&body) })
	batch.Queue(`
		select a.delivery_id, a.number, a.started_at, a.latency_ms * interval '1 millisecond' as latency, a.url, a.headers,
		       coalesce(a.status, 0) as status, a.error, a.response
		from delivery_attempts a join deliveries d on d.id = a.delivery_id
		where a.delivery_id = $1 and d.organisation_id = $2 order by a.number desc`, id, organisationID).
		Query(func(rows pgx.Rows) (err error) {
			attempts, err = pgx.CollectRows(rows, pgx.RowToStructByName[models.Attempt])
			return err
		})
	return d, body, attempts, q.SendBatch(ctx, batch).Close()
}

// AttemptGetLastFailed returns the last attempt at the newest callback of a
// webhook that was tried and not delivered, as far as it is among the newest
// thousands.
func AttemptGetLastFailed(ctx context.Context, q db.Querier, webhookID int64) (models.Attempt, error) {
	return collect.OneLax[models.Attempt](ctx, q, `
		select a.delivery_id, coalesce(a.status, 0) as status, a.error
		from (select id, state, attempts from deliveries where webhook_id = $1 order by created_at desc limit $2) d
		join delivery_attempts a on a.delivery_id = d.id
		where d.state <> 'delivered' and d.attempts > 0 and a.error <> ''
		order by a.started_at desc limit 1`, webhookID, reach)
}
