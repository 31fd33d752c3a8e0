package channels_test

import (
	"bytes"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/rcs"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/db"
)

// A super admin takes a bot from its submission to its launch and sees what a
// phone shows. Its organisation sees the result. Others only look.
func TestBotIsDecidedAtTheDesk(t *testing.T) {
	t.Parallel()
	s := webtest.New(t, nil)
	member, organisation := s.SignIn(t, 0, identity.Developer)
	var sandbox rcs.Sandbox
	err := db.InTx(t.Context(), s.DB, func(tx pgx.Tx) (err error) {
		sandbox, err = rcs.Provision(t.Context(), tx, organisation)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.Exec(t.Context(), `update rcs_bots set verification = 'PENDING', submission = '{"contactEmail": "help@example.com"}' where id = $1`, sandbox.DraftBotID); err != nil {
		t.Fatal(err)
	}
	admin := s.SignInAdmin(t, identity.SuperAdmin)
	if rows := admin.Get("/admin/bots").Find("main table tbody tr"); !strings.Contains(rows.First().Text(), "Parcel offers") {
		t.Errorf("the bot that waits is not first: %s", rows.First().Text())
	}
	path := "/admin/bots/" + sandbox.DraftBotID
	shown := admin.Get(path)
	if text := shown.Find("main").Text(); !strings.Contains(text, "help@example.com") || !strings.Contains(text, "Parcel offers") {
		t.Errorf("the page lacks what was submitted: %s", text)
	}
	image := admin.Get(shown.Find(".phone-logo").AttrOr("src", ""))
	if config, err := png.DecodeConfig(bytes.NewReader([]byte(image.Body))); err != nil || config.Width != 224 || image.Header.Get("Content-Type") != "image/png" {
		t.Errorf("the logo: %v %s", err, image.Header.Get("Content-Type"))
	}
	recorded := func() (n int) {
		t.Helper()
		if err := s.DB.QueryRow(t.Context(), `select count(*) from audit_entries where actor like 'admin:%'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	decide := func(move, reason string) int {
		return admin.Post(path+"/moves", url.Values{"move": {move}, "reason": {reason}}).Status
	}
	for _, tt := range []struct {
		move, reason string
		want         int
	}{{"reject", "", 422}, {"launch", "", 409}, {"verify", "", 303}, {"request_launch", "", 303}, {"launch", "", 303}, {"suspend", "Complaints", 303}} {
		before := recorded()
		if got := decide(tt.move, tt.reason); got != tt.want || (recorded() == before+1) != (got == 303) {
			t.Errorf("%s: %d with %d audit entries, want %d", tt.move, got, recorded()-before, tt.want)
		}
	}
	var template string
	if err := s.DB.QueryRow(t.Context(), `update rcs_templates set state = 'PENDING' where id = (select min(id) from rcs_templates) returning id`).Scan(&template); err != nil {
		t.Fatal(err)
	}
	before := recorded()
	if a := admin.Post(path+"/templates", url.Values{"template": {template}}); a.Status != 303 || recorded() != before+1 {
		t.Errorf("approving a template: %d with %d audit entries", a.Status, recorded()-before)
	}
	own := member.Get("/account/bots/" + sandbox.DraftBotID).Find("main").Text()
	if !strings.Contains(own, "SUSPENDED") || !strings.Contains(own, "Complaints") || !strings.Contains(own, "+919812345678") {
		t.Errorf("the organisation sees %s", own)
	}
	if text := member.Get("/account/bots").Find("main").Text(); !strings.Contains(text, "Parcel updates") {
		t.Errorf("the list of the organisation: %s", text)
	}
	if text := member.Get("/account/bots/" + sandbox.BotID).Find(".bot-templates").Text(); !strings.Contains(text, "Hello name, your order is on its way.") || !strings.Contains(text, "Choose") {
		t.Errorf("the templates: %s", text)
	}
	stranger, _ := s.SignIn(t, 0, identity.Owner)
	for _, rest := range []string{"", "/images/logo"} {
		if a := stranger.Get("/account/bots/" + sandbox.BotID + rest); a.Status != 404 {
			t.Errorf("another organisation gets %d for %s", a.Status, rest)
		}
	}
}
