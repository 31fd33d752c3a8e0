// Package importing brings API descriptions in. An import stores the bytes, reads them
// in a job and shows what they would change. Accepting an import makes a change set,
// which is reviewed as all others are. Every import is kept with its outcome.
package importing

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// Topic names imports in the events of open pages.
const Topic = "imports"

// MaxBytes is the largest document or archive that is imported.
const MaxBytes = tree.MaxBytes

// Preparer reads a document and compares it with what is published.
type Preparer interface {
	Prepare(ctx context.Context, r prepare.Request, progress func(percent int, stage string)) (*prepare.Result, error)
}

// fetcher requests an address. It follows no redirects and dials public addresses only.
type fetcher interface {
	Do(owner string, req *http.Request) (*http.Response, error)
}

// Deps holds the dependencies of the service.
type Deps struct {
	DB       db.Beginner
	Store    storage.Store
	Jobs     args.Inserter
	Signals  *db.Signals // tells open pages; may be nil
	Preparer Preparer    // of the worker
	Fetcher  fetcher     // of the worker
	Clock    func() time.Time
}

// Service imports API descriptions.
type Service struct {
	Deps
	Tokens  *Tokens
	Watches *Watches
}

// New returns a service.
func New(d Deps) *Service {
	if d.Clock == nil {
		d.Clock = time.Now
	}
	s := &Service{Deps: d}
	s.Tokens, s.Watches = &Tokens{s}, &Watches{s}
	return s
}

// Target is the version that an import goes into.
type Target struct {
	ProductID   int64  // zero for a new product
	ProductSlug string // of a new product
	ProductName string // of a new product; empty for the title of the document
	VersionSlug string // empty for what the document says
}

// Upload is what is brought in.
type Upload struct {
	Source  string // models.ImportFile and so on
	Name    string // of the file
	Address string // of models.ImportAddress and models.ImportWatch
	Data    []byte // of all other sources
	WatchID int64
	Token   *models.ImportToken // of models.ImportAPI
	Target
}

// Start stores what is brought in and queues reading it.
func (s *Service) Start(ctx context.Context, actor editorial.Actor, u Upload) (id int64, err error) {
	if u.Token == nil { // programs say where their document goes
		u.Target.name(u.Data)
	}
	i := models.Import{Source: u.Source, Name: cut(u.Name, 200), Address: u.Address, CreatedBy: actor.ID, WatchID: u.WatchID, VersionSlug: strings.TrimSpace(u.VersionSlug)}
	if u.Token != nil {
		i.TokenID = u.Token.ID
	}
	if err := s.checkTarget(ctx, actor, u.Target, &i); err != nil {
		return 0, err
	}
	if err := checkSource(u); err != nil {
		return 0, err
	}
	if len(u.Data) > 0 {
		if err := s.keep(ctx, &i, u.Data); err != nil {
			return 0, err
		}
	}
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		if id, err = writes.ImportInsert(ctx, tx, i); err != nil {
			return fmt.Errorf("adding an import: %w", err)
		}
		i.ID = id
		if _, err := s.Jobs.InsertTx(ctx, tx, args.ImportDocument{ImportID: id}, nil); err != nil {
			return fmt.Errorf("queueing import %d: %w", id, err)
		}
		return record(ctx, tx, actor, "import.start", i, nil)
	})
	if err != nil {
		return 0, err
	}
	s.Signals.Add(Topic, 0)
	return id, nil
}

// keep stores the bytes of an import.
func (s *Service) keep(ctx context.Context, i *models.Import, data []byte) error {
	sum := sha256.Sum256(data)
	key := storage.ImportKey(uuid.NewString())
	i.Object, i.Size, i.SHA256 = key.String(), int64(len(data)), sum[:]
	if _, err := s.Store.Put(ctx, key, bytes.NewReader(data), storage.PutOptions{Size: i.Size}); err != nil {
		return fmt.Errorf("storing an import: %w", err)
	}
	return nil
}

