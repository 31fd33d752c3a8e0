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

// mailTimeout limits a whole conversation with an SMTP server.
const mailTimeout = 15 * time.Second

// sendEmail hands an email to an SMTP server (RFC 5321). Its Message-ID contains
// the id of the message, so that a duplicate can be recognised. The answer is the
// conversation without the sign-in and the email itself.
func (c *Courier) sendEmail(ctx context.Context, d models.Dispatch) models.NotificationAttempt {
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	a := models.NotificationAttempt{Provider: excerpt(net.JoinHostPort(d.Email.Host, strconv.Itoa(d.Email.Port)))}
	talk := &conversation{}
	reply, err := c.submit(ctx, d, talk)
	if err == nil {
		a.Outcome, a.Answer = models.OutcomeAccepted, talk.with("S: 250 "+reply)
		return a
	}
	code, text := refusal(err)
	switch {
	case code >= 500 || errors.Is(err, errEmail):
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

// submit sends an email in one SMTP session and returns the server's reply to it.
func (c *Courier) submit(ctx context.Context, d models.Dispatch, talk *conversation) (reply string, err error) {
	message, domain, err := newEmail(d)
	if err != nil {
		return "", errors.Join(errEmail, err)
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
		return "", errors.Join(errEmail, err)
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return "", err
	}
	err = client.SendWithSMTPClient(session, message)
	if message.IsDelivered() {
		talk.over = true
		session.Quit() //nolint:errcheck // the email is already accepted
		return message.ServerResponse(), nil
	}
	return "", errors.Join(err, session.Close())
}

// errEmail marks errors that a retry cannot fix.
var errEmail = errors.New("the email cannot be written")

// policies maps the TLS setting to the policy of go-mail on the open connection.
var policies = map[string]mail.TLSPolicy{
	models.TLSNone: mail.NoTLS, models.TLSStartTLS: mail.TLSMandatory,
	models.TLSImplicit: mail.TLSOpportunistic, // the connection is already encrypted
}

func (c *Courier) tlsConfig(host string) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host, RootCAs: c.roots}
}

// dial returns a function that connects to the server if the guard allows it,
// with TLS from the first byte if the settings say so.
func (c *Courier) dial(s models.EmailSettings) mail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := c.dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if until, ok := ctx.Deadline(); ok {
			conn = &boundedConn{conn, until}
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

// boundedConn is a connection with deadlines that are never later than until. Every
// command extends them, and a slow server must not occupy a worker for long.
type boundedConn struct {
	net.Conn
	until time.Time
}

// SetDeadline sets the sooner of t and the bound.
func (b *boundedConn) SetDeadline(t time.Time) error {
	if t.IsZero() || t.After(b.until) {
		t = b.until
	}
	return b.Conn.SetDeadline(t)
}

// newEmail returns the email to send and the domain of its sender.
func newEmail(d models.Dispatch) (*mail.Msg, string, error) {
	from, err := netmail.ParseAddress(d.Email.From)
	if err != nil {
		return nil, "", fmt.Errorf("the sender's address is invalid: %w", err)
	}
	domain := from.Address[strings.LastIndexByte(from.Address, '@')+1:]
	m := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(m.FromFormat(from.Name, from.Address), m.To(d.Recipient)); err != nil {
		return nil, "", err
	}
	m.Subject(d.Subject)
	m.SetDate()
	m.SetMessageIDWithValue(d.ID.String() + "@" + domain)
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: suppresses automatic replies
	m.SetBodyString(mail.TypeTextPlain, d.Text)
	if d.HTML != "" {
		m.AddAlternativeString(mail.TypeTextHTML, d.HTML)
	}
	return m, domain, nil
}

// refusal returns the reply with which a server refused an email. code is 0 for
// other errors.
func refusal(err error) (code int, text string) {
	var reply *textproto.Error
	if errors.As(err, &reply) {
		return reply.Code, fmt.Sprintf("S: %d %s", reply.Code, reply.Msg)
	}
	var refused *mail.SendError
	if errors.As(err, &refused) && refused.ErrorCode() > 0 {
		// go-mail puts the command before the reply and the recipients after it.
		_, text, _ = strings.Cut(refused.Error(), ": ")
		text, _, _ = strings.Cut(text, ", affected ")
		return refused.ErrorCode(), "S: " + strings.ReplaceAll(text, `"`, "")
	}
	return 0, ""
}

// explainMail returns the class and a description of the error that ended a
// conversation. An error before the email that is not an error of the connection
// is a feature that the server lacks.
func explainMail(ctx context.Context, s models.EmailSettings, err error) (class, text string) {
	if errors.Is(err, errEmail) {
		return models.FaultMessage, err.Error()
	}
	f := fault.As(explainFailure(ctx, s.Host, err))
	var lost net.Error
	var sending *mail.SendError
	if f.Code == models.FaultBroken && !errors.As(err, &lost) && !errors.Is(err, io.EOF) && !errors.As(err, &sending) {
		return models.FaultUnsuited, err.Error()
	}
	return f.Code, f.Message + "\n" + err.Error()
}

// conversation records the commands and replies of a session. go-mail omits the
// sign-in.
type conversation struct {
	lines []string
	over  bool // ignore everything else
}

func (t *conversation) with(last string) string {
	return strings.Join(append(t.lines, last), "\n")
}

// Debugf records one command or reply.
func (t *conversation) Debugf(l log.Log) {
	who := "S: "
	if l.Direction == log.DirClientToServer {
		who = "C: "
	}
	// A refusing reply is not logged here, and what follows it is cleanup.
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
