package importing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/fault"
	"heliograph/app/operation/metric"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/storage"
)

// maxAttempts is how often a worker may die while it reads a document.
const maxAttempts = 4

// errStopped says that the import was cancelled while it was read.
var errStopped = errors.New("the import was cancelled")

// Run reads an import. complete ends the job in the transaction that stores the
// outcome. An import that somebody cancelled meanwhile is left as it is.
func (s *Service) Run(ctx context.Context, id int64, attempt int, complete func(tx pgx.Tx) error) error {
	open, err := writes.ImportUpdateStarted(ctx, s.DB, id)
	if err != nil {
		return err
	}
	if !open {
		return db.InTx(ctx, s.DB, complete)
	}
	s.Signals.Add(Topic, 0)
	i, err := queries.ImportGet(ctx, s.DB, id)
	if err != nil {
		return err
	}
	t := task{s, complete}
	if attempt > maxAttempts {
		return t.fail(ctx, i, fault.New(fault.Invalid, "Reading the document ended the program %d times. Report this, and attach the document.", maxAttempts))
	}
	began := time.Now()
	err = t.read(ctx, &i)
	if err == nil {
		metric.Imported(i.Format, i.State, time.Since(began))
	}
	var refused *fault.Error
	switch {
	case errors.Is(err, errStopped):
		metric.Imported("", models.ImportCancelled, time.Since(began))
		return db.InTx(ctx, s.DB, complete)
	case ctx.Err() == nil && errors.As(err, &refused) && refused.Kind != fault.Internal && !(refused.Kind == fault.Unavailable && i.Object != ""):
		metric.Imported("", models.ImportFailed, time.Since(began))
		return t.fail(ctx, i, refused)
	}
	return err // the job runs again
}

// task reads one import. complete ends its job in the transaction of the outcome.
type task struct {
	*Service
	complete func(tx pgx.Tx) error
}

// read gets the bytes of an import, prepares them and stores the outcome.
func (t task) read(ctx context.Context, i *models.Import) error {
	if i.Object == "" {
		if err := t.fetch(ctx, i); err != nil {
			return err
		}
	}
	if i.WatchID != 0 {
		done, err := t.isSeen(ctx, *i)
		if err != nil || done {
			i.State = models.ImportUnchanged
			return err
		}
	}
	request, v, err := t.request(ctx, t.DB, *i)
	if err != nil {
		return err
	}
	if request.Data, err = t.bytesOf(ctx, i.Object); err != nil {
		return err
	}
	result, err := t.watched(ctx, i.ID, request)
	if err != nil {
		return err
	}
	i.Format = result.Format
	return t.store(ctx, i, v, result)
}

// pulse is how often the progress of an import is stored while it is read.
const pulse = 300 * time.Millisecond

// watched prepares a document. It stores the progress, and stops when the import is
// cancelled.
func (t task) watched(ctx context.Context, id int64, r prepare.Request) (*prepare.Result, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	percent, stage := 5, "Starting"
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(pulse)
		defer tick.Stop()
		told := ""
		for {
			select {
			case <-inner.Done():
				return
			case <-tick.C:
			}
			mu.Lock()
			p, text := percent, stage
			mu.Unlock()
			open, err := writes.ImportUpdateProgress(inner, t.DB, id, p, text)
			if err == nil && !open {
				cancel(errStopped)
				return
			}
			if text != told {
				told = text
				t.Signals.Add(Topic, 0)
			}
		}
	})
	result, err := t.Preparer.Prepare(inner, r, func(p int, text string) {
		mu.Lock()
		defer mu.Unlock()
		percent, stage = p, text
	})
	stopped := errors.Is(context.Cause(inner), errStopped)
	cancel(nil)
	wg.Wait()
	if stopped {
		return nil, errStopped
	}
	return result, err
}

// fetch reads the address of an import.
func (t task) fetch(ctx context.Context, i *models.Import) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, i.Address, nil)
	if err != nil {
		return fault.New(fault.Invalid, "The address cannot be read. Check it.")
	}
	req.Header.Set("Accept", "application/json, application/yaml, text/yaml, application/zip, */*;q=0.5")
	res, err := t.Fetcher.Do("", req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return fault.New(fault.Invalid, "The address redirects to another one. Redirects are not followed: enter the address that it redirects to.")
	case res.StatusCode != http.StatusOK:
		return fault.New(fault.Invalid, "The address answers with status %d instead of 200. Check that it can be read without signing in.", res.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, MaxBytes+1))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) || len(data) > MaxBytes {
		return fault.New(fault.TooLarge, "The document at the address is over %d MiB. Split it into smaller documents.", MaxBytes>>20)
	}
	if err != nil {
		return fault.New(fault.Invalid, "The address sent only a part of the document. Try again.")
	}
	if len(data) == 0 {
		return fault.New(fault.Invalid, "The address sends an empty document.")
	}
	if err := t.keep(ctx, i, data); err != nil {
		return err
	}
	return writes.ImportUpdateBytes(ctx, t.DB, *i)
}

