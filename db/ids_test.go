package db_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"heliograph/db/dbtest"
)

// Ids arrive as they are, alone and in lists, as what the database takes for a parameter.
func TestIDsAreSentAsTheyAre(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	one, two := uuid.Must(uuid.NewV7()), uuid.New()
	for name, want := range map[string][]uuid.UUID{"two": {one, two}, "the zero one": {uuid.Nil}, "none": {}} {
		var text string
		var got []uuid.UUID
		err := pool.QueryRow(t.Context(), `select coalesce(array_to_string($1::uuid[], ' '), 'null'), $1::uuid[]`, want).Scan(&text, &got)
		var words string
		for i, id := range want {
			if i > 0 {
				words += " "
			}
			words += id.String()
		}
		if err != nil || text != words || !slices.Equal(got, want) {
			t.Errorf("%s: %q and %v came back, %v; want %q", name, text, got, err, words)
		}
	}
	var alone, through uuid.UUID
	var text string
	var missing, null bool
	err := pool.QueryRow(t.Context(), `select $1::uuid, $2::uuid, $3::text, $4::uuid is null, $5::uuid[] is null`, one, &two, two, (*uuid.UUID)(nil), []uuid.UUID(nil)).
		Scan(&alone, &through, &text, &missing, &null)
	if err != nil || alone != one || through != two || text != two.String() || !missing || !null {
		t.Errorf("%s, %s, %q, %v and %v came back, %v", alone, through, text, missing, null, err)
	}
}
