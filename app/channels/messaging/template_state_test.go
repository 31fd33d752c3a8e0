package messaging_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/fault"
	"heliograph/app/input"
)

func TestReviewsEndAsTheNameAsks(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	for _, tt := range []struct{ name, rest, status, category, reason, quality, events string }{
		{"ordinary", "", "APPROVED", "UTILITY", "NONE", "UNKNOWN", "approved"},
		{"long_pending", "", "PENDING", "UTILITY", "NONE", "UNKNOWN", ""},
		{"is_rejected", "", "REJECTED", "UTILITY", "INVALID_FORMAT", "UNKNOWN", "rejected"},
		{"wrong_category", "", "REJECTED", "UTILITY", "INCORRECT_CATEGORY", "UNKNOWN", "rejected"},
		{"other_category", `,"allow_category_change":true`, "APPROVED", "MARKETING", "NONE", "UNKNOWN", "category approved"},
		{"is_flagged", "", "APPROVED", "UTILITY", "NONE", "YELLOW", "approved quality flagged"},
		{"is_paused", "", "PAUSED", "UTILITY", "NONE", "RED", "approved quality paused"},
		{"is_disabled", "", "DISABLED", "UTILITY", "NONE", "RED", "approved quality disabled"},
	} {
		sent := strings.Replace(plain(tt.name, "UTILITY"), `,"components"`, tt.rest+`,"components"`, 1)
		got := b.review(t, b.made(t, sent))
		if got.Status != tt.status || got.Category != tt.category || got.RejectedReason != tt.reason || got.Quality != tt.quality {
			t.Errorf("%s: %s %s %s %s, want %s %s %s %s", tt.name, got.Status, got.Category, got.RejectedReason, got.Quality, tt.status, tt.category, tt.reason, tt.quality)
		}
		if told := b.events(t); told != tt.events {
			t.Errorf("%s: told %q, want %q", tt.name, told, tt.events)
		}
	}
	b.exec(t, `update organisations set sandbox = false`)
	if got := b.review(t, b.made(t, plain("truly_rejected", "UTILITY"))); got.Status != "PENDING" {
		t.Errorf("outside a sandbox an administrator decides, yet the template is %s", got.Status)
	}
}

func TestRejectedTemplateIsMendedByAnEdit(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	for _, change := range []string{`{"category":"MARKETING"}`, `{"components":[{"type":"BODY","text":"Your order is here"}]}`} {
		id := b.made(t, plain("news_category", "UTILITY"))
		if got := b.review(t, id); got.Status != "REJECTED" {
			t.Fatalf("the template is %s", got.Status)
		}
		if err := b.edit(t, id, change); err != nil {
			t.Fatal(err)
		}
		if got := b.get(t, id); got.Status != "PENDING" || got.RejectedReason != "NONE" || got.Revision != 2 {
			t.Errorf("edited: %s %s, revision %d", got.Status, got.RejectedReason, got.Revision)
		}
		b.reviewRevision(t, b.get(t, id).ID, 1) // the review of what was there before comes late
		if got := b.get(t, id); got.Status != "PENDING" {
			t.Errorf("a late review made it %s", got.Status)
		}
		if got := b.review(t, id); got.Status != "APPROVED" {
			t.Errorf("after %s it is %s", change, got.Status)
		}
		if err := b.service.Templates.DeleteTemplates(t.Context(), b.account, templates.Choice{Name: "news_category"}); err != nil {
			t.Fatal(err)
		}
		b.exec(t, `update message_templates set name_blocked_until = null`)
	}
}

