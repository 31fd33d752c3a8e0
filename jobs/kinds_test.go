package jobs_test

import (
	"testing"
	"time"
)

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
	for deadline := time.Now().Add(60 * time.Second); b.count(t, `select count(*) from messages where state = 'sent'`) == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the message behind it was not sent within 60 s")
		}
	}
	var waits bool
	err = b.pool.QueryRow(t.Context(), `select state = 'available' and attempt = 0 from river.river_job where kind = 'carry_by_pigeon'`).Scan(&waits)
	if err != nil || !waits {
		t.Errorf("after message %s the job of an unknown kind waits: %v, %v", id, waits, err)
	}
}
