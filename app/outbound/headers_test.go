package outbound

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/fault"
	"heliograph/db/seed"
)

func TestCheckHeaders(t *testing.T) {
	t.Parallel()
	many := func(n int) map[string]string {
		h := map[string]string{}
		for i := range n {
			h[fmt.Sprintf("X-%d", i)] = "v"
		}
		return h
	}
	for name, tc := range map[string]struct {
		headers map[string]string
		fields  []string
	}{
		"none":           {nil, nil},
		"usual":          {map[string]string{"X-Webhook-Secret": "s3cret", "Authorization": "Bearer abc", "X-Empty": ""}, nil},
		"limits":         {map[string]string{strings.Repeat("n", 100): strings.Repeat("v", 2000)}, nil},
		"words":          {map[string]string{"X-City": "Pune\tपुणे Zürich"}, nil},
		"twenty":         {many(20), nil},
		"twenty-one":     {many(21), []string{"headers"}},
		"empty name":     {map[string]string{"": "v"}, []string{"headers."}},
		"name space":     {map[string]string{"X A": "v"}, []string{"headers.X A"}},
		"name colon":     {map[string]string{"X:": "v"}, []string{"headers.X:"}},
		"name break":     {map[string]string{"X\r\nY": "v"}, []string{"headers.X\r\nY"}},
		"name not ASCII": {map[string]string{"X-ü": "v"}, []string{"headers.X-ü"}},
		"long name":      {map[string]string{strings.Repeat("n", 101): "v"}, []string{"headers." + strings.Repeat("n", 101)}},
		"long value":     {map[string]string{"X": strings.Repeat("v", 2001)}, []string{"headers.X"}},
		"break":          {map[string]string{"A": "a\rb", "B": "a\nb", "C": "a\r\nX: b"}, []string{"headers.A", "headers.B", "headers.C"}},
		"controls":       {map[string]string{"A": "a\x00", "B": "a\x7f", "C": "a\u0085", "D": "a\x1b"}, []string{"headers.A", "headers.B", "headers.C", "headers.D"}},
		"not UTF-8":      {map[string]string{"A": "\xff"}, []string{"headers.A"}},
		"given twice":    {map[string]string{"X-Key": "1", "x-key": "2"}, []string{"headers.x-key"}},
	} {
		var got []string
		if err := CheckHeaders(tc.headers); err != nil {
			for _, f := range fault.As(err).Fields {
				got = append(got, f.Name)
			}
		}
		if diff := cmp.Diff(tc.fields, got); diff != "" {
			t.Errorf("%s: fields (-want +got):\n%s", name, diff)
		}
	}
}

func TestCheckHeadersRefusesTheDeliverysOwn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Host", "Content-Length", "Content-Type", "Connection", "Transfer-Encoding", "X-Hub-Signature", "X-Hub-Signature-256",
		"x-hub-anything", "User-Agent", "X-Heliograph-Delivery", "Cookie", "Proxy-Authorization", "X-Forwarded-For", "Forwarded",
		"X-Real-IP", "Keep-Alive", "TE", "Trailer", "Upgrade", "Via", "Expect", "Content-Encoding", "X-Signature-256", "X-Goog-Signature",
	} {
		for _, spelling := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			if err := CheckHeaders(map[string]string{spelling: "v"}); !fault.Is(err, fault.Invalid) {
				t.Errorf("CheckHeaders(%q) = %v, want an Invalid fault", spelling, err)
			}
		}
	}
	for _, name := range []string{"X-Hubert", "Cookies", "Accept", "Via-X", "Origin", "Proxy"} {
		if err := CheckHeaders(map[string]string{name: "v"}); err != nil {
			t.Errorf("CheckHeaders(%q) = %v, want nil", name, err)
		}
	}
}

// The contracts say which headers are refused.
func TestContractsNameTheRefusedHeaders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"messaging.yaml", "rcs.yaml"} {
		text, err := seed.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, header := range slices.Concat(hopHeaders, webhookHeaders) {
			if !strings.Contains(strings.ToLower(string(text)), "`"+header+"`") {
				t.Errorf("%s does not say that %s is refused", name, header)
			}
		}
	}
}

// FuzzCheckHeaders writes accepted headers and reads them back: nothing but the
// one header may arrive.
func FuzzCheckHeaders(f *testing.F) {
	f.Add("X-Key", "value")
	f.Add("X-Key", "a\r\nHost: b")
	f.Add("Transfer-Encoding", "chunked")
	f.Add("X-Key\r\n", "\u0085")
	f.Fuzz(func(t *testing.T, name, value string) {
		if CheckHeaders(map[string]string{name: value}) != nil {
			return
		}
		req, err := http.NewRequest(http.MethodPost, "http://hooks.example.com/", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(name, value)
		var wire bytes.Buffer
		if err := req.Write(&wire); err != nil {
			t.Fatal(err)
		}
		got, err := http.ReadRequest(bufio.NewReader(&wire))
		if err != nil {
			t.Fatalf("reading back %q: %q: %v", name, value, err)
		}
		got.Header.Del("User-Agent")
		got.Header.Del("Content-Length")
		if len(got.Header) != 1 || got.Header.Get(name) != strings.Trim(value, " \t") || got.Host != "hooks.example.com" {
			t.Fatalf("%q: %q arrived as %q", name, value, got.Header)
		}
	})
}
