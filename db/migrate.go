package db

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations/*.sql
var migrations embed.FS

// schemaText makes the tables of the program as they are after every migration that it
// lists at its end. TestSchemaIsUpToDate writes and holds it.
//
//go:embed schema.sql
var schemaText string

// initialText fills a new database.
//
//go:embed initial.sql
var initialText string

// The oldest version of the schema that is migrated, and the last commit with the
// migrations up to it.
const (
	oldestVersion = 351
	oldestCommit  = "e2e60e91"
)

// RiverSchema is the schema that the job tables live in.
const RiverSchema = "river"

// UnusedJobIndexes are those that River makes for people who look jobs up by
// their payload or metadata. Nobody here does, and every insertion of a job and
// every change of its state would write to them.
var UnusedJobIndexes = []string{"river_job_args_index", "river_job_metadata_index"}

// The advisory lock under which one process at a time migrates.
const migrateLock = 7_431_902_655

// Migrate brings the schema to the version of this program: first ours, then
// River's in its own schema, less the indexes that are not used. An empty database gets
// the schema in one step. A schema that is older than version 351 is an error that names
// the commit to migrate with first. Several processes may call it at once; one works,
// the others wait and find nothing left to do.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("reaching the database: %w", err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", migrateLock); err != nil {
		return fmt.Errorf("waiting for another migration: %w", err)
	}
	defer conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", migrateLock) //nolint:errcheck // ends with the connection at the latest

	if err := begin(ctx, conn, schemaText, initialText); err != nil {
		return err
	}
	provider, err := newProvider(pool)
	if err != nil {
		return err
	}
	defer provider.Close()
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	if _, err := conn.Exec(ctx, "create schema if not exists "+RiverSchema); err != nil {
		return fmt.Errorf("creating the job schema: %w", err)
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: RiverSchema})
	if err != nil {
		return fmt.Errorf("reading the job migrations: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrating the job tables: %w", err)
	}
	for _, index := range UnusedJobIndexes {
		if _, err := conn.Exec(ctx, "drop index concurrently if exists "+RiverSchema+"."+index); err != nil {
			return fmt.Errorf("dropping an unused index: %w", err)
		}
	}
	return nil
}

// begin runs scripts in one transaction if the database is empty, and refuses a schema
// that is too old for the migrations of this program.
func begin(ctx context.Context, conn *pgxpool.Conn, scripts ...string) error {
	var isFilled bool
	if err := conn.QueryRow(ctx, "select to_regclass('goose_db_version') is not null").Scan(&isFilled); err != nil {
		return fmt.Errorf("looking for a schema: %w", err)
	}
	if isFilled {
		var version int64
		if err := conn.QueryRow(ctx, "select coalesce(max(version_id), 0) from goose_db_version where is_applied").Scan(&version); err != nil {
			return fmt.Errorf("reading the schema version: %w", err)
		}
		if version < oldestVersion {
			return fmt.Errorf("the schema has version %d, and this program migrates from %d on: run heliograph migrate of commit %s first", version, oldestVersion, oldestCommit)
		}
		return nil
	}
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, script := range scripts {
			if _, err := tx.Conn().PgConn().Exec(ctx, script).ReadAll(); err != nil {
				return fmt.Errorf("making the schema: %w", err)
			}
		}
		return nil
	})
}

// Current reports whether the schema is at the version of this program or
// newer: old code runs on a newer schema, new code waits for its own.
func Current(ctx context.Context, pool *pgxpool.Pool) (bool, error) {
	provider, err := newProvider(pool)
	if err != nil {
		return false, err
	}
	defer provider.Close()
	var versions []int64
	for _, source := range provider.ListSources() {
		versions = append(versions, source.Version)
	}
	var isCurrent bool
	err = pool.QueryRow(ctx, "select $1::bigint[] <@ array(select version_id from goose_db_version where is_applied)", versions).Scan(&isCurrent)
	if err != nil {
		return false, fmt.Errorf("reading the schema version: %w", err)
	}
	return isCurrent, nil
}

// newProvider reads the migrations. Their numbers are given out by range, so a database
// may have a later one before an earlier one is written.
func newProvider(pool *pgxpool.Pool) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, stdlib.OpenDBFromPool(pool), files, goose.WithAllowOutofOrder(true))
	if err != nil {
		return nil, fmt.Errorf("reading the migrations: %w", err)
	}
	return provider, nil
}
