package spec

import (
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
)

// TestSeeds reads and compiles what the portal is seeded with, without a
// warning, and holds every example that it gives to its own schema.
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
			contract, err := NewContract(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range api.Categories {
				for _, e := range c.Endpoints {
					for _, err := range exampleErrors(contract, e) {
						t.Errorf("%s %s", e.ID, err)
					}
				}
			}
		})
	}
}

// exampleErrors checks the JSON examples that a document gives.
func exampleErrors(contract *Contract, e *Endpoint) []error {
	var list []error
	check := func(place string, bodies []Body, valid func(contentType string, body []byte) error) {
		for _, b := range bodies {
			for _, x := range b.Examples {
				if x.Generated || kindOfMedia(b.ContentType) != mediaJSON {
					continue
				}
				if err := valid(b.ContentType, []byte(x.Value)); err != nil {
					list = append(list, fmt.Errorf("%s, example %q: %w", place, x.Name, err))
				}
			}
		}
	}
	check("request", e.Bodies, func(contentType string, body []byte) error {
		return contract.Request(e.ID, contentType, body)
	})
	for _, r := range e.Responses {
		status, err := strconv.Atoi(r.Status)
		if err != nil {
			continue // a range or default: any status would do, but which
		}
		check("response "+r.Status, r.Bodies, func(contentType string, body []byte) error {
			return contract.Response(e.ID, status, contentType, body)
		})
	}
	return list
}
