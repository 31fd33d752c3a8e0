package outbound

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// KindKannel is the kind of carriers that speak the sendsms interface of Kannel.
const KindKannel = "kannel"

func init() { carrierKinds[KindKannel] = openKannel }

// kannelSettings are the settings of a Kannel gateway, beside its URL and the
// password of its sendsms user.
type kannelSettings struct {
	Username string `json:"username"`
	SMSC     string `json:"smsc"` // smsc-id to route to; empty lets Kannel choose
	// EntityTLV, TemplateTLV and MarketerTLV are the names of the smpp-tlv groups
	// that carry the ids of the Indian registration. Empty sends none.
	EntityTLV   string `json:"entity_tlv"`
	TemplateTLV string `json:"template_tlv"`
	MarketerTLV string `json:"marketer_tlv"`
}

// kannelCarrier hands SMS to a Kannel gateway, which speaks SMPP and other protocols
// with operators. It knows no idempotency, so that an interrupted hand-over waits
// for a report.
type kannelCarrier struct {
	client   *Client
	name     string
	url      *url.URL
	password string
	settings kannelSettings
	report   func(Message) string
}

// kannelPatience is how long a report of an interrupted hand-over is waited for.
const kannelPatience = 5 * time.Minute

func openKannel(c *Client, s CarrierSettings) (Carrier, error) {
	k := &kannelCarrier{client: c, name: s.Name, password: s.Secret, report: s.Report}
	if err := json.Unmarshal(s.Settings, &k.settings); err != nil {
		return nil, fmt.Errorf("reading the settings of carrier %s: %w", s.Name, err)
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, fmt.Errorf("reading the address of carrier %s: %w", s.Name, err)
	}
	k.url = u
	return k, nil
}

// Traits describes the gateway.
func (k *kannelCarrier) Traits() Traits { return Traits{Name: k.name, Patience: kannelPatience} }

// smsPart is one short message as the SMS channel hands it over.
type smsPart struct {
	Encoding   string `json:"encoding"` // GSM7, UCS2 or BINARY
	Text       string `json:"text"`
	Data       string `json:"data"` // octets of a binary part in hexadecimal
	UDH        string `json:"udh"`  // in hexadecimal
	DCS        int    `json:"dcs"`
	Flash      bool   `json:"flash"`
	EntityID   string `json:"entity_id"`
	TemplateID string `json:"template_id"`
	TMAID      string `json:"tma_id"`
}

// Send hands one part to sendsms. 202 is taken; 400 is refused for good; a wrong
// password or address is a fault of the settings, so that the message waits. It also
// waits while no operator is connected, which Kannel answers with 403 and reports as
// well.
// Kannel gives no id, so the part's own is the provider's.
func (k *kannelCarrier) Send(ctx context.Context, m Message) (Receipt, error) {
	query, err := k.query(m)
	if err != nil {
		return Receipt{}, &CarrierError{Code: reasonFailed, Title: "The message cannot be encoded", Detail: err.Error()}
	}
	u := *k.url
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Receipt{}, waitFor("The address of the carrier is wrong", "")
	}
	res, err := k.client.Do("carrier "+k.name, req)
	if err != nil {
		return Receipt{}, notTaken(err)
	}
	defer res.Body.Close()
	// The status decides. A body that was cut short only loses its explanation.
	body, _ := io.ReadAll(io.LimitReader(res.Body, 300))
	answer := printable(strings.TrimSpace(string(body)))
	switch {
	case res.StatusCode == http.StatusAccepted || res.StatusCode == http.StatusOK:
		return Receipt{ProviderID: m.ID, State: Sent}, nil
	case res.StatusCode == http.StatusBadRequest:
		return Receipt{}, &CarrierError{Code: reasonFailed, Title: "The gateway refused the message", Detail: answer}
	case res.StatusCode == http.StatusForbidden && strings.HasPrefix(answer, "Not routable"):
		return Receipt{}, waitFor("The gateway has no connection to an operator", answer)
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden, res.StatusCode == http.StatusNotFound:
		return Receipt{}, waitFor("The gateway refused the settings of the carrier", res.Status+" "+answer)
	case res.StatusCode == http.StatusServiceUnavailable, res.StatusCode == http.StatusTooManyRequests:
		return Receipt{}, &CarrierError{Code: reasonPending, Title: "The gateway is busy", Detail: answer, Temporary: true, Wait: retryAfter(res.Header.Get("Retry-After"), time.Now())}
	}
	return Receipt{}, fmt.Errorf("the gateway %s responds %s", k.name, res.Status)
}

