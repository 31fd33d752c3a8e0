package kanneltest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// kannelConfig starts one gateway with one SMPP operator behind it.
const kannelConfig = `
group = core
admin-port = %d
admin-interface = 127.0.0.1
admin-password = admin
smsbox-port = %d
box-allow-ip = 127.0.0.1
dlr-storage = internal
sms-resend-freq = 5
sms-resend-retry = %d
log-level = 1
%s
group = smsc
smsc = smpp
smsc-id = operator
host = 127.0.0.1
port = %d
transceiver-mode = true
smsc-username = test
smsc-password = test
system-type = ""
enquire-link-interval = 30
reconnect-delay = 1
max-pending-submits = 10
wait-ack = 8
wait-ack-expire = 0

group = smpp-tlv
name = entity
tag = 0x1400
type = octetstring
length = 30

group = smpp-tlv
name = template
tag = 0x1401
type = octetstring
length = 30

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = %d
sendsms-interface = 127.0.0.1
http-request-retry = 20
http-queue-delay = 1
log-level = 1

group = sendsms-user
username = heliograph
password = secret
max-messages = 10
`

// kannelService passes on what the operator delivers.
const kannelService = `
group = sms-service
keyword = default
catch-all = true
max-messages = 0
get-url = "%s"
`

// freePort returns a port that nothing listens on. It is below those that the
// system gives to connections, so that none takes it before the gateway does.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 12_000 + rand.IntN(20_000)
		if listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			listener.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// Username and Password belong to the gateway's sendsms user. entityTLV and
// templateTLV are the names of its smpp-tlv groups.
const (
	Username    = "heliograph"
	Password    = "secret"
	entityTLV   = "entity"
	templateTLV = "template"
)

// Gateway is a Kannel that runs until End or the end of the test.
type Gateway struct {
	URL       string // of its sendsms interface
	admin     string // start of the addresses of its own commands
	smsc      *smsc
	processes []*os.Process
}

// End ends the gateway without a word, with all that it has not done yet.
func (g *Gateway) End() {
	for _, p := range g.processes {
		p.Kill() //nolint:errcheck // it has ended by itself
	}
}

// Messages returns what the operator got so far.
func (g *Gateway) Messages() []Submitted {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	return slices.Clone(g.smsc.got)
}

// Bound reports whether the gateway has connected to its operator.
func (g *Gateway) Bound() bool {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	return g.smsc.conn != nil
}

// Break has the operator end the connection, without a word.
func (g *Gateway) Break() {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	g.smsc.conn.Close()
}

// Leave has the operator end the connection and all that follow. The gateway tries
// again, and takes messages meanwhile.
func (g *Gateway) Leave() {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	g.smsc.away = true
	g.smsc.conn.Close()
}

// Refuse has the operator refuse the login. The gateway gives its connection up, and
// what waited for it.
func (g *Gateway) Refuse() {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	g.smsc.refusing = true
}

// Stop has the gateway end its connection and make none.
func (g *Gateway) Stop(t testing.TB) { g.command(t, "stop-smsc") }

// Connect has a gateway without a connection make one that the operator takes.
func (g *Gateway) Connect(t testing.TB) {
	g.smsc.mu.Lock()
	bound := g.smsc.bound
	g.smsc.away, g.smsc.refusing = false, false
	g.smsc.mu.Unlock()
	Await(t, "a connection", func() bool {
		if g.Connections() > bound {
			return true
		}
		g.command(t, "start-smsc") // refused while the last connection is being ended
		return false
	})
}

