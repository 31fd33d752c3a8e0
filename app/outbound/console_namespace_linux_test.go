package outbound

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// inNamespace marks the process of a test that has a network of its own.
const inNamespace = "HELIOGRAPH_NAMESPACE"

// public is an address that is public everywhere. In the network of the test it is that
// of the test itself.
const public = "93.184.216.34"

// The console's client reaches public addresses, with everything that a call has. No
// option opens loopback for this: the test has a network in which a public address is
// its own.
func TestConsoleReachesPublicAddresses(t *testing.T) {
	if os.Getenv(inNamespace) != "" {
		testPublicCalls(t)
		return
	}
	t.Parallel()
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("the program ip is missing, which gives the network of the test its address")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v") //nolint:gosec // it is this program
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &ended):
		t.Skipf("namespaces are not permitted here: %v", err)
	case strings.Contains(string(out), "--- SKIP"):
		t.Skip(string(out))
	case err != nil:
		t.Errorf("%v\n%s", err, out)
	}
}

// testPublicCalls runs in the network of the test.
func testPublicCalls(t *testing.T) {
	for _, args := range [][]string{{"link", "set", "lo", "up"}, {"address", "add", public + "/32", "dev", "lo"}} {
		if out, err := exec.CommandContext(t.Context(), "ip", args...).CombinedOutput(); err != nil {
			t.Skipf("the network of the test cannot be set up: ip %v: %v: %s", args, err, out)
		}
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", ":80")
	if err != nil {
		t.Skipf("port 80 of the network of the test cannot be listened at: %v", err)
	}
	reached := 0
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached++
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "http://127.0.0.1/inside", http.StatusFound)
		case "/endless":
			for {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		default:
			body, _ := io.ReadAll(r.Body) // a short body fails the comparison
			w.Header().Set("X-Seen", strings.Join([]string{r.Method, r.Host, r.Header.Get("Apikey"), r.Header.Get("Cookie"), r.Header.Get("X-Forwarded-For")}, "|"))
			_, _ = w.Write(append([]byte("got "), body...))
		}
	})}
	go func() { _ = server.Serve(l) }() // it ends by being closed
	t.Cleanup(func() { server.Close() })
	console := NewConsole(nil)
	send := func(url, body string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Apikey", "secret")
		r.Header.Set("Cookie", "session=7")
		r.Header.Set("X-Forwarded-For", "10.0.0.1")
		return console.Send(r)
	}

	answer, err := send("http://"+public+"/calls", "a body")
	if err != nil {
		t.Fatalf("a public address is not reached: %v", err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if want := "POST|" + public + "|secret|session=7|"; err != nil || string(text) != "got a body" || answer.Header.Get("X-Seen") != want {
		t.Errorf("the answer is %q with %q (%v), want %q", text, answer.Header.Get("X-Seen"), err, want)
	}

	if answer, err = send("http://"+public+"/moved", ""); err != nil || answer.StatusCode != http.StatusFound || reached != 2 {
		t.Errorf("a redirect is %v after %d calls: %v", answer, reached, err)
	} else {
		answer.Body.Close()
	}

	if answer, err = send("http://"+public+"/endless", ""); err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	var tooLarge *http.MaxBytesError
	if !errors.As(err, &tooLarge) || n > consoleBody {
		t.Errorf("an endless body gives %d bytes and %v", n, err)
	}

	reached = 0
	for _, inside := range []string{"http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://" + public + ":8080/"} {
		if answer, err := send(inside, ""); err == nil {
			answer.Body.Close()
			t.Errorf("%s is reached", inside)
		} else if f := fault.As(err); f == nil || f.Code != models.FaultTarget {
			t.Errorf("%s gives %v, want a refused target", inside, err)
		}
	}
	if reached != 0 {
		t.Errorf("%d calls went inside", reached)
	}
}
