package identity

import (
	"testing"

	"heliograph/db/dbtest"
)

// Who registers somebody else's address and number between their registration
// and its code must not have their own password activated by the code that the
// other one asks for again.
func TestACodeActivatesOnlyWhatItsBrowserRegistered(t *testing.T) {
	t.Parallel()
	b := newBench(t, dbtest.Tx(t))
	victim := b.register(1)
	other := registration(1)
	other.Password, other.Confirmation = "eight bold wrens sing", "eight bold wrens sing"
	if _, err := b.Register(t.Context(), other, visitor); err != nil {
		t.Fatal(err)
	}
	b.exec(`delete from rate_limits`)
	again, err := b.Resend(t.Context(), victim, visitor)
	if err != nil {
		t.Fatal(err)
	}
	if n := b.count(`select count(*) from otp_challenges where id = $1 and user_id is not null`, again.ID); n != 0 {
		t.Error("the code would activate what somebody else registered")
	}
	if n := b.count(`select count(*) from otp_challenges where user_id is not null and consumed_at is null`); n != 1 {
		t.Errorf("%d challenges of the later registration are open", n)
	}

	// Registering once more is the way back.
	b.exec(`delete from rate_limits`)
	mine := b.register(1)
	second, err := b.Resend(t.Context(), mine, visitor)
	if err != nil {
		t.Fatal(err)
	}
	b.exec(`delete from rate_limits`)
	if _, err := b.Verify(t.Context(), *second, b.code(*second), visitor); err != nil {
		t.Fatal(err)
	}
	signIn := func(password string) error {
		_, err := New(b.db, Notifier{}).SignIn(t.Context(), Account, Credentials{Email: "asha1@example.com", Password: password})
		return err
	}
	if err := signIn(goodPassword); err != nil {
		t.Errorf("the password of whoever entered the code gives %v", err)
	}
	if err := signIn(other.Password); err == nil {
		t.Error("the password of somebody else signs in")
	}
}
