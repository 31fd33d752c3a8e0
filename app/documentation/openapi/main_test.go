package openapi

import (
	"encoding/json"
	"os"
	"testing"
)

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// assemble puts parts together and returns the document.
func assemble(p Parts) (json.RawMessage, error) {
	a, err := Assemble(p)
	if err != nil {
		return nil, err
	}
	return a.Root.JSON(), nil
}
