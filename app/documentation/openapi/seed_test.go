package openapi_test

import (
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
)

// TestSeeds reads and compiles what the portal is seeded with, without a
// warning.
func TestSeeds(t *testing.T) {
	t.Parallel()
	for _, document := range corpus.Seeds(t) {
		t.Run(document.Name, func(t *testing.T) {
			t.Parallel()
			d, err := openapi.Read(document.Data)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range d.Warnings {
				t.Errorf("line %d, %s: %s", w.Line, w.Place, w.Message)
			}
			api, err := model.Compile(d.Parts)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range api.Warnings {
				t.Errorf("%s: %s", w.Place, w.Message)
			}
		})
	}
}
