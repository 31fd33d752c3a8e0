package sdk

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/export"
	"heliograph/app/documentation/openapi/naming"
)

// readAPI returns the intermediate form of a document.
func readAPI(t testing.TB, d corpus.Document) *API {
	t.Helper()
	read, err := openapi.Read(d.Data)
	if err != nil {
		t.Fatal(d.Name, err)
	}
	a, err := openapi.Assemble(read.Parts)
	if err != nil {
		t.Fatal(d.Name, err)
	}
	document := export.Document(a, func(s string) string { return "https://api.example.com" })
	api, err := New(a, document, Options{
		Name: d.Name, Product: naming.Slug(d.Name[:len(d.Name)-len(filepath.Ext(d.Name))]), Version: "v1", Release: 1, SDKVersion: "1.0.0", PageURL: "https://docs.example.com/docs/x/v1",
		Generator: "heliograph", Publisher: publisher(d), License: License{"MIT", "Use it."},
	})
	if err != nil {
		t.Fatal(d.Name, err)
	}
	return api
}

// publisher returns the title of a document in JSON, which stands for the name of a
// portal.
func publisher(d corpus.Document) string {
	var document struct{ Info struct{ Title string } }
	if err := json.Unmarshal(d.Data, &document); err != nil {
		return "Heliograph"
	}
	return document.Info.Title
}

// writeFiles writes an archive into a folder.
func writeFiles(t testing.TB, dir string, list []File) {
	t.Helper()
	for _, f := range list {
		to := filepath.Join(dir, f.Path)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// documents lists the seeded contracts and the real documents in a version of OpenAPI
// that is read.
func documents(t testing.TB) []corpus.Document {
	t.Helper()
	list := corpus.Seeds(t)
	for _, d := range corpus.Real(t) {
		if strings.HasPrefix(d.Name, "museum") || strings.HasPrefix(d.Name, "petstore") || strings.HasPrefix(d.Name, "uspto") || strings.HasPrefix(d.Name, "meta") || strings.HasPrefix(d.Name, "openai") {
			list = append(list, d)
		}
	}
	return list
}

func TestWrite(t *testing.T) {
	out := os.Getenv("SDK_OUT")
	if out == "" {
		t.Skip("SDK_OUT names no folder")
	}
	for _, d := range documents(t) {
		if only := os.Getenv("SDK_ONLY"); only != "" && d.Name != only {
			continue
		}
		api := readAPI(t, d)
		for _, l := range Languages {
			list, err := archiveFiles(api, l)
			if err != nil {
				t.Error(d.Name, err)
				continue
			}
			writeFiles(t, filepath.Join(out, d.Name, l.Slug), list)
		}
	}
}
