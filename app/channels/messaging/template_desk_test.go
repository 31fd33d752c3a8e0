package messaging_test

import (
	"strings"
	"testing"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/fault"
)

// Templates of live organisations wait for an administrator, who approves or rejects
// what is there now. Those with fixed texts, for authentication, do not.
func TestLiveTemplatesAreReviewedAtTheDesk(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	sandboxed := b.get(t, b.made(t, plain("of_a_sandbox", "UTILITY")))
	desk := templates.Desk{DB: b.pool, Jobs: b.jobs, Product: "msgapp"}
	if waiting, err := desk.Waiting(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("templates of a sandbox are at the desk: %v, %v", waiting, err)
	}
	if _, _, err := desk.Template(t.Context(), sandboxed.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a template of a sandbox: %v", err)
	}
	b.exec(t, `update organisations set sandbox = false`)
	b.exec(t, `update message_templates set status = 'APPROVED' where id = $1`, sandboxed.ID)
	b.events(t)
	decide := func(id, decision, reason, category string) error {
		return desk.Decide(t.Context(), templates.Decision{ID: b.get(t, id).ID, Revision: b.get(t, id).Revision, Decision: decision, Reason: reason, Category: category, Actor: "admin:1"})
	}
	news, sale := b.made(t, plain("news", "UTILITY")), b.made(t, strings.Replace(plain("sale", "UTILITY"), `"category"`, `"allow_category_change":true,"category"`, 1))
	bad := b.made(t, plain("bad", "MARKETING"))
	for _, id := range []string{news, sale, bad} {
		if got := b.review(t, id); got.Status != "PENDING" {
			t.Errorf("%s was reviewed by itself: %s", got.Name, got.Status)
		}
	}
	waiting, err := desk.Waiting(t.Context())
	if err != nil || len(waiting) != 3 || waiting[0].Name != "news" || waiting[0].Organisation == "" {
		t.Fatalf("at the desk are %+v, %v", waiting, err)
	}
	if _, parts, err := desk.Template(t.Context(), waiting[0].ID); err != nil || len(parts) != 1 || parts[0] != (templates.Part{Name: "BODY", Text: "Hello there"}) {
		t.Errorf("the content is %+v, %v", parts, err)
	}
	for _, wrong := range [][3]string{{"forget", "", ""}, {"reject", "", ""}, {"reject", "UGLY", ""}, {"approve", "", "GOSSIP"}, {"approve", "", "MARKETING"}} {
		if err := decide(news, wrong[0], wrong[1], wrong[2]); !fault.Is(err, fault.Invalid) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	stale := templates.Decision{ID: waiting[0].ID, Revision: waiting[0].Revision + 1, Decision: "approve", Actor: "admin:1"}
	if err := desk.Decide(t.Context(), stale); !fault.Is(err, fault.Conflict) {
		t.Errorf("a decision about another revision: %v", err)
	}
	for _, tt := range []struct{ id, decision, reason, category, status, want, events string }{
		{news, "approve", "", "UTILITY", "APPROVED", "UTILITY NONE", "approved"},
		{sale, "approve", "", "MARKETING", "APPROVED", "MARKETING NONE", "category approved"},
		{bad, "reject", "PROMOTIONAL", "", "REJECTED", "MARKETING PROMOTIONAL", "rejected"},
	} {
		if err := decide(tt.id, tt.decision, tt.reason, tt.category); err != nil {
			t.Fatal(err)
		}
		if got := b.get(t, tt.id); got.Status != tt.status || got.Category+" "+got.RejectedReason != tt.want || got.ReviewedAt == nil {
			t.Errorf("%s is %s %s %s", got.Name, got.Status, got.Category, got.RejectedReason)
		}
		if told := b.events(t); told != tt.events {
			t.Errorf("told %q, want %q", told, tt.events)
		}
		if err := decide(tt.id, "approve", "", ""); !fault.Is(err, fault.Conflict) {
			t.Errorf("a second decision: %v", err)
		}
	}
	code := b.made(t, `{"name":"code","language":"en_US","category":"AUTHENTICATION","components":[{"type":"BODY"},{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE"}]}]}`)
	if got := b.review(t, code); got.Status != "APPROVED" {
		t.Errorf("a template with fixed texts is %s", got.Status)
	}
}
