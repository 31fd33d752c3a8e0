package queries

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	"heliograph/db/queries/parts"
)

// A page of a log examines so many entries at most, so that a filter which
// hardly anything passes costs as little as any other. Entries that an index of
// other rows leads to cost more.
const (
	reach     = 5_000
	reachFar  = 1_000
	reachOnce = 2_000 // what is sorted by time rather than walked in its order
)

// MessageFilter narrows the log of an organisation's messages. Zero members
// ask for everything.
type MessageFilter struct {
	OrganisationID int64
	ID             uuid.UUID
	Recipient      string // a whole number or user id, or how it begins
	State, Channel string
	From, To       time.Time // accepted at or after, and before
	Before         uuid.UUID // the last message of the page before
	OldestFirst    bool
}

// LogPage is a part of a log, newest first unless its filter says otherwise.
type LogPage[Item, Position any] struct {
	Items []Item
	// Next is where the following page begins, if More is true. If the page is
	// not full, what came after Next was examined, and what went before was not.
	Next Position
	More bool
}

// MessageList returns up to size messages that pass the filter, without their
// payload.
func MessageList(ctx context.Context, q db.Querier, f MessageFilter, size int) (page LogPage[models.Message, uuid.UUID], err error) {
	args := f.args(size)
	way, err := f.way(ctx, q, args)
	if err != nil {
		return page, err
	}
	if f.Recipient == "" && f.State == "" && f.Channel == "" {
		way.reach = min(way.reach, size+1) // every entry passes
	}
	args["reach"] = way.reach
	page.Items, err = collect.ManyLax[models.Message](ctx, q, `
		select id, organisation_id, channel, recipient, kind, state, created_at from (`+ordered(way.rows, f.OldestFirst)+`) m
		where (@state = '' or state = @state or @state = 'failed' and state in `+parts.FailingStates+`) and (@channel = '' or channel = @channel) and starts_with(recipient, @recipient)
		`+ordered(`order by id desc`, f.OldestFirst)+` limit @limit`, args)
	if err != nil {
		return page, err
	}
	if len(page.Items) > size {
		page.Items = page.Items[:size]
		page.Next, page.More = page.Items[size-1].ID, true
		return page, nil
	}
	if way.keys == "" {
		return page, nil // everything was examined
	}
	var examined int
	err = q.QueryRow(ctx, `select id, count(*) over () from (`+ordered(way.keys, f.OldestFirst)+`) m order by id`+farthest(f.OldestFirst)+` limit 1`, args).Scan(&page.Next, &examined)
	if db.IsNoRows(err) {
		return page, nil
	}
	page.More = examined == way.reach
	return page, err
}

func (f MessageFilter) args(size int) pgx.NamedArgs {
	low, high := uuid.Nil, uuid.Max
	if !f.From.IsZero() {
		low = models.FirstMessageID(f.From)
	}
	if !f.To.IsZero() {
		high = models.FirstMessageID(f.To)
	}
	if after := nextID(f.Before); f.Before != uuid.Nil && f.OldestFirst && after.String() > low.String() {
		low = after
	}
	if f.Before != uuid.Nil && !f.OldestFirst && f.Before.String() < high.String() {
		high = f.Before
	}
	return pgx.NamedArgs{
		"organisation": f.OrganisationID, "id": f.ID, "recipient": f.Recipient, "state": f.State, "channel": f.Channel,
		"low": low, "high": high, "limit": size + 1, "few": reachOnce,
	}
}

// ordered returns a query that is written for the newest first in the order asked
// for.
func ordered(query string, oldestFirst bool) string {
	if oldestFirst {
		return strings.NewReplacer("by organisation_id,", "by organisation_id desc,", " desc", "").Replace(query)
	}
	return query
}

// farthest is the direction that puts the entry examined last first.
func farthest(oldestFirst bool) string {
	if oldestFirst {
		return " desc"
	}
	return ""
}

// nextID returns the id that follows an id.
func nextID(id uuid.UUID) uuid.UUID {
	for i := len(id) - 1; i >= 0; i-- {
		if id[i]++; id[i] != 0 {
			break
		}
	}
	return id
}

