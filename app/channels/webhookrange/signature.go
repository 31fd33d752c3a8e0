package webhookrange

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"heliograph/app/channels/simulate"
	queries "heliograph/db/queries/channels"
)

// checked is one check of a signature, as a receiver makes it.
type checked struct {
	Title  string
	Detail string // what was found, or why it does not match
	OK     bool
}

// Verdict is the outcome of checking the signatures of a request.
type Verdict struct {
	Signed bool // a header with a signature came
	OK     bool // each signature matches
	Secret string
	Checks []checked
}

// secret is a secret to check with, and what it is called.
type secret struct{ name, value string }

// names of secrets in verdicts.
const (
	typedSecret    = "the secret that you entered"
	ownSecret      = "the signing secret of the webhook"
	previousSecret = "the previous signing secret of the webhook"
	demoSecret     = "the demonstration secret of the simulators"
)

// Check checks the signatures of a request step by step: with a secret that somebody
// typed, or with the secrets of the webhook that the callback is for, and the
// demonstration secret. It shows no expected signature as a whole, because whoever may
// look must not learn to sign.
func (s *Service) Check(ctx context.Context, t Taken, typed string) (Verdict, error) {
	secrets := []secret{{typedSecret, typed}}
	if typed == "" {
		var err error
		if secrets, err = s.secrets(ctx, t); err != nil {
			return Verdict{}, err
		}
	}
	return check(t, secrets), nil
}

// secrets returns the secrets that a request may have been signed with.
func (s *Service) secrets(ctx context.Context, t Taken) (list []secret, err error) {
	if t.DeliveryID != nil {
		found, err := queries.DeliveryListRelayed(ctx, s.options.DB, []int64{*t.DeliveryID})
		if err != nil {
			return nil, fmt.Errorf("looking callback %d up: %w", *t.DeliveryID, err)
		}
		if len(found) > 0 && found[0].Webhook.OrganisationID == t.OrganisationID {
			channel, err := s.options.Channels.Get(found[0].Webhook.Channel)
			if err != nil {
				return nil, err
			}
			own, err := channel.Relay.OpenSecrets(s.options.Keyring, found[0])
			if err != nil {
				return nil, err
			}
			list = append(list, secret{ownSecret, own.Current})
			if own.Previous != "" {
				list = append(list, secret{previousSecret, own.Previous})
			}
		}
	}
	return append(list, secret{demoSecret, simulate.Secret}), nil
}

// tolerance is how far the time of a signature may be from the time when it came.
const tolerance = 5 * time.Minute

// check checks every signature that a request has. With several secrets the first one
// that matches decides.
func check(t Taken, secrets []secret) Verdict {
	v := Verdict{OK: true}
	if t.Get("Webhook-Signature") != "" {
		v.standard(t, secrets)
	}
	for _, name := range []string{"X-Hub-Signature-256", "X-Signature-256"} {
		if t.Get(name) != "" {
			v.body(t, name, secrets)
		}
	}
	if t.Get("X-Goog-Signature") != "" {
		v.google(t, secrets)
	}
	if !v.Signed {
		v.OK = false
		v.add(false, "A header carries a signature", "None came. Callbacks of Business Messaging have webhook-signature and X-Hub-Signature-256. Callbacks of SMS and RCS have X-Signature-256 or X-Goog-Signature.")
	}
	return v
}

func (v *Verdict) add(ok bool, title, detail string) bool {
	v.Checks = append(v.Checks, checked{title, detail, ok})
	v.OK = v.OK && ok
	return ok
}

// signedText returns what signatures are over: the body, or the query of a GET.
func signedText(t Taken) (text []byte, what string) {
	if t.Method == http.MethodGet {
		return []byte(t.Query), "the query"
	}
	return t.Body, "the body"
}

