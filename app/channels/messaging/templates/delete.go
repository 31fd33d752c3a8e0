package templates

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// nameBlock is how long the name of a deleted approved template cannot be
// reused, and the longest time that a deletion waits for messages in transit.
const nameBlock = 30 * 24 * time.Hour

// maxDeleted is the maximum number of ids in one deletion.
const maxDeleted = 100

// Choice selects the templates to delete: all translations of a name,
// the translation with an id, or a comma-separated list of ids.
type Choice struct {
	Name input.Text `json:"name"`
	ID   input.Text `json:"hsm_id"`
	IDs  input.Text `json:"hsm_ids"`
}

// DeleteTemplates deletes the chosen templates of an account, or none on an
// error. A template with messages in transit is deleted after they have arrived.
func (s *Service) DeleteTemplates(ctx context.Context, account models.BusinessAccount, c Choice) error {
	return db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		chosen, err := c.lock(ctx, tx, account)
		if err != nil {
			return err
		}
		d := &templateTx{tx: tx, jobs: s.jobs, product: s.Names[0], now: time.Now()}
		for i := range chosen {
			if err := d.delete(ctx, &chosen[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// lock returns the chosen templates and locks their rows.
func (c Choice) lock(ctx context.Context, tx pgx.Tx, account models.BusinessAccount) ([]models.Template, error) {
	named := string(c.Name)
	ids, unknown := c.ids()
	switch {
	case c.Name == "" && c.IDs == "":
		return nil, refusal.New(refusal.Invalid, "name", "send name, name and hsm_id, or hsm_ids")
	case len(ids) > maxDeleted:
		return nil, refusal.New(refusal.Invalid, "hsm_ids", "hsm_ids has %d ids: send at most %d", len(ids), maxDeleted)
	case unknown != "":
		return nil, refusal.NotFound(unknown)
	case len(ids) > 0:
		named = ""
	}
	found, err := writes.TemplateLockNamed(ctx, tx, account.ID, named, ids)
	if err != nil {
		return nil, fmt.Errorf("locking the templates to delete: %w", err)
	}
	for _, id := range ids {
		if !slices.ContainsFunc(found, func(t models.Template) bool { return t.ID == id }) {
			return nil, refusal.NotFound(strconv.FormatInt(id, 10))
		}
	}
	if len(found) == 0 {
		return nil, refusal.NotFound(named)
	}
	if c.ID != "" && found[0].Name != string(c.Name) {
		return nil, refusal.New(refusal.Invalid, "hsm_id", "template %s is not named %s: send the name and the id of the same template", c.ID, truncate(c.Name))
	}
	return found, nil
}

// ids parses the ids of a choice. unknown is the first that is not valid.
func (c Choice) ids() (ids []int64, unknown string) {
	list := c.ID
	list = cmp.Or(list, c.IDs)
	if list == "" {
		return nil, ""
	}
	for id := range strings.SplitSeq(string(list), ",") {
		n, ok := registry.ParseID(strings.TrimSpace(id))
		if !ok {
			return nil, id
		}
		if !slices.Contains(ids, n) {
			ids = append(ids, n)
		}
	}
	return ids, ""
}

// delete deletes a template, or marks it as pending deletion while it has
// messages in transit.
func (d *templateTx) delete(ctx context.Context, t *models.Template) error {
	if t.Status == "APPROVED" {
		until := d.now.Add(nameBlock)
		t.NameBlockedUntil = &until
	}
	busy, err := d.hasPendingMessages(ctx, *t)
	if err != nil {
		return err
	}
	step := stepRemove
	if busy {
		step = stepRetire
	}
	if err := d.move(t, step); err != nil {
		return err
	}
	t.DeletedAt = &d.now
	if err := d.save(ctx, t); err != nil {
		return err
	}
	return d.relayStatus(ctx, t, t.Status, nil)
}

// hasPendingMessages reports whether a template has messages in transit.
func (d *templateTx) hasPendingMessages(ctx context.Context, t models.Template) (bool, error) {
	busy, err := queries.TemplateIsUnderWay(ctx, d.tx, t, d.now.Add(-nameBlock))
	if err != nil {
		return false, fmt.Errorf("looking for messages of template %d: %w", t.ID, err)
	}
	return busy, nil
}
