package outbound

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"heliograph/app/phone"
	"heliograph/db/models"
)

// KindGraph is the kind of carriers of the messaging channel that speak the Graph API.
const KindGraph = "graph"

func init() { carrierKinds[KindGraph] = openGraph }

// graphPatience is how long a status is awaited if the hand-over of its message was
// interrupted. Then a person decides.
const graphPatience = 5 * time.Minute

// graphSecret holds the secrets of a carrier of kind graph.
type graphSecret struct {
	AccessToken string `json:"access_token"`
	AppSecret   string `json:"app_secret"` // signs what the upstream posts
}

// graphSettings are the settings of a carrier of kind graph, beside its ids.
type graphSettings struct {
	Version   string `json:"version"`    // in addresses, such as v23.0; may be empty
	Product   string `json:"product"`    // the upstream's word for the channel
	PerSecond string `json:"per_second"` // messages of one number
}

// Graph hands messages to an upstream that speaks the Graph API. It knows no
// idempotency, so that a hand-over without an answer waits for a status.
type Graph struct {
	graphClient
	Templates graphTemplates
	Assets    graphAssets

	numbers    map[string]string // upstream ids by ours
	catalogues map[string]string
	library    library
	pace       *pacer
}

// library knows what an upstream calls our messages and files.
type library interface {
	// UpstreamMessage returns the carrier's id of a message of the organisation that a
	// number belongs to; empty if it has none.
	UpstreamMessage(ctx context.Context, carrier, number, id string) (string, error)
	// UpstreamFile returns the carrier's id of a file. If it has none yet, upload gets
	// the file and returns the id, which is kept.
	UpstreamFile(ctx context.Context, carrier, id string, upload func(context.Context, GraphFile) (string, error)) (string, error)
}

// GraphFile is a file that goes to or comes from an upstream.
type GraphFile struct {
	Body io.Reader
	Type string // MIME type
	Name string
}

func openGraph(c *Client, s CarrierSettings) (Carrier, error) { return newGraph(c, s) }

// OpenGraph returns the carrier of settings of kind graph.
func OpenGraph(c *Client, s CarrierSettings) (*Graph, error) { return newGraph(c, s) }

func newGraph(c *Client, s CarrierSettings) (*Graph, error) {
	var set graphSettings
	if err := json.Unmarshal(s.Settings, &set); err != nil {
		return nil, fmt.Errorf("the settings cannot be read: %w", err)
	}
	g := &Graph{library: s.Library, graphClient: graphClient{
		client: c, files: cmp.Or(s.Files, c), name: s.Name, base: strings.TrimSuffix(s.URL, "/"), product: cmp.Or(set.Product, "whatsapp"),
	}}
	g.Templates, g.Assets = graphTemplates{&g.graphClient}, graphAssets{&g.graphClient}
	if set.Version != "" {
		g.base += "/" + strings.Trim(set.Version, "/")
	}
	if s.Secret != "" {
		if err := json.Unmarshal([]byte(s.Secret), &g.secret); err != nil {
			return nil, errors.New("the secret is not a JSON object with access_token and app_secret")
		}
	}
	var err error
	if g.numbers, err = models.GraphIDs(s.Settings, "numbers"); err != nil {
		return nil, err
	}
	if g.catalogues, err = models.GraphIDs(s.Settings, "catalogues"); err != nil {
		return nil, err
	}
	rate := 80
	if set.PerSecond != "" {
		if rate, err = strconv.Atoi(set.PerSecond); err != nil || rate < 1 || rate > 1000 {
			return nil, fmt.Errorf("per_second is %q, not a number from 1 to 1000", set.PerSecond)
		}
	}
	g.pace = newPacer(rate)
	return g, nil
}

// Traits describes the carrier.
func (g *Graph) Traits() Traits { return Traits{Name: g.name, Parks: true, Patience: graphPatience} }

