package export_test

import (
	"bytes"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/export"
	"heliograph/app/documentation/openapi/tree"
)

func server(address string) string {
	return strings.Replace(address, "http://localhost:8080", "https://docs.example.com", 1)
}

func assemble(t *testing.T, data []byte) *openapi.Assembly {
	t.Helper()
	read, err := openapi.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	a, err := openapi.Assemble(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// An export that is imported and exported again has the same bytes, as JSON and
// as YAML.
func TestExportIsStable(t *testing.T) {
	t.Parallel()
	for _, d := range append(corpus.Seeds(t), corpus.Real(t)...) {
		first := export.Document(assemble(t, d.Data), server)
		for _, written := range [][]byte{[]byte(first.Pretty()), first.YAML()} {
			again := export.Document(assemble(t, written), server)
			if again.Pretty() != first.Pretty() || !bytes.Equal(again.YAML(), first.YAML()) {
				t.Errorf("%s changes when its export is imported", d.Name)
			}
		}
		if first.Str("openapi") != "3.1.1" {
			t.Errorf("%s declares %q", d.Name, first.Str("openapi"))
		}
	}
}

// The document of one operation is complete: every reference has its target, and
// nothing else is in the components.
func TestOperationHasWhatItRefersTo(t *testing.T) {
	t.Parallel()
	for _, d := range corpus.Seeds(t) {
		a := assemble(t, d.Data)
		whole := len(a.Root.JSON())
		for _, op := range append(a.Operations, a.Callbacks...) {
			made := export.Operation(a, op.Slug, server)
			if read, err := openapi.Read(made.JSON()); err != nil || len(read.Operations)+len(read.Callbacks) != 1 || len(read.Warnings) > 0 {
				t.Errorf("%s %s: %v", d.Name, op.Slug, err)
			}
			checkReferences(t, op.Slug, made, made)
			for _, requirement := range made.At("/paths/" + tree.Escape(op.Route) + "/" + strings.ToLower(op.Method)).List("security") {
				for _, m := range requirement.Members {
					if made.At("/components/securitySchemes/"+tree.Escape(m.Key)) == nil {
						t.Errorf("%s %s has no scheme %s", d.Name, op.Slug, m.Key)
					}
				}
			}
			if len(made.JSON()) > whole*9/10 {
				t.Errorf("%s %s has %d of %d bytes", d.Name, op.Slug, len(made.JSON()), whole)
			}
		}
		if export.Operation(a, "no-such-thing", server) != nil {
			t.Error("an unknown operation has a document")
		}
	}
}

func checkReferences(t *testing.T, name string, root, n *tree.Node) {
	t.Helper()
	for _, item := range n.Items {
		checkReferences(t, name, root, item)
	}
	for _, m := range n.Members {
		if m.Key == "$ref" && m.Value.Is(tree.KindString) && root.Target(m.Value.Text) == nil {
			t.Errorf("%s refers to %s, which is not there", name, m.Value.Text)
		}
		checkReferences(t, name, root, m.Value)
	}
}

// Readers get the public address, not the contract's.
func TestServersArePublic(t *testing.T) {
	t.Parallel()
	document := `{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{},"servers":[
		{"url":"{base}/v3","variables":{"base":{"default":"http://localhost:8080"}}},{"url":"http://localhost:8080/x"},{"url":"https://other.example.com"}]}`
	made := string(export.Document(assemble(t, []byte(document)), server).Get("servers").JSON())
	if strings.Contains(made, "localhost") || !strings.Contains(made, `"{base}/v3"`) || !strings.Contains(made, "other.example.com") {
		t.Error(made)
	}
}
