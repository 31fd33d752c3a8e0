package models

import (
	"log/slog"
)

// ConsoleSettings are the settings of the API console.
type ConsoleSettings struct {
	// Shown makes the console visible to readers.
	Shown bool `json:"shown"`
}

// Secret is a key or password in clear. It prints, logs and marshals as a
// placeholder; convert it to a string where it is used.
type Secret string

// concealed stands for every secret.
const concealed = "[secret]"

// String hides the secret.
func (Secret) String() string { return concealed }

// GoString hides the secret.
func (Secret) GoString() string { return concealed }

// LogValue hides the secret.
func (Secret) LogValue() slog.Value { return slog.StringValue(concealed) }

// MarshalText hides the secret.
func (Secret) MarshalText() ([]byte, error) { return []byte(concealed), nil }

// The modes of sending. Virtual messages go to the inbox of the
// administration.
const (
	ModeVirtual = "virtual"
	ModeActual  = "actual" // SMS by an HTTP provider
	ModeSMTP    = "smtp"   // email by an SMTP server
	ModeAPI     = "api"    // email by an HTTP provider
)

// How a connection to an SMTP server is secured.
const (
	TLSNone     = "none"     // in clear, for development
	TLSStartTLS = "starttls" // begun in clear, secured before anything is said (RFC 3207)
	TLSImplicit = "tls"      // secured from the first byte (RFC 8314)
)

// SMSSettings say how SMS are sent. Entity and template id belong to the
// registration with the country's operators.
type SMSSettings struct {
	Mode       string `json:"mode"` // virtual or actual
	EntityID   string `json:"entity_id"`
	SenderID   string `json:"sender_id"`
	TemplateID string `json:"template_id"`
	URL        string `json:"url"`
	APIKey     Secret `json:"-"`
	// Allowed are the countries (ISO 3166-1 alpha-2) and prefixes (+ and
	// digits) that may be sent to; none allows every one.
	Allowed []string `json:"allowed"`
	// Budget is how many SMS are sent in a day (UTC).
	Budget int `json:"budget"`
	// AlertEmail receives an email when the budget is spent. Empty means every
	// active Super Admin.
	AlertEmail string `json:"alert_email"`
}

// EmailSettings say how emails are sent.
type EmailSettings struct {
	Mode string `json:"mode"` // virtual, smtp or api
	From string `json:"from"` // address, or name and address
	// Contact receives what visitors write; empty is nobody.
	Contact  string `json:"contact"`
	Host     string `json:"host"`
	Port     int    `json:"port"`
	TLS      string `json:"tls"` // none, starttls or tls
	Username string `json:"username"`
	Password Secret `json:"-"`
	URL      string `json:"url"`
	APIKey   Secret `json:"-"`
}
