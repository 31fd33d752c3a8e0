package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/google/uuid"

	"heliograph/db/models"
)

// postbox is an SMTP server that keeps what it takes.
type postbox struct {
	mu      sync.Mutex
	letters []string
}

// NewSession begins a conversation.
func (p *postbox) NewSession(*smtp.Conn) (smtp.Session, error) { return &visit{box: p}, nil }

func (p *postbox) taken() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.letters
}

type visit struct{ box *postbox }

func (v *visit) AuthMechanisms() []string { return []string{sasl.Plain} }

func (v *visit) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != "portal" || password != "bright lamp" {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "Wrong user or password"}
		}
		return nil
	}), nil
}

func (v *visit) Mail(string, *smtp.MailOptions) error { return nil }

func (v *visit) Rcpt(to string, _ *smtp.RcptOptions) error {
	switch {
	case strings.HasPrefix(to, "nobody@"):
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such mailbox"}
	case strings.HasPrefix(to, "busy@"):
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "Come back later"}
	}
	return nil
}

func (v *visit) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	v.box.mu.Lock()
	defer v.box.mu.Unlock()
	v.box.letters = append(v.box.letters, string(text))
	return err
}

func (v *visit) Reset() {}

func (v *visit) Logout() error { return nil }

// certified returns a certificate for 127.0.0.1 and the pool that trusts it.
func certified(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	defer server.Close()
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	return server.TLS.Certificates[0], pool
}

// serveMail runs an SMTP server; implicit secures it from the first byte.
func serveMail(t *testing.T, box *postbox, config *tls.Config, implicit bool) (port int) {
	t.Helper()
	server := smtp.NewServer(box)
	server.Domain, server.TLSConfig, server.ReadTimeout = "mail.example.com", config, 10*time.Second
	server.ErrorLog = quiet{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if implicit {
		listener = tls.NewListener(listener, config)
	}
	var wg sync.WaitGroup
	wg.Go(func() { server.Serve(listener) }) //nolint:errcheck // it ends by being closed
	t.Cleanup(func() { server.Close(); wg.Wait() })
	return listener.Addr().(*net.TCPAddr).Port
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

// serveLines runs a server that says its lines, one to each line it hears and
// the first unasked, and then hangs up.
func serveLines(t *testing.T, lines ...string) (port int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			heard := make([]byte, 4096)
			for _, line := range lines {
				io.WriteString(conn, line+"\r\n") //nolint:errcheck // the client may be gone
				conn.Read(heard)                  //nolint:errcheck // the client may be gone
			}
			conn.Close()
		}
	})
	t.Cleanup(func() { listener.Close(); wg.Wait() })
	return listener.Addr().(*net.TCPAddr).Port
}

func emailTo(to string, port int) models.Dispatch {
	return models.Dispatch{
		ID: uuid.Must(uuid.NewV7()), Kind: models.KindEmail, Recipient: to, Subject: "Réinitialisation", Text: "Open https://example.com/r/abc123\n", HTML: "<p>Open https://example.com/r/abc123</p>",
		Email: models.EmailSettings{Mode: models.ModeSMTP, From: "Portal <portal@example.com>", Host: "127.0.0.1", Port: port, TLS: models.TLSStartTLS},
	}
}

func newCourier(roots *x509.CertPool) *Courier {
	c := NewCourier(CourierOptions{Client: New(Options{AllowLoopback: true}), AllowLoopback: true})
	c.roots = roots
	return c
}

