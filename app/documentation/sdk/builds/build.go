package builds

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/export"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/sdk"
	"heliograph/app/fault"
	"heliograph/app/operation/metric"
	"heliograph/app/operation/theme"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/storage"
)

// generator is the name of the generator in the archives.
const generator = "heliograph"

// Builder makes archives.
type Builder struct {
	Store storage.Store
	Site  reference.Site
}

// defaultPortal is the name of a portal that has no other.
const defaultPortal = "Heliograph"

// errContract says that a contract cannot be written in a language. Building it again
// would fail again.
type errContract struct{ error }

// ErrBuilding says that another worker makes the archive, or had begun to and died a
// moment ago. Whoever has a job must come back, because that one may never end it.
var ErrBuilding = errors.New("another worker builds the archive")

// Build makes an archive in the transaction that ends its job. It does nothing for a
// build that has ended. An error says that it may work later.
func (b Builder) Build(ctx context.Context, tx pgx.Tx, releaseID int64, language string) error {
	row, err := writes.SDKBuildLock(ctx, tx, releaseID, language)
	if errors.Is(err, pgx.ErrNoRows) {
		return ended(ctx, tx, releaseID, language)
	}
	if err != nil {
		return fmt.Errorf("locking the build: %w", err)
	}
	l := sdk.Find(language)
	if l == nil {
		return fmt.Errorf("there is no language %q", language)
	}
	began := time.Now()
	outcome := "again"
	defer func() { metric.SDK(l.Slug, outcome, time.Since(began)) }()
	made, err := b.archive(ctx, tx, releaseID, l)
	var broken errContract
	switch {
	case errors.As(err, &broken):
		row.State, row.Error = models.SDKFailed, message(broken.error)
		made.preview = []byte("{}")
	case err != nil:
		return err
	default:
		sum := sha256.Sum256(made.data)
		hash := hex.EncodeToString(sum[:])
		key := storage.SDKKey(hash)
		if _, err := b.Store.Put(ctx, key, bytes.NewReader(made.data), storage.PutOptions{ContentType: "application/zip", Size: int64(len(made.data))}); err != nil {
			return fmt.Errorf("storing the archive: %w", err)
		}
		row.State, row.SDKVersion, row.Object, row.SHA256, row.Size = models.SDKBuilt, made.version, key.String(), hash, int64(len(made.data))
	}
	row.Preview = made.preview
	if err := writes.SDKBuildUpdate(ctx, tx, row, made.calls); err != nil {
		return fmt.Errorf("keeping the build: %w", err)
	}
	outcome = row.State
	return nil
}

// ended returns nil for a build that has ended or is gone, and ErrBuilding for another.
func ended(ctx context.Context, tx pgx.Tx, releaseID int64, language string) error {
	b, err := queries.SDKBuildGet(ctx, tx, releaseID, language)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("reading the build: %w", err)
	case b.State == models.SDKWaiting:
		return ErrBuilding
	}
	return nil
}

// made is an archive with what pages show of it.
type made struct {
	data    []byte
	version string // semantic version
	preview json.RawMessage
	calls   map[string]string // never nil
}

// message returns what people read of an error.
func message(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), 500)], "")
}

// archive makes the archive of a release.
func (b Builder) archive(ctx context.Context, tx pgx.Tx, releaseID int64, l *sdk.Language) (m made, err error) {
	m.calls = map[string]string{}
	r, err := queries.SDKReleaseGet(ctx, tx, releaseID)
	if err != nil {
		return m, fmt.Errorf("reading release %d: %w", releaseID, err)
	}
	a, err := b.assemble(ctx, tx, releaseID)
	if err != nil {
		return m, err
	}
	version, changes, err := b.history(ctx, tx, r, a)
	if err != nil {
		return m, err
	}
	portal, err := theme.Name(ctx, tx)
	if err != nil {
		return m, err
	}
	var p content.Product
	if err := json.Unmarshal(r.ProductContent, &p); err != nil {
		return m, errContract{err}
	}
	data, shown, err := b.write(a, l, sdk.Options{
		Name: p.Name + " " + r.VersionSlug, Product: r.ProductSlug, Version: r.VersionSlug, Release: r.Number, SDKVersion: version, Changes: changes,
		PageURL: b.Site.URL + "/docs/" + r.ProductSlug + "/" + r.VersionSlug, Generator: generator, Publisher: cmp.Or(portal, defaultPortal), License: sdk.NewLicense(p.SDKLicense, p.Name),
	})
	if err != nil {
		return m, err
	}
	m.data, m.version, m.calls = data, version, shown.Calls
	if m.preview, err = json.Marshal(shown); err != nil {
		return m, errContract{err}
	}
	return m, nil
}

// write makes an archive. A contract that makes it panic is one that cannot be written.
func (b Builder) write(a *openapi.Assembly, l *sdk.Language, o sdk.Options) (archive []byte, shown sdk.Preview, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errContract{fmt.Errorf("writing it panicked: %v", r)}
		}
	}()
	api, err := sdk.New(a, export.Document(a, b.Site.Server), o)
	if err != nil {
		return nil, shown, errContract{err}
	}
	if archive, shown, err = sdk.Archive(api, l); err != nil {
		return nil, shown, errContract{err}
	}
	return archive, shown, nil
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
