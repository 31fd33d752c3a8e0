package sample

import (
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db/seed"
)

// The samples of a published contract show placeholders for every value that is
// the reader's own, in every language, and none of the values themselves.
func TestSamplesShowPlaceholders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"messaging.yaml", "sms.yaml", "rcs.yaml"} {
		document, err := seed.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		read, err := openapi.Read(document)
		if err != nil {
			t.Fatal(err)
		}
		api, err := model.Compile(read.Parts)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]bool{}
		for _, c := range api.Categories {
			for _, e := range c.Endpoints {
				checkPlaceholders(t, e, shown)
			}
		}
		for _, p := range api.Categories[0].Endpoints[0].Placeholders {
			if !shown[p.Name] {
				t.Errorf("%s: no sample shows <%s>", name, p.Name)
			}
			if !strings.HasSuffix(p.Found, ".") || !strings.Contains(p.Found, "](/") {
				t.Errorf("%s: %s is found %q, want a sentence with a link", name, p.Name, p.Found)
			}
		}
	}
}

func checkPlaceholders(t *testing.T, e *model.Endpoint, shown map[string]bool) {
	t.Helper()
	if len(e.Placeholders) == 0 {
		t.Fatalf("%s has no placeholders", e.ID)
	}
	for _, l := range Languages() {
		for i := range Choices(e) {
			text, _ := Write(e, "https://api.example.com", l.Slug, i)
			for _, p := range e.Placeholders {
				shown[p.Name] = shown[p.Name] || strings.Contains(text, "<"+p.Name+">")
				if strings.Contains(text, `"`+p.Value+`"`) || strings.Contains(text, "/"+p.Value) {
					t.Errorf("%s in %s shows %s for <%s>:\n%s", e.ID, l.Name, p.Value, p.Name, text)
				}
			}
		}
	}
}
