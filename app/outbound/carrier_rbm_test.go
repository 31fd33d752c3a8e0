package outbound

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// rbm stands in for RCS Business Messaging. It takes only requests that have the
// shapes of its reference, and says what is wrong with any other.
type rbm struct {
	*httptest.Server
	t       *testing.T
	key     *rsa.PrivateKey
	mu      sync.Mutex
	tokens  int
	taken   map[string]string // body by message id
	revoked []string
	answer  func(w http.ResponseWriter, phone string) bool // answers in its own way
}

// The shapes of a message. Members that are missing here are refused.
type (
	rbmMessage struct {
		Content *rbmContent `json:"contentMessage"`
		Traffic string      `json:"messageTrafficType"`
		Expire  time.Time   `json:"expireTime"`
	}
	rbmContent struct {
		Text        string        `json:"text"`
		File        *rbmFile      `json:"contentInfo"`
		Card        *rbmRichCard  `json:"richCard"`
		Suggestions []rbmSuggests `json:"suggestions"`
	}
	rbmFile struct {
		URL       string `json:"fileUrl"`
		Thumbnail string `json:"thumbnailUrl"`
		Refresh   bool   `json:"forceRefresh"`
	}
	rbmRichCard struct {
		Standalone *struct {
			Orientation string  `json:"cardOrientation"`
			Alignment   string  `json:"thumbnailImageAlignment"`
			Card        rbmCard `json:"cardContent"`
		} `json:"standaloneCard"`
		Carousel *struct {
			Width string    `json:"cardWidth"`
			Cards []rbmCard `json:"cardContents"`
		} `json:"carouselCard"`
	}
	rbmCard struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Media       *struct {
			Height string  `json:"height"`
			File   rbmFile `json:"contentInfo"`
		} `json:"media"`
		Suggestions []rbmSuggests `json:"suggestions"`
	}
	rbmSuggests struct {
		Reply  *rbmReply `json:"reply"`
		Action *struct {
			rbmReply
			Fallback string `json:"fallbackUrl"`
			Dial     *struct {
				Number string `json:"phoneNumber"`
			} `json:"dialAction"`
			Open *struct {
				URL         string `json:"url"`
				Application string `json:"application"`
			} `json:"openUrlAction"`
			View *struct {
				Place struct{ Latitude, Longitude float64 } `json:"latLong"`
				Label string                                `json:"label"`
				Query string                                `json:"query"`
			} `json:"viewLocationAction"`
			Calendar *struct {
				Start       time.Time `json:"startTime"`
				End         time.Time `json:"endTime"`
				Title       string    `json:"title"`
				Description string    `json:"description"`
			} `json:"createCalendarEventAction"`
			Share *struct{} `json:"shareLocationAction"`
		} `json:"action"`
	}
	rbmReply struct {
		Text     string `json:"text"`
		Postback string `json:"postbackData"`
	}
)

