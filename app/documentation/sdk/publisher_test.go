package sdk

import (
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
)

// The manifests name the portal as the publisher.
func TestManifestsNameThePortal(t *testing.T) {
	t.Parallel()
	api := readAPI(t, corpus.Document{Name: "lamps.json", Data: []byte(`{"openapi":"3.1.0","info":{"title":"Lamps & Sons","version":"1"},"paths":{"/lamps":{"get":{"responses":{"200":{"description":"ok"}}}}}}`)})
	for language, want := range map[string]string{
		"node": `"author": "Lamps \u0026 Sons"`, "python": `authors = [{ name = "Lamps & Sons" }]`, "java": "<name>Lamps &amp; Sons</name>",
		"php": `"name": "Lamps \u0026 Sons"`, "csharp": "<Authors>Lamps &amp; Sons</Authors>", "go": `"publisher": "Lamps \u0026 Sons"`,
	} {
		list, err := archiveFiles(api, Find(language))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range list {
			found = found || strings.Contains(string(f.Data), want)
		}
		if !found {
			t.Errorf("no file of the %s archive has %s", language, want)
		}
	}
}
