package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/spec"
	"heliograph/app/spec/model"
	"heliograph/app/spec/spectest"
	"heliograph/app/web/api"
	"heliograph/db/seed"
)

// unserved are the operations that the contracts promise and the service does
// not answer yet. The list must shrink to nothing.
var unserved = map[string][]string{
	"messaging.yaml": {},
	"sms.yaml":       {},
	"rcs.yaml": {
		"createTemplate", "getTemplateDetails", "getTemplateId", "listBotTemplates", "listFallbackTemplates", "getTemplateStatus",
		"listOrganisationTemplates", "previewTemplate", "updateTemplate",
		"setRelayWebhook", "setRelayWebhookOnPremise", "getRelayWebhook", "setPayloadTransform", "setPayloadTransformOnPremise",
		"submitBotForVerification", "listBots", "listLaunchedBots", "getBot", "getBotByClientId", "getBotId",
		"addTestDevice", "createBot", "updateBot", "sendMessage", "sendFreeflowMessage", "getMessageStatus",
	},
	"portal.yaml": {
		"listProducts", "getVersionCatalogue", "getEndpointExamples", "exportOpenApiJson", "exportOpenApiYaml",
		"exportPostmanCollection", "exportPostmanEnvironment", "callMcp",
		"exportEndpointJson", "exportEndpointYaml", "getTextIndex", "getFullText", "getApiCatalog",
	},
}

func TestEveryDocumentedOperationIsServedOrListed(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	served := map[string][]string{
		"messaging.yaml": first.surface.Operations(),
		"sms.yaml":       api.NewSMS(nil, api.SMSRules{}).Operations(),
		"portal.yaml":    {"searchDocumentation", "getHealth"}, // by the portal and the server, with tests there
	}
	for name, missing := range unserved {
		document, err := seed.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		contract, err := spectest.New(document)
		if err != nil {
			t.Fatal(err)
		}
		want, got := contract.Operations(), slices.Concat(served[name], missing)
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: documented (-) against served or listed as unserved (+):\n%s", name, diff)
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
	read, err := spec.Read(document)
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
