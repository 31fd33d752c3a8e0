package writes

import (
	"context"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// FetchedLinkClaim reserves the fetch of a link for the caller, and reports whether
// no one else has it.
func FetchedLinkClaim(ctx context.Context, q db.Querier, organisationID int64, link []byte, within time.Duration) (bool, error) {
	return collect.Changed(ctx, q, `
		insert into fetched_links as l (organisation_id, link, claimed_until) values ($1, $2, now() + $3::interval)
		on conflict (organisation_id, link) do update set claimed_until = excluded.claimed_until where l.claimed_until <= now()`, organisationID, link, within)
}

// FetchedLinkRelease gives a claim back without a result.
func FetchedLinkRelease(ctx context.Context, q db.Querier, organisationID int64, link []byte) error {
	return collect.Execute(ctx, q, `update fetched_links set claimed_until = now() where organisation_id = $1 and link = $2`, organisationID, link)
}

// FetchedLinkUpdate ends a claim with the file of a link, or with the problem if
// sha256 is empty.
func FetchedLinkUpdate(ctx context.Context, q db.Querier, organisationID int64, link []byte, sha256, problem string) error {
	return collect.Execute(ctx, q, `
		update fetched_links set sha256 = nullif($3, ''), problem = $4, fetched_at = now(), claimed_until = now()
		where organisation_id = $1 and link = $2`, organisationID, link, sha256, problem)
}

// FetchedFileExtend keeps the file of a link for longer if its life is half over.
func FetchedFileExtend(ctx context.Context, q db.Querier, organisationID int64, link []byte, life time.Duration) error {
	return collect.Execute(ctx, q, `
		update fetched_files f set expires_at = now() + $3::interval from fetched_links l
		where l.organisation_id = $1 and l.link = $2 and f.organisation_id = l.organisation_id and f.sha256 = l.sha256
			and f.expires_at < now() + $3::interval / 2`, organisationID, link, life)
}

// FetchedFileKeep keeps a file that an organisation already has for longer, and
// reports whether it has it.
func FetchedFileKeep(ctx context.Context, q db.Querier, f models.FetchedFile, life time.Duration) (bool, error) {
	return collect.Changed(ctx, q, `
		update fetched_files set expires_at = now() + $3::interval where organisation_id = $1 and sha256 = $2`, f.OrganisationID, f.SHA256, life)
}

// FetchedFileInsert adds a file.
func FetchedFileInsert(ctx context.Context, q db.Querier, f models.FetchedFile, life time.Duration) error {
	return collect.Execute(ctx, q, `
		insert into fetched_files (organisation_id, sha256, object, mime_type, size, expires_at) values ($1, $2, $3, $4, $5, now() + $6::interval)`,
		f.OrganisationID, f.SHA256, f.Object, f.MIMEType, f.Size, life)
}

// FetchedFileTrim deletes the files of an organisation that expire first, so that at
// most a number of bytes is left. Their objects are discarded and their links forgotten.
func FetchedFileTrim(ctx context.Context, q db.Querier, organisationID, bytes int64) error {
	return collect.Execute(ctx, q, `
		delete from fetched_files where organisation_id = $1 and sha256 in (
			select sha256 from (
				select sha256, sum(size) over (order by expires_at desc, sha256) as total from fetched_files where organisation_id = $1
			) f where total > $2
		)`, organisationID, bytes)
}

// FetchedDeleteExpired deletes up to limit expired files as FetchedFileTrim does, and
// links without a file that nobody has asked for since a day. It returns how many of
// the one or the other, whichever is more.
func FetchedDeleteExpired(ctx context.Context, q db.Querier, limit int) (int64, error) {
	files, err := q.Exec(ctx, `
		delete from fetched_files where (organisation_id, sha256) in (
			select organisation_id, sha256 from fetched_files where expires_at <= now() order by expires_at limit $1)`, limit)
	if err != nil {
		return 0, err
	}
	links, err := q.Exec(ctx, `
		delete from fetched_links where (organisation_id, link) in (
			select organisation_id, link from fetched_links where sha256 is null and claimed_until < now() - interval '1 day' order by claimed_until limit $1)`, limit)
	return max(files.RowsAffected(), links.RowsAffected()), err
}
