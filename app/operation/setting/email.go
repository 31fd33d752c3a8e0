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

// EmailChange is the form of the email settings, as it was entered.
type EmailChange struct {
	Mode           string // virtual, smtp or api
	From           string
	Contact        string
	Host           string
	Port           string
	TLS            string // none, starttls or tls
	Username       string
	Password       models.Secret // empty keeps the stored one
	ForgetPassword bool          // removes the stored one unless Password is set
	URL            string
	APIKey         models.Secret // like Password
	ForgetKey      bool
}

// SaveEmail validates and stores the email settings. actor is recorded in the
// audit. Invalid input names its fields by their JSON names.
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
	f.addIf(!smtp && !api && v.Mode != models.ModeVirtual, "mode", "Choose virtual, SMTP server or email API.")
	if _, err := mail.ParseAddress(v.From); v.From != "" && (err != nil || len(v.From) > 254) {
		f.addIf(true, "from", "Enter an address such as portal@example.com, or a name and an address such as Portal <portal@example.com>.")
	}
	f.addIf(v.From == "" && (smtp || api), "from", "Enter the sender address of emails.")
	f.address("contact", v.Contact)

	f.host(v.Host)
	f.addIf(smtp && v.Host == "", "host", "Enter the name of the SMTP server, such as smtp.example.com.")
	port, err := strconv.Atoi(strings.TrimSpace(c.Port))
	f.addIf(err != nil || port < 1 || port > 65535, "port", "Enter a port from 1 to 65535; 587 is usual with STARTTLS, 465 with TLS.")
	v.Port = port
	f.addIf(v.TLS != models.TLSNone && v.TLS != models.TLSStartTLS && v.TLS != models.TLSImplicit, "tls", "Choose how the connection is secured.")
	f.addIf(smtp && v.TLS == models.TLSNone && !s.plain, "tls", "Choose STARTTLS or TLS. Emails contain links that give access to accounts.")
	f.word("username", v.Username)
	f.secret("password", c.Password)
	f.addIf(smtp && v.Username != "" && c.Password == "" && (c.ForgetPassword || before.Password == ""), "password", "Enter the password of this user, or leave the user name empty.")

	if err := f.url(ctx, s.guard, v.URL); err != nil {
		return v, err
	}
	f.addIf(api && v.URL == "", "url", "Enter the URL of your provider's email API.")
	f.secret("api_key", c.APIKey)
	f.addIf(api && c.APIKey == "" && (c.ForgetKey || before.APIKey == ""), "api_key", "Enter the API key of your provider.")
	return v, f.Err()
}

// word checks an identifier of one line with at most 200 characters.
func (f *findings) word(name, text string) {
	f.addIf(len([]rune(text)) > 200 || strings.ContainsFunc(text, unicode.IsControl), name, "Enter at most 200 characters, without line breaks.")
}

// secret checks a key or password.
func (f *findings) secret(name string, value models.Secret) {
	f.addIf(len(value) > 1000 || strings.ContainsFunc(string(value), unicode.IsControl), name, "Enter at most 1,000 characters, without line breaks.")
}

// address checks a bare email address. It may be empty.
func (f *findings) address(name, text string) {
	if text == "" {
		return
	}
	a, err := mail.ParseAddress(text)
	f.addIf(err != nil || a.Name != "" || a.Address != text || len(text) > 254, name, "Enter an email address such as asha@example.com.")
}

// host checks the name or address of a server. It may be empty.
func (f *findings) host(text string) {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '.' && r != ':' && r != '_'
	}
	f.addIf(len(text) > 253 || strings.ContainsFunc(text, odd), "host", "Enter a host name alone, such as smtp.example.com, without scheme or port.")
}

// url checks the URL of a provider. It may be empty. An error means that the URL
// could not be checked.
func (f *findings) url(ctx context.Context, guard guard, text string) error {
	if text == "" {
		return nil
	}
	err := guard.CheckURL(ctx, text)
	if fault.Is(err, fault.Invalid) {
		f.addIf(true, "url", fault.As(err).Message)
		return nil
	}
	return err
}
