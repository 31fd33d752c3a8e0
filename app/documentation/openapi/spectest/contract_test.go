package spectest_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/openapi/validate"
)

func newContract(t *testing.T) *spectest.Contract {
	t.Helper()
	document, err := os.ReadFile("../testdata/variants.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := spectest.New(document)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestContractOperations(t *testing.T) {
	t.Parallel()
	want := []string{"readPlace", "readMedia", "getPlaces", "createPlace", "readThing"}
	if diff := cmp.Diff(want, newContract(t).Operations()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// verdict is where a body breaks its schema, "refused" when it cannot be
// checked, and "" when it is valid.
func verdict(err error) string {
	var broken *spectest.BrokenError
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &broken):
		return "refused"
	}
	first := broken.Problems[0]
	if first.Location != validate.Body || slices.Contains([]string{"syntax", "encoding", "unexpected"}, first.Code) || first.Message == "Send a body. The operation requires one." || first.Message == "Send a body. The response documents one." {
		return "refused"
	}
	return "at /" + strings.TrimPrefix(first.Pointer, "/")
}

func TestContractRequest(t *testing.T) {
	t.Parallel()
	c := newContract(t)
	const multi = "multipart/form-data; boundary=b"
	for _, r := range []struct{ id, contentType, body, want string }{
		{"createPlace", "application/json", `{"name":"A","form":{"kind":"shop"}}`, ""},
		{"createPlace", "application/json; charset=utf-8", `{"name":"A","form":{"kind":"park","dogs":true},"size":null}`, ""},
		{"createPlace", "application/json", `{"name":"","form":{"kind":"shop"}}`, "at /name"},
		{"createPlace", "application/json", `{"name":"A","form":{"kind":"moon"}}`, "at /form/kind"},
		{"createPlace", "application/json", `{"form":{"kind":"shop"}}`, "at /"},
		{"createPlace", "application/json", `nope`, "refused"},
		{"createPlace", "application/json", "\xff", "refused"},
		{"createPlace", "application/json", ``, "refused"},
		{"createPlace", "text/plain", `x`, "refused"},
		{"createPlace", "", `x`, "refused"},
		{"createPlace", multi, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nx\r\n--b--\r\n", ""},
		{"createPlace", multi, "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nx\r\n--b--\r\n", "at /"},
		{"createPlace", multi, "x", "refused"},
		{"getPlaces", "", "", ""},
		{"getPlaces", "application/json", "{}", "refused"},
		{"nobody", "", "", "refused"},
	} {
		if got := verdict(c.RequestBody(r.id, r.contentType, []byte(r.body))); got != r.want {
			t.Errorf("%s %s %q: got %q, want %q", r.id, r.contentType, r.body, got, r.want)
		}
	}
}

func TestContractResponse(t *testing.T) {
	t.Parallel()
	c := newContract(t)
	place := `{"name":"A","form":{"kind":"shop"},"id":"1"}`
	for _, r := range []struct {
		id          string
		status      int
		contentType string
		body, want  string
	}{
		{"readPlace", 200, "application/json", place, ""},
		{"readPlace", 200, "application/json", `{"name":"A","form":{"kind":"shop"}}`, "at /"},
		{"readPlace", 404, "application/json", `{"error":{"message":"no"}}`, ""},
		{"readPlace", 404, "application/json", `{"error":{}}`, "at /error"},
		{"readPlace", 500, "application/json", `{}`, "refused"},
		{"readPlace", 200, "application/json", ``, "refused"},
		{"readMedia", 200, "application/octet-stream", "\x00\xff", ""},
		{"createPlace", 418, "application/json", `{"error":{"message":"tea"}}`, ""},
		{"readThing", 204, "", "", ""},
		{"readThing", 204, "text/plain", "x", "refused"},
		{"nobody", 200, "", "", "refused"},
	} {
		if got := verdict(c.ResponseBody(r.id, r.status, r.contentType, []byte(r.body))); got != r.want {
			t.Errorf("%s %d %q: got %q, want %q", r.id, r.status, r.body, got, r.want)
		}
	}
}

func TestContractForm(t *testing.T) {
	t.Parallel()
	c, err := spectest.New([]byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":{"operationId":"a","requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":
		{"type":"object","required":["n"],"properties":{"n":{"type":"integer","maximum":9},"b":{"type":"boolean"},"s":{"type":"string"},"l":{"type":"array","items":{"type":"number"}},"o":{"type":"object","required":["k"]}}}}}},"responses":{"200":{"description":"ok"}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		"n=5&b=true&s=12&l=1&l=2.5&o=%7B%22k%22%3A1%7D": "",
		"n=10":         "at /n",
		"n=x":          "at /n",
		"s=1":          "at /",
		"n=1&o=%7B%7D": "at /o",
		"n=%zz":        "refused",
	} {
		if got := verdict(c.RequestBody("a", "application/x-www-form-urlencoded", []byte(body))); got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	c, err := spectest.New([]byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
		"/":{"get":{"operationId":"root"}},
		"/{id}":{"get":{"operationId":"base","x-variants":[{"operationId":"v1","x-path":"/{a}"},{"operationId":"v2","x-path":"/{b}"}]}},
		"/fixed":{"get":{"operationId":"fixed"},"post":{"operationId":"make"}},
		"/{id}/x":{"get":{"operationId":"idX"}},
		"/fixed/{x}":{"get":{"operationId":"fixedAny"}},
		"/files/{name}.{ext}":{"get":{"operationId":"file"}},
		"/files/{name}":{"get":{"operationId":"plain"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range map[string][]string{
		"/":            {"root"},
		"/1":           {"v1", "v2"},
		"/fixed":       {"fixed"},
		"/1/x":         {"idX"},
		"/fixed/x":     {"fixedAny"},
		"/files/a.txt": {"file"},
		"/files/atxt":  {"plain"},
		"/files/.":     {"plain"},
		"/files/":      nil,
		"/1/2/3":       nil,
	} {
		if diff := cmp.Diff(want, c.Match("get", call)); diff != "" {
			t.Errorf("GET %s (-want +got):\n%s", call, diff)
		}
	}
	if diff := cmp.Diff([]string{"make"}, c.Match("POST", "/fixed")); diff != "" {
		t.Errorf("POST /fixed (-want +got):\n%s", diff)
	}
}

func TestPathValues(t *testing.T) {
	t.Parallel()
	c, err := spectest.New([]byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
		"/a/{id}/{name}.{ext}":{"get":{"operationId":"a"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"id": "1%2F2", "name": ".x", "ext": "tar.gz"}
	if diff := cmp.Diff(want, c.PathValues("a", "/a/1%2F2/.x.tar.gz")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := c.PathValues("a", "/a"); len(got) != 0 {
		t.Errorf("another path has the values %v", got)
	}
}