func TestPausesEndAndGrow(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	id := b.made(t, plain("is_paused", "MARKETING"))
	first := b.review(t, id)
	if left := time.Until(*first.PausedUntil); left > 3*time.Hour || left < 179*time.Minute {
		t.Errorf("the first pause is %s long, want 3 h", left)
	}
	b.events(t)
	b.settle(t)
	if got := b.get(t, id); got.Status != "PAUSED" || b.events(t) != "" {
		t.Errorf("it is %s before its time", got.Status)
	}
	over := func() {
		b.exec(t, `update message_templates set paused_until = now() where paused_until is not null`)
		b.settle(t)
	}
	over()
	second := b.get(t, id)
	if left := time.Until(*second.PausedUntil); left > 6*time.Hour || left < 359*time.Minute {
		t.Errorf("the second pause is %s long, want 6 h", left)
	}
	over()
	if got := b.get(t, id); got.Status != "DISABLED" {
		t.Errorf("it is %s after two pauses, want DISABLED", got.Status)
	}
	if told := b.events(t); told != "unpaused paused unpaused disabled" {
		t.Errorf("told %q", told)
	}
	improved := b.made(t, plain("also_paused", "MARKETING"))
	b.review(t, improved)
	if err := b.edit(t, improved, `{"components":[{"type":"BODY","text":"Better"}]}`); err != nil {
		t.Fatal(err)
	}
	if got := b.review(t, improved); got.Status != "APPROVED" || got.PausedUntil != nil {
		t.Errorf("improved: %s", got.Status)
	}
}

func TestApprovedTemplateIsEditedSoOften(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	id := b.made(t, plain("ordinary", "UTILITY"))
	change := `{"components":[{"type":"BODY","text":"Changed"}]}`
	wantFault(t, "while pending", b.edit(t, id, change), 0)
	b.review(t, id)
	for name, in := range map[string]string{
		"nothing":        `{}`,
		"another name":   `{"name":"other","components":[` + plainBody + `]}`,
		"another locale": `{"language":"hi","components":[` + plainBody + `]}`,
		"category":       `{"category":"MARKETING"}`,
		"bad ttl":        `{"message_send_ttl_seconds":-1}`,
		"bad format":     `{"parameter_format":"RANDOM"}`,
	} {
		wantFault(t, name, b.edit(t, id, in), 0)
	}
	wantFault(t, "long text", b.edit(t, id, `{"components":[{"type":"BODY","text":"`+letters(1025)+`"}]}`), 2388040)
	if got := b.get(t, id); got.Status != "APPROVED" || got.Revision != 1 {
		t.Errorf("refused edits left it %s with revision %d", got.Status, got.Revision)
	}
	for _, tt := range []struct {
		edits string // ages of earlier edits
		ok    bool
	}{
		{"", true},
		{"23:59:50", false},
		{"24:00:00", true},
		{strings.Repeat("719:59:50 ", 8) + "24:00:00", true},
		{strings.Repeat("719:59:50 ", 9) + "24:00:00", false},
		{"720:00:00 " + strings.Repeat("719:59:50 ", 8) + "24:00:00", true},
	} {
		b.exec(t, `update message_templates set status = 'APPROVED', edits = (select coalesce(array_agg(now() - age::interval), '{}') from unnest($2::text[]) age) where id = $1`,
			b.get(t, id).ID, strings.Fields(tt.edits))
		err := b.edit(t, id, `{"name":"ordinary","language":"en_US","category":"utility","components":[{"type":"BODY","text":"Changed"}]}`)
		if tt.ok && err != nil {
			t.Errorf("after edits %s ago: %v", tt.edits, err)
		}
		if !tt.ok {
			wantFault(t, "after edits "+tt.edits+" ago", err, 0)
		}
	}
	b.exec(t, `update message_templates set status = 'REJECTED', edits = array[now()] where id = $1`, b.get(t, id).ID)
	if err := b.edit(t, id, `{"category":"MARKETING","message_send_ttl_seconds":86400}`); err != nil {
		t.Errorf("a rejected one: %v", err)
	}
	got := b.get(t, id)
	if got.PreviousCategory == nil || *got.PreviousCategory != "UTILITY" || *got.TTL != 86400 {
		t.Errorf("edited: %+v", got)
	}
}

func TestAuthenticationComponentsAreNeededToCrossOver(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	id := b.made(t, plain("is_rejected", "UTILITY"))
	b.review(t, id)
	wantFault(t, "without components", b.edit(t, id, `{"category":"AUTHENTICATION"}`), 2388043)
	if err := b.edit(t, id, `{"category":"AUTHENTICATION","components":[{"type":"BODY"},`+otp+`]}`); err != nil {
		t.Fatal(err)
	}
	if got := b.review(t, id); got.Status != "APPROVED" || *got.TTL != 600 {
		t.Errorf("crossed over: %s %v", got.Status, got.TTL)
	}
	if err := b.edit(t, id, `{"message_send_ttl_seconds":120}`); err != nil {
		t.Errorf("another time to live: %v", err)
	}
	if got := b.get(t, id); !strings.Contains(string(got.Components), "verification code") || *got.TTL != 120 {
		t.Errorf("after the edit: %s", got.Components)
	}
}