// The codes of refusals, in the words of the messaging channel.
const (
	graphUnknown    = 131000
	graphDenied     = 131005
	graphBusy       = 131016
	graphBadValue   = 131009
	graphNumberFast = 130429
	graphPairFast   = 131056
)

// waitForGraph is the refusal of an upstream that is not set up correctly: an operator
// has to act, and the message waits for it.
func waitForGraph(title, detail string) error {
	return &CarrierError{Code: graphDenied, Title: title, Detail: detail, Temporary: true, Wait: time.Minute}
}

// Prepare returns a message in the words of the upstream: with its own ids for files,
// messages and catalogues, and our id as the reference that comes back in statuses.
// Files that it does not have yet are uploaded. It waits for its turn, too: the error of
// a number or a recipient that is too fast is temporary.
func (g *Graph) Prepare(ctx context.Context, m Message) (Message, error) {
	if g.numbers[m.Sender] == "" {
		return m, waitForGraph("The carrier has no number for the sender", m.Sender)
	}
	if wait, code := g.pace.take(m.Sender, m.Recipient, time.Now()); wait > 0 {
		return m, &CarrierError{Code: code, Title: "The turn of the message has not come", Temporary: true, Wait: wait}
	}
	content, err := readContent(m.Payload)
	if err != nil {
		return m, &CarrierError{Code: graphBadValue, Title: "The message cannot be encoded", Detail: err.Error()}
	}
	content["messaging_product"], content["recipient_type"] = g.product, "individual"
	delete(content, "recipient")
	if content["to"] = strings.TrimPrefix(m.Recipient, "+"); phone.IsUserID(m.Recipient) {
		delete(content, "to")
		content["recipient"] = m.Recipient
	}
	content["biz_opaque_callback_data"] = m.ID
	if err := g.translateReferences(ctx, m.Sender, content); err != nil {
		return m, err
	}
	if err := g.translateFiles(ctx, m.Sender, content); err != nil {
		return m, err
	}
	conform(content)
	text, err := json.Marshal(content)
	m.Payload = text
	return m, err
}

// Requests reports whether a message may name a file or another message by our id, which
// has to be looked up.
func (g *Graph) Requests(payload []byte) bool {
	return bytes.Contains(payload, []byte(`"id"`)) || bytes.Contains(payload, []byte(`"message_id"`))
}

// flat are the members of a message that hold neither files nor ids of ours. They stay
// as they are written, since most messages have nothing else.
var flat = map[string]bool{"messaging_product": true, "recipient_type": true, "to": true, "recipient": true, "type": true, "text": true, "biz_opaque_callback_data": true}

