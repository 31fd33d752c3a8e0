package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	queries "heliograph/db/queries/people"
)

// SessionInsert stores a session.
func SessionInsert(ctx context.Context, q db.Querier, s models.Session) error {
	return collect.Execute(ctx, q, `
		insert into sessions (id_hash, surface, admin_user_id, organisation_user_id, session_version, user_agent, expires_at)
		values ($1, $2::text, case when $2 = 'admin' then $3::bigint end, case when $2 = 'account' then $3::bigint end, $4, left($5, 400), $6)`,
		s.IDHash, s.Surface, s.UserID, s.SessionVersion, s.UserAgent, s.ExpiresAt)
}

// SessionUpdateSeen notes that a session is in use.
func SessionUpdateSeen(ctx context.Context, q db.Querier, idHash []byte) error {
	return collect.Execute(ctx, q, `update sessions set last_seen_at = now() where id_hash = $1`, idHash)
}

// SessionUpdateRevoked ends a session.
func SessionUpdateRevoked(ctx context.Context, q db.Querier, idHash []byte) error {
	return collect.Execute(ctx, q, `update sessions set revoked_at = now() where id_hash = $1 and revoked_at is null`, idHash)
}

// SessionDelete drops sessions that ended more than a week ago and returns how
// many.
func SessionDelete(ctx context.Context, q db.Querier) (int64, error) {
	return collect.Count(ctx, q, `delete from sessions where least(expires_at, revoked_at) < now() - interval '7 days'`)
}

// SessionUpdateRevokedOf ends a session of a user and reports whether there was
// one.
func SessionUpdateRevokedOf(ctx context.Context, q db.Querier, s models.Session) (bool, error) {
	return collect.Changed(ctx, q, `update sessions set revoked_at = now() where id_hash = $1 and `+queries.SessionUser(s.Surface)+` = $2 and revoked_at is null`, s.IDHash, s.UserID)
}

// SessionUpdateRevokedOthers ends every session of a user but one, or every one
// where none is named, and returns how many were open.
func SessionUpdateRevokedOthers(ctx context.Context, q db.Querier, s models.Session) (int64, error) {
	return collect.Count(ctx, q, `
		update sessions set revoked_at = now()
		where id_hash is distinct from $1 and `+queries.SessionUser(s.Surface)+` = $2 and revoked_at is null and expires_at > now()`, s.IDHash, s.UserID)
}
