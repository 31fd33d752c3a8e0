package sms

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestMessageIDsAreNumbersToBase36(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"00000000-0000-0000-0000-000000000000": strings.Repeat("0", 25),
		"00000000-0000-0000-0000-000000000024": strings.Repeat("0", 23) + "10",
		"00000000-0000-0001-0000-000000000000": strings.Repeat("0", 12) + "3w5e11264sgsg",
		"ffffffff-ffff-ffff-ffff-ffffffffffff": "f5lxx1zz5pnorynqglhzmsp33",
	} {
		id := uuid.MustParse(text)
		got := MessageID(id)
		if back, ok := ParseMessageID(got); got != want || !ok || back != id {
			t.Errorf("%s has the id %s, want %s; it is read as %s", id, got, want, back)
		}
	}
}
