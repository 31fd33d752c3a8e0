package api_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/db/seed"
)

// What the documentation shows works as it stands, for a partner who has the
// assets that it names.
func TestDocumentedMessagesAreAccepted(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	first.addMedia(t, 1265748390127465, "application/pdf", "1 hour")
	first.addMedia(t, 1390485726104857, "image/png", "1 hour")
	first.exec(t, `insert into registry (id, kind, organisation_id) select 1374859601238475, 'catalogue', organisation_id from businesses where id = $1`, first.sandbox.BusinessID)
	first.exec(t, `insert into catalogues (id, organisation_id, business_id, name) select 1374859601238475, organisation_id, id, 'Lamps' from businesses where id = $1`, first.sandbox.BusinessID)
	id, ok := messaging.ParseMessageID("wamid.AZt22qgAeOW4x2G1Kp8_MQ")
	if !ok || id == uuid.Nil {
		t.Fatal("the message that the examples quote has no id of ours")
	}
	first.exec(t, `insert into inbound_messages (id, phone_number_id, contact, kind, payload) values ($1, $2, '919812345678', 'text', '{}')`, id, first.sandbox.PhoneNumberID)
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
	paths := map[string]string{"sendMessage": "/messages", "receiveInSandbox": "/sandbox/inbound"}
	sent := 0
	for _, category := range compiled.Categories {
		for _, e := range category.Endpoints {
			if paths[e.ID] == "" {
				continue
			}
			for _, example := range e.Bodies[0].Examples {
				sent++
				if err := first.contract.RequestBody(e.ID, "application/json", []byte(example.Value)); err != nil {
					t.Errorf("%s is outside its contract: %v", example.Name, err)
				}
				if a := first.call(t, http.MethodPost, first.number(paths[e.ID]), example.Value); a.status != 200 {
					t.Errorf("%s: %d %s", example.Name, a.status, a.body)
				}
			}
		}
	}
	if sent < 15 {
		t.Errorf("%d examples were sent, want all of them", sent)
	}
}

// Operations beyond those that partners know are marked.
func TestContractHasTwentyEightOperations(t *testing.T) {
	t.Parallel()
	document, err := seed.Files.ReadFile("messaging.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := spectest.New(document)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(contract.Operations()) - bytes.Count(document, []byte(" x-extra: true\n")); n != 28 {
		t.Errorf("the contract has %d operations that are no extras, want 28", n)
	}
}