// checkTarget finds the product of an import, and refuses actors who may not write it.
func (s *Service) checkTarget(ctx context.Context, actor editorial.Actor, t Target, i *models.Import) error {
	var fields fault.Fields
	switch {
	case i.VersionSlug == "":
		fields.Add("version", "Enter the version, for example 1.0.")
	case !content.ValidSlug(i.VersionSlug):
		fields.Add("version", "Enter the version as its address names it, for example 1.0: small letters and digits, with single dots or hyphens between them.")
	case content.IsReserved(content.KindVersion, i.VersionSlug):
		fields.Add("version", "The portal uses this address itself. Choose another one.")
	}
	if t.ProductID != 0 {
		if err := fields.Err(); err != nil {
			return err
		}
		item, err := queries.ItemGet(ctx, s.DB, t.ProductID)
		// Imports are seen by everybody and stay in the audit, so practice has none.
		if db.IsNoRows(err) || err == nil && (item.Kind != content.KindProduct || item.Trashed || item.PracticeOf != 0) {
			return fault.InvalidFields(fault.Field{Name: "product", Message: "This product does not exist. Choose another one."})
		}
		if err != nil {
			return err
		}
		i.ProductID, i.ProductSlug = item.ID, item.Slug
		if i.ProductName, err = productName(ctx, s.DB, item); err != nil {
			return err
		}
		return editorial.MayEdit(ctx, s.DB, actor, item.ID)
	}
	if actor.Role != identity.SuperAdmin {
		return fault.InvalidFields(fault.Field{Name: "product", Message: "Choose one of your products. Only a Super Admin adds a product."})
	}
	i.ProductSlug, i.ProductName = strings.TrimSpace(t.ProductSlug), strings.TrimSpace(t.ProductName)
	fields.AddIf(i.ProductName == "" || len([]rune(i.ProductName)) > 100, "name", "Enter the name of the new product, at most 100 characters.")
	if i.ProductName != "" && i.ProductSlug == "" {
		fields.Add("slug", "Enter an address: none can be made from the name.")
	} else if i.ProductSlug != "" && (!content.ValidSlug(i.ProductSlug) || content.IsReserved(content.KindProduct, i.ProductSlug)) {
		fields.Add("slug", "Use small letters and digits, with single hyphens or dots between them, at most 120.")
	}
	if err := fields.Err(); err != nil {
		return err
	}
	_, err := queries.ItemGetAt(ctx, s.DB, content.KindProduct, 0, i.ProductSlug)
	if err == nil {
		return fault.InvalidFields(fault.Field{Name: "slug", Message: "A product with this address exists. Choose it from the list of products, or choose another address."})
	}
	if !db.IsNoRows(err) {
		return err
	}
	return nil
}

// checkSource refuses what cannot be read.
func checkSource(u Upload) error {
	if u.Source == models.ImportAddress || u.Source == models.ImportWatch {
		return checkAddress(u.Address)
	}
	field := cmp.Or(map[string]string{models.ImportText: "text", models.ImportAPI: "body"}[u.Source], "file")
	switch {
	case len(u.Data) == 0 && field == "text":
		return fault.InvalidFields(fault.Field{Name: field, Message: "Paste the text of the document."})
	case len(u.Data) == 0 && field == "body":
		return fault.InvalidFields(fault.Field{Name: field, Message: "Send the document as the body of the request."})
	case len(u.Data) == 0:
		return fault.InvalidFields(fault.Field{Name: field, Message: "Choose a file that is not empty."})
	case len(u.Data) > MaxBytes:
		return fault.InvalidFields(fault.Field{Name: field, Message: fmt.Sprintf("The file is over %d MiB. Split it into smaller documents.", MaxBytes>>20)})
	}
	return nil
}

// checkAddress refuses an address that cannot be read.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || len(address) > 2000 {
		return fault.InvalidFields(fault.Field{Name: "address", Message: "Enter a whole address that starts with https://, without a user name."})
	}
	return nil
}

// mask stands for a part of an address that may be a secret.
const mask = "***"

// Masked returns an address without the values of its query and its fragment, which may
// be secrets. What is shown and recorded is masked.
func Masked(address string) string {
	address, _, hasFragment := strings.Cut(address, "#")
	address, query, hasQuery := strings.Cut(address, "?")
	if hasQuery && query != "" {
		fields := strings.Split(query, "&")
		for i, field := range fields {
			name, _, isNamed := strings.Cut(field, "=")
			if fields[i] = mask; isNamed {
				fields[i] = name + "=" + mask
			}
		}
		address += "?" + strings.Join(fields, "&")
	}
	if hasFragment {
		address += "#" + mask
	}
	return address
}

// productName returns the name of a product as it is published, else its slug.
func productName(ctx context.Context, q db.Querier, item models.Item) (string, error) {
	p, ok, err := productContent(ctx, q, item)
	if err != nil || !ok || p.Name == "" {
		return item.Slug, err
	}
	return p.Name, nil
}

// record adds an audit entry about an import.
func record(ctx context.Context, tx pgx.Tx, actor editorial.Actor, action string, i models.Import, more map[string]any) error {
	details := map[string]any{"source": i.Source, "product": i.ProductSlug, "version": i.VersionSlug}
	for key, value := range map[string]string{"file": i.Name, "address": Masked(i.Address), "error": i.Error} {
		if value != "" {
			details[key] = value
		}
	}
	if len(i.SHA256) > 0 {
		details["sha256"], details["size"] = fmt.Sprintf("%x", i.SHA256), i.Size
	}
	if i.WatchID != 0 {
		details["watch"] = i.WatchID
	}
	if i.TokenID != 0 {
		details["token"] = i.TokenID
	}
	maps.Copy(details, more)
	return audit.Record(ctx, tx, audit.Entry{Actor: actor.Name, Action: action, Target: fmt.Sprintf("import:%d", i.ID), Details: details})
}

// bytesOf reads a stored object of an import.
func (s *Service) bytesOf(ctx context.Context, name string) ([]byte, error) {
	key, err := storage.ParseKey(name)
	if err != nil {
		return nil, err
	}
	r, _, err := s.Store.Get(ctx, key, storage.Range{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, MaxBytes+1))
}

func cut(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit])
	}
	return s
}
