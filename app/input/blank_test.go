package input

import "testing"

func TestTextsWithoutAVisibleCharacterAreBlank(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "   ", "\n\t", "\u00a0", "\u200b\u200d\ufeff", "\u2028", "\u202a \u202c", "\u3164", "\u2800", "\ufe0f", "\u180e", "\U000e0100"} {
		if !IsBlank(text) {
			t.Errorf("%q is not blank", text)
		}
	}
	for _, text := range []string{"a", " .", "\u0915\u093e", "❤\ufe0f", "\u200d1", "0", "\ufffd"} {
		if IsBlank(text) {
			t.Errorf("%q is blank", text)
		}
	}
}
