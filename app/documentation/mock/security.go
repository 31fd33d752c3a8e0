package mock

import (
	"net/http"
	"net/url"
	"strings"

	"heliograph/app/documentation/openapi/validate"
)

// credential is a place where a request has a credential.
type credential struct {
	in     string // header, query or cookie
	name   string
	scheme string // of the header Authorization, in lower case; empty for any
}

// compileSecurity reads the alternatives of the operation. None means that no
// credential is needed.
func (op *operation) compileSecurity() {
	op.challenge = "ApiKey"
	list, _ := op.graph.Security()
	for _, requirement := range list {
		needed := []credential{}
		for _, n := range requirement.Schemes {
			switch s := n.Scheme; s.Type() {
			case "apiKey":
				needed = append(needed, credential{s.In(), s.Field(), ""})
			case "http":
				// Basic would make browsers ask for a password of this site.
				if s.Scheme() != "basic" {
					op.challenge = "Bearer"
				}
				needed = append(needed, credential{"header", "Authorization", s.Scheme()})
			case "oauth2", "openIdConnect":
				op.challenge = "Bearer"
				needed = append(needed, credential{"header", "Authorization", "bearer"})
			}
		}
		op.alternatives = append(op.alternatives, needed)
	}
}

// missingCredentials returns nothing if a request has the credentials of one of
// the alternatives, else what the first alternative lacks.
func (op *operation) missingCredentials(r validate.Request) (missing []detail) {
	for i, needed := range op.alternatives {
		lacking := []detail{}
		for _, c := range needed {
			if !c.isSent(r) {
				lacking = append(lacking, detail{Location: c.in, Name: c.name, Code: "required", Message: c.instruction()})
			}
		}
		if len(lacking) == 0 {
			return nil
		}
		if i == 0 {
			missing = lacking
		}
	}
	return missing
}

// isSent reports whether a request has the credential. Its value does not
// matter.
func (c credential) isSent(r validate.Request) bool {
	switch c.in {
	case "query":
		values, _ := url.ParseQuery(r.Query) // what cannot be read is no credential
		return values.Get(c.name) != ""
	case "cookie":
		cookie, err := (&http.Request{Header: r.Header}).Cookie(c.name)
		return err == nil && cookie.Value != ""
	}
	value := r.Header.Get(c.name)
	if c.scheme == "" {
		return value != ""
	}
	scheme, token, _ := strings.Cut(value, " ")
	return strings.EqualFold(scheme, c.scheme) && strings.TrimSpace(token) != ""
}

func (c credential) instruction() string {
	switch {
	case c.scheme != "":
		return "Send the header " + c.name + " with the scheme " + c.scheme + " and a value."
	case c.in == "query":
		return "Send the query parameter " + c.name + "."
	}
	return "Send the " + c.in + " " + c.name + "."
}
