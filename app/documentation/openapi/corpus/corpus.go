// Package corpus finds API documents to test with. It is for tests.
package corpus

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"heliograph/db/seed"
)

// Document is an API description.
type Document struct {
	Name string // its file name
	Data []byte
}

// folder is where real documents are kept, in a folder beside the project or
// above it. They belong to others, so the project has no copies.
const folder = "shared/data/documents"

// Real lists the real OpenAPI documents, none where the folder is absent. Swagger
// documents, which stand among them, are read by the importer alone.
func Real(t testing.TB) []Document {
	t.Helper()
	for _, files := range folders(t) {
		if list := read(t, files); len(list) > 0 {
			return slices.DeleteFunc(list, swagger)
		}
	}
	t.Log("the folder of real documents is absent: they are not tested")
	return nil
}

// Named returns a real document of any format. It skips the test where the folder is
// absent.
func Named(t testing.TB, name string) []byte {
	t.Helper()
	for _, files := range folders(t) {
		if data, err := fs.ReadFile(files, name); err == nil {
			return data
		}
	}
	t.Skipf("the real document %s is absent", name)
	return nil
}

// folders returns the places where the folder may be, the nearest first.
func folders(t testing.TB) (list []fs.FS) {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		list = append(list, os.DirFS(filepath.Join(parent, folder)))
	}
	return list
}

// swagger reports whether a document is written in Swagger 2.0.
func swagger(d Document) bool {
	return bytes.Contains(d.Data, []byte("\nswagger:"))
}

// Seeds lists the documents that the portal is seeded with.
func Seeds(t testing.TB) []Document {
	t.Helper()
	return read(t, seed.Files)
}

// read lists the YAML files of a folder.
func read(t testing.TB, files fs.FS) []Document {
	t.Helper()
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var list []Document
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Document{Name: name, Data: data})
	}
	return list
}
