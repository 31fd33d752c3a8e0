package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/web/api"
	"heliograph/db/seed"
)

// A channel that is served has exactly the operations of its contract,
// and readers see none of them as not served.
func TestServedChannelsMatchTheirContracts(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	for name, served := range map[string][]string{"messaging.yaml": first.surface.Operations(), "sms.yaml": api.NewSMS(nil, api.SMSRules{}).Operations(), "rcs.yaml": api.NewRCS(api.RCSOptions{OnPremise: true}).Operations()} {
		contract, err := spectest.New(readSeed(t, name))
		if err != nil {
			t.Fatal(err)
		}
		want := contract.Operations()
		slices.Sort(want)
		slices.Sort(served)
		if diff := cmp.Diff(want, served); diff != "" {
			t.Errorf("%s: documented (-) against served (+):\n%s", name, diff)
		}
		read, err := openapi.Read(readSeed(t, name))
		if err != nil {
			t.Fatal(err)
		}
		prefix := map[string]string{"messaging.yaml": api.Prefix}[name]
		for _, o := range read.Operations {
			if !api.Serves(o.Method, prefix+o.Path) {
				t.Errorf("%s: %s %s counts as not served", name, o.Method, o.Path)
			}
		}
	}
	for _, unknown := range []string{"/v3/{id}/{name}", "/v3/messages", "/genericapi/{name}", "/api/v1/delete-bot"} {
		if api.Serves("POST", unknown) {
			t.Errorf("POST %s counts as served", unknown)
		}
	}
}

// Every documented example of a served operation is sent as it stands; the
// answer, success or not, is one that the contract describes.
func TestDocumentedExamplesGetDocumentedAnswers(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	document, err := seed.Files.ReadFile("messaging.yaml")
	if err != nil {
		t.Fatal(err)
	}
	read, err := openapi.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := model.Compile(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for _, category := range compiled.Categories {
		for _, e := range category.Endpoints {
			if !slices.Contains(first.surface.Operations(), e.ID) || len(e.Bodies) == 0 {
				continue
			}
			for _, example := range e.Bodies[0].Examples {
				path := strings.Replace(e.Path, "/{phone_number_id}", first.number(""), 1)
				a := first.call(t, e.Method, path, example.Value)
				if a.status == 200 {
					accepted++
				}
				if a.status >= 500 {
					t.Errorf("%s example %s: %d %s", e.ID, example.Name, a.status, a.body)
				}
			}
		}
	}
	if accepted == 0 {
		t.Error("no documented example was accepted")
	}
}

// What clients send is what the contract documents.
func TestRequestsOfTheTestsAreDocumented(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	for id, body := range map[string]string{"sendMessage": hello, "setWebhook": `{"webhook_url":"https://example.com/hook","headers":{}}`} {
		if err := first.contract.RequestBody(id, "application/json", []byte(body)); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if err := first.contract.RequestBody("sendMessage", "application/json", json.RawMessage(`{"to":1}`)); err == nil {
		t.Error("the contract accepts a send without content")
	}
}
