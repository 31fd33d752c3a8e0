package spec

import (
	"path/filepath"
	"testing"
)

// TestSeeds reads and compiles what the portal is seeded with, without a
// warning.
func TestSeeds(t *testing.T) {
	t.Parallel()
	files := seeds(t)
	if len(files) == 0 {
		t.Skip("db/seed has no documents: skipped")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data := readFile(t, file)
			d, err := Read(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range d.Warnings {
				t.Errorf("line %d, %s: %s", w.Line, w.Place, w.Message)
			}
			api, err := Compile(d.Frame, d.Operations)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range api.Warnings {
				t.Errorf("%s: %s", w.Place, w.Message)
			}
		})
	}
}
