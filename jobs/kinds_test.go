package jobs_test

import "testing"

// A job that a newer version inserted waits for a worker of that version.
func TestJobsOfUnknownKindsAreLeftAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.pool.Exec(t.Context(), `
		insert into river.river_job (args, kind, queue, max_attempts, priority) values ('{}', 'carry_by_pigeon', 'send', 25, 1)`)
	if err != nil {
		t.Fatal(err)
	}
	id := b.send(t, "919812340003")
	b.await(t, "sent")
	var waits bool
	err = b.pool.QueryRow(t.Context(), `select state = 'available' and attempt = 0 from river.river_job where kind = 'carry_by_pigeon'`).Scan(&waits)
	if err != nil || !waits {
		t.Errorf("after message %s the job of an unknown kind waits: %v, %v", id, waits, err)
	}
}
