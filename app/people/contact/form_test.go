package contact_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/people/contact"
	"heliograph/db/models"
)

// valid is a form that nobody could object to.
func valid() contact.Form {
	return contact.Form{
		Organisation: "Lighthouse Logistics", Website: "Example.COM/About#team", Name: "Mira Solanki", Email: "Mira@Example.com",
		Phones: "+91 98123 45678, +91 22 2778 2183", GSTNumber: "27aapfu 0939f1zv", Message: "What does going live take?", Consent: true, Page: "/docs/sms/1.0",
	}
}

func TestFormIsNormalised(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.submit(t, valid())
	got := d.only(t)
	want := models.Enquiry{
		Organisation: "Lighthouse Logistics", Website: "https://example.com/About", Name: "Mira Solanki", Email: "mira@example.com",
		Phones: []string{"+919812345678", "+912227782183"}, GSTNumber: "27AAPFU0939F1ZV", Message: "What does going live take?", Page: "/docs/sms/1.0",
	}
	shown := models.Enquiry{
		Organisation: got.Organisation, Website: got.Website, Name: got.Name, Email: got.Email, Phones: got.Phones, GSTNumber: got.GSTNumber, Message: got.Message, Page: got.Page,
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("the enquiry (-want +got):\n%s", diff)
	}
	if got.ConsentVersion == "" || got.Status != models.EnquiryNew || len(got.Reference) != 9 {
		t.Errorf("the enquiry is %+v", got)
	}
}
