package messaging_test

import (
	"testing"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/templates"
	"heliograph/db/models"
)

// samples checks that the sample of a template is a send that the channel takes.
func (b *templateBench) samples(t *testing.T, name string, made templates.Created) {
	t.Helper()
	found, err := b.service.Templates.Template(t.Context(), b.number.OrganisationID, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	text, err := messaging.SampleSend("msgapp", found, now)
	if err != nil {
		t.Fatal(err)
	}
	r, err := messaging.Rehearse(t.Context(), b.service.Words(), []models.Template{found}, text, now)
	if err != nil || r.Template.ID != found.ID || r.Template.Status != found.Status {
		t.Errorf("%s: the sample %s gives %v with template %d, which is %s", name, text, err, r.Template.ID, r.Template.Status)
	}
}
