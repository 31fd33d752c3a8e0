package outbound

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	netmail "net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/log"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// mailTimeout bounds a whole conversation with an SMTP server.
const mailTimeout = 15 * time.Second

// sendEmail hands an email to an SMTP server (RFC 5321). Its Message-ID is made
// of the message's id, so that a repeated one can be recognised. The answer is
// the conversation, without what was said to sign in and without the email.
func (c *Courier) sendEmail(ctx context.Context, d models.Dispatch) models.NotificationAttempt {
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	a := models.NotificationAttempt{Provider: excerpt(net.JoinHostPort(d.Email.Host, strconv.Itoa(d.Email.Port)))}
	talk := &conversation{}
	reply, err := c.converse(ctx, d, talk)
	if err == nil {
		a.Outcome, a.Answer = models.OutcomeAccepted, talk.with("S: 250 "+reply)
		return a
	}
	code, text := refusal(err)
	switch {
	case code >= 500 || errors.Is(err, errLetter):
		a.Outcome = models.OutcomeRejected
	default:
		a.Outcome = models.OutcomeUnavailable
	}
	if code == 0 {
		a.Fault, text = explainMail(ctx, d.Email, err)
	}
	a.Answer = talk.with(text)
	return a
}

// converse says everything there is to say to the server and returns its reply
// to the email itself.
func (c *Courier) converse(ctx context.Context, d models.Dispatch, talk *conversation) (reply string, err error) {
	letter, domain, err := newLetter(d)
	if err != nil {
		return "", errors.Join(errLetter, err)
	}
	options := []mail.Option{
		mail.WithPort(d.Email.Port), mail.WithTimeout(mailTimeout), mail.WithHELO(domain),
		mail.WithTLSConfig(c.tlsConfig(d.Email.Host)), mail.WithTLSPolicy(policies[d.Email.TLS]),
		mail.WithDialContextFunc(c.dial(d.Email)), mail.WithoutNoop(), mail.WithoutRset(),
		mail.WithLogger(talk), mail.WithDebugLog(),
	}
	if d.Email.Username != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(d.Email.Username), mail.WithPassword(string(d.Email.Password)))
	}
	client, err := mail.NewClient(d.Email.Host, options...)
	if err != nil {
		return "", errors.Join(errLetter, err)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return "", err
	}
	err = client.SendWithSMTPClient(session, letter)
	if letter.IsDelivered() {
		talk.over = true
		session.Quit() //nolint:errcheck // what goes wrong behind the acceptance does not undo it
		return letter.ServerResponse(), nil
	}
	return "", errors.Join(err, session.Close())
}

// errLetter is behind what no repetition can mend.
var errLetter = errors.New("the letter cannot be written")

// policies are what go-mail does about TLS once the connection is open.
var policies = map[string]mail.TLSPolicy{
	models.TLSNone: mail.NoTLS, models.TLSStartTLS: mail.TLSMandatory,
	models.TLSImplicit: mail.TLSOpportunistic, // it finds that the connection is secured already
}

func (c *Courier) tlsConfig(host string) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host, RootCAs: c.roots}
}

// dial opens connections to the server that the guard lets pass, secured where
// the settings say from the first byte.
func (c *Courier) dial(s models.EmailSettings) mail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := c.dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if until, ok := ctx.Deadline(); ok {
			conn = &bounded{conn, until}
			if err := conn.SetDeadline(until); err != nil {
				return nil, errors.Join(err, conn.Close())
			}
		}
		if s.TLS != models.TLSImplicit {
			return conn, nil
		}
		secured := tls.Client(conn, c.tlsConfig(s.Host))
		if err := secured.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		return secured, nil
	}
}

// bounded is a connection whose deadlines never lie behind until: every command
// moves them, and a server that answers slowly must not hold a worker for long.
type bounded struct {
	net.Conn
	until time.Time
}

// SetDeadline sets the sooner of t and the bound.
func (b *bounded) SetDeadline(t time.Time) error {
	if t.IsZero() || t.After(b.until) {
		t = b.until
	}
	return b.Conn.SetDeadline(t)
}

// newLetter writes an email and returns it with the domain that it comes from.
func newLetter(d models.Dispatch) (*mail.Msg, string, error) {
	from, err := netmail.ParseAddress(d.Email.From)
	if err != nil {
		return nil, "", fmt.Errorf("the sender's address cannot be read: %w", err)
	}
	domain := from.Address[strings.LastIndexByte(from.Address, '@')+1:]
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(m.FromFormat(from.Name, from.Address), m.To(d.Recipient)); err != nil {
		return nil, "", err
	}
	m.Subject(d.Subject)
	m.SetDate()
	m.SetMessageIDWithValue(d.ID.String() + "@" + domain)
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: nobody's holiday answers it
	m.SetBodyString(mail.TypeTextPlain, d.Text)
	return m, domain, nil
}

// refusal returns the reply by which a server refused, if it is one.
func refusal(err error) (code int, text string) {
	var reply *textproto.Error
	if errors.As(err, &reply) {
		return reply.Code, fmt.Sprintf("S: %d %s", reply.Code, reply.Msg)
	}
	var refused *mail.SendError
	if errors.As(err, &refused) && refused.ErrorCode() > 0 {
		// go-mail says where it was before the reply, and whom it was about behind.
		_, text, _ = strings.Cut(refused.Error(), ": ")
		text, _, _ = strings.Cut(text, ", affected ")
		return refused.ErrorCode(), "S: " + strings.ReplaceAll(text, `"`, "")
	}
	return 0, ""
}

// explainMail classes why a conversation broke off and puts it into words. What
// ends it before a letter, and is not the connection's fault, is what go-mail
// looked for and did not find.
func explainMail(ctx context.Context, s models.EmailSettings, err error) (class, text string) {
	if errors.Is(err, errLetter) {
		return models.FaultMessage, err.Error()
	}
	f := fault.As(explain(ctx, s.Host, err))
	var lost net.Error
	var sending *mail.SendError
	if f.Code == models.FaultBroken && !errors.As(err, &lost) && !errors.Is(err, io.EOF) && !errors.As(err, &sending) {
		return models.FaultUnsuited, err.Error()
	}
	return f.Code, f.Message + "\n" + err.Error()
}

// conversation writes down what client and server say to each other; go-mail
// leaves out what they say to sign in.
type conversation struct {
	lines []string
	over  bool // nothing further is of interest
}

func (t *conversation) with(last string) string {
	return strings.Join(append(t.lines, last), "\n")
}

// Debugf takes one command or reply.
func (t *conversation) Debugf(l log.Log) {
	who := "S: "
	if l.Direction == log.DirClientToServer {
		who = "C: "
	}
	// A reply that refuses is not told here; what follows it is tidying up.
	if t.over = t.over || l.Format == "RSET"; t.over {
		return
	}
	t.lines = append(t.lines, who+strings.ReplaceAll(fmt.Sprintf(l.Format, l.Messages...), "\n", "\n   "))
}

// Infof ignores what is not said.
func (t *conversation) Infof(log.Log) {}

// Warnf ignores what is not said.
func (t *conversation) Warnf(log.Log) {}

// Errorf ignores what is not said.
func (t *conversation) Errorf(log.Log) {}
