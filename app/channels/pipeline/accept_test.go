package pipeline

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// Sends that share a transaction may share a key: the first of them is
// accepted, and keys of two organisations are apart.
func TestOneKeyInOneBatchIsOneMessage(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	var organisations [2]int64
	for i := range organisations {
		if err := pool.QueryRow(t.Context(), `insert into organisations (name) values ('Sandbox') returning id`).Scan(&organisations[i]); err != nil {
			t.Fatal(err)
		}
	}
	batch := []*acceptance{}
	for _, one := range []struct {
		organisation int64
		key          string
	}{
		{organisations[0], "k1"}, {organisations[0], "k1"}, {organisations[1], "k1"}, {organisations[0], "k2"}, {organisations[0], ""}, {organisations[0], ""},
	} {
		batch = append(batch, &acceptance{Group: Group{
			Messages: []models.Message{newMessage(one.organisation)},
			Key:      Key{OrganisationID: one.organisation, Route: "send", Value: one.key}, Reply: []byte(`{}`),
		}})
	}
	a := NewAcceptor(pool, nil)
	write := func(want string) {
		t.Helper()
		if err := a.write(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, one := range batch {
			got += map[bool]string{true: "n", false: "-"}[one.fresh]
		}
		if got != want {
			t.Errorf("new in the batch are %s, want %s", got, want)
		}
	}
	write("n-nnnn")
	for _, one := range batch {
		one.Messages[0].ID = uuid.New()
	}
	write("----nn") // a later transaction with the same keys
	var messages, jobs int
	if err := pool.QueryRow(t.Context(), `select (select count(*) from messages), (select sum(coalesce(jsonb_array_length(args->'message_ids'), 1)) from river.river_job)`).Scan(&messages, &jobs); err != nil {
		t.Fatal(err)
	}
	if messages != 7 || jobs != 7 {
		t.Errorf("%d messages are stored, and jobs for %d; want 7", messages, jobs)
	}
}

// newMessage returns a message of an organisation.
func newMessage(organisation int64) models.Message {
	return models.Message{
		ID: uuid.Must(uuid.NewV7()), OrganisationID: organisation, Channel: "messaging", Sender: "1", Recipient: "919812345678", Kind: "text",
		Payload: []byte(`{}`), CreatedAt: time.Now(), TTL: 3600,
	}
}