// isSeen ends an import of a watched address if its bytes are the same as last time.
func (t task) isSeen(ctx context.Context, i models.Import) (bool, error) {
	w, err := queries.ImportWatchGet(ctx, t.DB, i.WatchID)
	if db.IsNoRows(err) {
		return false, nil
	}
	if err != nil || !bytes.Equal(w.LastSHA256, i.SHA256) {
		return false, err
	}
	return true, t.finish(ctx, i, models.ImportResult{ID: i.ID, State: models.ImportUnchanged, Findings: json.RawMessage("[]"), Plan: json.RawMessage("{}")})
}

// store stores what was read.
func (t task) store(ctx context.Context, i *models.Import, v version, result *prepare.Result) error {
	r := models.ImportResult{
		ID: i.ID, State: models.ImportReady, Format: result.Format, FormatVersion: result.FormatVersion, Title: cut(result.Title, 300), TitleVersion: cut(result.TitleVersion, 100),
		Operations: result.Operations, Schemas: result.Schemas, Added: result.Plan.Endpoints.Added, Changed: result.Plan.Endpoints.Changed, Removed: result.Plan.Endpoints.Removed,
		Unchanged: result.Plan.Endpoints.Unchanged, Breaking: result.Plan.Levels.Breaking, FindingCount: len(result.Findings) + result.MoreFindings,
	}
	if v.exists && !result.Plan.HasChanges() {
		r.State = models.ImportUnchanged
	}
	var err error
	if r.Findings, err = json.Marshal(result.Findings); err != nil {
		return err
	}
	if r.Plan, err = json.Marshal(result.Plan); err != nil {
		return err
	}
	key := storage.ImportKey(uuid.NewString())
	r.Converted = key.String()
	if _, err := t.Store.Put(ctx, key, bytes.NewReader(result.Converted), storage.PutOptions{ContentType: "application/json"}); err != nil {
		return err
	}
	i.State = r.State
	return t.finish(ctx, *i, r)
}

// finish stores the outcome, and accepts what a watched address brought. The address is
// stored masked, because the import never reads it again.
func (t task) finish(ctx context.Context, i models.Import, r models.ImportResult) error {
	r.Address = Masked(i.Address)
	err := db.InTx(ctx, t.DB, func(tx pgx.Tx) error {
		open, err := writes.ImportUpdateRead(ctx, tx, r)
		if err != nil {
			return err
		}
		if open {
			details := map[string]any{"format": r.Format + " " + r.FormatVersion, "operations": r.Operations, "findings": r.FindingCount, "added": r.Added, "changed": r.Changed, "removed": r.Removed}
			if err := record(ctx, tx, editorial.System, "import.read", i, details); err != nil {
				return err
			}
			if i.WatchID != 0 {
				if err := t.settleWatch(ctx, tx, i, r.State); err != nil {
					return err
				}
			}
		}
		return t.complete(tx)
	})
	t.Signals.Add(Topic, 0)
	return err
}

// fail ends an import that cannot be read.
func (t task) fail(ctx context.Context, i models.Import, why *fault.Error) error {
	i.Error = cut(message(why), 4000)
	err := db.InTx(ctx, t.DB, func(tx pgx.Tx) error {
		open, err := writes.ImportUpdateEnded(ctx, tx, models.Import{ID: i.ID, State: models.ImportFailed, Error: i.Error, Address: Masked(i.Address)})
		if err != nil {
			return err
		}
		if open {
			if err := record(ctx, tx, editorial.System, "import.fail", i, nil); err != nil {
				return err
			}
			if i.WatchID != 0 {
				if err := t.settleWatch(ctx, tx, i, models.ImportFailed); err != nil {
					return err
				}
			}
		}
		return t.complete(tx)
	})
	t.Signals.Add(Topic, 0)
	return err
}

func message(f *fault.Error) string {
	text := f.Message
	for _, field := range f.Fields {
		text += fmt.Sprintf("\n%s: %s", field.Name, field.Message)
	}
	return text
}