// standard checks a signature of Standard Webhooks.
func (v *Verdict) standard(t Taken, secrets []secret) {
	v.Signed = true
	id, stamp, header := t.Get("Webhook-Id"), t.Get("Webhook-Timestamp"), t.Get("Webhook-Signature")
	if !v.add(id != "" && stamp != "", "webhook-id and webhook-timestamp are there", "Both are part of what is signed. webhook-id is "+shown(id)+", webhook-timestamp is "+shown(stamp)+".") {
		return
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if !v.add(err == nil, "webhook-timestamp is a time", "It has to be in seconds since 1970. It is "+shown(stamp)+".") {
		return
	}
	away := t.TakenAt.Sub(time.Unix(seconds, 0))
	side := "after"
	if away >= 0 {
		side = "before"
	}
	v.add(away.Abs() <= tolerance, "The time is at most five minutes from ours",
		"It is "+span(away)+" "+side+" the request came. A receiver refuses what is older, so that nobody sends it again later.")
	text, what := signedText(t)
	content := []byte(id + "." + stamp + "." + string(text))
	v.add(true, "What is signed", fmt.Sprintf("%s.%s. and %s byte for byte: %d bytes in all.", id, stamp, what, len(content)))
	var given []string
	for _, part := range strings.Fields(header) {
		if value, ok := strings.CutPrefix(part, "v1,"); ok {
			given = append(given, value)
		}
	}
	if !v.add(len(given) > 0, "webhook-signature has a signature of version 1", "Parts that begin with v1, count, and spaces separate them. Found: "+strconv.Itoa(len(given))+".") {
		return
	}
	if len(secrets) == 1 {
		_, problem := decoded(secrets[0].value)
		if !v.add(problem == "", "The secret is decoded", "What follows whsec_ is base64, and its bytes are the key. "+problem) {
			return
		}
	}
	var tried []string
	for _, s := range secrets {
		key, problem := decoded(s.value)
		if problem != "" {
			continue
		}
		expected := base64.StdEncoding.EncodeToString(sha256MAC(key, content))
		for i, value := range given {
			if same(value, expected) {
				v.Secret = s.name
				v.add(true, "HMAC-SHA256 in base64 equals webhook-signature", "Signature "+strconv.Itoa(i+1)+" of "+strconv.Itoa(len(given))+" matches with "+s.name+".")
				return
			}
		}
		tried = append(tried, "with "+s.name+" it would begin with "+begin(expected))
	}
	detail := "It begins with " + begin(given[0]) + "; " + strings.Join(tried, ", ") + ". " + reasonStandard(t, given, secrets)
	v.add(false, "HMAC-SHA256 in base64 equals webhook-signature", detail)
}

// body checks the signature of the body alone.
func (v *Verdict) body(t Taken, name string, secrets []secret) {
	v.Signed = true
	text, what := signedText(t)
	value, ok := strings.CutPrefix(t.Get(name), "sha256=")
	if !v.add(ok, name+" begins with sha256=", "It is "+shown(t.Get(name))+".") {
		return
	}
	title := "HMAC-SHA256 of " + what + " in hexadecimal equals " + name
	var tried []string
	for _, s := range secrets {
		expected := hexMAC([]byte(s.value), text)
		if same(strings.ToLower(value), expected) {
			v.Secret = s.name
			detail := "It matches with the text of " + s.name + " as the key, whsec_ included."
			if value != expected {
				detail = "It matches, but is written in capitals. Compare without regard to case."
			}
			v.add(true, title, detail)
			return
		}
		tried = append(tried, "with "+s.name+" it would begin with "+begin(expected))
	}
	v.add(false, title, "It begins with "+begin(value)+"; "+strings.Join(tried, ", ")+". "+reasonBody(text, value, secrets))
}

// google checks the signature of the data within a callback of RCS Business Messaging.
func (v *Verdict) google(t Taken, secrets []secret) {
	v.Signed = true
	var wrapper struct{ Message struct{ Data []byte } }
	err := json.Unmarshal(t.Body, &wrapper)
	isRead, told := err == nil && len(wrapper.Message.Data) > 0, "They could not be read."
	if isRead {
		told = "They were read."
	}
	if !v.add(isRead, "message.data of the body is base64", "Its bytes are what is signed. "+told) {
		return
	}
	title := "HMAC-SHA512 of the bytes in base64 equals X-Goog-Signature"
	value := t.Get("X-Goog-Signature")
	var tried []string
	for _, s := range secrets {
		expected := base64.StdEncoding.EncodeToString(sha512MAC([]byte(s.value), wrapper.Message.Data))
		if same(value, expected) {
			v.Secret = s.name
			v.add(true, title, "It matches with "+s.name+".")
			return
		}
		if same(value, base64.StdEncoding.EncodeToString(sha512MAC([]byte(s.value), t.Body))) {
			v.add(false, title, "The whole body was signed. Sign the decoded bytes of message.data.")
			return
		}
		tried = append(tried, "with "+s.name+" it would begin with "+begin(expected))
	}
	v.add(false, title, "It begins with "+begin(value)+"; "+strings.Join(tried, ", ")+". The secret or the data is another.")
}

func same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// begin returns the beginning of a signature: enough to compare, too little to use.
func begin(signature string) string { return signature[:min(len(signature), 8)] + "…" }

// shown quotes a value of a header.
func shown(value string) string {
	if value == "" {
		return "missing"
	}
	if len(value) > 80 {
		value = strings.ToValidUTF8(value[:80], "") + "…"
	}
	return "“" + value + "”"
}

// span writes a time between two events.
func span(d time.Duration) string {
	d = d.Abs()
	switch {
	case d < time.Second:
		return strconv.Itoa(int(d.Milliseconds())) + " ms"
	case d < 1500*time.Millisecond:
		return "1 second"
	case d < 2*time.Minute:
		return strconv.Itoa(int(math.Round(d.Seconds()))) + " seconds"
	case d < 2*time.Hour:
		return strconv.Itoa(int(math.Round(d.Minutes()))) + " minutes"
	case d < 48*time.Hour:
		return strconv.Itoa(int(math.Round(d.Hours()))) + " hours"
	}
	return strconv.Itoa(int(d.Hours()/24)) + " days"
}
