package importing

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Accept drafts what an import changes in one change set, and returns its id. skip
// lists the addresses of operations that are not taken.
func (s *Service) Accept(ctx context.Context, actor editorial.Actor, id int64, skip []string) (setID int64, err error) {
	err = s.decide(ctx, actor, id, func(tx pgx.Tx, i models.Import) error {
		setID, err = s.accept(ctx, tx, actor, i, skip)
		return err
	})
	return setID, err
}

// decide runs do with the lock of an import that waits for a decision.
func (s *Service) decide(ctx context.Context, actor editorial.Actor, id int64, do func(tx pgx.Tx, i models.Import) error) error {
	err := db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		i, err := writes.ImportLock(ctx, tx, id)
		if err != nil {
			return db.Absent(err, errMissing, "locking import %d", id)
		}
		if err := s.may(ctx, tx, actor, i); err != nil {
			return err
		}
		if i.State != models.ImportReady {
			return fault.New(fault.Conflict, "This import is %s already. Load the page again.", stateWords[i.State])
		}
		return do(tx, i)
	})
	s.Signals.Add(Topic, 0)
	return err
}

var errMissing = fault.New(fault.NotFound, "This import does not exist.")

var stateWords = map[string]string{
	models.ImportQueued: "queued", models.ImportReading: "being read", models.ImportUnchanged: "found to be unchanged", models.ImportFailed: "failed",
	models.ImportCancelled: "cancelled", models.ImportAccepted: "accepted", models.ImportDiscarded: "discarded", models.ImportReady: "read",
}

// may refuses actors who may not write the product of an import.
func (s *Service) may(ctx context.Context, q db.Querier, actor editorial.Actor, i models.Import) error {
	if i.ProductID != 0 {
		return editorial.MayEdit(ctx, q, actor, i.ProductID)
	}
	if actor.Role != identity.SuperAdmin {
		return fault.New(fault.Forbidden, "Only a Super Admin adds a product.")
	}
	return nil
}

// May refuses actors who may not look at or decide an import.
func (s *Service) May(ctx context.Context, actor editorial.Actor, i models.Import) error {
	return s.may(ctx, s.DB, actor, i)
}

func (s *Service) accept(ctx context.Context, tx pgx.Tx, actor editorial.Actor, i models.Import, skip []string) (int64, error) {
	im, err := s.drafted(ctx, tx, i, skip)
	if err != nil {
		return 0, err
	}
	setID, err := editorial.Draft(ctx, tx, actor, im)
	if err != nil {
		return 0, err
	}
	if setID == 0 {
		return 0, fault.New(fault.Conflict, "Nothing would change: what you chose is published already. Choose more endpoints, or discard the import.")
	}
	if i.ProductID == 0 {
		item, err := queries.ItemGetAt(ctx, tx, content.KindProduct, 0, i.ProductSlug)
		if err != nil {
			return 0, err
		}
		i.ProductID = item.ID
	}
	i.State, i.ChangeSetID, i.Skipped = models.ImportAccepted, setID, skip
	if err := writes.ImportUpdateDecided(ctx, tx, i, actor.ID); err != nil {
		return 0, err
	}
	return setID, record(ctx, tx, actor, "import.accept", i, map[string]any{"change_set": setID, "skipped": len(skip)})
}

// drafted makes the drafts of an import.
func (s *Service) drafted(ctx context.Context, tx pgx.Tx, i models.Import, skip []string) (im editorial.Import, err error) {
	request, v, err := s.request(ctx, tx, i)
	if err != nil {
		return im, err
	}
	data, err := s.bytesOf(ctx, i.Converted)
	if err != nil {
		return im, err
	}
	document, err := openapi.Read(data)
	if err != nil {
		return im, fmt.Errorf("reading the document of import %d: %w", i.ID, err)
	}
	merged, err := prepare.Merge(request, document, skip)
	if err != nil {
		return im, err
	}
	if len(merged.Document.Operations)+len(merged.Document.Callbacks) == 0 {
		return im, fault.New(fault.Invalid, "Choose at least one endpoint.")
	}
	im = editorial.Import{
		ProductSlug: i.ProductSlug,
		VersionSlug: i.VersionSlug,
		Version:     v.content,
		Document:    merged.Document,
		Orders:      v.orders,
		SearchedAs:  v.searchedAs,
		KeepProduct: i.ProductID != 0,
	}
	im.Product.Name = i.ProductName
	if !v.exists {
		im.Version = content.Version{Label: content.Current}
		if i.ProductID != 0 {
			if im.Version.Label, err = s.firstLabel(ctx, tx, i.ProductID); err != nil {
				return im, err
			}
		}
	}
	if i.ProductID == 0 {
		if im.Product, err = newProduct(ctx, tx, i, document); err != nil {
			return im, err
		}
	}
	return im, nil
}

