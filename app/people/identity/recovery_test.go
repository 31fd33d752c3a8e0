package identity

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/fault"
	"heliograph/db/dbtest"
	"heliograph/jobs/args"
)

// The code of a recovery sets a password, once. It ends the other sessions and
// starts one.
func TestRecoveriesSetAPassword(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	b := newBench(t, tx)
	c := b.register(1)
	earlier, err := b.Verify(t.Context(), c, b.code(c), visitor)
	if err != nil {
		t.Fatal(err)
	}
	b.exec(`delete from rate_limits`)
	r, err := b.Recover(t.Context(), c.Email, visitor)
	if err != nil {
		t.Fatal(err)
	}
	code := b.code(*r)
	const changed = "seven loud geese swim"
	for field, n := range map[string]NewPassword{
		"code":         {Code: "12345", Password: changed, Confirmation: changed},
		"password":     {Code: code, Password: "short", Confirmation: "short"},
		"confirmation": {Code: code, Password: changed, Confirmation: changed + "s"},
	} {
		if f := fault.As(second(b.Reset(t.Context(), *r, n, visitor))); f == nil || len(f.Fields) != 1 || f.Fields[0].Name != field {
			t.Errorf("a wrong %s: %+v", field, f)
		}
	}
	if err := second(b.Reset(t.Context(), *r, NewPassword{Code: different(code), Password: changed, Confirmation: changed}, visitor)); !wrongCode(err) {
		t.Errorf("another code: %v", err)
	}
	if err := second(b.Reset(t.Context(), *r, NewPassword{Code: code, Password: goodPassword, Confirmation: goodPassword}, visitor)); err == nil {
		t.Error("the current password is set again")
	}
	s, err := b.Reset(t.Context(), *r, NewPassword{Code: code, Password: changed, Confirmation: changed}, visitor)
	if err != nil {
		t.Fatal(err)
	}
	d := New(tx, Notifier{})
	if u, err := d.Resume(t.Context(), *s); err != nil || u.Email != c.Email {
		t.Errorf("the new session is that of %+v, %v", u, err)
	}
	if u, err := d.Resume(t.Context(), *earlier); err == nil && u != nil {
		t.Errorf("the earlier session is still that of %+v", u)
	}
	for password, works := range map[string]bool{goodPassword: false, changed: true} {
		if err := second(d.SignIn(t.Context(), Account, Credentials{Email: c.Email, Password: password})); (err == nil) != works {
			t.Errorf("signing in with %q: %v", password, err)
		}
	}
	if err := second(b.Reset(t.Context(), *r, NewPassword{Code: code, Password: changed + " on", Confirmation: changed + " on"}, visitor)); !wrongCode(err) {
		t.Errorf("the code for a second time: %v", err)
	}
}

// second returns the error of two results.
func second[T any](_ T, err error) error { return err }

// many collects the jobs that are inserted at once.
type many struct {
	queue
	jobs   []river.JobArgs
	broken error
}

func (m *many) InsertManyFastTx(_ context.Context, _ pgx.Tx, list []river.InsertManyParams) (int, error) {
	for _, p := range list {
		m.jobs = append(m.jobs, p.Args)
	}
	return len(list), m.broken
}

// A challenge gets another job when its own was lost before it made a code.
func TestLostCodesAreSettled(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	c := b.register(1)
	settle := func(jobs *many, want int) {
		t.Helper()
		queued, err := SettleCodes(t.Context(), b.db, jobs)
		if !errors.Is(err, jobs.broken) || queued != want {
			t.Errorf("%d codes are settled, want %d: %v", queued, want, err)
		}
	}
	lost := &many{}
	if settle(lost, 1); len(lost.jobs) != 1 || lost.jobs[0] != (args.SendCode{ChallengeID: c.ID}) {
		t.Errorf("the jobs are %+v", lost.jobs)
	}
	settle(&many{broken: errors.New("the queue is away")}, 0)
	b.exec(`update otp_challenges set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'`)
	settle(&many{}, 0)
	b.exec(`update otp_challenges set created_at = created_at + interval '1 hour', expires_at = expires_at + interval '1 hour'`)
	settle(&many{}, 1)
	b.code(c)
	settle(&many{}, 0)
}
