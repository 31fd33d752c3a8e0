package email_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"heliograph/views/email"
)

// every lists all emails, with what people entered written as an attack.
func every() map[string]email.Message {
	const hostile = `<b onclick="alert(1)">Lamp & Co</b>`
	site := email.Site{PublicURL: "https://docs.example.com", Forgot: "/forgot-password", Helper: "an owner of your organisation"}
	until := time.Date(2026, 11, 25, 9, 30, 0, 0, time.UTC)
	team := email.TeamInvitation{By: hostile, Organisation: hostile, Role: "developer", ExpiresAt: until, URL: "https://docs.example.com/account/invitation?token=a&b=c"}
	return map[string]email.Message{
		"password_changed":     email.PasswordChanged(site),
		"mobile_changed":       email.MobileChanged(site, "678"),
		"role_changed":         email.RoleChanged(site, email.RoleChange{Organisation: hostile, Before: "viewer", After: "owner"}),
		"address_taken":        email.AddressTaken(site),
		"password_link":        email.PasswordLink("https://docs.example.com/reset-password?token=abc", hostile, 24*time.Hour),
		"owner_link":           email.OwnerLink("https://docs.example.com/reset-password?token=abc", hostile, 24*time.Hour),
		"password_asked":       email.PasswordLink("https://docs.example.com/admin/reset-password?token=abc", "", time.Hour),
		"invitation":           email.Invitation(team),
		"invitation_elsewhere": email.InvitationElsewhere(team),
		"admin_invitation":     email.AdminInvitation("https://docs.example.com", "https://docs.example.com/admin/reset-password?token=abc", 7*24*time.Hour),
		"test":                 email.Test(),
		"budget_spent":         email.BudgetSpent(until, 1000),
		"budget_low":           email.BudgetLow(until, 800, 1000),
		"codes_paused":         email.CodesPaused(email.PausedPrefix{Prefix: "+919812", Sent: 90, Verified: 3}, "https://docs.example.com"),
		"bot_changed":          email.BotChanged(hostile, "was not verified", hostile, "https://docs.example.com/account/bots/b"),
		"header_decided":       email.HeaderDecided(hostile, "was not granted to you", hostile, "https://docs.example.com/account/sms"),
		"webhook_disabled":     email.WebhookDisabled("hooks.example.com", hostile, "https://docs.example.com/account/webhooks/7"),
		"numbers_stranded":     email.NumbersStranded([]string{"+91 98123 45678", "+91 98123 45679"}, "https://docs.example.com/contact-us"),
		"review":               email.Review(hostile, []email.ReviewEvent{{Event: "comment", Actor: hostile, Note: hostile}}, "https://docs.example.com/admin/drafts_and_reviews/7"),
		"review_events": email.Review("Two letters\nin place of one", []email.ReviewEvent{
			{Event: "submitted", Actor: "Ada", Note: "Two letters"}, {Event: "approved", Actor: "Ben"}, {Event: "blocked", Note: "The draft is outdated."}, {Event: "published"},
		}, "https://docs.example.com/admin/drafts_and_reviews/7"),
		"enquiry": email.Enquiry(email.EnquiryFacts{
			Reference: "K7QF-2M9X", Organisation: hostile, Lines: []string{"Name: " + hostile, "Email: mira@example.com"}, Message: "One line.\n" + hostile, URL: "https://docs.example.com/admin/contacts/1",
		}),
		"enquiry_received": email.EnquiryReceived("K7QF-2M9X"),
		"enquiry_confirm":  email.EnquiryConfirm("K7QF-2M9X", "https://docs.example.com/contact-us/confirm?token=abc"),
	}
}

// Both parts of an email say the same. The HTML loads nothing, runs nothing, and
// shows what people entered as text. EMAIL_FOLDER keeps the documents.
func TestEmails(t *testing.T) {
	t.Parallel()
	for name, m := range every() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			html, err := m.HTML(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if folder := os.Getenv("EMAIL_FOLDER"); folder != "" {
				if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte(html), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
			if err != nil {
				t.Fatal(err)
			}
			if m.Subject == "" || doc.Find("title").Text() != m.Subject || doc.Find("h1").Text() != m.Subject || !strings.HasPrefix(html, "<!doctype html>") {
				t.Errorf("the subject is %q, the heading %q", m.Subject, doc.Find("h1").Text())
			}
			if n := doc.Find("script, img, link, iframe, b, [onclick], [src]").Length(); n != 0 {
				t.Errorf("%d elements load or run something", n)
			}
			if !strings.Contains(html, "prefers-color-scheme: dark") || doc.Find("meta[name=color-scheme]").AttrOr("content", "") != "light dark" || doc.Find("p:not([style])").Length() != 0 {
				t.Error("the document does not suit both themes without its style sheet")
			}
			said := strings.Join(strings.Fields(doc.Find("body").Text()), " ")
			for line := range strings.Lines(m.Text()) {
				if line = strings.TrimSuffix(strings.TrimSpace(line), ":"); line != "" && !strings.Contains(said, line) {
					t.Errorf("the HTML does not say %q", line)
				}
				if strings.HasPrefix(line, "https://") && doc.Find(`a[href="`+line+`"]`).Length() != 2 {
					t.Errorf("the HTML does not link to %s", line)
				}
			}
		})
	}
}
