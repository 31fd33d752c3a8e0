package queries

import (
	"context"
	"time"

	"heliograph/db"
)

// UploadedAdd counts bytes that an organisation uploads today (UTC), and returns how
// many that makes today. It locks the count until the transaction ends.
func UploadedAdd(ctx context.Context, q db.Querier, organisationID, bytes int64) (today int64, err error) {
	err = q.QueryRow(ctx, `
		insert into uploaded_bytes as u (organisation_id, bytes) values ($1, $2)
		on conflict (organisation_id, day) do update set bytes = u.bytes + excluded.bytes returning bytes`, organisationID, bytes).Scan(&today)
	return today, err
}

// StoredBytes returns how many bytes of media, of uploads and of profile pictures an
// organisation has stored. An upload counts with the size that was announced.
func StoredBytes(ctx context.Context, q db.Querier, organisationID int64) (bytes int64, err error) {
	err = q.QueryRow(ctx, storedBytes, organisationID).Scan(&bytes)
	return bytes, err
}

const storedBytes = `
	select ((select coalesce(sum(size), 0) from media where organisation_id = $1 and expires_at > now())
	      + (select coalesce(sum(size), 0) from uploads where organisation_id = $1 and expires_at > now())
	      + (select coalesce(sum(p.size), 0) from profile_pictures p join phone_numbers n on n.id = p.phone_number_id where n.organisation_id = $1))::bigint`

// UploadedDelete deletes the counts of days that are longer ago than keep.
func UploadedDelete(ctx context.Context, q db.Querier, keep time.Duration) error {
	_, err := q.Exec(ctx, `delete from uploaded_bytes where day < (now() - $1::interval)::date`, keep)
	return err
}
