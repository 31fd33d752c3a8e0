package queries

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// sessionRow is the user of a session, and whether the session was last used
// more than a minute ago.
type sessionRow struct {
	models.User
	Stale bool
}

// SessionGet returns the user of a session and whether its last use is more than a
// minute ago, if nothing ended it: not revoked nor expired, used within
// idle, and begun under the user's present version while the user, and the
// organisation if there is one, is active.
func SessionGet(ctx context.Context, q db.Querier, s models.Session, idle time.Duration) (u models.User, stale bool, err error) {
	const alive = ` where s.id_hash = $1 and u.id = $2 and s.session_version = $3 and u.session_version = $3 and u.active
		  and s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - $4::interval`
	who := `
		select u.id, u.name, u.email, u.role, u.session_version, u.active,
			o.id as organisation_id, o.name as organisation, s.last_seen_at < now() - interval '1 minute' as stale
		from sessions s join organisation_users u on u.id = s.organisation_user_id
			join organisations o on o.id = u.organisation_id and o.status = 'active'` + alive
	if s.Surface == "admin" {
		who = `
		select u.id, u.name, u.email, u.role, u.session_version, u.active,
			s.last_seen_at < now() - interval '1 minute' as stale
		from sessions s join admin_users u on u.id = s.admin_user_id` + alive
	}
	row, err := collect.OneLax[sessionRow](ctx, q, who, s.IDHash, s.UserID, s.SessionVersion, idle)
	return row.User, row.Stale, err
}

// aliveRow is a session that nothing has ended.
type aliveRow struct {
	IDHash         []byte
	SessionVersion int
}

// SessionListAlive returns the versions of the sessions that nothing has
// ended, by the hash of their id; see SessionGet.
func SessionListAlive(ctx context.Context, q db.Querier, surface string, hashes [][]byte, idle time.Duration) (map[string]int, error) {
	const alive = ` where s.id_hash = any($1) and s.session_version = u.session_version and u.active
		  and s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - $2::interval`
	list := `
		select s.id_hash, s.session_version
		from sessions s join organisation_users u on u.id = s.organisation_user_id
			join organisations o on o.id = u.organisation_id and o.status = 'active'` + alive
	if surface == "admin" {
		list = `
		select s.id_hash, s.session_version
		from sessions s join admin_users u on u.id = s.admin_user_id` + alive
	}
	rows, err := collect.Many[aliveRow](ctx, q, list, hashes, idle)
	versions := make(map[string]int, len(rows))
	for _, row := range rows {
		versions[string(row.IDHash)] = row.SessionVersion
	}
	return versions, err
}

// SessionListOpen returns the sessions of a user that have not ended, the one
// used last first. Times of use are kept to the minute.
func SessionListOpen(ctx context.Context, q db.Querier, surface string, userID int64, idle time.Duration) ([]models.OpenSession, error) {
	return collect.Many[models.OpenSession](ctx, q, `
		select s.id_hash, s.user_agent, s.created_at as began_at, s.last_seen_at as seen_at
		from sessions s join `+Users(surface)+` u on u.id = s.`+SessionUser(surface)+` and u.session_version = s.session_version
		where u.id = $1 and s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - $2::interval
		order by s.last_seen_at desc, s.created_at desc`, userID, idle)
}

// SessionUser names the column that holds the user of a surface's sessions.
func SessionUser(surface string) string {
	if surface == "admin" {
		return "admin_user_id"
	}
	return "organisation_user_id"
}
