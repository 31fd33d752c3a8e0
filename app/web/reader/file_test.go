package reader_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/web/webtest"
	"heliograph/db/seed"
)

// exampleAddress returns the address of an endpoint with the examples of its
// parameters.
func exampleAddress(e *model.Endpoint) string {
	path := ""
	for _, part := range e.PathParts {
		text := part.Text
		for _, in := range e.Inputs {
			if part.Parameter != "" && in.In == "path" && in.Name == part.Parameter {
				text = in.Value.Display()
			}
		}
		path += text
	}
	separator := "?"
	for _, in := range e.Inputs {
		if in.In == "query" && in.Value != nil {
			path += separator + in.Name + "=" + strings.ReplaceAll(in.Value.Display(), " ", "+")
			separator = "&"
		}
	}
	return path
}

// Every operation of both versions of the Portal API answers its documented
// example, in the documented form, and 304 to the tag of the answer.
func TestPortalAPIKeepsItsContracts(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	for _, name := range []string{"portal-1.0.yaml", "portal.yaml"} {
		document, err := seed.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		contract, err := spectest.New(document)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		for _, category := range spectest.Compile(t, document).Categories {
			for _, e := range category.Endpoints {
				if e.Method != "GET" || e.ID == "getHealth" || e.ID == "callMock" || e.ID == "downloadSdk" || e.ID == "getImport" || e.ID == "listEvents" { // with tests where they are
					continue
				}
				asked++
				a := c.Get(exampleAddress(e))
				if err := contract.Response(e.ID, a.Status, a.Header, []byte(a.Body)); err != nil || a.Status != 200 {
					t.Errorf("%s %s: %d %v\n%.500s", name, e.ID, a.Status, err, a.Body)
				}
				if tag := a.Header.Get("Etag"); e.ID != "searchDocumentation" {
					again := c.With("If-None-Match", tag).Get(exampleAddress(e))
					if err := contract.Response(e.ID, again.Status, again.Header, nil); again.Status != http.StatusNotModified || err != nil || strings.HasPrefix(tag, "W/") {
						t.Errorf("%s with its tag %s: %d %v", e.ID, tag, again.Status, err)
					}
				}
			}
		}
		if asked < 8 {
			t.Errorf("%s: only %d operations were asked", name, asked)
		}
	}
}

