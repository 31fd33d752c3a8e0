package sdk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/naming"
)

// view is what templates see.
type view struct {
	API        *API
	Lang       *Language
	Package    string // compact name
	UserAgent  string
	BaseEnv    string
	Errors     []statusError
	Signatures []signature
	Quick      string // code of the quick start
	Manifest   string // of the package
	Slug       string // for package registries
	First      *Method
	Model      *Model    // of a file for one model
	Resource   *Resource // of a file for one resource
	Method     *Method   // of a file for the arguments of one method
}

// statusError is an error type for a status.
type statusError struct{ Name, Status string }

var statusErrors = []statusError{
	{"BadRequest", "400"}, {"Authentication", "401"}, {"PermissionDenied", "403"}, {"NotFound", "404"}, {"Conflict", "409"},
	{"UnprocessableEntity", "422"}, {"RateLimit", "429"}, {"InternalServer", "5XX"},
}

// signature is a way in which the service signs webhooks.
type signature struct {
	Name, Snake, Camel, Header, Algorithm, Encoding, Prefix string
}

func newView(api *API, l *Language) *view {
	v := &view{
		API: api, Lang: l, Package: compact(api.Product), BaseEnv: api.prefix() + "_BASE_URL", Errors: statusErrors,
		UserAgent: fmt.Sprintf("%s-%s-sdk/%s", oneLine(api.Product), l.Slug, oneLine(api.SDKVersion)),
	}
	own := newNames(keywords)
	seen := map[string]bool{}
	for _, w := range api.Webhooks {
		key := strings.Join([]string{w.Signature, w.Algorithm, w.Encoding, w.Prefix}, " ")
		if w.Signature == "" || seen[key] {
			continue
		}
		seen[key] = true
		n := own.unique(newName(strings.TrimPrefix(strings.TrimPrefix(w.Signature, "X-"), "x-"), "signature"), "header")
		v.Signatures = append(v.Signatures, signature{n.Pascal, n.Snake, n.Camel, w.Signature, w.Algorithm, w.Encoding, w.Prefix})
	}
	v.First, v.Slug = first(api), cmp.Or(naming.Slug(api.Product), "api")
	return v
}

// compact returns the name of a package: lower-case letters and digits that begin with
// a letter and are no word of a language.
func compact(product string) string {
	n := newName(product, "api")
	name := strings.ToLower(strings.ReplaceAll(n.Snake, "_", ""))
	if keywords[name] || typeNames[name] || len(name) < 3 || name == "std" || name == "main" || name == "test" || name == "vendor" {
		name += "api"
	}
	return name
}

// first returns the method for the quick start: one that reads and needs little.
func first(api *API) *Method {
	var best *Method
	least := 1 << 30
	for _, r := range api.Resources {
		for _, m := range r.Methods {
			if n := effort(m); n < least {
				best, least = m, n
			}
		}
	}
	return best
}

// quickSchemes lists the credentials that the quick start needs.
func (v *view) quickSchemes() []*Scheme {
	if v.First == nil || len(v.First.Security) == 0 {
		return nil
	}
	return v.First.Security[0]
}

// readers are the words with which names of methods begin that only read.
var readers = []string{"list", "get", "find", "search", "lookup", "query", "read", "show", "check", "fetch"}

// effort tells how much a method needs and changes; the least suits the quick start.
func effort(m *Method) int {
	n := 10 * len(m.Example)
	word, _, _ := strings.Cut(m.Name.Snake, "_")
	switch {
	case m.Verb != "GET":
		n += 100
	case !slices.Contains(readers, word):
		n += 40 // some services change things by GET
	case word == "list":
		n -= 15
	}
	if m.Deprecated {
		n += 1000
	}
	if m.Result == nil || m.Result.Kind != BodyJSON || m.Result.Type.Kind == Binary {
		n += 50
	}
	if m.Body != nil && m.Body.Required && m.Body.Kind != BodyJSON {
		n += 500
	}
	return n
}
