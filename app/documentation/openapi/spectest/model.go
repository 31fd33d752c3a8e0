package spectest

import (
	"os"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
)

// ReadFile returns the content of a file.
func ReadFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Compile reads a document and compiles it.
func Compile(t testing.TB, document []byte) *model.API {
	t.Helper()
	d, err := openapi.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	api, err := model.Compile(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// Endpoint finds an endpoint by its id.
func Endpoint(t testing.TB, api *model.API, id string) *model.Endpoint {
	t.Helper()
	for _, c := range api.Categories {
		for _, e := range c.Endpoints {
			if e.ID == id {
				return e
			}
		}
	}
	t.Fatalf("no endpoint %s", id)
	return nil
}
