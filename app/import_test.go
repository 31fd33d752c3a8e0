package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/fault"
)

const readImport = `{"id":7,"state":"ready","url":"https://portal.example.com/admin/imports/7","product":"pets","version":"1.0","sha256":"","progress":100,
 "document":{"format":"Swagger 2.0","operations":3},"changes":{"added":1,"changed":1,"removed":1,"unchanged":0,"breaking":1},
 "breaking":[{"method":"GET","path":"/pets","message":"The operation is removed."}],
 "findings":[{"line":12,"column":3,"place":"/paths","action":"dropped","message":"100% of it,\nleft: out"},{"line":0,"column":0,"place":"","action":"noted","message":"Noted"}]}`

// brought is a portal that answers as one does, and counts what it was asked.
func brought(t *testing.T, answer string) (address string, asked map[string]int) {
	t.Helper()
	asked = map[string]int{}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/imports", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || string(body) != "swagger: '2.0'\n" || r.URL.Query().Get("version") != "1.0" || r.URL.Query().Get("name") != "pets.yaml" {
			t.Errorf("%s %s with %q: %v", r.Method, r.URL, body, err)
		}
		asked["start"]++
		if r.Header.Get("Authorization") != "Bearer hg_import_x" {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"detail":"This token does not exist.","errors":[{"field":"token","message":"Make one."}]}`)
			return
		}
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, `{"id":7,"state":"queued"}`)
	})
	mux.HandleFunc("GET /api/imports/7", func(w http.ResponseWriter, _ *http.Request) {
		asked["show"]++
		fmt.Fprint(w, answer)
	})
	mux.HandleFunc("POST /api/imports/7/acceptance", func(w http.ResponseWriter, _ *http.Request) {
		asked["accept"]++
		fmt.Fprint(w, strings.Replace(answer, `"id":7`, `"id":7,"change_set":{"id":3,"url":"https://portal.example.com/sets/3"}`, 1))
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, asked
}

// The command ends with the status that was asked for, and prints findings for people
// and for GitHub Actions.
func TestImportCommand(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pets.yaml")
	if err := os.WriteFile(file, []byte("swagger: '2.0'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	failed := `{"id":7,"state":"failed","error":"Line 3: this is no description."}`
	unchanged := `{"id":7,"state":"unchanged","product":"pets","version":"1.0"}`
	for _, tt := range []struct {
		name   string
		answer string
		flags  []string
		token  string
		status int
		says   []string // on both outputs
		accept int
	}{
		{"all well", readImport, nil, "hg_import_x", 0, []string{file + ":12:3: left out: 100% of it", "breaking: GET /pets", "1 added, 1 changed, 1 removed", "Choose what to take at https://portal"}, 0},
		{"a change set", readImport, []string{"--accept"}, "hg_import_x", 0, []string{"The change set is at https://portal.example.com/sets/3"}, 1},
		{"breaking changes", readImport, []string{"--fail-on", "findings,breaking"}, "hg_import_x", 4, []string{"1 changes break clients"}, 0},
		{"findings", readImport, []string{"--fail-on", "findings"}, "hg_import_x", 3, []string{"1 places could not be taken over"}, 0},
		{"annotations", readImport, []string{"--format", "github"}, "hg_import_x", 0, []string{"line=12,col=3,title=Import%3A left out::100%25 of it,%0Aleft: out", "::notice file=", "title=Breaking change::GET /pets: The operation is removed."}, 0},
		{"json", readImport, []string{"--format", "json"}, "hg_import_x", 0, []string{`"state":"ready"`}, 0},
		{"failed", failed, []string{"--format", "github"}, "hg_import_x", 1, []string{"title=Import failed::Line 3: this is no description.", "could not be imported"}, 0},
		{"unchanged", unchanged, []string{"--accept", "--fail-on", "breaking"}, "hg_import_x", 0, []string{"has all of this already"}, 0},
		{"wrong token", readImport, nil, "hg_import_y", 1, []string{"This token does not exist.", "token: Make one."}, 0},
		{"no token", readImport, nil, "", 2, []string{"set HELIOGRAPH_TOKEN"}, 0},
		{"wrong format", readImport, []string{"--format", "xml"}, "hg_import_x", 2, []string{"--format is text, github or json"}, 0},
		{"wrong condition", readImport, []string{"--fail-on", "all"}, "hg_import_x", 2, []string{"--fail-on is findings, breaking"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			address, asked := brought(t, tt.answer)
			var out bytes.Buffer
			environ := []string{"HELIOGRAPH_URL=" + address + "/", "HELIOGRAPH_TOKEN=" + tt.token}
			args := append(append([]string{"import", "--version", "1.0"}, tt.flags...), file)
			if status := start(t.Context(), terminal{strings.NewReader(""), &out, &out, environ}, args); status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
			for _, text := range tt.says {
				if !strings.Contains(out.String(), text) {
					t.Errorf("%q is missing:\n%s", text, out.String())
				}
			}
			if asked["accept"] != tt.accept {
				t.Errorf("the import was accepted %d times", asked["accept"])
			}
		})
	}
}

// What comes from a pipe has a name, and the token can come from there as well.
func TestImportCommandReadsPipes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pets.yaml")
	if err := os.WriteFile(file, []byte("swagger: '2.0'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address, asked := brought(t, readImport)
	var out bytes.Buffer
	args := []string{"import", "--url", address, "--version", "1.0", "--token-stdin", file}
	if status := start(t.Context(), terminal{strings.NewReader("hg_import_x\n"), &out, &out, nil}, args); status != 0 || asked["show"] == 0 {
		t.Errorf("status %d:\n%s", status, out.String())
	}
}

// A document is read in a process of its own with bounded memory: one that needs
// more ends alone, and a large one fits.
func TestDocumentsAreReadWithinBounds(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := prepare.Child{Command: func(ctx context.Context) *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, readDocument)
		cmd.Env = []string{programVar + "=1"}
		return cmd
	}}
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: Large, version: '1'}\npaths:\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "  /things%d: {get: {operationId: get%d, summary: Get %d, responses: {'200': {description: OK, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}}}}\n", i, i, i)
	}
	stages := 0
	r, err := child.Prepare(t.Context(), prepare.Request{Data: []byte(b.String())}, func(int, string) { stages++ })
	if err != nil || r.Operations != 1000 || stages == 0 {
		t.Errorf("%v after %d stages", err, stages)
	}
	if _, err := child.Prepare(t.Context(), prepare.Request{Data: []byte("openapi: 3.1.0\nx: &a [*a]\n")}, nil); !fault.Is(err, fault.Invalid) {
		t.Errorf("a refused document: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := child.Prepare(ctx, prepare.Request{Data: []byte(b.String())}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled one: %v", err)
	}
}
