package jobs_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/rcs"
	"heliograph/app/input"
	"heliograph/db"
)

// A worker reviews the templates of a sandbox.
func TestRCSTemplatesAreReviewed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	organisation := b.number.OrganisationID
	var sandbox rcs.Sandbox
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) (err error) {
		sandbox, err = rcs.Provision(t.Context(), tx, organisation)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	service := rcs.New(rcs.Options{Pool: b.pool, Jobs: b.client})
	for name, want := range map[string]string{"lamp": "APPROVED", "lamp_rejected": "REJECTED"} {
		in := input.Object{"botId": sandbox.BotID, "templateName": name, "templateType": "TEXT", "text": "Lamp"}
		ref, err := service.Templates.CreateTemplate(t.Context(), rcs.By{OrganisationID: organisation, Actor: "user:1"}, in)
		if err != nil {
			t.Fatal(err)
		}
		b.rush(t, "review_rcs_template", func() bool {
			return b.count(t, `select count(*) from rcs_templates where id = $1 and state = $2`, ref.ID, want) == 1
		})
		if n := b.count(t, `select count(*) from river.river_job where kind = 'review_rcs_template' and state in ('retryable', 'discarded')`); n > 0 {
			t.Errorf("%s: %d reviews failed", name, n)
		}
	}
}