// Version 1.1 of the Portal API only adds to 1.0: every operation, member and
// required member is still there. Descriptions and examples may change.
func TestPortalAPIOnlyAdds(t *testing.T) {
	t.Parallel()
	roots := map[string]*tree.Node{}
	for _, name := range []string{"portal-1.0.yaml", "portal.yaml"} {
		document, err := seed.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if roots[name], err = tree.Read(document); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []string{"/paths", "/components/schemas", "/components/parameters", "/components/headers"} {
		checkAdds(t, at, roots["portal-1.0.yaml"].At(at), roots["portal.yaml"].At(at))
	}
}

func checkAdds(t *testing.T, at string, before, after *tree.Node) {
	t.Helper()
	if before.Is(tree.KindObject) && after.Is(tree.KindObject) {
		for _, m := range before.Members {
			if m.Key != "description" && m.Key != "examples" && m.Key != "example" {
				checkAdds(t, at+"/"+m.Key, m.Value, after.Get(m.Key))
			}
		}
		return
	}
	if before.Is(tree.KindArray) && after.Is(tree.KindArray) && len(before.Items) == len(after.Items) {
		for i, item := range before.Items {
			checkAdds(t, fmt.Sprintf("%s/%d", at, i), item, after.Items[i])
		}
		return
	}
	if after == nil || !before.Equal(after) {
		t.Errorf("%s changed from %s to %s", at, before.Display(), after.Display())
	}
}

// The exports of every version are documents of their form, always the same, with
// the headers of a download.
func TestExports(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	for _, v := range []string{"business-messaging/3.0", "sms/1.0", "rcs/1.0", "portal/1.0", "portal/1.1"} {
		whole := c.Get("/openapi/" + v + ".json")
		yaml := c.Get("/openapi/" + v + ".yaml")
		root, err := tree.Read([]byte(whole.Body))
		if err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		other, err := tree.Read([]byte(yaml.Body))
		if err != nil || !root.Equal(other) {
			t.Errorf("%s: the two forms are not the same document: %v", v, err)
		}
		if root.Str("openapi") != "3.1.1" || strings.Contains(whole.Body, "http://localhost:8080/v3") {
			t.Errorf("%s begins %.200s", v, whole.Body)
		}
		if read, err := openapi.Read([]byte(whole.Body)); err != nil || len(read.Warnings) > 0 {
			t.Errorf("%s is not read without warnings: %v", v, err)
		}
		checkDownload(t, c, "/openapi/"+v+".json", "application/json", strings.ReplaceAll(v, "/", "-")+".openapi.json")
		checkDownload(t, c, "/openapi/"+v+".yaml", "application/yaml", strings.ReplaceAll(v, "/", "-")+".openapi.yaml")
		checkDownload(t, c, "/postman/"+v+"/collection.json", "application/json", strings.ReplaceAll(v, "/", "-")+".postman_collection.json")
		checkDownload(t, c, "/postman/"+v+"/environment.json", "application/json", strings.ReplaceAll(v, "/", "-")+".postman_environment.json")
		if text := c.Get("/postman/"+v+"/collection.json").Body + c.Get("/postman/"+v+"/environment.json").Body; strings.Contains(text, "<API_KEY>\"}") {
			t.Errorf("%s has a credential", v)
		}
	}
}

func checkDownload(t *testing.T, c *webtest.Client, address, contentType, name string) {
	t.Helper()
	a, head := c.Get(address), c.Head(address)
	if a.Status != 200 || a.Header.Get("Content-Type") != contentType || a.Header.Get("Content-Disposition") != `attachment; filename="`+name+`"` {
		t.Errorf("%s: %d %v", address, a.Status, a.Header)
	}
	if head.Status != 200 || head.Body != "" || head.Header.Get("Etag") != a.Header.Get("Etag") || head.Header.Get("Content-Length") != a.Header.Get("Content-Length") {
		t.Errorf("HEAD %s: %d %v", address, head.Status, head.Header)
	}
	if tag := a.Header.Get("Etag"); tag == "" || c.With("If-None-Match", tag).Get(address).Status != http.StatusNotModified {
		t.Errorf("%s with its tag %q is sent again", address, tag)
	}
}

// What is not there is a problem that names the nearest, whatever the reason.
func TestMissingFilesNameTheNearest(t *testing.T) {
	t.Parallel()
	c := documented(t).Client(t)
	for address, want := range map[string]string{
		"/openapi/rcss/1.0.json":                         "There is no product rcss. The nearest is rcs.",
		"/openapi/rcs/9.9.yaml":                          "There is no version 9.9 of rcs. The nearest is 1.0.",
		"/openapi/rcs/1.0/create-bots.json":              "There is no endpoint create-bots in rcs 1.0. The nearest is create-bot.",
		"/api/catalog/rcs/1.0/creat-bot/examples":        "There is no endpoint creat-bot in rcs 1.0. The nearest is create-bot.",
		"/api/catalog/sms/7":                             "There is no version 7 of sms. The nearest is 1.0.",
		"/postman/telegraph/1.0/collection.json":         "There is no product telegraph. The list of what is published is at /api/catalog.",
		"/openapi/voice/1.0.json":                        "Voice has no published documentation yet. The list of what is published is at /api/catalog.",
		"/openapi/rcs/1.0.xml":                           "The address of an OpenAPI description must end with .json or .yaml. The list of what is published is at /api/catalog.",
		"/postman/business-mesaging/3.0/collection.json": "There is no product business-mesaging. The nearest is business-messaging.",
	} {
		a := c.Get(address)
		var problem struct {
			Status  int
			Detail  string
			Nearest []struct{ Name, URL string }
		}
		if err := json.Unmarshal([]byte(a.Body), &problem); err != nil || a.Status != 404 || problem.Detail != want || a.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", address, a.Status, a.Body)
		}
		for _, near := range problem.Nearest {
			if w := c.Get(near.URL); w.Status != 200 {
				t.Errorf("%s leads to %s, which answers %d", address, near.URL, w.Status)
			}
		}
	}
	for address, want := range map[string]string{
		"/openapi/rcs/latest.json": "/openapi/rcs/1.0.json", "/api/catalog/portal/latest": "/api/catalog/portal/1.1", "/openapi/rcs/v1.yaml": "/openapi/rcs/1.0.yaml",
		"/openapi/rcs/1.0/createBot.json": "/openapi/rcs/1.0/create-bot.json",
	} {
		if a := c.Get(address); a.Status != http.StatusTemporaryRedirect || a.Header.Get("Location") != want {
			t.Errorf("%s: %d to %s", address, a.Status, a.Header.Get("Location"))
		}
	}
}

// A version with a thousand endpoints is exported within the time that a reader
// waits, from a process that has made nothing yet.
func TestLargeExports(t *testing.T) {
	t.Parallel()
	p := publish(t)
	p.release(t, editorial.Import{ProductSlug: "large", Product: content.Product{Name: "Large"}, VersionSlug: "1.0-beta.2", Version: content.Version{Label: "Current"}}, string(document(1000, 1)))
	p.restart(t)
	for _, address := range []string{"/openapi/large/1.0-beta.2.json", "/openapi/large/1.0-beta.2.yaml", "/postman/large/1.0-beta.2/collection.json", "/api/catalog/large/1.0-beta.2", "/llms-full.txt"} {
		before := p.queries.n.Load()
		w := p.ask("GET", address)
		if n := p.queries.n.Load() - before; w.Code != 200 || n > 4 {
			t.Errorf("%s: %d with %d queries", address, w.Code, n)
		}
	}
}