// firstLabel returns the lifecycle of a new version: Current for the first version of a
// product, else Beta.
func (s *Service) firstLabel(ctx context.Context, q db.Querier, productID int64) (string, error) {
	items, err := queries.ItemListLive(ctx, q, productID)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(items, func(i models.Item) bool { return i.Kind == content.KindVersion }) {
		return content.Beta, nil
	}
	return content.Current, nil
}

// newProduct describes a new product by its document.
func newProduct(ctx context.Context, q db.Querier, i models.Import, d *openapi.Document) (content.Product, error) {
	p := content.Product{Name: i.ProductName, Homepage: true}
	frame, err := tree.Read(d.Frame)
	if err != nil {
		return p, err
	}
	p.BaseURL = frame.At("/servers/0").Str("url")
	if !strings.HasPrefix(p.BaseURL, "https://") && !strings.HasPrefix(p.BaseURL, "http://") {
		p.BaseURL = ""
	}
	p.Summary = frame.Get("info").Str("summary")
	if p.Summary == "" {
		p.Summary = firstSentence(d.Description)
	}
	if p.Summary == "" {
		p.Summary = "Reference of " + i.ProductName + "."
	}
	p.Order, err = queries.ItemCountProducts(ctx, q)
	return p, err
}

var (
	markup   = regexp.MustCompile("[*_`#>]+|!?\\[([^\\]]*)\\]\\([^)]*\\)|<[^>]*>")
	sentence = regexp.MustCompile(`^.{10,240}?[.!?](\s|$)`)
)

// firstSentence returns the first sentence of a text in Markdown as plain text.
func firstSentence(text string) string {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.HasPrefix(strings.TrimSpace(paragraph), "#") {
			continue
		}
		plain := strings.Join(strings.Fields(markup.ReplaceAllString(paragraph, "$1")), " ")
		if plain == "" {
			continue
		}
		if found := sentence.FindString(plain); found != "" {
			return strings.TrimSpace(found)
		}
		return cut(plain, 200)
	}
	return ""
}

// Discard ends an import that waits for a decision.
func (s *Service) Discard(ctx context.Context, actor editorial.Actor, id int64) error {
	return s.decide(ctx, actor, id, func(tx pgx.Tx, i models.Import) error {
		i.State = models.ImportDiscarded
		if err := writes.ImportUpdateDecided(ctx, tx, i, actor.ID); err != nil {
			return err
		}
		return record(ctx, tx, actor, "import.discard", i, nil)
	})
}

// Cancel ends an import that is not read yet. The worker notices within a second.
func (s *Service) Cancel(ctx context.Context, actor editorial.Actor, id int64) error {
	err := db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		i, err := writes.ImportLock(ctx, tx, id)
		if err != nil {
			return db.Absent(err, errMissing, "locking import %d", id)
		}
		if err := s.may(ctx, tx, actor, i); err != nil {
			return err
		}
		open, err := writes.ImportUpdateEnded(ctx, tx, models.Import{ID: id, State: models.ImportCancelled, Address: Masked(i.Address)})
		if err != nil {
			return err
		}
		if !open {
			return fault.New(fault.Conflict, "The document is read already. Load the page again.")
		}
		return record(ctx, tx, actor, "import.cancel", i, nil)
	})
	s.Signals.Add(Topic, 0)
	return err
}