// readContent reads the members of a message, all but the flat ones to their leaves.
func readContent(payload []byte) (map[string]any, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(payload, &members); err != nil {
		return nil, err
	}
	content := make(map[string]any, len(members)+len(flat))
	for name, text := range members {
		if flat[name] {
			content[name] = text
			continue
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		content[name] = value
	}
	return content, nil
}

// conform writes what partners may leave out or write as a number as the Graph API
// documents it.
func conform(content map[string]any) {
	if template, ok := content["template"].(map[string]any); ok {
		if language, ok := template["language"].(map[string]any); ok && language["policy"] == nil {
			language["policy"] = "deterministic"
		}
	}
	if place, ok := content["location"].(map[string]any); ok {
		for _, name := range []string{"latitude", "longitude"} {
			if number, ok := place[name].(json.Number); ok {
				place[name] = number.String()
			}
		}
	}
}

// translateReferences puts the upstream's ids in place of ours for the messages that a
// reply or a reaction is about. A reply to a message that the upstream does not have
// is sent without the quote.
func (g *Graph) translateReferences(ctx context.Context, sender string, content map[string]any) error {
	if quoted, ok := content["context"].(map[string]any); ok {
		id, err := g.upstreamMessage(ctx, sender, quoted["message_id"])
		if err != nil {
			return err
		}
		if quoted["message_id"] = id; id == "" {
			delete(content, "context")
		}
	}
	if reaction, ok := content["reaction"].(map[string]any); ok {
		id, err := g.upstreamMessage(ctx, sender, reaction["message_id"])
		if err != nil {
			return err
		}
		if reaction["message_id"] = id; id == "" {
			return &CarrierError{Code: graphBadValue, Title: "Parameter value is not valid", Detail: "The carrier does not have the message that the reaction is about."}
		}
	}
	return nil
}

func (g *Graph) upstreamMessage(ctx context.Context, sender string, id any) (string, error) {
	ours, _ := id.(string)
	if ours == "" || g.library == nil {
		return "", nil
	}
	return g.library.UpstreamMessage(ctx, g.name, sender, ours)
}

// fileKinds are the members of a message that hold a file.
var fileKinds = map[string]bool{"image": true, "video": true, "audio": true, "document": true, "sticker": true}

// translateFiles puts the upstream's ids in place of ours for files and catalogues. It
// leaves the data of flows alone, which may have members of any name.
func (g *Graph) translateFiles(ctx context.Context, sender string, value any) error {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if name == "flow_action_payload" || name == "flow_action_data" {
				continue
			}
			if id, ok := member.(string); ok && name == "catalog_id" {
				value[name] = cmp.Or(g.catalogues[id], id)
			}
			if file, ok := member.(map[string]any); ok && fileKinds[name] {
				if err := g.translateFile(ctx, sender, file); err != nil {
					return err
				}
			}
			if err := g.translateFiles(ctx, sender, member); err != nil {
				return err
			}
		}
	case []any:
		for _, item := range value {
			if err := g.translateFiles(ctx, sender, item); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *Graph) translateFile(ctx context.Context, sender string, file map[string]any) error {
	id, _ := file["id"].(string)
	if id == "" || g.library == nil {
		return nil
	}
	upload := func(ctx context.Context, f GraphFile) (string, error) { return g.upload(ctx, sender, f) }
	upstream, err := g.library.UpstreamFile(ctx, g.name, id, upload)
	if err == nil {
		file["id"] = upstream
	}
	return err
}

// Send posts a message that Prepare returned. An error response says that the upstream
// did not take it. After anything else that is unknown.
func (g *Graph) Send(ctx context.Context, m Message) (Receipt, error) {
	answer, err := g.call(ctx, graphCall{method: http.MethodPost, path: g.numbers[m.Sender] + "/messages", body: m.Payload, handOver: m.HandOver})
	var refusal *CarrierError
	if errors.As(err, &refusal) {
		g.pace.slow(m.Sender, m.Recipient, refusal, time.Now())
	}
	if err != nil {
		return Receipt{}, err
	}
	var taken struct {
		Messages []struct{ ID string }
	}
	if err := json.Unmarshal(answer, &taken); err != nil || len(taken.Messages) == 0 || taken.Messages[0].ID == "" {
		return Receipt{}, fmt.Errorf("the carrier %s took a message and gave no id: %s", g.name, printable(string(answer[:min(len(answer), 300)])))
	}
	return Receipt{ProviderID: taken.Messages[0].ID, State: Sent}, nil
}

// MarkRead tells the upstream that a received message was read, and perhaps that a
// reply is being written.
func (g *Graph) MarkRead(ctx context.Context, sender, upstreamID string, typing bool) error {
	receipt := map[string]any{"messaging_product": g.product, "status": "read", "message_id": upstreamID}
	if typing {
		receipt["typing_indicator"] = map[string]string{"type": "text"}
	}
	body, err := json.Marshal(receipt)
	if err != nil {
		return err
	}
	if g.numbers[sender] == "" {
		return waitForGraph("The carrier has no number for the sender", sender)
	}
	_, err = g.call(ctx, graphCall{method: http.MethodPost, path: g.numbers[sender] + "/messages", body: body})
	return err
}

// notTakenByGraph is notTaken with the code of the channel.
func notTakenByGraph(err error) error {
	err = notTaken(err)
	var refusal *CarrierError
	if errors.As(err, &refusal) {
		refusal.Code = graphBusy
	}
	return err
}