// Reasons of the SMS channel.
const (
	reasonFailed  = 608
	reasonPending = 609
)

// waitFor is the refusal of a carrier that is not set up correctly: an operator
// has to act, and the message waits for it.
func waitFor(title, detail string) error {
	return &CarrierError{Code: reasonPending, Title: title, Detail: detail, Temporary: true, Wait: time.Minute}
}

// notTaken tells a request that reached nobody from one with an unknown result.
func notTaken(err error) error {
	unreached := []string{models.FaultAddress, models.FaultRefused, models.FaultCertificate, models.FaultTLS}
	if f := fault.As(err); f != nil && (f.Kind == fault.Invalid || slices.Contains(unreached, f.Code)) {
		return &CarrierError{Code: reasonPending, Title: "The carrier cannot be reached", Detail: f.Message, Temporary: true}
	}
	return err
}

// query returns the parameters of sendsms.
func (k *kannelCarrier) query(m Message) (url.Values, error) {
	var p smsPart
	if err := json.Unmarshal(m.Payload, &p); err != nil {
		return nil, err
	}
	udh, err := hex.DecodeString(p.UDH)
	if err != nil {
		return nil, err
	}
	data, err := hex.DecodeString(p.Data)
	if err != nil {
		return nil, err
	}
	q := url.Values{
		"username": {k.settings.Username}, "password": {k.password}, "from": {m.Sender},
		"to": {"+" + strings.TrimPrefix(m.Recipient, "+")}, "text": {p.Text}, "charset": {"UTF-8"}, "coding": {"0"},
	}
	switch p.Encoding {
	case "UCS2":
		q.Set("coding", "2")
	case "BINARY":
		q.Set("coding", "1")
		q.Set("text", string(data))
		q.Del("charset")
		if p.DCS&0xf0 == 0xf0 || p.DCS&0x90 == 0x10 {
			q.Set("mclass", strconv.Itoa(p.DCS&3))
		}
	}
	if p.Flash {
		q.Set("mclass", "0")
	}
	if len(udh) > 0 {
		q.Set("udh", string(udh))
	}
	if k.settings.SMSC != "" {
		q.Set("smsc", k.settings.SMSC)
	}
	if left := time.Until(m.Until); left > 0 {
		q.Set("validity", strconv.Itoa(int(math.Ceil(left.Minutes()))))
	}
	if tlvs := k.tlvs(p); tlvs != "" {
		q.Set("meta-data", "?smpp?"+tlvs)
	}
	if k.report != nil {
		q.Set("dlr-mask", "31")
		// Kannel replaces these: the event, the operator's receipt and the SMSC.
		q.Set("dlr-url", k.report(m)+"?type=%d&receipt=%A&smsc=%i&handover="+strconv.Itoa(m.HandOver))
	}
	return q, nil
}

// tlvs returns the ids of the Indian registration in the form of Kannel's
// meta-data.
func (k *kannelCarrier) tlvs(p smsPart) string {
	values := url.Values{}
	for name, id := range map[string]string{k.settings.EntityTLV: p.EntityID, k.settings.TemplateTLV: p.TemplateID, k.settings.MarketerTLV: p.TMAID} {
		if name != "" && id != "" {
			values.Set(name, id)
		}
	}
	return values.Encode()
}
