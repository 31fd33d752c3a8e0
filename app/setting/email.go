package setting

import (
	"context"
	"net/mail"
	"strconv"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
)

// EmailChange is what a Super Admin enters about email, as it was entered.
type EmailChange struct {
	Mode           string // virtual, smtp or api
	From           string
	Contact        string
	Host           string
	Port           string
	TLS            string // none, starttls or tls
	Username       string
	Password       models.Secret // empty keeps what is stored
	ForgetPassword bool          // removes what is stored, unless Password is given
	URL            string
	APIKey         models.Secret // as Password
	ForgetKey      bool
}

// SaveEmail changes how emails are sent. actor is who does it, for the audit.
// Input that must change names its fields; they are named as the fields of the
// JSON.
func (s *Settings) SaveEmail(ctx context.Context, c EmailChange, actor string) error {
	return db.InTx(ctx, s.db, func(tx pgx.Tx) error {
		before, err := s.loadEmail(ctx, tx)
		if err != nil {
			return err
		}
		after, err := s.checkEmail(ctx, c, before)
		if err != nil {
			return err
		}
		return s.save(ctx, tx, change{
			name: emailName, before: before, after: after, actor: actor,
			secrets: []secret{{emailPassword, c.Password, c.ForgetPassword}, {emailAPIKey, c.APIKey, c.ForgetKey}},
		})
	})
}

func (s *Settings) checkEmail(ctx context.Context, c EmailChange, before models.EmailSettings) (models.EmailSettings, error) {
	v := models.EmailSettings{
		Mode: c.Mode, From: strings.TrimSpace(c.From), Contact: strings.TrimSpace(c.Contact), Host: strings.TrimSpace(c.Host),
		TLS: c.TLS, Username: strings.TrimSpace(c.Username), URL: strings.TrimSpace(c.URL),
	}
	smtp, api := v.Mode == models.ModeSMTP, v.Mode == models.ModeAPI
	var f findings
	f.when(!smtp && !api && v.Mode != models.ModeVirtual, "mode", "Choose virtual, SMTP server or email API.")
	if _, err := mail.ParseAddress(v.From); v.From != "" && (err != nil || len(v.From) > 254) {
		f.when(true, "from", "Enter an address such as portal@example.com, or a name and an address such as Portal <portal@example.com>.")
	}
	f.when(v.From == "" && (smtp || api), "from", "Enter the address that letters come from.")
	f.address("contact", v.Contact)

	f.host(v.Host)
	f.when(smtp && v.Host == "", "host", "Enter the name of the SMTP server, such as smtp.example.com.")
	port, err := strconv.Atoi(strings.TrimSpace(c.Port))
	f.when(err != nil || port < 1 || port > 65535, "port", "Enter a port from 1 to 65535; 587 is usual with STARTTLS, 465 with TLS.")
	v.Port = port
	f.when(v.TLS != models.TLSNone && v.TLS != models.TLSStartTLS && v.TLS != models.TLSImplicit, "tls", "Choose how the connection is secured.")
	f.when(smtp && v.TLS == models.TLSNone && !s.plain, "tls", "Choose STARTTLS or TLS: letters carry links that open accounts.")
	f.word("username", v.Username)
	f.secret("password", c.Password)
	f.when(smtp && v.Username != "" && c.Password == "" && (c.ForgetPassword || before.Password == ""), "password", "Enter the password of this user, or leave the user name empty.")

	if err := f.url(ctx, s.guard, v.URL); err != nil {
		return v, err
	}
	f.when(api && v.URL == "", "url", "Enter the address that your provider takes emails at.")
	f.secret("api_key", c.APIKey)
	f.when(api && c.APIKey == "" && (c.ForgetKey || before.APIKey == ""), "api_key", "Enter the API key of your provider.")
	return v, f.err()
}

// word checks an identifier: one line of at most 200 characters.
func (f *findings) word(name, text string) {
	f.when(len([]rune(text)) > 200 || strings.ContainsFunc(text, unicode.IsControl), name, "Enter at most 200 characters, without line breaks.")
}

// secret checks a key or password.
func (f *findings) secret(name string, value models.Secret) {
	f.when(len(value) > 1000 || strings.ContainsFunc(string(value), unicode.IsControl), name, "Enter at most 1,000 characters, without line breaks.")
}

// address checks a bare email address; empty is none.
func (f *findings) address(name, text string) {
	if text == "" {
		return
	}
	a, err := mail.ParseAddress(text)
	f.when(err != nil || a.Name != "" || a.Address != text || len(text) > 254, name, "Enter an email address such as asha@example.com.")
}

// host checks the name or address of a server; empty is none.
func (f *findings) host(text string) {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '.' && r != ':' && r != '_'
	}
	f.when(len(text) > 253 || strings.ContainsFunc(text, odd), "host", "Enter a host name alone, such as smtp.example.com, without scheme or port.")
}

// url checks the address of a provider; empty is none. An error says that it
// could not be checked.
func (f *findings) url(ctx context.Context, guard Guard, text string) error {
	if text == "" {
		return nil
	}
	err := guard.CheckURL(ctx, text)
	if fault.Is(err, fault.Invalid) {
		f.when(true, "url", fault.As(err).Message)
		return nil
	}
	return err
}
