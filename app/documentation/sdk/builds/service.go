package builds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/sdk"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// maxListed is how many builds the administration shows.
const maxListed = 500

// Service gives readers archives, and administrators the state of builds.
type Service struct {
	DB    db.Beginner
	Store storage.Store
}

// Await returns the build of a release in a language. It asks for one that nobody asked
// for, and waits for it as long as patience says; the build may then still be waiting.
func (s *Service) Await(ctx context.Context, releaseID int64, l *sdk.Language, patience time.Duration) (models.SDKBuild, error) {
	return await(ctx, s.DB, s.DB, releaseID, l, patience)
}

// OfRelease returns the builds of a release by their language.
func (s *Service) OfRelease(ctx context.Context, releaseID int64) (map[string]models.SDKBuild, error) {
	list, err := queries.SDKBuildListByRelease(ctx, s.DB, releaseID)
	builds := lists.By(list, func(b models.SDKBuild) string { return b.Language })
	return builds, err
}

// CallsOf returns the code that calls an operation, in the languages that are built.
func (s *Service) CallsOf(ctx context.Context, releaseID int64, slug string) ([]models.SDKCall, error) {
	return queries.SDKCallListByRelease(ctx, s.DB, releaseID, slug)
}

// Shown returns what pages show of an archive. It is empty for one that was built by an
// older program, and for one that is not built.
func Shown(b models.SDKBuild) (p sdk.Preview, err error) {
	if len(b.Preview) > 0 {
		err = json.Unmarshal(b.Preview, &p)
	}
	return p, err
}

// List lists builds for the administration.
func (s *Service) List(ctx context.Context) ([]models.SDKBuildListed, error) {
	return queries.SDKBuildList(ctx, s.DB, maxListed)
}

// Retry asks once more for an archive that failed.
func (s *Service) Retry(ctx context.Context, releaseID int64, language, actor string) error {
	l := sdk.Find(language)
	if l == nil {
		return fault.New(fault.NotFound, "There is no client library for this language.")
	}
	return db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		b, err := queries.SDKBuildGet(ctx, tx, releaseID, l.Slug)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "This archive does not exist.")
		}
		if err != nil {
			return fmt.Errorf("reading a build: %w", err)
		}
		if b.State != models.SDKFailed {
			return fault.New(fault.Conflict, "The archive has not failed. Only failed archives are built again.")
		}
		if err := request(ctx, tx, releaseID, l, true); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "sdk.retry", Target: fmt.Sprintf("release:%d", releaseID), Details: map[string]any{"language": l.Slug},
		})
	})
}

// Rebuild asks again for an archive with bytes that are gone from the storage, as after a
// restore of the database alone.
func (s *Service) Rebuild(ctx context.Context, b models.SDKBuild) error {
	err := db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		insert, err := writes.SDKBuildReset(ctx, tx, b.ReleaseID, b.Language, b.Object)
		if err == nil && insert {
			err = errands.JobInsertBuild(ctx, tx, args.BuildSDKKind, args.QueueBuild, args.Forever, b.ReleaseID, b.Language)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("asking again for the %s archive of release %d: %w", b.Language, b.ReleaseID, err)
	}
	return nil
}

// Open returns the bytes of an archive, which are read from the storage as far as they
// are asked for. The caller closes it.
func (s *Service) Open(ctx context.Context, b models.SDKBuild) (io.ReadSeekCloser, error) {
	if s.Store == nil {
		return nil, fault.New(fault.Unavailable, "The storage of files is not available.")
	}
	key, err := storage.ParseKey(b.Object)
	if err != nil {
		return nil, fmt.Errorf("reading the key of an archive: %w", err)
	}
	return storage.Open(ctx, s.Store, key)
}
