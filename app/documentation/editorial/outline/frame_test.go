package outline_test

import (
	"strings"
	"testing"

	"heliograph/app/documentation/editorial/outline"
)

const sharedFrame = `{"openapi":"3.1.0","x-first":1.50,"info":{"title":"API","version":"1.0"},"servers":[{"url":"https://a.example.com","x-a":null}],"security":[{"key":[]}],
"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"apikey"}},"responses":{"Error":{"description":"Error","x-b":1e3}},"parameters":{"Page":{"name":"page","in":"query","schema":{"type":"integer"}}}},"x-last":"<b>"}`

// What an input or an action changes of what endpoints share, and nothing else.
func TestApplyToFrames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, value, do, before, after string }{
		{"in:/info#title", "Letters API", "", `"title":"API"`, `"title":"Letters API"`},
		{"in:/servers/0#url", "https://b.example.com", "", `https://a.example.com`, `https://b.example.com`},
		{"in:/servers/0#description", "Test", "", `"x-a":null}`, `"x-a":null,"description":"Test"}`},
		{"in:#security", "None", "", `"security":[{"key":[]}]`, `"security":[]`},
		{"in:#security", "Not said yet", "", `"security":[{"key":[]}],`, ``},
		{"in:/components/securitySchemes/key#key", "token", "", "\"security\":[{\"key\":[]}],\n\"components\":{\"securitySchemes\":{\"key\"", `"security":[{"token":[]}],"components":{"securitySchemes":{"token"`},
		{"in:/components/securitySchemes/key#in", "query", "", `"in":"header"`, `"in":"query"`},
		{"in:/components/securitySchemes/key#name", "accesskey", "", `"name":"apikey"`, `"name":"accesskey"`},
		{"in:/components/securitySchemes/key#kind", "Bearer token", "", `{"type":"apiKey","in":"header","name":"apikey"}`, `{"type":"http","scheme":"bearer"}`},
		{"in:/components/responses/Error#key", "BadRequest", "", `"Error":{`, `"BadRequest":{`},
		{"in:/components/responses/Error#description", "Bad", "", `{"description":"Error","x-b":1e3}`, `{"description":"Bad","x-b":1e3}`},
		{"in:/components/parameters/Page#in", "path", "", `"in":"query","schema":{"type":"integer"}}`, `"in":"path","schema":{"type":"integer"},"required":true}`},
		{"", "", "server:/servers", `"x-a":null}]`, `"x-a":null},{"url":"https://api.example.com"}]`},
		{"", "", "scheme:/components/securitySchemes", `"name":"apikey"}}`, `"name":"apikey"},"apiKey":{"type":"apiKey","in":"header","name":"apikey"}}`},
		{"", "", "shared:/components/responses", `"x-b":1e3}}`, `"x-b":1e3},"Error2":{"description":"Error"}}`},
		{"", "", "shared:/components/parameters", `"schema":{"type":"integer"}}}`, `"schema":{"type":"integer"}},"Parameter":{"name":"parameter","in":"query","schema":{"type":"string"}}}`},
		{"", "", "content:/components/responses/Error", `"x-b":1e3}`, `"x-b":1e3,"content":{"application/json":{"schema":{"type":"object"}}}}`},
		{"", "", "delete:/servers/0", `"servers":[{"url":"https://a.example.com","x-a":null}],`, ``},
	} {
		o := outline.Frame(read(t, sharedFrame), sources())
		typed := map[string]string{}
		if c.name != "" {
			typed[c.name] = c.value
		}
		if !o.Apply(typed, c.do) {
			t.Errorf("%s%s is refused", c.name, c.do)
			continue
		}
		want := string(read(t, strings.Replace(sharedFrame, c.before, c.after, 1)).JSON())
		if got := string(o.Root.JSON()); got != want {
			t.Errorf("%s%s gives\n%s\nwant\n%s", c.name, c.do, got, want)
		}
	}
	for name, value := range map[string]string{"in:/servers/0#url": "", "in:/components/securitySchemes/key#name": "", "in:/components/responses/Error#key": "Bad Request"} {
		if outline.Frame(read(t, sharedFrame), sources()).Apply(map[string]string{name: value}, "") {
			t.Errorf("%s takes %q", name, value)
		}
	}
}

// An endpoint chooses what its version shares, and an answer of its own instead.
func TestSharedAnswersAreChosen(t *testing.T) {
	t.Parallel()
	s := sources()
	s.Responses, s.Parameters = []string{"Error"}, []string{"Page"}
	const own = `{"responses":{"200":{"description":"OK"},"400":{"$ref":"#/components/responses/Error"}}}`
	for _, c := range []struct{ name, value, do, want string }{
		{"in:/responses/200#shared", "Error", "", `{"responses":{"200":{"$ref":"#/components/responses/Error"},"400":{"$ref":"#/components/responses/Error"}}}`},
		{"in:/responses/400#shared", "Its own, below", "", `{"responses":{"200":{"description":"OK"},"400":{"description":"Bad Request"}}}`},
		{"", "", "use0:/parameters", `{"responses":{"200":{"description":"OK"},"400":{"$ref":"#/components/responses/Error"}},"parameters":[{"$ref":"#/components/parameters/Page"}]}`},
	} {
		o := outline.Operation(read(t, own), s)
		typed := map[string]string{}
		if c.name != "" {
			typed[c.name] = c.value
		}
		if ok := o.Apply(typed, c.do); !ok || string(o.Root.JSON()) != c.want {
			t.Errorf("%s%s gives %t %s", c.name, c.do, ok, o.Root.JSON())
		}
	}
}
