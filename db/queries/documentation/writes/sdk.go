package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
	queries "heliograph/db/queries/documentation"
)

// SDKBuildRequest asks for a build, and reports whether a job has to be inserted:
// nobody has asked yet, or again is set and the build has failed, or it was asked for
// so long ago that its job is gone.
func SDKBuildRequest(ctx context.Context, q db.Querier, releaseID int64, language string, again bool, lost time.Time) (insert bool, err error) {
	return collect.Changed(ctx, q, `
		insert into sdk_builds (release_id, language) values ($1, $2)
		on conflict (release_id, language) do update set state = 'waiting', error = '', requested_at = now(), ended_at = null
		where $3 and sdk_builds.state = 'failed' or sdk_builds.state = 'waiting' and sdk_builds.requested_at < $4`, releaseID, language, again, lost)
}

// SDKBuildReset lets a build wait again that ended with an object, which is gone from the
// storage. It reports whether a job has to be inserted.
func SDKBuildReset(ctx context.Context, q db.Querier, releaseID int64, language, object string) (insert bool, err error) {
	return collect.Changed(ctx, q, `
		update sdk_builds set state = 'waiting', object = '', sha256 = '', size = 0, requested_at = now(), ended_at = null
		where release_id = $1 and language = $2 and state = 'built' and object = $3`, releaseID, language, object)
}

// SDKBuildLock returns a build that waits and keeps others from building it until the
// transaction ends. It returns pgx.ErrNoRows where the build ended, or is locked.
func SDKBuildLock(ctx context.Context, q db.Querier, releaseID int64, language string) (models.SDKBuild, error) {
	return collect.One[models.SDKBuild](ctx, q, `
		select `+queries.SDKBuildColumns+` from sdk_builds where release_id = $1 and language = $2 and state = 'waiting' for update skip locked`, releaseID, language)
}

// SDKBuildUpdate stores how a build ended. calls has the code that calls each operation.
func SDKBuildUpdate(ctx context.Context, q db.Querier, b models.SDKBuild, calls map[string]string) error {
	return collect.Execute(ctx, q, `
		update sdk_builds set state = $3, sdk_version = $4, object = $5, sha256 = $6, size = $7, error = $8, preview = $9, calls = $10, ended_at = now()
		where release_id = $1 and language = $2`, b.ReleaseID, b.Language, b.State, b.SDKVersion, b.Object, b.SHA256, b.Size, b.Error, b.Preview, calls)
}
