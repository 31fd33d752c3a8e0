package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AuditHeadLock returns the newest link and keeps other writers waiting until
// the transaction ends. last is the highest sequence number, which belongs to
// the head unless rows were added beside the chain.
func AuditHeadLock(ctx context.Context, q db.Querier) (head models.AuditHead, last int64, err error) {
	err = q.QueryRow(ctx, `
		select seq, hash, greatest(seq, (select coalesce(max(seq), 0) from audit_entries)) from audit_head for update`).Scan(&head.Seq, &head.Hash, &last)
	return head, last, err
}

// AuditWaitingInsert stores an entry that could not be appended.
func AuditWaitingInsert(ctx context.Context, q db.Querier, e models.AuditWaiting) error {
	return collect.Execute(ctx, q, `insert into audit_waiting (at, actor, action, target, details) values ($1, $2, $3, $4, $5)`, e.At, e.Actor, e.Action, e.Target, e.Details)
}

// AuditWaitingTake removes the oldest entries that wait and returns them in
// order. Other callers skip them until the transaction ends.
func AuditWaitingTake(ctx context.Context, q db.Querier, limit int) ([]models.AuditWaiting, error) {
	return collect.Many[models.AuditWaiting](ctx, q, `
		with taken as (
			delete from audit_waiting where id in (select id from audit_waiting order by id limit $1 for update skip locked)
			returning id, at, actor, action, target, details
		)
		select at, actor, action, target, details from taken order by id`, limit)
}

// AuditEntryInsert appends a link and makes it the head, in one round trip.
func AuditEntryInsert(ctx context.Context, q db.Querier, e models.AuditEntry) error {
	return collect.Execute(ctx, q, `
		with entry as (
			insert into audit_entries (seq, prev, hash, canonical, at, actor, action, target, details)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning seq, hash
		)
		update audit_head set seq = entry.seq, hash = entry.hash from entry`,
		e.Seq, e.Prev, e.Hash, e.Canonical, e.At, e.Actor, e.Action, e.Target, e.Details)
}

// AuditCheckInsert stores what a reading of the chain found.
func AuditCheckInsert(ctx context.Context, q db.Querier, c models.AuditCheck) error {
	return collect.Execute(ctx, q, `insert into audit_checks (seq, hash, broken_seq, reason) values ($1, $2, $3, $4)`, c.Head.Seq, c.Head.Hash, c.BrokenSeq, c.Reason)
}

// AuditAnchorInsert notes that a head was anchored. One more within a second
// takes the place of the first.
func AuditAnchorInsert(ctx context.Context, q db.Querier, a models.AuditAnchor) error {
	return collect.Execute(ctx, q, `
		insert into audit_anchors (at, seq, key, retained) values ($1, $2, $3, $4)
		on conflict (at) do update set seq = excluded.seq, key = excluded.key, retained = excluded.retained`, a.At, a.Seq, a.Key, a.Retained)
}
