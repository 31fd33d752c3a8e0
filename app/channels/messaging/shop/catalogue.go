// Package shop keeps the products of catalogues: what batches change, and what is listed.
package shop

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/channels/pipeline"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Service manages the products of catalogues.
type Service struct {
	request.Once
	pool *pgxpool.Pool
	jobs args.Inserter
}

// New returns the shop in a database.
func New(keys request.Once, pool *pgxpool.Pool, jobs args.Inserter) *Service {
	return &Service{Once: keys, pool: pool, jobs: jobs}
}

// Batch is a list of product changes of a catalogue. They are applied in order.
type Batch struct {
	Requests    []json.RawMessage `json:"requests"`     // decoded one by one, so that one error does not reject all
	AllowUpsert *input.Flag       `json:"allow_upsert"` // true when absent
}

// MaxBatchBody is the maximum size of the body of a batch, in bytes: 2,000 for
// each of maxChanges.
const MaxBatchBody = 10 << 20

const maxChanges = 5000

// batchResult is the response to a batch.
type batchResult struct {
	Handles    []string       `json:"handles"`
	Validation []changeStatus `json:"validation_status,omitempty"`
}

// changeStatus lists the errors and warnings of a change. A change with errors
// was not applied.
type changeStatus struct {
	RetailerID string   `json:"retailer_id"`
	Errors     []remark `json:"errors"`
	Warnings   []remark `json:"warnings"`
}

// remark is an error or a warning about a change.
type remark struct {
	Message string `json:"message"`
}

// ChangeError is an error that kept a change of a batch from being applied.
type ChangeError struct {
	Line    int    `json:"line"` // position in the batch, from 1
	ID      string `json:"id"`   // the partner's retailer_id
	Message string `json:"message"`
}

// Change applies the valid changes of a batch in one transaction. It
// stores the errors of the others under the handle in the reply. The reply is a
// BatchResult.
func (s *Service) Change(ctx context.Context, catalogueID string, batch Batch, r pipeline.Key) (pipeline.Reply, error) {
	id, err := registry.Owned(ctx, s.pool, r.OrganisationID, catalogueID, "catalogue")
	if err != nil {
		return pipeline.Reply{}, err
	}
	if n := len(batch.Requests); n == 0 || n > maxChanges {
		return pipeline.Reply{}, refusal.New(refusal.Invalid, "requests", "requests has %d items: send 1 to %d", n, maxChanges)
	}
	r.Route = "catalogue/" + strconv.FormatInt(id, 10)
	return s.DoOnce(ctx, r, func(tx pgx.Tx) (any, error) {
		if err := writes.CatalogueLock(ctx, tx, id); err != nil {
			return nil, fmt.Errorf("locking catalogue %d: %w", id, err)
		}
		state, err := loadBatch(ctx, tx, id, r.OrganisationID, batch)
		if err != nil {
			return nil, err
		}
		state.applyAll()
		if err := state.write(ctx, tx); err != nil {
			return nil, fmt.Errorf("writing the products of catalogue %d: %w", id, err)
		}
		if err := registry.Change(ctx, tx, s.jobs, registry.Product, id, state.changed()...); err != nil {
			return nil, err
		}
		kept, err := json.Marshal(state.errors)
		if err != nil {
			return nil, fmt.Errorf("writing the errors of a batch: %w", err)
		}
		handle := rand.Text()
		if err := writes.CatalogueBatchInsert(ctx, tx, id, models.CatalogueBatch{Handle: handle, Errors: kept}); err != nil {
			return nil, fmt.Errorf("keeping a batch of catalogue %d: %w", id, err)
		}
		return batchResult{Handles: []string{handle}, Validation: state.statuses}, nil
	})
}

// BatchErrors returns the errors of a batch. It is empty if all changes were
// applied. An unknown handle is NotFound.
func (s *Service) BatchErrors(ctx context.Context, organisationID int64, catalogueID, handle string) ([]ChangeError, error) {
	id, err := registry.Owned(ctx, s.pool, organisationID, catalogueID, "catalogue")
	if err != nil {
		return nil, err
	}
	if handle == "" {
		return nil, refusal.New(refusal.Invalid, "handle", "handle is required: take it from the answer to the batch")
	}
	batch, err := queries.CatalogueBatchGet(ctx, s.pool, id, handle)
	if err != nil {
		return nil, db.Absent(err, refusal.NotFound(handle), "reading batch %s", handle)
	}
	var kept []ChangeError
	if err := json.Unmarshal(batch.Errors, &kept); err != nil {
		return nil, fmt.Errorf("reading the errors of batch %s: %w", handle, err)
	}
	return kept, nil
}

