package spec

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRealDocuments(t *testing.T) {
	t.Parallel()
	for _, file := range documents(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			d, err := Read(readFile(t, file))
			if err != nil {
				t.Fatal(err)
			}
			whole, err := assemble(d.Frame, d.Operations)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Read(whole)
			if err != nil {
				t.Fatal(err)
			}
			if len(again.Warnings) > 0 {
				t.Errorf("the assembled document has %d warnings, first %v", len(again.Warnings), again.Warnings[0])
			}
			if _, err := Compile(d.Frame, d.Operations); err != nil {
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
