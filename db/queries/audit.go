package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
)

// AuditHeadGet returns the newest link of the chain.
func AuditHeadGet(ctx context.Context, q db.Querier) (models.AuditHead, error) {
	var h models.AuditHead
	err := q.QueryRow(ctx, `select seq, hash from audit_head`).Scan(&h.Seq, &h.Hash)
	return h, err
}

// AuditHeadLock returns the newest link and keeps other writers waiting until
// the transaction ends.
func AuditHeadLock(ctx context.Context, q db.Querier) (models.AuditHead, error) {
	var h models.AuditHead
	err := q.QueryRow(ctx, `select seq, hash from audit_head for update`).Scan(&h.Seq, &h.Hash)
	return h, err
}

// AuditEntryInsert appends a link and makes it the head, in one round trip.
func AuditEntryInsert(ctx context.Context, q db.Querier, e models.AuditEntry) error {
	_, err := q.Exec(ctx, `
		with entry as (
			insert into audit_entries (seq, prev, hash, canonical, at, actor, action, target, details)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning seq, hash
		)
		update audit_head set seq = entry.seq, hash = entry.hash from entry`,
		e.Seq, e.Prev, e.Hash, e.Canonical, e.At, e.Actor, e.Action, e.Target, e.Details)
	return err
}

// AuditEntryEach calls fn for every link up to seq in order, one at a time,
// until fn returns an error.
func AuditEntryEach(ctx context.Context, q db.Querier, seq int64, fn func(models.AuditEntry) error) error {
	rows, err := q.Query(ctx, `
		select seq, prev, hash, canonical, at, actor, action, target, details
		from audit_entries where seq <= $1 order by seq`, seq)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var e models.AuditEntry
		if err := rows.Scan(&e.Seq, &e.Prev, &e.Hash, &e.Canonical, &e.At, &e.Actor, &e.Action, &e.Target, &e.Details); err != nil {
			return err
		}
		if err := fn(e); err != nil {
			return err
		}
	}
	return rows.Err()
}
