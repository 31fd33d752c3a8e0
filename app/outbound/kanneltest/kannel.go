package kanneltest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
log-level = 1

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

// Username and Password are those of the gateway's sendsms user. EntityTLV and
// TemplateTLV are the names of its smpp-tlv groups.
const (
	Username    = "heliograph"
	Password    = "secret"
	EntityTLV   = "entity"
	TemplateTLV = "template"
)

// Gateway is a Kannel that runs until the test ends.
type Gateway struct {
	URL  string // of its sendsms interface
	smsc *smsc
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
// SMPP receipts. It refuses the message if the state is empty.
func Start(t testing.TB, answer func(Submitted) (state string)) *Gateway {
	t.Helper()
	return StartWith(t, "", answer)
}

// StartWith is like Start. The gateway also opens an address for each message that
// the operator passes on, in the form of get-url.
func StartWith(t testing.TB, inbound string, answer func(Submitted) (state string)) *Gateway {
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
	text := fmt.Appendf(nil, kannelConfig, admin, box, s.port(), send)
	if inbound != "" {
		text = fmt.Appendf(text, kannelService, inbound)
	}
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
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
		t.Cleanup(func() {
			cmd.Process.Kill() //nolint:errcheck // it has ended by itself
			cmd.Wait()         //nolint:errcheck // killed
			log.Close()
			if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
				t.Logf("%s:\n%s", name, text[max(0, len(text)-4000):])
			}
		})
	}
	start("bearerbox")
	awaitPort(t, box)
	start("smsbox")
	awaitPort(t, send)
	return &Gateway{URL: fmt.Sprintf("http://127.0.0.1:%d/cgi-bin/sendsms", send), smsc: s}
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
