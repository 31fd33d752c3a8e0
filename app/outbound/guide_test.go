package outbound

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"heliograph/db/seed"
)

// receivers say how the receivers of the guide are started.
var receivers = map[string]struct {
	file, tool string
	command    func(port string) []string
}{
	"Python":  {"receive.py", "python3", func(string) []string { return []string{"python3", "receive.py"} }},
	"Node.js": {"receive.mjs", "node", func(string) []string { return []string{"node", "receive.mjs"} }},
	"Go":      {"receive.go", "go", func(string) []string { return []string{"sh", "-c", "go build -o receive receive.go && exec ./receive"} }},
	"PHP":     {"receive.php", "php", func(port string) []string { return []string{"php", "-S", "127.0.0.1:" + port, "receive.php"} }},
	"Java":    {"Receive.java", "java", func(string) []string { return []string{"java", "Receive.java"} }},
	"C#": {"Receive.cs", "mcs", func(string) []string {
		return []string{"sh", "-c", "mcs -langversion:7.2 -warnaserror Receive.cs && exec mono Receive.exe"}
	}},
}

// The guide's receivers accept a genuine callback, print it once however often it
// comes, and refuse others.
func TestReceiversOfTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := seed.Files.ReadFile("guides/business-messaging/receive-callbacks.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile("(?s)```\\w+ tab=\"([^\"]+)\"\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	if len(codes) != len(receivers) {
		t.Fatalf("the guide has %d receivers, and %d are tried", len(codes), len(receivers))
	}
	for _, code := range codes {
		t.Run(code[1], func(t *testing.T) {
			t.Parallel()
			r := receivers[code[1]]
			if _, err := exec.LookPath(r.tool); err != nil && os.Getenv("CI") == "" {
				t.Skipf("%s is not installed", r.tool)
			}
			tryReceiver(t, r.file, code[2], r.command)
		})
	}
}

func tryReceiver(t *testing.T, file, text string, command func(port string) []string) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	dir, port := t.TempDir(), freePort(t)
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	line := command(port)
	cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "WEBHOOK_SECRET="+secret, "PORT="+port, "GOFLAGS=", "GOWORK=off", "TMPDIR="+dir)
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

	callback := func(id string) []byte {
		return []byte(`{"object":"msgapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"text":"ünïcode \u0000","statuses":[{"id":"wamid.` + id + `","status":"delivered"}]}}]}]}`)
	}
	one, two := callback("one"), callback("two")
	post := func(body []byte, signature, delivery string) int {
		t.Helper()
		for range 600 {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:"+port+"/", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-Hub-Signature-256", signature)
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
	genuine := signed(t, secret, one)
	for _, tt := range []struct {
		body      []byte
		signature string
		want      int
	}{
		{one, "", 401}, {one, "sha256=é", 401}, {one, genuine[:len(genuine)-1], 401}, {one[1:], genuine, 401}, {one, signed(t, "whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=", one), 401},
		{one, genuine, 200}, {one, genuine, 200},
	} {
		if got := post(tt.body, tt.signature, "d1"); got != tt.want {
			t.Errorf("a callback signed %q is answered %d, want %d\n%s", tt.signature, got, tt.want, &errs)
		}
	}
	if got := post(two, signed(t, secret, two), "d2"); got != 200 {
		t.Errorf("another callback is answered %d", got)
	}
	lines := bufio.NewScanner(out)
	for _, want := range []string{"wamid.one delivered", "wamid.two delivered"} {
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("the receiver prints %q, want %q\n%s", lines.Text(), want, &errs)
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// signed is the signature of a real delivery.
func signed(t *testing.T, secret string, body []byte) (signature string) {
	t.Helper()
	server := serve(t, func(_ http.ResponseWriter, r *http.Request) { signature = r.Header.Get("X-Hub-Signature-256") })
	if r := local().Post(t.Context(), Delivery{ID: "1", Owner: "1", URL: server.URL, Body: body, Secret: secret}); r.Err != nil {
		t.Fatal(r.Err)
	}
	return signature
}
