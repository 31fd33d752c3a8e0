package outbound

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/fault"
)

func delivery(url string) Delivery {
	return Delivery{
		ID: "dlv_1", At: time.Unix(1_767_225_600, 0), Owner: "tenant", URL: url, Secret: "whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cywgMzIgYnl0ZXM=",
		Headers: map[string]string{"X-Webhook-Secret": "s3cret", "Authorization": "Bearer abc"},
		Body:    []byte("{\"entry\": [1,\t2],  \"text\":\"\u2713 <&>\"}\n"),
	}
}

func TestPostSignsTheExactBody(t *testing.T) {
	t.Parallel()
	type seen struct {
		method string
		body   []byte
		header http.Header
	}
	got := make(chan seen, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- seen{r.Method, body, r.Header}
		w.WriteHeader(http.StatusAccepted)
		io.WriteString(w, "thanks")
	})
	d := delivery(s.URL + "/hook?a=b")
	r := local().Post(t.Context(), d)
	if r.Err != nil || r.Status != http.StatusAccepted || r.Response != "thanks" || r.Latency <= 0 || r.Gone() {
		t.Errorf("Post = %+v, want 202 and no error", r)
	}
	a := <-got
	mac := hmac.New(sha256.New, []byte(d.Secret))
	mac.Write(a.body)
	want := http.Header{
		"Authorization":         {"Bearer abc"},
		"Content-Length":        {fmt.Sprint(len(d.Body))},
		"Content-Type":          {"application/json"},
		"User-Agent":            {"Heliograph-Relay/1"},
		"Webhook-Id":            {"dlv_1"},
		"Webhook-Signature":     a.header["Webhook-Signature"],
		"Webhook-Timestamp":     {"1767225600"},
		"X-Heliograph-Delivery": {"dlv_1"},
		"X-Hub-Signature-256":   {fmt.Sprintf("sha256=%x", mac.Sum(nil))},
		"X-Webhook-Secret":      {"s3cret"},
	}
	if diff := cmp.Diff(want, a.header); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if a.method != http.MethodPost || string(a.body) != string(d.Body) {
		t.Errorf("arrived as %s %q, want POST %q", a.method, a.body, d.Body)
	}
}

func TestPostResults(t *testing.T) {
	t.Parallel()
	for status, failed := range map[int]bool{
		200: false, 201: false, 204: false, 299: false, 300: true, 301: true, 304: true, 307: true,
		400: true, 401: true, 404: true, 410: true, 429: true, 500: true, 503: true,
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.Header().Set("Retry-After", "120")
			w.Header().Set("Set-Cookie", "a=b")
			w.WriteHeader(status)
		})
		r := local().Post(t.Context(), delivery(s.URL))
		if r.Status != status || (r.Err != nil) != failed || r.Gone() != (status == 410) || r.RetryAfter != 2*time.Minute {
			t.Errorf("%d: Post = %+v", status, r)
		}
		if failed && !fault.Is(r.Err, fault.Unavailable) {
			t.Errorf("%d: Err = %v, want an Unavailable fault", status, r.Err)
		}
		if r.Header.Get("Retry-After") != "120" || r.Header.Get("Location") != "/elsewhere" || r.Header.Get("Set-Cookie") != "" {
			t.Errorf("%d: Header = %v", status, r.Header)
		}
	}
}

func TestPostKeepsAStorableExcerpt(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "a\x00b\xff"+strings.Repeat("c", 5000))
	})
	want := "a\uFFFDb\uFFFD" + strings.Repeat("c", 2044)
	if r := local().Post(t.Context(), delivery(s.URL)); r.Err != nil || r.Response != want {
		t.Errorf("Response = %.20q… of %d bytes, %v; want %.20q… of %d", r.Response, len(r.Response), r.Err, want, len(want))
	}
}

// The status has come: a body that never ends must not turn it into a failure,
// nor hold the worker longer than the exchange may take.
func TestPostAcceptsASlowBody(t *testing.T) {
	t.Parallel()
	url := serveRaw(t, func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
		drip(c, "a")
	})
	if r := local().Post(t.Context(), delivery(url)); r.Err != nil || r.Status != 200 || r.Response == "" || r.Latency > 5*time.Second {
		t.Errorf("Post = %+v, want 200 within the time limit", r)
	}
}

