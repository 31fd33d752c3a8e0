package queries

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
)

const sdkBuildColumns = `release_id, language, state, sdk_version, object, sha256, size, error, preview, requested_at, ended_at`

// SDKBuildRequest asks for a build, and reports whether a job has to be inserted:
// nobody has asked yet, or again is set and the build has failed, or it was asked for
// so long ago that its job is gone.
func SDKBuildRequest(ctx context.Context, q db.Querier, releaseID int64, language string, again bool, lost time.Time) (insert bool, err error) {
	tag, err := q.Exec(ctx, `
		insert into sdk_builds (release_id, language) values ($1, $2)
		on conflict (release_id, language) do update set state = 'waiting', error = '', requested_at = now(), ended_at = null
		where $3 and sdk_builds.state = 'failed' or sdk_builds.state = 'waiting' and sdk_builds.requested_at < $4`, releaseID, language, again, lost)
	return tag.RowsAffected() > 0, err
}

// SDKBuildReset lets a build wait again that ended with an object, which is gone from the
// storage. It reports whether a job has to be inserted.
func SDKBuildReset(ctx context.Context, q db.Querier, releaseID int64, language, object string) (insert bool, err error) {
	tag, err := q.Exec(ctx, `
		update sdk_builds set state = 'waiting', object = '', sha256 = '', size = 0, requested_at = now(), ended_at = null
		where release_id = $1 and language = $2 and state = 'built' and object = $3`, releaseID, language, object)
	return tag.RowsAffected() > 0, err
}

// SDKBuildGet returns a build.
func SDKBuildGet(ctx context.Context, q db.Querier, releaseID int64, language string) (models.SDKBuild, error) {
	return one[models.SDKBuild](ctx, q, `select `+sdkBuildColumns+` from sdk_builds where release_id = $1 and language = $2`, releaseID, language)
}

// SDKBuildLock returns a build that waits and keeps others from building it until the
// transaction ends. It returns pgx.ErrNoRows where the build ended, or is locked.
func SDKBuildLock(ctx context.Context, q db.Querier, releaseID int64, language string) (models.SDKBuild, error) {
	return one[models.SDKBuild](ctx, q, `
		select `+sdkBuildColumns+` from sdk_builds where release_id = $1 and language = $2 and state = 'waiting' for update skip locked`, releaseID, language)
}

// SDKBuildUpdate stores how a build ended. calls has the code that calls each operation.
func SDKBuildUpdate(ctx context.Context, q db.Querier, b models.SDKBuild, calls map[string]string) error {
	_, err := q.Exec(ctx, `
		update sdk_builds set state = $3, sdk_version = $4, object = $5, sha256 = $6, size = $7, error = $8, preview = $9, calls = $10, ended_at = now()
		where release_id = $1 and language = $2`, b.ReleaseID, b.Language, b.State, b.SDKVersion, b.Object, b.SHA256, b.Size, b.Error, b.Preview, calls)
	return err
}

// SDKCallListByRelease returns the code that calls an operation, by the languages that
// are built, with the version of each library.
func SDKCallListByRelease(ctx context.Context, q db.Querier, releaseID int64, slug string) ([]models.SDKCall, error) {
	return many[models.SDKCall](ctx, q, `
		select language, sdk_version, calls->>$2 as code from sdk_builds where release_id = $1 and state = 'built' and calls ? $2 order by language`, releaseID, slug)
}

// SDKBuildListByRelease lists the builds of a release.
func SDKBuildListByRelease(ctx context.Context, q db.Querier, releaseID int64) ([]models.SDKBuild, error) {
	return many[models.SDKBuild](ctx, q, `select `+sdkBuildColumns+` from sdk_builds where release_id = $1 order by language`, releaseID)
}

// SDKBuildList lists the builds of the latest releases of all versions, and others
// that failed or wait, those that failed first.
func SDKBuildList(ctx context.Context, q db.Querier, limit int) ([]models.SDKBuildListed, error) {
	return many[models.SDKBuildListed](ctx, q, `
		select b.release_id, b.language, b.state, b.sdk_version, b.object, b.sha256, b.size, b.error, b.preview, b.requested_at, b.ended_at,
			p.slug as product, v.slug as version, r.number, not exists (select from releases l where l.scope_id = r.scope_id and l.number > r.number) as latest
		from sdk_builds b join releases r on r.id = b.release_id join items v on v.id = r.scope_id join items p on p.id = v.parent_id
		where b.state <> 'built' or not exists (select from releases l where l.scope_id = r.scope_id and l.number > r.number)
		order by array_position(array['failed', 'waiting', 'built'], b.state), p.slug, v.slug, r.number desc, b.language limit $1`, limit)
}

// SDKVersionBefore returns the version of the archives of the latest release before
// another one that has any, with its number; an empty version where there is none.
func SDKVersionBefore(ctx context.Context, q db.Querier, scopeID int64, number int) (version string, at int, err error) {
	err = q.QueryRow(ctx, `
		select coalesce(max(x.sdk_version), ''), coalesce(max(x.number), 0) from (
			select b.sdk_version, r.number from sdk_builds b join releases r on r.id = b.release_id
			where r.scope_id = $1 and r.number < $2 and b.sdk_version <> '' order by r.number desc limit 1) x`, scopeID, number).Scan(&version, &at)
	return version, at, err
}

// SDKReleaseGet returns a release of a version with its product.
func SDKReleaseGet(ctx context.Context, q db.Querier, releaseID int64) (models.SDKRelease, error) {
	return one[models.SDKRelease](ctx, q, `
		select r.id, r.scope_id, r.number, r.published_at, v.slug as version_slug, p.slug as product_slug, c.content as product_content
		from releases r join items v on v.id = r.scope_id and v.kind = 'version' join items p on p.id = v.parent_id
		join revisions c on c.id = p.live_revision_id where r.id = $1`, releaseID)
}

// SDKObjectList lists the keys of all archives in the storage.
func SDKObjectList(ctx context.Context, q db.Querier) ([]string, error) {
	rows, err := q.Query(ctx, `select distinct object from sdk_builds where object <> ''`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
