package carry

import (
	"slices"
	"testing"

	"heliograph/app/channels/pipeline"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// Parts that are recorded together may have been recorded before, whether their messages
// tell or not. One that waits is handed over again, and one that is being handed over is
// left alone.
func TestRecordsOfPartsThatAreKnown(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	carrier := &counting{}
	r := newRecords(pool)
	for _, known := range []bool{false, true} {
		var carriages []models.Carriage
		for range 3 {
			h := newHandover(t, pool, carrier, "lamp")
			carriages = append(carriages, h.carriage(pipeline.Part{Number: 1}))
		}
		numbers, err := r.start(t.Context(), r.started.Do, known, carriages[1:]...)
		if err != nil || !slices.Equal(numbers, []int{1, 1}) {
			t.Fatalf("the first hand-overs have the numbers %v, %v", numbers, err)
		}
		if _, err := pool.Exec(t.Context(), `update carriages set state = 'waiting' where message_id = $1`, carriages[2].MessageID); err != nil {
			t.Fatal(err)
		}
		numbers, err = r.start(t.Context(), r.started.Do, known, carriages...)
		if err != nil || !slices.Equal(numbers, []int{1, 0, 2}) {
			t.Errorf("a new part, one that is being handed over and one that waits have the numbers %v, %v; want 1, none and 2", numbers, err)
		}
		var dialling int
		ids := []any{carriages[0].MessageID, carriages[1].MessageID, carriages[2].MessageID}
		if err := pool.QueryRow(t.Context(), `select count(*) from carriages where state = 'dialling' and message_id in ($1, $2, $3)`, ids...).Scan(&dialling); err != nil || dialling != 3 {
			t.Errorf("%d parts are recorded, %v; want all three", dialling, err)
		}
	}
}
