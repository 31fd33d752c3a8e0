package outbound_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/outbound"
	"heliograph/db/seed"
)

// beyondDocument are the examples that the document of the channel, which is older, does
// not have or contradicts itself about: kinds of interactive messages, recipients by user
// id, and positions of buttons, because the pattern lacks 0.
var beyondDocument = []string{"text_user_id", "interactive_link", "interactive_catalogue", "interactive_order", "interactive_order_status", "authentication_code"}

// A message of every kind goes to the upstream in the form that its document describes.
// The document is in testdata, without the rules of closed objects that no message of
// its own keeps to.
func TestGraphMessagesKeepToTheDocument(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"id":"900001"}`) })) // takes files
	t.Cleanup(server.Close)
	g, err := outbound.OpenGraph(outbound.New(outbound.Options{AllowLoopback: true}), outbound.CarrierSettings{
		Name: "up", Kind: outbound.KindGraph, URL: server.URL, Settings: json.RawMessage(`{"numbers":"100000000000001 555","per_second":"1000"}`), Secret: `{"access_token":"token"}`, Library: &shelf{},
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/meta-messages.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := spectest.New(text)
	if err != nil {
		t.Fatal(err)
	}
	contract, err := seed.Files.ReadFile("messaging.yaml")
	if err != nil {
		t.Fatal(err)
	}
	read, err := openapi.Read(contract)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := model.Compile(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, category := range compiled.Categories {
		for _, e := range category.Endpoints {
			if e.ID != "sendMessage" {
				continue
			}
			for _, example := range e.Bodies[0].Examples {
				var m struct{ To, Recipient, Type, Status string }
				if err := json.Unmarshal([]byte(example.Value), &m); err != nil {
					t.Fatal(err)
				}
				if m.Status != "" {
					continue
				}
				message := outbound.Message{ID: "wamid.x", Channel: "messaging", Sender: "100000000000001", Recipient: strings.TrimPrefix(m.To, "+") + m.Recipient, Kind: m.Type, Payload: []byte(example.Value)}
				made, err := g.Prepare(t.Context(), message)
				if err != nil {
					t.Errorf("%s: %v", example.Name, err)
					continue
				}
				err = document.RequestBody("sendMessage", "application/json", made.Payload)
				if isBeyond := slices.Contains(beyondDocument, example.Name); (err != nil) != isBeyond {
					t.Errorf("%s: %v, beyond the document: %v\n%s", example.Name, err, isBeyond, made.Payload)
				}
				kinds[m.Type] = true
			}
		}
	}
	if len(kinds) < 11 {
		t.Errorf("only %d kinds were checked", len(kinds))
	}
}