// Headers that were saved before the delivery set them itself are left out.
func TestPostLeavesOutHeadersOfItsOwn(t *testing.T) {
	t.Parallel()
	got := make(chan http.Header, 1)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { got <- r.Header })
	d := delivery(s.URL)
	d.Headers = map[string]string{"content-encoding": "gzip", "X-Signature-256": "sha256=0", "x-hub-signature-256": "sha256=0", "X-Kept": "yes"}
	if r := local().Post(t.Context(), d); r.Err != nil {
		t.Fatal(r.Err)
	}
	h := <-got
	if h.Get("Content-Encoding") != "" || h.Get("X-Signature-256") != "" || h.Get("X-Hub-Signature-256") == "sha256=0" || h.Get("X-Kept") != "yes" {
		t.Errorf("the headers are %v", h)
	}
}

func TestPostRefusesWhatWasNotChecked(t *testing.T) {
	t.Parallel()
	bird := newCanary(t)
	here := fmt.Sprintf("http://127.0.0.1:%d/", bird.port)
	for name, tc := range map[string]struct {
		client *Client
		change func(*Delivery)
	}{
		"no secret":     {local(), func(d *Delivery) { d.Secret = "" }},
		"header":        {local(), func(d *Delivery) { d.Headers = map[string]string{"X-A": "a\r\nX-B: b"} }},
		"of the line":   {local(), func(d *Delivery) { d.Headers = map[string]string{"transfer-encoding": "chunked"} }},
		"user name":     {local(), func(d *Delivery) { d.URL = strings.Replace(here, "//", "//asha@", 1) }},
		"loopback":      {New(Options{Ports: []uint16{bird.port}}), func(*Delivery) {}},
		"loopback, TLS": {New(Options{Ports: []uint16{bird.port}}), func(d *Delivery) { d.URL = strings.Replace(here, "http:", "https:", 1) }},
	} {
		d := delivery(here)
		tc.change(&d)
		if r := tc.client.Post(t.Context(), d); r.Err == nil || r.Status != 0 {
			t.Errorf("%s: Post = %+v, want an error", name, r)
		}
	}
	if n := bird.count(t); n != 0 {
		t.Errorf("the canary saw %d connections, want 0", n)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 5, 12, 0, 0, 0, time.UTC)
	for v, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"90":                            90 * time.Second,
		"86400":                         24 * time.Hour,
		"86401":                         24 * time.Hour,
		"99999999999999999999999":       24 * time.Hour,
		"-5":                            0,
		"1.5":                           0,
		"soon":                          0,
		"Thu, 05 Nov 2026 12:10:00 GMT": 10 * time.Minute,
		"Thu, 05 Nov 2026 11:00:00 GMT": 0,
		"Sat, 05 Dec 2026 12:00:00 GMT": 24 * time.Hour,
	} {
		if got := retryAfter(v, now); got != want {
			t.Errorf("retryAfter(%q) = %v, want %v", v, got, want)
		}
	}
}

// A delivery by GET has its content in the address, and the headers that name
// and sign it.
func TestGetDeliversWithoutABody(t *testing.T) {
	t.Parallel()
	got := make(chan *http.Request, 1)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { got <- r })
	d := delivery(s.URL + "/report?status=DELIVRD")
	d.Method, d.Body = http.MethodGet, nil
	if r := local().Post(t.Context(), d); r.Err != nil {
		t.Fatal(r.Err)
	}
	r := <-got
	if r.Method != http.MethodGet || r.URL.RawQuery != "status=DELIVRD" || r.ContentLength != 0 || r.Header.Get("Content-Type") != "" ||
		r.Header.Get("Webhook-Id") != "dlv_1" || r.Header.Get("Webhook-Signature") == "" {
		t.Errorf("arrived as %s %s with headers %v", r.Method, r.URL, r.Header)
	}
}