// batchState holds the products of a catalogue that a batch changes, and the
// results so far.
type batchState struct {
	catalogueID    int64
	organisationID int64
	upsert         bool
	changes        []change
	products       map[string]*productState // by retailer id
	statuses       []changeStatus
	errors         []ChangeError
}

// productState is a product before and after the changes so far.
type productState struct {
	id      int64               // of the product before the batch, 0 if there was none
	product *models.ArticleData // nil if it does not exist or was deleted
	touched bool
}

// loadBatch decodes the changes and loads the products that they name.
func loadBatch(ctx context.Context, tx pgx.Tx, catalogueID, organisationID int64, batch Batch) (*batchState, error) {
	s := &batchState{
		catalogueID: catalogueID, organisationID: organisationID, upsert: batch.AllowUpsert == nil || bool(*batch.AllowUpsert),
		products: map[string]*productState{}, errors: []ChangeError{},
	}
	for _, raw := range batch.Requests {
		change := readChange(raw)
		s.changes = append(s.changes, change)
		s.products[string(change.RetailerID)] = &productState{}
	}
	there, err := queries.ProductListByRetailerID(ctx, tx, catalogueID, slices.Collect(maps.Keys(s.products)))
	if err != nil {
		return nil, fmt.Errorf("reading the products of catalogue %d: %w", catalogueID, err)
	}
	for _, p := range there {
		s.products[p.RetailerID] = &productState{id: p.ID, product: &p.ArticleData}
	}
	return s, nil
}

// applyAll applies the changes in order.
func (s *batchState) applyAll() {
	for i, change := range s.changes {
		status := changeStatus{RetailerID: change.label(), Errors: []remark{}, Warnings: []remark{}}
		errors, warning := change.problems, ""
		if len(errors) == 0 {
			errors, warning = s.applyChange(change)
		}
		for _, e := range errors {
			status.Errors = append(status.Errors, remark{e})
			s.errors = append(s.errors, ChangeError{Line: i + 1, ID: status.RetailerID, Message: e})
		}
		if warning != "" {
			status.Warnings = append(status.Warnings, remark{warning})
		}
		if len(errors) > 0 || warning != "" {
			s.statuses = append(s.statuses, status)
		}
	}
}

// applyChange makes one change, or says why not.
func (s *batchState) applyChange(c change) (errors []string, warning string) {
	at := s.products[string(c.RetailerID)]
	product := models.ArticleData{RetailerID: string(c.RetailerID)}
	switch {
	case c.Method == "DELETE" && at.product == nil:
		return nil, "No product has this retailer_id, so nothing was deleted."
	case c.Method == "DELETE":
		at.product, at.touched = nil, true
		return nil, ""
	case c.Method == "CREATE" && at.product != nil:
		return []string{"A product already has this retailer_id: use UPDATE to change it."}, ""
	case c.Method == "UPDATE" && at.product == nil && !s.upsert:
		return []string{"No product has this retailer_id: use CREATE, or allow_upsert."}, ""
	case at.product != nil:
		product = *at.product
	}
	if errors := c.apply(&product); len(errors) > 0 {
		return errors, ""
	}
	at.product, at.touched = &product, true
	return nil, ""
}

// changed returns the retailer ids of the products that were changed.
func (s *batchState) changed() (ids []string) {
	for id, at := range s.products {
		if at.touched && (at.product != nil || at.id != 0) {
			ids = append(ids, id)
		}
	}
	return ids
}

// write stores the changes. A changed product is deleted and inserted again
// with its id, so that the number of statements does not grow with the batch.
func (s *batchState) write(ctx context.Context, tx pgx.Tx) error {
	var removed, replaced []int64
	var products []models.Article
	fresh := 0
	for _, at := range s.products {
		switch {
		case !at.touched || at.product == nil && at.id == 0:
			continue
		case at.product == nil:
			removed = append(removed, at.id)
			continue
		case at.id == 0:
			fresh++
		default:
			replaced = append(replaced, at.id)
		}
		products = append(products, models.Article{ID: at.id, CatalogueID: s.catalogueID, ArticleData: *at.product})
	}
	ids, err := registry.AddMany(ctx, tx, "product", s.organisationID, fresh)
	if err != nil {
		return err
	}
	for i := range products {
		if products[i].ID == 0 {
			products[i].ID, ids = ids[0], ids[1:]
		}
	}
	if err := writes.RegistryDelete(ctx, tx, removed); err != nil {
		return err
	}
	if err := writes.ProductDelete(ctx, tx, replaced); err != nil {
		return err
	}
	return writes.ProductCopy(ctx, tx, products)
}