// way leads through the log by an index: rows are the newest messages within
// the bounds, keys their ids, both in order and reach of them at most. Without
// keys the rows are all there are.
type way struct {
	rows, keys string
	reach      int
}

// ownRows selects the rows of an organisation, to be sorted by organisation_id first.
// Told that there is one organisation, the database would leave it out of the order,
// read the newest rows of all organisations and throw the rows of others away.
const ownRows = `organisation_id = any(array[@organisation::bigint])`

const byTimeRows = `
	select * from messages
	where ` + ownRows + ` and id >= @low and id < @high
	order by organisation_id, id desc limit @reach`

const byNumberRows = `
	select * from messages
	where organisation_id = @organisation and recipient = @recipient and id >= @low and id < @high
	order by id desc limit @reach`

// beginsAlike bounds numbers and user ids that begin with the text asked for. Every
// collation puts digits before letters, and few ids have a z there.
const beginsAlike = `organisation_id = @organisation and recipient between @recipient and @recipient || 'zzzzzzzzzzzzzzzz'`

var (
	byTime    = way{byTimeRows, byTimeRows, reach}
	byNumber  = way{byNumberRows, byNumberRows, reach}
	byFailure = way{`
		select m.* from message_events e join messages m on m.id = e.message_id
		where e.state in ` + parts.FailingStates + ` and e.organisation_id = @organisation and e.message_id >= @low and e.message_id < @high
		order by e.message_id desc limit @reach`, `
		select message_id as id from message_events
		where state in ` + parts.FailingStates + ` and organisation_id = @organisation and message_id >= @low and message_id < @high
		order by message_id desc limit @reach`, reachFar}
	byID = way{rows: `select * from messages where id = @id and organisation_id = @organisation and id >= @low and id < @high`}
	// All that begin alike, sorted: a page of them may begin anywhere.
	byBeginning = way{rows: `
		select m.* from (select id from messages where ` + beginsAlike + ` limit @few) found join messages m using (id)
		where m.id >= @low and m.id < @high`}
)

// way chooses the shortest.
func (f MessageFilter) way(ctx context.Context, q db.Querier, args pgx.NamedArgs) (way, error) {
	switch {
	case f.ID != uuid.Nil:
		return byID, nil
	case strings.Contains(parts.FailingStates, "'"+f.State+"'"):
		return byFailure, nil
	case f.Recipient == "":
		return byTime, nil
	}
	var whole bool
	var begin int
	err := q.QueryRow(ctx, `
		select exists (select from messages where organisation_id = @organisation and recipient = @recipient),
		       (select count(*) from (select from messages where `+beginsAlike+` limit @few) m)`, args).Scan(&whole, &begin)
	switch {
	case whole:
		return byNumber, err
	case begin < reachOnce:
		return byBeginning, err
	}
	return byTime, err
}

// MessageGetLogged returns a message of an organisation with its history.
func MessageGetLogged(ctx context.Context, q db.Querier, organisationID int64, id uuid.UUID) (models.LoggedMessage, error) {
	var m models.LoggedMessage
	batch := &pgx.Batch{}
	batch.Queue(`
		select id, organisation_id, channel, `+MessageSender+`, recipient, kind, payload, reference, category, subject, parts, scheduled_at, state, provider_id, failure, created_at,
		       leg, legs, leg_at, request_id
		from messages where id = $1 and organisation_id = $2`, id, organisationID).
		Query(func(rows pgx.Rows) (err error) {
			m, err = pgx.CollectOneRow(rows, pgx.RowToStructByNameLax[models.LoggedMessage])
			return err
		})
	batch.Queue(`
		select e.state, e.occurred_at, e.failure, e.leg
		from (
			select message_id, state, occurred_at, recorded_at, failure, 1 as leg from message_events where message_id = $1
			union all select message_id, state, occurred_at, recorded_at, failure, leg from leg_events where message_id = $1
		) e join messages m on m.id = e.message_id
		where m.organisation_id = $2 order by e.leg, e.occurred_at, e.recorded_at`, id, organisationID).
		Query(func(rows pgx.Rows) (err error) {
			m.Events, err = pgx.CollectRows(rows, pgx.RowToStructByName[models.MessageEvent])
			return err
		})
	return m, q.SendBatch(ctx, batch).Close()
}
