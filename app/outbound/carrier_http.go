package outbound

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kindHTTP is the kind of carriers with an HTTP interface that a template describes.
const kindHTTP = "http"

func init() { carrierKinds[kindHTTP] = openHTTP }

// httpSettings describe the interface of a carrier. URL, headers and body may have
// placeholders in braces, such as {to}: see placeholders.
type httpSettings struct {
	Method      string `json:"method"`       // POST if empty
	Headers     string `json:"headers"`      // a line each: Name: value
	Body        string `json:"body"`         // empty for none
	ContentType string `json:"content_type"` // of the body; JSON if empty
	// ID is the place of the carrier's id in its JSON response, such as
	// messages.0.id; without it the carrier has no id.
	ID string `json:"id"`
	// State is the place of a word that says whether the message was taken, and
	// Taken and Busy are the words, separated by commas, for messages that were
	// taken and that can be sent later. Any other word refuses the message. Without
	// State the HTTP status decides alone.
	State string `json:"state"`
	Taken string `json:"taken"`
	Busy  string `json:"busy"`
	// Idempotent is "true" if the carrier takes a repeated {id} as the same message.
	Idempotent string `json:"idempotent"`
}

// httpCarrier hands messages to a carrier with an interface that a template describes.
type httpCarrier struct {
	client   *Client
	name     string
	url      string
	secret   string
	settings httpSettings
	report   func(Message) string
}

// placeholder is a name in braces.
var placeholder = regexp.MustCompile(`\{([a-z_]+)\}`)

// placeholders lists the names that a template may have. payload is the message in
// the JSON of its channel, and text what is shown of an SMS.
var placeholders = []string{"id", "to", "from", "text", "encoding", "data", "udh", "entity_id", "template_id", "part", "parts", "seconds", "report", "secret", "payload"}

func openHTTP(c *Client, s CarrierSettings) (Carrier, error) {
	h := &httpCarrier{client: c, name: s.Name, url: s.URL, secret: s.Secret, report: s.Report}
	if err := json.Unmarshal(s.Settings, &h.settings); err != nil {
		return nil, fmt.Errorf("the settings cannot be read: %w", err)
	}
	set := &h.settings
	set.Method, set.ContentType = strings.ToUpper(cmp.Or(set.Method, http.MethodPost)), cmp.Or(set.ContentType, "application/json")
	if !slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodPut}, set.Method) {
		return nil, fmt.Errorf("the method is %s, not GET, POST or PUT", set.Method)
	}
	for _, template := range []string{h.url, set.Headers, set.Body} {
		for _, match := range placeholder.FindAllStringSubmatch(template, -1) {
			if !slices.Contains(placeholders, match[1]) {
				return nil, fmt.Errorf("the placeholder %s is unknown: use %s", match[0], strings.Join(placeholders, ", "))
			}
		}
	}
	if _, err := h.headers(nil); err != nil {
		return nil, err
	}
	if set.State != "" && set.Taken == "" {
		return nil, fmt.Errorf("say which words of %s mean that a message was taken", set.State)
	}
	return h, nil
}

// Traits describes the carrier.
func (h *httpCarrier) Traits() Traits {
	return Traits{Name: h.name, Idempotent: h.settings.Idempotent == "true", Patience: kannelPatience}
}

// Send posts one part. A response of 2xx is taken unless its state says otherwise;
// 400 and 422 are refused for good; 401, 403 and 404 are faults of the settings, so
// that the message waits.
func (h *httpCarrier) Send(ctx context.Context, m Message) (Receipt, error) {
	req, err := h.request(ctx, m)
	if err != nil {
		return Receipt{}, waitFor("The template of the carrier does not fit the message", err.Error())
	}
	res, err := h.client.Do("carrier "+h.name, req)
	if err != nil {
		return Receipt{}, notTaken(err)
	}
	defer res.Body.Close()
	const longest = 64 << 10
	body, err := io.ReadAll(io.LimitReader(res.Body, longest))
	answer := printable(strings.TrimSpace(string(body[:min(len(body), 300)])))
	switch status := res.StatusCode; {
	case status >= 200 && status < 300 && err == nil:
		return h.receipt(body, answer)
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return Receipt{}, &CarrierError{Code: reasonFailed, Title: "The carrier refused the message", Detail: answer}
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return Receipt{}, waitFor("The carrier refused the settings", res.Status+" "+answer)
	case status == http.StatusServiceUnavailable, status == http.StatusTooManyRequests:
		return Receipt{}, &CarrierError{Code: reasonPending, Title: "The carrier is busy", Detail: answer, Temporary: true, Wait: retryAfter(res.Header.Get("Retry-After"), time.Now())}
	}
	return Receipt{}, fmt.Errorf("the carrier %s responds %s", h.name, res.Status)
}

