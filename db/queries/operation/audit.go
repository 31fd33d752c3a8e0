package queries

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// AuditHeadGet returns the newest link of the chain.
func AuditHeadGet(ctx context.Context, q db.Querier) (models.AuditHead, error) {
	return collect.One[models.AuditHead](ctx, q, `select seq, hash from audit_head`)
}

// AuditLockLimit ends every later wait for a lock in the transaction, or in its
// savepoint if that is rolled back, with an error after a time.
func AuditLockLimit(ctx context.Context, q db.Querier, wait time.Duration) error {
	return collect.Execute(ctx, q, `select set_config('lock_timeout', $1::text, true)`, fmt.Sprintf("%dms", wait.Milliseconds()))
}

// AuditEntryBeyond returns the lowest sequence number behind the head, or zero.
func AuditEntryBeyond(ctx context.Context, q db.Querier) (seq int64, err error) {
	return collect.Value[int64](ctx, q, `select coalesce(min(seq), 0) from audit_entries where seq > (select seq from audit_head)`)
}

// AuditEntryEach calls fn for every link after one sequence number and up to
// another in order, one at a time, until fn returns an error.
func AuditEntryEach(ctx context.Context, q db.Querier, after, to int64, fn func(models.AuditEntry) error) error {
	return auditEntries(ctx, q, fn, `select `+auditColumns+` from audit_entries where seq > $1 and seq <= $2 order by seq`, after, to)
}

// AuditEntryHash returns the hash of a link.
func AuditEntryHash(ctx context.Context, q db.Querier, seq int64) (hash []byte, err error) {
	return collect.Value[[]byte](ctx, q, `select hash from audit_entries where seq = $1`, seq)
}

// AuditEntryFind calls fn for every link that the filter picks, the newest
// first, until fn returns an error.
func AuditEntryFind(ctx context.Context, q db.Querier, f models.AuditFilter, fn func(models.AuditEntry) error) error {
	follows, order := `seq < $6`, ` order by seq desc limit nullif($7, 0)`
	if f.OldestFirst {
		follows, order = `seq > $6`, ` order by seq limit nullif($7, 0)`
	}
	return auditEntries(ctx, q, fn, `
		select `+auditColumns+` from audit_entries
		where ($1 = '' or actor = any(array(
				select $1 union all select 'admin:' || id from admin_users where email = lower($1)
				union all select 'user:' || id from organisation_users where email = lower($1))))
			and ($2 = '' or action = $2 or starts_with(action, $2 || '.'))
			and ($3 = '' or target = $3 or starts_with(target, $3 || ':'))
			and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)
			and ($6 = 0 or `+follows+`)`+order,
		f.Actor, f.Action, f.Target, collect.Null(f.From), collect.Null(f.To), f.After, f.Limit)
}

const auditColumns = `seq, prev, hash, canonical, at, actor, action, target, details`

func auditEntries(ctx context.Context, q db.Querier, fn func(models.AuditEntry) error, sql string, args ...any) error {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		e, err := pgx.RowToStructByName[models.AuditEntry](rows)
		if err != nil {
			return err
		}
		if err := fn(e); err != nil {
			return err
		}
	}
	return rows.Err()
}

// AuditNameList returns the names behind what entries say, such as admin:1,
// of administrators, organisations and their users. What has no name is left
// out.
func AuditNameList(ctx context.Context, q db.Querier, nouns []string) (map[string]string, error) {
	return collect.Map[string, string](ctx, q, `
		with noun as (select n, split_part(n, ':', 1) kind, split_part(n, ':', 2)::bigint id from unnest($1::text[]) n where n ~ '^[a-z]+:[0-9]{1,18}$')
		select n, a.email from noun join admin_users a on kind = 'admin' and a.id = noun.id
		union select n, u.email from noun join organisation_users u on kind = 'user' and u.id = noun.id
		union select n, o.name from noun join organisations o on kind = 'organisation' and o.id = noun.id`, nouns)
}

// auditCheckRow is a row of audit_checks.
type auditCheckRow struct {
	models.AuditCheck
	models.AuditHead
}

// AuditCheckGet returns what was found last. No row comes back before the
// first reading.
func AuditCheckGet(ctx context.Context, q db.Querier) (models.AuditCheck, error) {
	row, err := collect.OneLax[auditCheckRow](ctx, q, `select at, seq, hash, broken_seq, reason from audit_checks order by at desc limit 1`)
	row.Head = row.AuditHead
	return row.AuditCheck, err
}

// AuditAnchorGet returns what was anchored last. No row comes back before the
// first time.
func AuditAnchorGet(ctx context.Context, q db.Querier) (models.AuditAnchor, error) {
	return collect.One[models.AuditAnchor](ctx, q, `select at, seq, key, retained from audit_anchors order by at desc limit 1`)
}
