//go:build judge

package outbound

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"heliograph/app/porttest"
	"heliograph/db/seed"
)

// receiver says how a receiver of a guide is started.
type receiver struct {
	file, tool string
	command    func(port string) []string
}

// receiverGuide is a guide with complete receivers, and the events that they receive.
type receiverGuide struct {
	name                    string
	variable, secret, other string // where the secret is read from, the secret, and somebody else's
	header                  string // of the signature
	event, printed          string // with %s for what tells events apart
	receivers               map[string]receiver
}

var receiverGuides = []receiverGuide{{
	name: "business-messaging/receive-callbacks", header: "X-Hub-Signature-256",
	variable: "WEBHOOK_SECRET", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", other: "whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=",
	event:   `{"object":"msgapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"text":"ünïcode \u0000","statuses":[{"id":"wamid.%s","status":"delivered"}]}}]}]}`,
	printed: "wamid.%s delivered",
	receivers: map[string]receiver{
		"Python":  {"receive.py", "python3", func(string) []string { return []string{"python3", "receive.py"} }},
		"Node.js": {"receive.mjs", "node", func(string) []string { return []string{"node", "receive.mjs"} }},
		"Go":      {"receive.go", "go", func(string) []string { return []string{"sh", "-c", "go build -o receive receive.go && exec ./receive"} }},
		"PHP":     {"receive.php", "php", func(port string) []string { return []string{"php", "-S", "127.0.0.1:" + port, "receive.php"} }},
		"Java":    {"Receive.java", "java", func(string) []string { return []string{"java", "Receive.java"} }},
		"C#": {"Receive.cs", "mcs", func(string) []string {
			return []string{"sh", "-c", "mcs -langversion:7.2 -warnaserror Receive.cs && exec mono Receive.exe"}
		}},
	},
}, {
	name: "rcs/receive-events", header: "X-Signature-256",
	variable: "CLIENT_TOKEN", secret: "cXVpZXQtbGFudGVybg==", other: "bG91ZC1sYW50ZXJu", // of any kind, but these can sign deliveries too
	event:   `{"botId":"b7Qm2xT9LrVd4KsWcN0aZe","eventId":"ev_%[1]s","type":"USER_MESSAGE","messageId":"u-1","userContact":"+919812345678","text":"ünïcode %[1]s"}`,
	printed: "USER_MESSAGE ünïcode %s",
	receivers: map[string]receiver{
		"Python":  {"events.py", "python3", func(string) []string { return []string{"python3", "events.py"} }},
		"Node.js": {"events.mjs", "node", func(string) []string { return []string{"node", "events.mjs"} }},
	},
}}

// The receivers of the guides accept a genuine callback, print it once however often it
// comes, and refuse others.
func TestReceiversOfTheGuides(t *testing.T) {
	t.Parallel()
	for _, g := range receiverGuides {
		codes := codesOfGuide(t, g.name)
		if len(codes) != len(g.receivers) {
			t.Errorf("%s has %d receivers, and %d are tried", g.name, len(codes), len(g.receivers))
		}
		for language, code := range codes {
			t.Run(g.name+" "+language, func(t *testing.T) {
				t.Parallel()
				r := g.receivers[language]
				needTool(t, r.tool)
				g.tryReceiver(t, r, code)
			})
		}
	}
}

// codesOfGuide returns the code of a guide that stands under tabs, by language.
func codesOfGuide(t *testing.T, name string) map[string]string {
	t.Helper()
	guide, err := seed.Files.ReadFile("guides/" + name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]string{}
	for _, code := range regexp.MustCompile("(?s)```\\w+ tab=\"([^\"]+)\"\n(.*?)```").FindAllStringSubmatch(string(guide), -1) {
		codes[code[1]] = code[2]
	}
	return codes
}

// needTool skips a test without a program, but not where all are installed.
func needTool(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil && os.Getenv("CI") == "" {
		t.Skipf("%s is not installed", tool)
	}
}

func (g receiverGuide) tryReceiver(t *testing.T, r receiver, text string) {
	dir, port := t.TempDir(), porttest.FreePort(t)
	if err := os.WriteFile(filepath.Join(dir, r.file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	line := r.command(port)
	cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), g.variable+"="+g.secret, "PORT="+port, "GOFLAGS=", "GOWORK=off", "TMPDIR="+dir)
	out, err := cmd.StdoutPipe()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()                                                          //nolint:errcheck // it was killed
	defer cmd.Process.Kill()                                                  //nolint:errcheck // it may have ended
	defer time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() }).Stop() //nolint:errcheck // ends what waits below

	one, two := fmt.Appendf(nil, g.event, "one"), fmt.Appendf(nil, g.event, "two")
	post := func(body []byte, signature, delivery string) int {
		t.Helper()
		for range 600 {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:"+port+"/", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set(g.header, signature)
			request.Header.Set("X-Heliograph-Delivery", delivery)
			answer, err := http.DefaultClient.Do(request)
			if err == nil {
				io.Copy(io.Discard, answer.Body) //nolint:errcheck // empty
				answer.Body.Close()
				return answer.StatusCode
			}
			time.Sleep(200 * time.Millisecond) // it starts
		}
		t.Fatalf("the receiver does not answer: %s", &errs)
		return 0
	}
	genuine := g.sign(t, g.secret, one)
	for _, tt := range []struct {
		body      []byte
		signature string
		want      int
	}{
		{one, "", 401}, {one, "sha256=é", 401}, {one, genuine[:len(genuine)-1], 401}, {one[1:], genuine, 401}, {one, g.sign(t, g.other, one), 401},
		{one, genuine, 200}, {one, genuine, 200},
	} {
		if got := post(tt.body, tt.signature, "d1"); got != tt.want {
			t.Errorf("a callback signed %q is answered %d, want %d\n%s", tt.signature, got, tt.want, &errs)
		}
	}
	if got := post(two, g.sign(t, g.secret, two), "d2"); got != 200 {
		t.Errorf("another callback is answered %d", got)
	}
	// Each is printed once, the one that came twice too. The receiver answers before it
	// prints, so that either may come first.
	printed, lines := map[string]bool{}, bufio.NewScanner(out)
	for range 2 {
		lines.Scan()
		printed[lines.Text()] = true
	}
	for _, id := range []string{"one", "two"} {
		if want := fmt.Sprintf(g.printed, id); !printed[want] {
			t.Errorf("the receiver prints %q, want %q\n%s", slices.Collect(maps.Keys(printed)), want, &errs)
		}
	}
}

// sign returns the signature of a real delivery.
func (g receiverGuide) sign(t *testing.T, secret string, body []byte) (signature string) {
	t.Helper()
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { signature = r.Header.Get(g.header) })
	if r := local().Post(t.Context(), Delivery{ID: "1", Owner: "1", URL: server.URL, Body: body, Secret: secret, Signature: g.header}); r.Err != nil {
		t.Fatal(r.Err)
	}
	return signature
}