func TestEmailOverSMTP(t *testing.T) {
	t.Parallel()
	cert, roots := certified(t)
	config := &tls.Config{Certificates: []tls.Certificate{cert}}
	box := &postbox{}
	starttls, implicit, plain := serveMail(t, box, config, false), serveMail(t, box, config, true), serveMail(t, box, nil, false)
	for _, tt := range []struct {
		name   string
		to     string
		port   int
		change func(*models.EmailSettings)
		roots  *x509.CertPool
		want   string // outcome
		says   string // within the answer
		fault  string // empty where the server decided
	}{
		{name: "STARTTLS", port: starttls, roots: roots, want: models.OutcomeAccepted, says: "354 Go ahead. End your data with <CR><LF>.<CR><LF>\nS: 250 2.0.0 OK"},
		{name: "TLS", port: implicit, roots: roots, change: func(s *models.EmailSettings) { s.TLS = models.TLSImplicit }, want: models.OutcomeAccepted, says: "354 Go ahead. End your data with <CR><LF>.<CR><LF>\nS: 250 2.0.0 OK"},
		{name: "none", port: plain, change: func(s *models.EmailSettings) { s.TLS = models.TLSNone }, want: models.OutcomeAccepted, says: "354 Go ahead. End your data with <CR><LF>.<CR><LF>\nS: 250 2.0.0 OK"},
		{name: "signed in over STARTTLS", port: starttls, roots: roots, change: signIn("bright lamp"), want: models.OutcomeAccepted, says: "auth data redacted"},
		{
			name: "signed in over TLS", port: implicit, roots: roots, want: models.OutcomeAccepted, says: "235",
			change: func(s *models.EmailSettings) { signIn("bright lamp")(s); s.TLS = models.TLSImplicit },
		},
		{name: "wrong password", port: starttls, roots: roots, change: signIn("dark lamp"), want: models.OutcomeRejected, says: "535 5.7.8 Wrong user or password"},
		{name: "no such mailbox", to: "nobody@example.com", port: starttls, roots: roots, want: models.OutcomeRejected, says: "550 5.1.1 No such mailbox"},
		{name: "busy", to: "busy@example.com", port: starttls, roots: roots, want: models.OutcomeUnavailable, says: "451 4.3.0 Come back later"},
		{name: "unknown authority, STARTTLS", port: starttls, want: models.OutcomeUnavailable, says: "certificate", fault: models.FaultCertificate},
		{name: "unknown authority, TLS", port: implicit, change: func(s *models.EmailSettings) { s.TLS = models.TLSImplicit }, want: models.OutcomeUnavailable, says: "certificate", fault: models.FaultCertificate},
		{name: "no STARTTLS offered", port: plain, want: models.OutcomeUnavailable, says: "STARTTLS", fault: models.FaultUnsuited},
		{name: "TLS where there is none", port: plain, change: func(s *models.EmailSettings) { s.TLS = models.TLSImplicit }, want: models.OutcomeUnavailable, says: "TLS", fault: models.FaultTLS},
		{name: "password in clear", port: plain, change: func(s *models.EmailSettings) { signIn("bright lamp")(s); s.TLS = models.TLSNone }, want: models.OutcomeUnavailable, says: "AUTH", fault: models.FaultUnsuited},
		{
			name: "hangs up in the middle", port: serveLines(t, "220 mail.example.com", "250 mail.example.com", "250 OK", "250 OK", "354 Go on"),
			change: func(s *models.EmailSettings) { s.TLS = models.TLSNone }, want: models.OutcomeUnavailable, says: "S: 354 Go on", fault: models.FaultBroken,
		},
		{name: "no server", port: serveNothing(t), want: models.OutcomeUnavailable, says: "refused the connection", fault: models.FaultRefused},
		{name: "no sender", port: plain, change: func(s *models.EmailSettings) { s.From = "portal" }, want: models.OutcomeRejected, says: "sender", fault: models.FaultMessage},
		{name: "breaks the header", to: "a@example.com\r\nBcc: b@example.com", port: plain, want: models.OutcomeRejected, says: "address", fault: models.FaultMessage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := emailTo("asha@example.com", tt.port)
			if tt.to != "" {
				d.Recipient = tt.to
			}
			if tt.change != nil {
				tt.change(&d.Email)
			}
			a := newCourier(tt.roots).Deliver(t.Context(), d)
			if a.Outcome != tt.want || !strings.Contains(a.Answer, tt.says) || a.NotificationID != d.ID || a.Fault != tt.fault {
				t.Errorf("%s %s:\n%s\nwant %s, %s with %q", a.Outcome, a.Fault, a.Answer, tt.want, tt.fault, tt.says)
			}
			if strings.Contains(a.Answer, "abc123") || strings.Contains(a.Answer, "lamp") && d.Email.Password != "" {
				t.Errorf("the answer contains the email or the password:\n%s", a.Answer)
			}
			if got := box.with(d.ID.String()); (got != "") != (tt.want == models.OutcomeAccepted) {
				t.Errorf("the server has the email: %t", got != "")
			} else if got != "" && (!strings.Contains(got, "Message-ID: <"+d.ID.String()+"@example.com>") || !strings.Contains(got, "Auto-Submitted: auto-generated") || !strings.Contains(got, "=C3=A9") || !strings.Contains(got, "multipart/alternative") || strings.Index(got, "text/plain") > strings.Index(got, "text/html")) {
				t.Errorf("the email is\n%s", got)
			}
		})
	}
}

// with returns the email that contains an id.
func (p *postbox) with(id string) string {
	for _, l := range p.taken() {
		if strings.Contains(l, id) {
			return l
		}
	}
	return ""
}

func signIn(password models.Secret) func(*models.EmailSettings) {
	return func(s *models.EmailSettings) { s.Username, s.Password = "portal", password }
}

// serveNothing returns a port that nobody listens on.
func serveNothing(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// A server that never answers does not hold a worker past its time.
func TestEmailTimesOut(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := newCourier(nil).dial(models.EmailSettings{TLS: models.TLSNone})(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	late := &boundedConn{conn, time.Now().Add(30 * time.Millisecond)}
	if err := late.SetDeadline(time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	_, err = late.Read(make([]byte, 1))
	var slow net.Error
	if !errors.As(err, &slow) || !slow.Timeout() {
		t.Errorf("reading gives %v, want a timeout", err)
	}
}

// What is not public is not dialled, unless the operator names its network.
func TestEmailIsGuarded(t *testing.T) {
	t.Parallel()
	box := &postbox{}
	port := serveMail(t, box, nil, false)
	d := emailTo("asha@example.com", port)
	d.Email.TLS = models.TLSNone
	a := NewCourier(CourierOptions{Client: New(Options{})}).Deliver(t.Context(), d)
	if a.Outcome != models.OutcomeUnavailable || !strings.Contains(a.Answer, "does not lead to a public internet address") || len(box.taken()) != 0 {
		t.Errorf("a server on this machine: %s\n%s", a.Outcome, a.Answer)
	}
	a = NewCourier(CourierOptions{Client: New(Options{}), MailNetworks: prefixes("127.0.0.0/8")}).Deliver(t.Context(), d)
	if a.Outcome != models.OutcomeAccepted || len(box.taken()) != 1 {
		t.Errorf("a server of a permitted network: %s\n%s", a.Outcome, a.Answer)
	}
	if a.Provider != "127.0.0.1:"+strconv.Itoa(port) {
		t.Errorf("the provider is %q", a.Provider)
	}
}
