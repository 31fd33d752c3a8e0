package openapi_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
)

func TestRealDocuments(t *testing.T) {
	t.Parallel()
	for _, document := range corpus.Real(t) {
		t.Run(document.Name, func(t *testing.T) {
			t.Parallel()
			d, err := openapi.Read(document.Data)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := assemble(d.Parts)
			if err != nil {
				t.Fatal(err)
			}
			again, err := openapi.Read(whole)
			if err != nil {
				t.Fatal(err)
			}
			if len(again.Warnings) > 0 {
				t.Errorf("the assembled document has %d warnings, first %v", len(again.Warnings), again.Warnings[0])
			}
			if _, err := model.Compile(d.Parts); err != nil {
				t.Fatal(err)
			}
			d.Warnings = nil
			again.Warnings = nil
			if diff := cmp.Diff(d, again); diff != "" {
				t.Errorf("read, assembled and read (-first +second):\n%.4000s", diff)
			}
		})
	}
}