// receipt reads the response of a carrier that may have taken a message.
func (h *httpCarrier) receipt(body []byte, answer string) (Receipt, error) {
	var value any
	if h.settings.ID != "" || h.settings.State != "" {
		if err := json.Unmarshal(body, &value); err != nil {
			return Receipt{}, fmt.Errorf("the carrier %s responds with no JSON: %s", h.name, answer)
		}
	}
	if h.settings.State != "" {
		switch word := valueAt(value, h.settings.State); {
		case hasWord(h.settings.Busy, word):
			return Receipt{}, &CarrierError{Code: reasonPending, Title: "The carrier is busy", Detail: answer, Temporary: true}
		case !hasWord(h.settings.Taken, word):
			return Receipt{}, &CarrierError{Code: reasonFailed, Title: "The carrier refused the message", Detail: answer}
		}
	}
	return Receipt{ProviderID: valueAt(value, h.settings.ID), State: Sent}, nil
}

// hasWord reports whether a list separated by commas has a word, in any case.
func hasWord(list, word string) bool {
	return word != "" && slices.ContainsFunc(strings.Split(list, ","), func(w string) bool { return strings.EqualFold(strings.TrimSpace(w), word) })
}

// valueAt returns the value at a path such as messages.0.id as a text; empty if
// there is none.
func valueAt(value any, path string) string {
	if path == "" {
		return ""
	}
	for step := range strings.SplitSeq(path, ".") {
		switch at := value.(type) {
		case map[string]any:
			value = at[step]
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(at) {
				return ""
			}
			value = at[n]
		default:
			return ""
		}
	}
	switch at := value.(type) {
	case string:
		return at
	case float64:
		return strconv.FormatFloat(at, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(at)
	}
	return ""
}

// request fills the template in.
func (h *httpCarrier) request(ctx context.Context, m Message) (*http.Request, error) {
	values := h.values(m)
	var body io.Reader
	if h.settings.Body != "" && h.settings.Method != http.MethodGet {
		body = strings.NewReader(fill(h.settings.Body, values, escapeFor(h.settings.ContentType)))
	}
	req, err := http.NewRequestWithContext(ctx, h.settings.Method, fill(h.url, values, url.QueryEscape), body)
	if err != nil {
		return nil, err
	}
	if req.Header, err = h.headers(values); err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", h.settings.ContentType)
	}
	return req, nil
}

func (h *httpCarrier) headers(values map[string]string) (http.Header, error) {
	headers := http.Header{}
	for line := range strings.Lines(h.settings.Headers) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t") {
			return nil, fmt.Errorf("the header %q is not written as Name: value", strings.TrimSpace(name))
		}
		keep := func(text string) string { return strings.NewReplacer("\r", "", "\n", "").Replace(text) }
		headers.Set(name, fill(strings.TrimSpace(value), values, keep))
	}
	return headers, nil
}

// values returns the values of the placeholders for a part.
func (h *httpCarrier) values(m Message) map[string]string {
	var p smsPart
	_ = json.Unmarshal(m.Payload, &p) // other channels have other fields
	values := map[string]string{
		"id": m.ID, "to": strings.TrimPrefix(m.Recipient, "+"), "from": m.Sender, "text": p.Text, "encoding": p.Encoding, "data": p.Data, "udh": p.UDH,
		"entity_id": p.EntityID, "template_id": p.TemplateID, "part": strconv.Itoa(m.Part), "parts": strconv.Itoa(m.Parts),
		"seconds": strconv.Itoa(max(int(time.Until(m.Until).Seconds()), 0)), "secret": h.secret, "payload": string(m.Payload),
	}
	if h.report != nil {
		values["report"] = h.report(m)
	}
	return values
}

// fill puts values in place of the placeholders of a template. payload is JSON and
// stays as it is.
func fill(template string, values map[string]string, escape func(string) string) string {
	return placeholder.ReplaceAllStringFunc(template, func(match string) string {
		name := match[1 : len(match)-1]
		if name == "payload" {
			return values[name]
		}
		return escape(values[name])
	})
}

// escapeFor returns how values are written in a body of a type.
func escapeFor(contentType string) func(string) string {
	switch {
	case strings.Contains(contentType, "json"):
		return func(text string) string {
			quoted, err := json.Marshal(text)
			if err != nil {
				return ""
			}
			return string(quoted[1 : len(quoted)-1])
		}
	case strings.Contains(contentType, "x-www-form-urlencoded"):
		return url.QueryEscape
	case strings.Contains(contentType, "xml"):
		return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace
	}
	return func(text string) string { return text }
}
