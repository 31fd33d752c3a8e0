package api_test

import "testing"

// A bot invites 20 phones at once. The next one waits, and says how long.
func TestRCSInvitationsAreFew(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	add := func(n int) rcsAnswerBody {
		return p.call(t, "POST", "/add-test-device", jsonMap{"botId": p.sandbox.DraftBotID, "phoneNumber": numbered(n), "name": "Asha"})
	}
	for n := range 20 {
		if a := add(20 + n); a.status != 201 {
			t.Fatalf("invitation %d: %d %s", n+1, a.status, a.body)
		}
	}
	if a := add(40); a.status != 429 || a.header.Get("Retry-After") == "" {
		t.Errorf("one invitation too many: %d %s", a.status, a.body)
	}
}
