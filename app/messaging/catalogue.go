package messaging

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Batch is changes of the products of a catalogue, in the order in which they
// happen.
type Batch struct {
	Requests    []json.RawMessage `json:"requests"`     // each is judged alone, so each is read alone
	AllowUpsert *Flag             `json:"allow_upsert"` // true when absent
}

// MaxBatchBody is the largest body of a batch, in bytes: 2,000 for each of
// maxChanges.
const MaxBatchBody = 10 << 20

const maxChanges = 5000

// BatchResult is the answer to a batch.
type BatchResult struct {
	Handles    []string       `json:"handles"`
	Validation []ChangeStatus `json:"validation_status,omitempty"`
}

// ChangeStatus is what was wrong or doubtful in a change. One with errors was
// not made.
type ChangeStatus struct {
	RetailerID string   `json:"retailer_id"`
	Errors     []Remark `json:"errors"`
	Warnings   []Remark `json:"warnings"`
}

// Remark is a sentence about a change.
type Remark struct {
	Message string `json:"message"`
}

// ChangeError is why a change of a batch was not made.
type ChangeError struct {
	Line    int    `json:"line"` // place in the batch, from 1
	ID      string `json:"id"`   // of the partner
	Message string `json:"message"`
}

// ChangeCatalogue makes the changes of a batch that are valid, all in one
// transaction, and keeps what was wrong with the others under the handle that
// it answers with. The answer is a BatchResult.
func (s *Service) ChangeCatalogue(ctx context.Context, catalogueID string, batch Batch, r Request) (Reply, error) {
	id, err := s.own(ctx, r.OrganisationID, catalogueID, "catalogue")
	if err != nil {
		return Reply{}, err
	}
	if n := len(batch.Requests); n == 0 || n > maxChanges {
		return Reply{}, reject(codeInvalid, "requests", "requests has %d items: send 1 to %d", n, maxChanges)
	}
	r.Route = "catalogue/" + strconv.FormatInt(id, 10)
	return s.Once(ctx, r, func(tx pgx.Tx) (any, error) {
		if err := queries.CatalogueLock(ctx, tx, id); err != nil {
			return nil, fmt.Errorf("locking catalogue %d: %w", id, err)
		}
		shelf, err := openShelf(ctx, tx, id, r.OrganisationID, batch)
		if err != nil {
			return nil, err
		}
		shelf.changeAll()
		if err := shelf.write(ctx, tx); err != nil {
			return nil, fmt.Errorf("writing the products of catalogue %d: %w", id, err)
		}
		kept, err := json.Marshal(shelf.errors)
		if err != nil {
			return nil, fmt.Errorf("writing the errors of a batch: %w", err)
		}
		handle := rand.Text()
		if err := queries.CatalogueBatchInsert(ctx, tx, id, models.CatalogueBatch{Handle: handle, Errors: kept}); err != nil {
			return nil, fmt.Errorf("keeping a batch of catalogue %d: %w", id, err)
		}
		return BatchResult{Handles: []string{handle}, Validation: shelf.statuses}, nil
	})
}

// BatchErrors returns why changes of a batch were not made; none were refused
// when it is empty. An unknown handle is NotFound.
func (s *Service) BatchErrors(ctx context.Context, organisationID int64, catalogueID, handle string) ([]ChangeError, error) {
	id, err := s.own(ctx, organisationID, catalogueID, "catalogue")
	if err != nil {
		return nil, err
	}
	batch, err := queries.CatalogueBatchGet(ctx, s.pool, id, handle)
	if db.IsNoRows(err) {
		return nil, missing(handle)
	}
	if err != nil {
		return nil, fmt.Errorf("reading batch %s: %w", handle, err)
	}
	var kept []ChangeError
	if err := json.Unmarshal(batch.Errors, &kept); err != nil {
		return nil, fmt.Errorf("reading the errors of batch %s: %w", handle, err)
	}
	return kept, nil
}

// shelf is the part of a catalogue that a batch changes.
type shelf struct {
	catalogueID    int64
	organisationID int64
	upsert         bool
	changes        []productChange
	places         map[string]*place // by retailer id
	statuses       []ChangeStatus
	errors         []ChangeError
}

// place is where one product stands, or could.
type place struct {
	id      int64               // of the product that stood here before the batch, 0 for none
	product *models.ProductData // that stands here now, nil for none
	touched bool
}

// openShelf reads the changes and what is there of their products.
func openShelf(ctx context.Context, tx pgx.Tx, catalogueID, organisationID int64, batch Batch) (*shelf, error) {
	s := &shelf{
		catalogueID: catalogueID, organisationID: organisationID, upsert: batch.AllowUpsert == nil || bool(*batch.AllowUpsert),
		places: map[string]*place{}, errors: []ChangeError{},
	}
	for _, raw := range batch.Requests {
		change := readChange(raw)
		s.changes = append(s.changes, change)
		s.places[string(change.RetailerID)] = &place{}
	}
	there, err := queries.ProductListByRetailerID(ctx, tx, catalogueID, slices.Collect(maps.Keys(s.places)))
	if err != nil {
		return nil, fmt.Errorf("reading the products of catalogue %d: %w", catalogueID, err)
	}
	for _, p := range there {
		s.places[p.RetailerID] = &place{id: p.ID, product: &p.ProductData}
	}
	return s, nil
}

// changeAll makes the changes on the shelf, one after the other.
func (s *shelf) changeAll() {
	for i, change := range s.changes {
		status := ChangeStatus{RetailerID: change.label(), Errors: []Remark{}, Warnings: []Remark{}}
		errors, warning := change.unfit, ""
		if len(errors) == 0 {
			errors, warning = s.change(change)
		}
		for _, e := range errors {
			status.Errors = append(status.Errors, Remark{e})
			s.errors = append(s.errors, ChangeError{Line: i + 1, ID: status.RetailerID, Message: e})
		}
		if warning != "" {
			status.Warnings = append(status.Warnings, Remark{warning})
		}
		if len(errors) > 0 || warning != "" {
			s.statuses = append(s.statuses, status)
		}
	}
}

// change makes one change, or says why not.
func (s *shelf) change(c productChange) (errors []string, warning string) {
	at := s.places[string(c.RetailerID)]
	product := models.ProductData{RetailerID: string(c.RetailerID)}
	switch {
	case c.Method == "DELETE" && at.product == nil:
		return nil, "No product has this retailer_id, so nothing was deleted."
	case c.Method == "DELETE":
		at.product, at.touched = nil, true
		return nil, ""
	case c.Method == "CREATE" && at.product != nil:
		return []string{"A product has this retailer_id already: use UPDATE to change it."}, ""
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

// write brings the shelf into the database. A product that was changed is
// written anew under its id: two statements, however many there are.
func (s *shelf) write(ctx context.Context, tx pgx.Tx) error {
	var removed, replaced []int64
	var products []models.Product
	fresh := 0
	for _, at := range s.places {
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
		products = append(products, models.Product{ID: at.id, CatalogueID: s.catalogueID, ProductData: *at.product})
	}
	ids, err := registerMany(ctx, tx, "product", s.organisationID, fresh)
	if err != nil {
		return err
	}
	for i := range products {
		if products[i].ID == 0 {
			products[i].ID, ids = ids[0], ids[1:]
		}
	}
	if err := queries.RegistryDelete(ctx, tx, removed); err != nil {
		return err
	}
	if err := queries.ProductDelete(ctx, tx, replaced); err != nil {
		return err
	}
	return queries.ProductCopy(ctx, tx, products)
}
