//go:build browser

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"heliograph/app/porttest"
)

// Callbacks that come together are printed a line each by the receiver of the guide.
func TestGuideReceiverPrintsWholeLines(t *testing.T) {
	t.Parallel()
	needPrograms(t, "python3")
	const secret, count = "lamp", 300
	port := porttest.FreePort(t)
	lines := startGuideReceiver(t, port, secret)
	post := func(n int) error {
		body := fmt.Sprintf(`{"entry":[{"changes":[{"value":{"statuses":[{"id":"wamid.%d","status":"delivered"}]}}]}]}`, n)
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(body))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:"+port, strings.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
		r.Header.Set("X-Heliograph-Delivery", fmt.Sprint(n))
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("callback %d: %s", n, res.Status)
		}
		return nil
	}
	for deadline := time.Now().Add(20 * time.Second); post(0) != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the receiver does not start within 20 s")
		}
	}
	var all sync.WaitGroup
	for worker := range 30 {
		all.Go(func() {
			for n := 1 + worker; n < count; n += 30 {
				if err := post(n); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	whole := regexp.MustCompile(`^wamid\.[0-9]+ delivered$`)
	for range count {
		select {
		case line := <-lines:
			if !whole.MatchString(line) {
				t.Fatalf("the receiver has printed %q", line)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("a callback was not printed")
		}
	}
}