func TestDeletionWaitsForMessagesAndBlocksTheName(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	remove := func(c templates.Choice) error {
		return b.service.Templates.DeleteTemplates(t.Context(), b.account, c)
	}
	english, hindi := b.made(t, plain("news", "UTILITY")), b.made(t, strings.Replace(plain("news", "UTILITY"), "en_US", "hi", 1))
	b.review(t, english)
	b.review(t, hindi)
	b.events(t)
	send := []byte(`{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"news","language":{"code":"en_US"}}}`)
	if _, err := b.service.Sender.Send(t.Context(), b.number, send, ""); err != nil {
		t.Fatal(err)
	}
	if err := remove(templates.Choice{Name: "other", ID: input.Text(hindi)}); fault.As(err) == nil || fault.As(err).Code != "100" {
		t.Errorf("name and id of two templates: %v", err)
	}
	if err := remove(templates.Choice{IDs: input.Text(hindi + ",1234567890123456")}); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown id among others: %v", err)
	}
	if got := b.get(t, hindi); got.Status != "APPROVED" {
		t.Fatalf("a refused deletion left it %s", got.Status)
	}
	if err := remove(templates.Choice{Name: "news", ID: input.Text(hindi)}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.create(t, strings.Replace(plain("news", "UTILITY"), "en_US", "fr", 1)); err != nil {
		t.Errorf("a further language while one is left: %v", err)
	}
	_, err := b.create(t, strings.Replace(plain("news", "UTILITY"), "en_US", "hi", 1))
	wantFault(t, "the deleted language", err, 2388024)
	if err := remove(templates.Choice{Name: "news"}); err != nil {
		t.Fatal(err)
	}
	told := strings.Fields(b.events(t)) // the last two in any order
	if slices.Sort(told); !slices.Equal(told, []string{"deleted", "deleted", "pending_deletion"}) {
		t.Errorf("told %q", told)
	}
	if err := remove(templates.Choice{Name: "news"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("a second deletion: %v, want NotFound", err)
	}
	b.sends(t, "news", false)
	b.settle(t)
	if got := b.get(t, english); got.Status != "PENDING_DELETION" {
		t.Errorf("with a message under way it is %s", got.Status)
	}
	b.exec(t, `update messages set state = 'delivered'`)
	b.settle(t)
	if _, err := b.service.Templates.Template(t.Context(), b.account.OrganisationID, english); !fault.Is(err, fault.NotFound) {
		t.Errorf("once all is delivered: %v, want NotFound", err)
	}
	for _, language := range []string{"en_US", "hi", "de"} {
		_, err := b.create(t, strings.Replace(plain("news", "UTILITY"), "en_US", language, 1))
		wantFault(t, "a blocked name in "+language, err, 2388024)
	}
	b.exec(t, `update message_templates set name_blocked_until = now() - interval '1 second' where name_blocked_until is not null`)
	if _, err := b.create(t, plain("news", "UTILITY")); err != nil {
		t.Errorf("after 30 days: %v", err)
	}
}

func TestDeletionWaitsThirtyDaysAtMost(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	id := b.made(t, plain("news", "UTILITY"))
	b.review(t, id)
	if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(`{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"news","language":{"code":"en_US"}}}`), ""); err != nil {
		t.Fatal(err)
	}
	if err := b.service.Templates.DeleteTemplates(t.Context(), b.account, templates.Choice{IDs: input.Text(id)}); err != nil {
		t.Fatal(err)
	}
	b.exec(t, `update message_templates set deleted_at = now() - interval '30 days' where status = 'PENDING_DELETION'`)
	b.settle(t)
	if _, err := b.service.Templates.Template(t.Context(), b.account.OrganisationID, id); !fault.Is(err, fault.NotFound) {
		t.Errorf("after 30 days: %v, want NotFound", err)
	}
}
