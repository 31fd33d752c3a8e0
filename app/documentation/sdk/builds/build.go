package builds

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/export"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/sdk"
	"heliograph/app/fault"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/storage"
)

// generator is the name of the generator in the archives.
const generator = "heliograph"

// Builder makes archives.
type Builder struct {
	Store storage.Store
	Site  reference.Site
}

// errContract says that a contract cannot be written in a language. Building it again
// would fail again.
type errContract struct{ error }

// Build makes an archive in the transaction that ends its job. It does nothing for a
// build that has ended or that another worker makes. An error says that it may work
// later.
func (b Builder) Build(ctx context.Context, tx pgx.Tx, releaseID int64, language string) error {
	row, err := queries.SDKBuildLock(ctx, tx, releaseID, language)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("locking the build: %w", err)
	}
	l := sdk.Find(language)
	if l == nil {
		return fmt.Errorf("there is no language %q", language)
	}
	archive, version, err := b.archive(ctx, tx, releaseID, l)
	var broken errContract
	switch {
	case errors.As(err, &broken):
		row.State, row.Error = models.SDKFailed, message(broken.error)
	case err != nil:
		return err
	default:
		sum := sha256.Sum256(archive)
		hash := hex.EncodeToString(sum[:])
		key := storage.SDKKey(hash)
		if _, err := b.Store.Put(ctx, key, bytes.NewReader(archive), storage.PutOptions{ContentType: "application/zip", Size: int64(len(archive))}); err != nil {
			return fmt.Errorf("storing the archive: %w", err)
		}
		row.State, row.SDKVersion, row.Object, row.SHA256, row.Size = models.SDKBuilt, version, key.String(), hash, int64(len(archive))
	}
	return queries.SDKBuildUpdate(ctx, tx, row)
}

// message returns what people read of an error.
func message(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), 500)], "")
}

// archive makes the archive of a release and returns its version number.
func (b Builder) archive(ctx context.Context, tx pgx.Tx, releaseID int64, l *sdk.Language) (archive []byte, version string, err error) {
	r, err := queries.SDKReleaseGet(ctx, tx, releaseID)
	if err != nil {
		return nil, "", fmt.Errorf("reading release %d: %w", releaseID, err)
	}
	a, err := b.assemble(ctx, tx, releaseID)
	if err != nil {
		return nil, "", err
	}
	version, changes, err := b.history(ctx, tx, r, a)
	if err != nil {
		return nil, "", err
	}
	var p content.Product
	if err := json.Unmarshal(r.ProductContent, &p); err != nil {
		return nil, "", errContract{err}
	}
	archive, err = b.write(a, l, sdk.Options{
		Name: p.Name + " " + r.VersionSlug, Product: r.ProductSlug, Version: r.VersionSlug, Release: r.Number, SDKVersion: version, Changes: changes,
		PageURL: b.Site.URL + "/docs/" + r.ProductSlug + "/" + r.VersionSlug, Generator: generator, License: sdk.NewLicense(p.SDKLicense, p.Name),
	})
	return archive, version, err
}

// write makes an archive. A contract that makes it panic is one that cannot be written.
func (b Builder) write(a *openapi.Assembly, l *sdk.Language, o sdk.Options) (archive []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errContract{fmt.Errorf("writing it panicked: %v", r)}
		}
	}()
	api, err := sdk.New(a, export.Document(a, b.Site.Server), o)
	if err != nil {
		return nil, errContract{err}
	}
	if archive, err = sdk.Archive(api, l); err != nil {
		return nil, errContract{err}
	}
	return archive, nil
}

// assemble puts the contract of a release together.
func (b Builder) assemble(ctx context.Context, tx pgx.Tx, releaseID int64) (*openapi.Assembly, error) {
	items, err := queries.ReleaseItemList(ctx, tx, releaseID)
	if err != nil {
		return nil, fmt.Errorf("reading release %d: %w", releaseID, err)
	}
	for i := range items {
		items[i].Content = openapi.At(b.Site.URL, items[i].Content)
	}
	_, parts, err := published.Assemble(items)
	if err != nil {
		return nil, errContract{err}
	}
	a, err := openapi.Assemble(parts)
	if err != nil {
		return nil, errContract{err}
	}
	return a, nil
}
