package relay

import (
	"cmp"
	"net/http"
	"time"

	"heliograph/app/keyring"
	"heliograph/db/models"
)

// Protocol declares how the events of a channel are posted.
type Protocol struct {
	// Schedule belongs to the channel; without pauses it is the one that the
	// worker was started with.
	Schedule Schedule
	// Render returns the request for an event in the format of its endpoint; nil
	// means that the event is posted as it was stored.
	Render func(models.Delivery) (Request, error)
	// Signature is the header of the signature of the body; empty means
	// X-Hub-Signature-256.
	Signature string
	// Sign returns the headers that sign a request, for channels that sign in a way
	// of their own, with one secret; nil means the standard signatures.
	Sign func(secret string, d models.Delivery, r Request) (map[string]string, error)
	// Secrets returns the signing secrets of an endpoint; nil means its own.
	Secrets func(*keyring.Keyring, models.Delivery) (Secrets, error)
}

// Request is one event in the format of its endpoint. It is signed and sent with
// the partner's headers.
type Request struct {
	Method string // GET or POST
	URL    string
	Body   []byte // JSON; nil for GET
}

// Secrets holds the signing secrets of an endpoint.
type Secrets struct {
	Current  string
	Previous string // empty except for a while after a rotation
}

// Signing is the secret of a signature that only one can make: after a rotation the
// previous one, until it is retired or expires.
func (s Secrets) Signing() string { return cmp.Or(s.Previous, s.Current) }

// Day is the schedule of reports that are worth something for a day. The last
// attempt starts 24 hours and 21 minutes after the first.
var Day = Schedule{
	Pauses: append([]time.Duration{
		5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, 30 * time.Minute,
	}, hourly(23)...),
	Circuit: time.Minute,
}

func hourly(n int) []time.Duration {
	pauses := make([]time.Duration, n)
	for i := range pauses {
		pauses[i] = time.Hour
	}
	return pauses
}

// NewRequest returns the request of one attempt at a delivery.
func (p Protocol) NewRequest(d models.Delivery) (Request, error) {
	if p.Render == nil {
		return Request{Method: http.MethodPost, URL: d.Webhook.URL, Body: d.Body}, nil
	}
	return p.Render(d)
}

// OpenSecrets returns the decrypted signing secrets of the endpoint of a
// delivery.
func (p Protocol) OpenSecrets(k *keyring.Keyring, d models.Delivery) (Secrets, error) {
	if p.Secrets != nil {
		return p.Secrets(k, d)
	}
	return openSecrets(k, d.Webhook)
}

// ScheduleOr returns the schedule of the channel, or standard if it has none.
func (p Protocol) ScheduleOr(standard Schedule) Schedule {
	if len(p.Schedule.Pauses) == 0 {
		return standard
	}
	return p.Schedule
}
