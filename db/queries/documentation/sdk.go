package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SDKBuildColumns are the columns of sdk_builds that a models.SDKBuild has.
const SDKBuildColumns = `release_id, language, state, sdk_version, object, sha256, size, error, preview, requested_at, ended_at`

// SDKBuildGet returns a build.
func SDKBuildGet(ctx context.Context, q db.Querier, releaseID int64, language string) (models.SDKBuild, error) {
	return collect.One[models.SDKBuild](ctx, q, `select `+SDKBuildColumns+` from sdk_builds where release_id = $1 and language = $2`, releaseID, language)
}

// SDKCallListByRelease returns the code that calls an operation, by the languages that
// are built, with the version of each library.
func SDKCallListByRelease(ctx context.Context, q db.Querier, releaseID int64, slug string) ([]models.SDKCall, error) {
	return collect.Many[models.SDKCall](ctx, q, `
		select language, sdk_version, calls->>$2 as code from sdk_builds where release_id = $1 and state = 'built' and calls ? $2 order by language`, releaseID, slug)
}

// SDKBuildListByRelease lists the builds of a release.
func SDKBuildListByRelease(ctx context.Context, q db.Querier, releaseID int64) ([]models.SDKBuild, error) {
	return collect.Many[models.SDKBuild](ctx, q, `select `+SDKBuildColumns+` from sdk_builds where release_id = $1 order by language`, releaseID)
}

// SDKBuildList lists the builds of the latest releases of all versions, and others
// that failed or wait, those that failed first.
func SDKBuildList(ctx context.Context, q db.Querier, limit int) ([]models.SDKBuildListed, error) {
	return collect.Many[models.SDKBuildListed](ctx, q, `
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
	return collect.One[models.SDKRelease](ctx, q, `
		select r.id, r.scope_id, r.number, r.published_at, v.slug as version_slug, p.slug as product_slug, c.content as product_content
		from releases r join items v on v.id = r.scope_id and v.kind = 'version' join items p on p.id = v.parent_id
		join revisions c on c.id = p.live_revision_id where r.id = $1`, releaseID)
}

// SDKObjectList lists the keys of all archives in the storage.
func SDKObjectList(ctx context.Context, q db.Querier) ([]string, error) {
	return collect.Values[string](ctx, q, `select distinct object from sdk_builds where object <> ''`)
}
