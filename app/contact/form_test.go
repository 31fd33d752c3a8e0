package contact_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/contact"
	"heliograph/app/fault"
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

// Every field refuses what it cannot hold and says so at the field; what people
// really type is accepted.
func TestFields(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 6000)
	for _, c := range []struct {
		name  string
		field string // that is refused; empty for none
		set   func(*contact.Form)
	}{
		{"no organisation", "organisation", func(f *contact.Form) { f.Organisation = " \t" }},
		{"organisation of digits", "organisation", func(f *contact.Form) { f.Organisation = "12345" }},
		{"organisation in Tamil", "", func(f *contact.Form) { f.Organisation = "கலங்கரை விளக்கம்" }},
		{"organisation in Hindi with joiners", "", func(f *contact.Form) { f.Organisation = "प्रकाश\u200dस्तंभ" }},
		{"organisation with a bidi override", "organisation", func(f *contact.Form) { f.Organisation = "moc.live\u202egnp" }},
		{"organisation of two lines", "", func(f *contact.Form) { f.Organisation = "Light\r\nhouse" }}, // joined by a space
		{"no name", "name", func(f *contact.Form) { f.Name = "" }},
		{"name with an apostrophe", "", func(f *contact.Form) { f.Name = "Siobhán O’Hara-Müller" }},
		{"name in Chinese", "", func(f *contact.Form) { f.Name = "王小明" }},
		{"name of emoji", "name", func(f *contact.Form) { f.Name = "🚀🚀" }},
		{"no email", "email", func(f *contact.Form) { f.Email = "" }},
		{"email without a domain", "email", func(f *contact.Form) { f.Email = "mira" }},
		{"email with a name", "email", func(f *contact.Form) { f.Email = "Mira <mira@example.com>" }},
		{"email with a header", "email", func(f *contact.Form) { f.Email = "mira@example.com\r\nBcc: all@example.com" }},
		{"email with an invisible character", "email", func(f *contact.Form) { f.Email = "mi\u200bra@example.com" }},
		{"email with a plus", "", func(f *contact.Form) { f.Email = "mira+sms@example.com" }},
		{"email of an international domain", "", func(f *contact.Form) { f.Email = "mira@bücher.example" }},
		{"long email", "email", func(f *contact.Form) { f.Email = long + "@example.com" }},
		{"no phone", "", func(f *contact.Form) { f.Phones = "" }},
		{"national phone", "phones", func(f *contact.Form) { f.Phones = "98123 45678" }},
		{"phone of no country", "phones", func(f *contact.Form) { f.Phones = "+999 123456" }},
		{"phone with an extension", "phones", func(f *contact.Form) { f.Phones = "+91 22 2778 2183 ext. 5" }},
		{"second phone wrong", "phones", func(f *contact.Form) { f.Phones = "+91 98123 45678\n+91 1" }},
		{"six phones", "phones", func(f *contact.Form) {
			f.Phones = "+919812345671,+919812345672,+919812345673,+919812345674,+919812345675,+919812345676"
		}},
		{"one phone six times", "", func(f *contact.Form) { f.Phones = strings.Repeat("+919812345678,", 6) }},
		{"phone of words", "phones", func(f *contact.Form) { f.Phones = "call me" }},
		{"no website", "", func(f *contact.Form) { f.Website = "" }},
		{"website with javascript", "website", func(f *contact.Form) { f.Website = "javascript:alert(1)//x.example" }},
		{"website with a password", "website", func(f *contact.Form) { f.Website = "https://a:b@example.com" }},
		{"website with a port", "website", func(f *contact.Form) { f.Website = "https://example.com:8080" }},
		{"website of one word", "website", func(f *contact.Form) { f.Website = "localhost" }},
		{"website of a file", "website", func(f *contact.Form) { f.Website = "file:///etc/passwd" }},
		{"international website", "", func(f *contact.Form) { f.Website = "bücher.example" }},
		{"long website", "website", func(f *contact.Form) { f.Website = "example.com/" + long }},
		{"no GST number", "", func(f *contact.Form) { f.GSTNumber = "" }},
		{"GST number with a wrong check character", "gst_number", func(f *contact.Form) { f.GSTNumber = "27AAPFU0939F1ZW" }},
		{"GST number with a wrong digit", "gst_number", func(f *contact.Form) { f.GSTNumber = "27AAPFU0938F1ZV" }},
		{"short GST number", "gst_number", func(f *contact.Form) { f.GSTNumber = "27AAPFU0939F1Z" }},
		{"GST number with an O", "gst_number", func(f *contact.Form) { f.GSTNumber = "27AAPFUO939F1ZV" }},
		{"no message", "message", func(f *contact.Form) { f.Message = "" }},
		{"short message", "message", func(f *contact.Form) { f.Message = "Hi" }},
		{"long message", "message", func(f *contact.Form) { f.Message = long }},
		{"message of 5,000 characters", "", func(f *contact.Form) { f.Message = strings.Repeat("ன", 5000) }},
		{"message with a formula and markup", "", func(f *contact.Form) { f.Message = "=cmd|' /C calc'!A0 <script>alert(1)</script>" }},
		{"no consent", "consent", func(f *contact.Form) { f.Consent = false }},
		{"page of another site", "", func(f *contact.Form) { f.Page = "https://evil.example/" }}, // forgotten
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			f := valid()
			c.set(&f)
			_, err := d.contacts.Submit(t.Context(), d.stamped(f), "192.0.2.1")
			if c.field == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			refused := fault.As(err)
			if refused == nil || len(refused.Fields) != 1 || refused.Fields[0].Name != c.field {
				t.Fatalf("got %v, want a problem of %s alone", err, c.field)
			}
			if d.count(t, "contact_enquiries") != 0 {
				t.Error("it was stored all the same")
			}
		})
	}
}

func TestThePageIsOneOfThisSite(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"/docs/sms": "/docs/sms", "/docs/sms?q=planted": "/docs/sms", "//evil.example/x": "", "https://evil.example/": "", "javascript:alert(1)": "", "docs": "", "/a\r\nb": "",
	} {
		d := newDesk(t)
		f := valid()
		f.Page = page
		d.submit(t, f)
		if got := d.only(t).Page; got != want {
			t.Errorf("%q is stored as %q, want %q", page, got, want)
		}
	}
}
