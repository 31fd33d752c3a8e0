package identity

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// The guide to the account gives the times that apply.
func TestAccountGuideIsTrue(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../db/seed/guides/portal/your-account.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf("An invitation is valid for %d days", invitationLife/(24*time.Hour)),
		fmt.Sprintf("ends after %d minutes without activity, and %d hours after it began", sessionIdle/time.Minute, SessionLife/time.Hour),
		fmt.Sprintf("The link is valid for %d hours", userLinkLife/time.Hour),
	} {
		if !strings.Contains(string(guide), want) {
			t.Errorf("the guide does not say %q", want)
		}
	}
}
