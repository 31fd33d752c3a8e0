package spec

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// documents lists real documents kept beside the project; none is an answer.
func documents(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../../shared/data/documents/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the folder of real documents is absent: skipped")
	}
	return files
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// seeds lists the documents that the portal is seeded with.
func seeds(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../db/seed/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// assemble is the document that Compile works on.
func assemble(frame json.RawMessage, ops []Operation) (json.RawMessage, error) {
	a, err := newAssembler(frame)
	if err != nil {
		return nil, err
	}
	for _, op := range ops {
		if _, err := a.add(op); err != nil {
			return nil, err
		}
	}
	return a.finish().json(), nil
}
