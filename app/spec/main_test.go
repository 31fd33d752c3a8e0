package spec

import (
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
