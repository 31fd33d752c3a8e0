package rcs

import "testing"

// An address must show that it has read the secret: an echo does not.
func TestVerificationNeedsTheSecretAlone(t *testing.T) {
	t.Parallel()
	const secret = "q7Zk/aB3+x=="
	for answer, want := range map[string]bool{
		secret: true, " " + secret + "\n": true, `"` + secret + `"`: true, `{"secret":"` + secret + `"}`: true,
		`{"clientToken":"t","secret":"` + secret + `"}`: false, `{"json":{"secret":"` + secret + `"}}`: false, "you sent " + secret: false,
		`{"secret":["` + secret + `"]}`: false, `{}`: false, "": false, "ok": false, `{"secret":"` + secret + `"} {}`: false,
	} {
		if got := isAnswer([]byte(answer), secret); got != want {
			t.Errorf("%s is an answer: %v", answer, got)
		}
	}
}
