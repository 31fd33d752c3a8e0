package operation_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

func TestJobsAreShownWithoutWhatTheyCarry(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	if a := c.Get("/admin/jobs"); a.Status != 200 || a.Find(".empty").Length() != 1 {
		t.Errorf("without jobs: %d", a.Status)
	}
	webtest.Exec(t, site, webtest.JobRows, webtest.QueueRows)
	for _, path := range []string{"/admin/jobs", "/admin/jobs/1", "/admin/jobs/2"} {
		if a := c.Get(path); a.Status != 200 || strings.Contains(a.Body, "canary") || strings.Contains(a.Body, "<i>refused") {
			t.Errorf("%s gives %d and tells what it should not", path, a.Status)
		}
	}
	list := c.Get("/admin/jobs")
	got := map[string][]string{}
	for _, label := range []string{"Job", "Oldest waits", "Discarded"} {
		got[label] = webtest.Column(list, label)
	}
	want := map[string][]string{"Job": {"2", "1"}, "Oldest waits": {"–", "60 minutes"}, "Discarded": {"1", "0"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	if got := webtest.Column(c.Get("/admin/jobs?state=completed&queue=mail&kind=send_email"), "Job"); len(got) != 1 || got[0] != "3" {
		t.Errorf("the filter gives %v", got)
	}
	options := list.Find("select[name=kind] option").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("value", "") })
	if diff := cmp.Diff([]string{"", "carry_message", "send_email"}, options); diff != "" {
		t.Errorf("the kinds to choose from (-want +got):\n%s", diff)
	}
	if chosen := c.Get("/admin/jobs?kind=gone").Find("select[name=kind] option[selected]").AttrOr("value", ""); chosen != "gone" {
		t.Errorf("a kind that has no jobs any more is not shown as chosen: %q", chosen)
	}
	for path, want := range map[string]int{"/admin/jobs/99": 404, "/admin/jobs/x": 404, "/admin/jobs/-1": 404, "/admin/jobs?state=lost": 422, "/admin/jobs?after=x": 422, "/admin/jobs?kind='": 200} {
		if a := c.Get(path); a.Status != want {
			t.Errorf("%s gives %d, want %d", path, a.Status, want)
		}
	}
}

func TestJobsAreSteered(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.JobRows, webtest.QueueRows)
	state := func(path string) string { return c.Get(path).Find("dt:contains('State') + dd").Text() }

	if a := c.Post("/admin/jobs/2/retry", nil); a.Status != 303 || c.Get(a.Header.Get("Location")).Find(".done").Text() != "The job runs again." {
		t.Errorf("retrying gives %d to %s", a.Status, a.Header.Get("Location"))
	}
	if got := state("/admin/jobs/2"); got != "Waiting" {
		t.Errorf("the job is %s", got)
	}
	if a := c.Post("/admin/jobs/3/retry", nil); a.Status != 409 || a.Find("[role=alert]").Length() != 1 {
		t.Errorf("retrying what is done gives %d", a.Status)
	}
	if a := c.Post("/admin/jobs/1/cancel", nil); a.Status != 303 || state("/admin/jobs/1") != "Cancelled" {
		t.Errorf("cancelling gives %d, and the job is %s", a.Status, state("/admin/jobs/1"))
	}
	for path, want := range map[string]int{"/admin/jobs/9/retry": 404, "/admin/jobs/x/cancel": 404, "/admin/jobs/queues/none/pause": 404} {
		if a := c.Post(path, nil); a.Status != want {
			t.Errorf("%s gives %d, want %d", path, a.Status, want)
		}
	}
	asked := c.Get("/admin/jobs/queues/mail/pause")
	if asked.Status != 200 || !strings.Contains(asked.Find(".lead").Text(), "invitations") || asked.Find("main form[action='/admin/jobs/queues/mail/pause']").Length() != 1 {
		t.Errorf("before pausing %d: %s", asked.Status, asked.Find("main").Text())
	}
	if a := c.Get("/admin/jobs/queues/none/pause"); a.Status != 404 {
		t.Errorf("a queue that is not there gives %d", a.Status)
	}
	paused := func() string { return strings.Join(webtest.Column(c.Get("/admin/jobs?state=completed"), "State"), " ") }
	for _, step := range []struct{ path, want string }{
		{"/admin/jobs/queues/mail/pause", "Paused Open Completed"},
		{"/admin/jobs/queues/mail/pause", "Paused Open Completed"},
		{"/admin/jobs/queues/mail/resume", "Open Open Completed"},
	} {
		a := c.Post(step.path, nil)
		if a.Status != 303 || c.Get(a.Header.Get("Location")).Find(".done").Length() != 1 || paused() != step.want {
			t.Errorf("%s gives %d, and the states are %s, want %s", step.path, a.Status, paused(), step.want)
		}
	}
}

// The question names what ends with the job.
func TestCancellingAJobNamesWhatEnds(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.JobRows,
		`insert into messages (id, organisation_id, channel, sender, recipient, kind, payload) values ('0199c2d4-5a70-7000-8000-000000000001', 1, 'messaging', '1', '91', 'text', '{}')`,
		`update river.river_job set args = '{"message_id": "0199c2d4-5a70-7000-8000-000000000001"}' where id = 1`,
		`insert into river.river_job (id, args, kind, max_attempts, queue) values (8, '{}', 'housekeep', 12, 'default')`)
	id := messaging.MessageID(uuid.MustParse("0199c2d4-5a70-7000-8000-000000000001"))
	for path, want := range map[string]string{"/admin/jobs/1/cancel": "This ends the message " + id + ".", "/admin/jobs/8/cancel": "does not run again"} {
		if a := c.Get(path); a.Status != 200 || !strings.Contains(a.Find("main").Text(), want) {
			t.Errorf("%s gives %d, want %q in %s", path, a.Status, want, a.Find("main").Text())
		}
	}
	if a := c.Post("/admin/jobs/1/cancel", nil); a.Status != 303 {
		t.Errorf("cancelling gives %d", a.Status)
	}
	var state string
	if err := site.DB.QueryRow(t.Context(), `select state from messages`).Scan(&state); err != nil || state != "failed" {
		t.Errorf("the message is %s, %v", state, err)
	}
}

func TestJobsAreRetriedByCauseFromThePage(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	webtest.Exec(t, site, webtest.JobRows)
	list := c.Get("/admin/jobs")
	if got := webtest.Column(list, "Cause"); len(got) != 1 || got[0] != "<i>refused</i>" {
		t.Errorf("the causes are %v", got)
	}
	ask, _ := list.Find("a:contains('Retry all')").Attr("href")
	asked := c.Get(ask)
	if asked.Status != 200 || asked.Find("form[action='/admin/jobs/retry'] input[name=cause]").AttrOr("value", "") != "<i>refused</i>" {
		t.Fatalf("%s gives %d %s", ask, asked.Status, asked.Find("main").Text())
	}
	a := c.Post("/admin/jobs/retry", map[string][]string{"kind": {"send_email"}, "cause": {"<i>refused</i>"}})
	if a.Status != 303 || c.Get(a.Header.Get("Location")).Find(".done").Text() != "The jobs run again." {
		t.Errorf("retrying gives %d to %s", a.Status, a.Header.Get("Location"))
	}
	if got := c.Get("/admin/jobs/2").Find("dt:contains('State') + dd").Text(); got != "Waiting" {
		t.Errorf("the job is %s", got)
	}
	if a := c.Post("/admin/jobs/retry", nil); a.Status != 422 {
		t.Errorf("without a kind: %d", a.Status)
	}
}