// command gives the gateway a command about its operator, and returns what it says.
func (g *Gateway) command(t testing.TB, name string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.admin+name+"?smsc=operator&password=admin", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// Stall has the operator take messages and answer nothing on this connection, until
// the gateway ends it.
func (g *Gateway) Stall() {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	g.smsc.stalled = g.smsc.bound
}

// Connections returns how often the gateway has bound.
func (g *Gateway) Connections() int {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	return g.smsc.bound
}

// Unacknowledged returns how many receipts the gateway has not taken.
func (g *Gateway) Unacknowledged() int {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	return len(g.smsc.receipts)
}

// BrokeOver reports whether the connection of a message ended while the message may
// have been under way: it was among the last ones of that connection.
func (g *Gateway) BrokeOver(m Submitted) bool {
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	count, ended := g.smsc.ended[m.connection]
	return ended && m.place > count-window
}

// Deliver has the operator pass a message on, with the data coding 0 for its own
// alphabet and 8 for UTF-16.
func (g *Gateway) Deliver(from, to string, coding byte, text []byte) {
	var b bytes.Buffer
	b.WriteString("\x00\x01\x01" + from + "\x00\x00\x00" + to + "\x00")
	b.Write([]byte{0, 0, 0})
	b.WriteString("\x00\x00")
	b.Write([]byte{0, 0, coding, 0, byte(len(text))})
	b.Write(text)
	g.smsc.mu.Lock()
	defer g.smsc.mu.Unlock()
	g.smsc.last++
	pdu{deliverSM, 0, 500_000 + g.smsc.last}.write(g.smsc.conn, b.Bytes())
}

// Start starts Debian's Kannel, or skips the test where it is not installed. The
// operator reports each message with the state that answer gives it, a word of
// SMPP receipts. It refuses the message if the state is empty, and puts it off if the
// state is Busy.
func Start(t testing.TB, answer func(Submitted) (state string)) *Gateway {
	t.Helper()
	return StartWith(t, Config{Retries: -1}, answer)
}

// Busy is the answer of an operator with a full queue.
const Busy = "BUSY"

// Config is what a gateway has of its own.
type Config struct {
	Inbound string // the get-url that is opened for each message that the operator passes on; none if empty
	Retries int    // after which a message that is put off is given up; never if negative
	Store   bool   // whether messages are kept in a file until the operator has them
}

// StartWith is like Start.
func StartWith(t testing.TB, own Config, answer func(Submitted) (state string)) *Gateway {
	t.Helper()
	s := startSMSC(t, answer)
	for _, name := range []string{"bearerbox", "smsbox"} {
		if _, err := exec.LookPath(name); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skip("Kannel is not installed")
		}
	}
	dir, admin, box, send := t.TempDir(), freePort(t), freePort(t), freePort(t)
	config := filepath.Join(dir, "kannel.conf")
	store := ""
	if own.Store {
		store = fmt.Sprintf("store-type = file\nstore-location = %s\n", filepath.Join(dir, "kannel.store"))
	}
	text := fmt.Appendf(nil, kannelConfig, admin, box, own.Retries, store, s.port(), send)
	if own.Inbound != "" {
		text = fmt.Appendf(text, kannelService, own.Inbound)
	}
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	g := &Gateway{URL: fmt.Sprintf("http://127.0.0.1:%d/cgi-bin/sendsms", send), admin: fmt.Sprintf("http://127.0.0.1:%d/", admin), smsc: s}
	start := func(name string) {
		log, err := os.Create(filepath.Join(dir, name+".log"))
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(name, config)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		g.processes = append(g.processes, cmd.Process)
		t.Cleanup(func() {
			g.End()
			cmd.Wait() //nolint:errcheck // killed
			log.Close()
			if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
				t.Logf("%s:\n%s", name, text[max(0, len(text)-4000):])
			}
		})
	}
	start("bearerbox")
	awaitPort(t, box)
	start("smsbox")
	// smsbox opens its port first, and dies of a request before it has the bearerbox.
	Await(t, "the boxes have found each other", func() bool { return strings.Contains(g.command(t, "status.txt"), "smsbox:") })
	awaitPort(t, send)
	return g
}

func awaitPort(t testing.TB, port int) {
	t.Helper()
	Await(t, fmt.Sprintf("port %d", port), func() bool {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return false
		}
		conn.Close()
		return true
	})
}

// Await waits until done reports true.
func Await(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(40 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