func newRBM(t *testing.T) *rbm {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	r := &rbm{t: t, key: key, taken: map[string]string{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// account is the key file of the service account.
func (r *rbm) account() string {
	der, err := x509.MarshalPKCS8PrivateKey(r.key)
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "bots@lamps.example.com", "private_key_id": "k1", "token_uri": r.URL + "/token", "client_token": "quiet-lantern",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *rbm) open() *rbmCarrier {
	r.t.Helper()
	c, err := OpenCarrier(New(Options{AllowLoopback: true}), CarrierSettings{
		Name: "google", Kind: kindRBM, URL: r.URL + "/", Secret: r.account(), Settings: json.RawMessage(`{"agents":"bot-1 lamps_agent\nbot-2\tother_agent\n"}`),
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return c.(*rbmCarrier)
}

var phonePath = regexp.MustCompile(`^/v1/phones/(\+[1-9][0-9]{6,14})/(agentMessages|capabilities)(?:/([A-Za-z0-9-]{1,64}))?$`)

func (r *rbm) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wrong := func(status int, format string, args ...any) {
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"code": status, "message": fmt.Sprintf(format, args...)}}) //nolint:errcheck // the client sees it
	}
	if req.URL.Path == "/token" {
		if err := r.checkClaim(req); err != nil {
			wrong(400, "%v", err)
			return
		}
		r.tokens++
		fmt.Fprintf(w, `{"access_token":"token-%d","expires_in":3600,"token_type":"Bearer"}`, r.tokens)
		return
	}
	path, query := phonePath.FindStringSubmatch(req.URL.Path), req.URL.Query()
	switch {
	case req.Header.Get("Authorization") != fmt.Sprintf("Bearer token-%d", r.tokens):
		wrong(401, "Request had invalid authentication credentials.")
	case path == nil:
		wrong(404, "no such method: %s", req.URL.Path)
	case query.Get("agentId") != "lamps_agent":
		wrong(403, "The caller does not have permission.")
	case r.answer != nil && r.answer(w, path[1]):
	case req.Method == http.MethodGet && path[2] == "capabilities":
		fmt.Fprint(w, `{"features":["RICHCARD_STANDALONE","ACTION_DIAL"]}`)
	case req.Method == http.MethodDelete && path[3] != "":
		r.revoked = append(r.revoked, path[3])
		fmt.Fprint(w, `{}`)
	case req.Method == http.MethodPost && path[2] == "agentMessages" && path[3] == "":
		id := query.Get("messageId")
		body, err := checkAgentMessage(req)
		if _, again := r.taken[id]; err == nil && again {
			wrong(409, "Requested entity already exists")
			return
		}
		if err != nil || id == "" || len(query) != 2 {
			wrong(400, "Request contains an invalid argument: %v", err)
			return
		}
		r.taken[id] = body
		fmt.Fprintf(w, `{"name":"phones/%s/agentMessages/%s","sendTime":"2030-01-01T00:00:00Z"}`, path[1], id)
	default:
		wrong(404, "no such method")
	}
}

// checkClaim checks a signed claim of the service account.
func (r *rbm) checkClaim(req *http.Request) error {
	parts := strings.Split(req.FormValue("assertion"), ".")
	if req.FormValue("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" || len(parts) != 3 {
		return errors.New("no claim")
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(&r.key.PublicKey, crypto.SHA256, sum[:], signature); err != nil {
		return err
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return err
	}
	var claim struct {
		Issuer, Scope, Audience string
		Iss                     string `json:"iss"`
		Aud                     string `json:"aud"`
		Iat                     int64  `json:"iat"`
		Exp                     int64  `json:"exp"`
	}
	if err := json.Unmarshal(text, &claim); err != nil {
		return err
	}
	if claim.Iss != "bots@lamps.example.com" || claim.Aud != r.URL+"/token" || claim.Scope != "https://www.googleapis.com/auth/rcsbusinessmessaging" || claim.Exp-claim.Iat > 3600 || claim.Exp < time.Now().Unix() {
		return fmt.Errorf("a wrong claim: %s", text)
	}
	return nil
}

// checkAgentMessage checks the body of a message against its shapes.
func checkAgentMessage(req *http.Request) (string, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return "", err
	}
	if kind := req.Header.Get("Content-Type"); kind != "application/json" {
		return "", fmt.Errorf("the type is %q", kind)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	var m rbmMessage
	if err := decoder.Decode(&m); err != nil {
		return "", err
	}
	kinds := 0
	if c := m.Content; c != nil {
		for _, has := range []bool{c.Text != "", c.File != nil, c.Card != nil} {
			if has {
				kinds++
			}
		}
	}
	if kinds != 1 || m.Expire.Before(time.Now()) {
		return "", fmt.Errorf("a message needs one content and a time: %s", body)
	}
	return string(body), nil
}

func rcsMessage(id, to, content string) Message {
	return Message{
		ID: id, Attempt: 1, Channel: "rcs", Sender: "bot-1", Recipient: to, Until: time.Now().Add(time.Hour),
		Payload: []byte(`{"contentMessage":` + content + `,"messageTrafficType":"TRANSACTION","clientRef":"ours","after":"TTL"}`),
	}
}

// Every content of ours has the shape that RBM takes. A token is fetched once, and
// again when it was refused.
func TestRBMTakesEveryContent(t *testing.T) {
	t.Parallel()
	server := newRBM(t)
	carrier := server.open()
	for i, content := range []string{
		`{"text":"Hello","suggestions":[{"reply":{"text":"Yes","postbackData":"yes"}}]}`,
		`{"contentInfo":{"fileUrl":"https://a.example.com/a.pdf","fileName":"a.pdf","thumbnailUrl":"https://a.example.com/a.png","forceRefresh":true}}`,
		`{"richCard":{"standaloneCard":{"cardOrientation":"HORIZONTAL","thumbnailImageAlignment":"LEFT","cardContent":{"title":"T","description":"D",
			"media":{"height":"TALL","contentInfo":{"fileUrl":"https://a.example.com/a.png","fileName":"a"}},"suggestions":[{"action":{"text":"Call","postbackData":"c","dialAction":{"phoneNumber":"+919812345678"}}}]}}}}`,
		`{"richCard":{"carouselCard":{"cardWidth":"SMALL","cardContents":[{"title":"A","suggestions":[{"action":{"text":"Go","postbackData":"g","openUrlAction":{"url":"https://a.example.com","application":"BROWSER"}}}]},{"title":"B"}]}},
			"suggestions":[{"action":{"text":"See","postbackData":"s","viewLocationAction":{"latLong":{"latitude":12.5,"longitude":77.5},"label":"Shop"}}},{"action":{"text":"Here","postbackData":"h","shareLocationAction":{}}},
			{"action":{"text":"Note","postbackData":"n","createCalendarEventAction":{"startTime":"2030-01-01T09:00:00Z","endTime":"2030-01-01T10:00:00Z","title":"Visit","description":"x"}}}]}`,
	} {
		m := rcsMessage(fmt.Sprint("m-", i), "919812345678", content)
		for attempt := range 2 { // a repeated one is the same message
			receipt, err := carrier.Send(t.Context(), m)
			if err != nil || receipt.State != Sent || receipt.ProviderID != m.ID {
				t.Errorf("content %d, attempt %d: %+v %v", i, attempt, receipt, err)
			}
		}
	}
	if len(server.taken) != 4 || server.tokens != 1 || strings.Contains(server.taken["m-0"], "clientRef") {
		t.Errorf("%d messages with %d tokens: %s", len(server.taken), server.tokens, server.taken["m-0"])
	}
	server.tokens++ // the one that the carrier has is no longer good
	m := rcsMessage("m-9", "919812345678", `{"text":"x"}`)
	var refusal *CarrierError
	if _, err := carrier.Send(t.Context(), m); !errors.As(err, &refusal) || !refusal.Temporary {
		t.Errorf("with an old token: %v", err)
	}
	if _, err := carrier.Send(t.Context(), m); err != nil || server.tokens != 3 {
		t.Errorf("after it was refused: %v with %d tokens", err, server.tokens)
	}
	if err := carrier.Revoke(t.Context(), m); err != nil || len(server.revoked) != 1 || server.revoked[0] != "m-9" {
		t.Errorf("revoking: %v %v", err, server.revoked)
	}
	if ok, err := carrier.Reaches(t.Context(), m); !ok || err != nil {
		t.Errorf("a capable phone: %v %v", ok, err)
	}
}

// What RBM answers decides whether a message has failed, waits, or is in doubt.
func TestRBMAnswers(t *testing.T) {
	t.Parallel()
	server := newRBM(t)
	carrier := server.open()
	for _, tt := range []struct {
		status int
		want   CarrierError // without a code the result is unknown
		revoke bool         // a message counts as taken back
	}{
		{404, CarrierError{Code: 404}, true}, {400, CarrierError{Code: 400}, false}, {403, CarrierError{Code: 429, Temporary: true, Wait: time.Minute}, false},
		{429, CarrierError{Code: 429, Temporary: true, Wait: 7 * time.Second}, false}, {503, CarrierError{Code: 429, Temporary: true, Wait: 7 * time.Second}, false}, {500, CarrierError{}, false},
	} {
		server.answer = func(w http.ResponseWriter, _ string) bool {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(tt.status)
			fmt.Fprint(w, `{"error":{"message":"as it says"}}`)
			return true
		}
		_, err := carrier.Send(t.Context(), rcsMessage("m", "919812345678", `{"text":"x"}`))
		var refusal *CarrierError
		switch {
		case errors.As(err, &refusal) != (tt.want.Code != 0) || err == nil:
			t.Errorf("%d gives %v", tt.status, err)
		case refusal != nil && (refusal.Code != tt.want.Code || refusal.Temporary != tt.want.Temporary || refusal.Wait != tt.want.Wait || tt.status != 503 && !strings.Contains(refusal.Detail, "as it says")):
			t.Errorf("%d gives %+v", tt.status, refusal)
		}
		if err := carrier.Revoke(t.Context(), rcsMessage("m", "919812345678", `{}`)); (err == nil) != tt.revoke {
			t.Errorf("revoking with %d: %v", tt.status, err)
		}
		if ok, err := carrier.Reaches(t.Context(), rcsMessage("m", "919812345678", `{}`)); ok || (err == nil) != (tt.status == 404) {
			t.Errorf("capabilities with %d: %v %v", tt.status, ok, err)
		}
	}
	m := rcsMessage("m", "919812345678", `{"text":"x"}`)
	for _, sender := range []string{"bot-2", "bot-3"} { // another's agent, and none
		m.Sender = sender
		var refusal *CarrierError
		server.answer = nil
		if _, err := carrier.Send(t.Context(), m); !errors.As(err, &refusal) || !refusal.Temporary {
			t.Errorf("%s: %v", sender, err)
		}
	}
}

// Settings that cannot work are refused when they are stored, without the key in
// the error.
func TestRBMSettings(t *testing.T) {
	t.Parallel()
	server := newRBM(t)
	good := server.account()
	for name, tt := range map[string]struct{ secret, agents string }{
		"no key": {"", ""}, "no JSON": {"abc", ""}, "no PEM": {`{"client_email":"a@example.com","private_key":"planted"}`, ""},
		"no RSA":  {`{"client_email":"a@example.com","private_key":"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"}`, ""},
		"a word":  {good, "bot-1"},
		"a third": {good, "bot-1 agent more"}, "a bot twice": {good, "bot-1 a\nbot-1 b"}, "an agent twice": {good, "bot-1 a\nbot-2 a"},
	} {
		settings, err := json.Marshal(map[string]string{"agents": tt.agents})
		if err != nil {
			t.Fatal(err)
		}
		_, err = OpenCarrier(New(Options{}), CarrierSettings{Name: "google", Kind: kindRBM, URL: server.URL, Secret: tt.secret, Settings: settings})
		if err == nil || strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
