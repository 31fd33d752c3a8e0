package outbound

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// What a receiver sees is read by the verifier that Standard Webhooks publish.
func TestSignaturesVerify(t *testing.T) {
	t.Parallel()
	const (
		current  = "whsec_Y3VycmVudCBzZWNyZXQsIDMyIGJ5dGVzIGxvbmch"
		previous = "whsec_cHJldmlvdXMgc2VjcmV0LCAzMiBieXRlcyBsb25n"
		hexed    = "6f1c2b7d9e8a4f03b5c6d7e8f9a0b1c26f1c2b7d9e8a4f03b5c6d7e8f9a0b1c2" // the form of earlier secrets
	)
	type call struct {
		header http.Header
		body   []byte
	}
	calls := make(chan call, 1)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls <- call{r.Header, body}
	})
	for name, tt := range map[string]struct {
		secret, previous string
		good             []string // each of them verifies alone
		hub              string   // signs X-Hub-Signature-256
	}{
		"one":     {current, "", []string{current}, current},
		"rotated": {current, previous, []string{current, previous}, previous},
		"earlier": {hexed, "", []string{hexed}, hexed},
	} {
		d := delivery(s.URL)
		d.At, d.Secret, d.Previous = time.Now(), tt.secret, tt.previous
		if r := local().Post(t.Context(), d); r.Err != nil {
			t.Fatalf("%s: %v", name, r.Err)
		}
		c := <-calls
		for _, secret := range []string{current, previous, hexed} {
			verifier, err := webhooks.NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Contains(strings.Join(tt.good, " "), secret)
			if err := verifier.Verify(c.body, c.header); (err == nil) != want {
				t.Errorf("%s: verifying with %s gives %v", name, secret, err)
			}
			if verifier.Verify(append(c.body, ' '), c.header) == nil {
				t.Errorf("%s: a changed body passes", name)
			}
		}
		hub := hmac.New(sha256.New, []byte(tt.hub))
		hub.Write(c.body)
		if got := c.header.Get("X-Hub-Signature-256"); got != fmt.Sprintf("sha256=%x", hub.Sum(nil)) {
			t.Errorf("%s: X-Hub-Signature-256 is %s", name, got)
		}
	}
	bad := delivery(s.URL)
	bad.Secret = "s-p-a-c-e-d"
	if r := local().Post(t.Context(), bad); r.Err == nil || strings.Contains(r.Err.Error(), bad.Secret) {
		t.Errorf("a secret that cannot be read gives %v", r.Err)
	}
}
