package content

import (
	"slices"
	"strings"
	"testing"
)

func TestReadPhrases(t *testing.T) {
	t.Parallel()
	text := " refund,money back ,\n refund\r\ngive  it back,,"
	if got, err := ReadPhrases(text); got != "refund, money back, give it back" || err != nil {
		t.Errorf("ReadPhrases(%q) = %q, %v", text, got, err)
	}
	if got := Phrases(""); len(got) != 0 {
		t.Errorf("Phrases of nothing are %q", got)
	}
	if _, err := ReadPhrases(strings.Repeat("ä", 61)); err == nil || !strings.Contains(err.Error(), "60 characters") {
		t.Errorf("a phrase of 61 characters gives %v", err)
	}
	if _, err := ReadPhrases(strings.Repeat("ä", 60)); err != nil {
		t.Errorf("a phrase of 60 characters gives %v", err)
	}
	var many []string
	for i := range 201 {
		many = append(many, strings.Repeat("a", i/50+1)+strings.Repeat("b", i%50+1))
	}
	if _, err := ReadPhrases(strings.Join(many, ",")); err == nil || !strings.Contains(err.Error(), "these are 201") {
		t.Errorf("201 phrases give %v", err)
	}
	if text, err := ReadPhrases(strings.Join(many[:200], ",")); err != nil || !slices.Equal(Phrases(text), many[:200]) {
		t.Errorf("200 phrases give %v", err)
	}
}
