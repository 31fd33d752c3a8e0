package jobs_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/people/identity/identitytest"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/documentation/writes"
	"heliograph/jobs/args"
)

// A callback of a mock is posted once, byte for byte with the signature that it was
// stored with, and its row is gone.
func TestCallbacksOfMocksAreSent(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	type received struct {
		method, body, signature, contentType string
	}
	got := make(chan received, 4)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a short body fails the comparison
		got <- received{r.Method, string(body), r.Header.Get("Webhook-Signature"), r.Header.Get("Content-Type")}
		w.WriteHeader(http.StatusInternalServerError)
	}))
	t.Cleanup(receiver.Close)
	organisation := identitytest.AddOrganisation(t, o.pool, models.Organisation{Name: "Callers"}, "owner@example.com")
	c := models.MockCallback{
		ID: uuid.Must(uuid.NewV7()), OrganisationID: organisation, Method: http.MethodPost, URL: receiver.URL + "/hook",
		Headers: map[string]string{"Webhook-Signature": "v1,c2lnbmVk"}, Body: []byte(`{"id": 12345678901234567890}`),
	}
	err := db.InTx(t.Context(), o.pool, func(tx pgx.Tx) error {
		if err := writes.MockCallbackInsert(t.Context(), tx, c); err != nil {
			return err
		}
		_, err := o.inserter.InsertTx(t.Context(), tx, args.SendMockCallback{CallbackID: c.ID}, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	o.work(t)
	select {
	case r := <-got:
		if r != (received{http.MethodPost, string(c.Body), "v1,c2lnbmVk", "application/json"}) {
			t.Errorf("the receiver gets %+v", r)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the receiver gets nothing")
	}
	o.await(t, "completed", `select state::text from river.river_job where kind = 'send_mock_callback'`)
	var left int
	if err := o.pool.QueryRow(t.Context(), `select count(*) from mock_callbacks`).Scan(&left); err != nil || left != 0 || len(got) != 0 {
		t.Errorf("%d rows are left, and %d more callbacks came: %v", left, len(got), err)
	}
}
