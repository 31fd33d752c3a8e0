package console

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"heliograph/app/documentation/openapi/model"
)

// Scheme is a security scheme that a reader enters a credential for.
type Scheme struct {
	model.AuthScheme
	// Placeholder stands for the credential in what is shown.
	Placeholder string
	// Problem is why the console cannot send the credential; empty where it can.
	Problem string
}

// Schemes lists the security schemes of an alternative of an endpoint, with the
// placeholders of their credentials.
func Schemes(e *model.Endpoint, alternative int) []Scheme {
	if alternative < 0 || alternative >= len(e.Auth) {
		return nil
	}
	var list []Scheme
	taken := map[string]bool{}
	for _, s := range e.Auth[alternative] {
		made := Scheme{AuthScheme: s, Placeholder: placeholderOf(s)}
		if taken[made.Placeholder] {
			made.Placeholder = "<" + strings.ToUpper(strings.Map(identifier, s.Name)) + ">"
		}
		taken[made.Placeholder] = true
		switch {
		case s.In == "":
			made.Problem = "A client certificate cannot be sent from here."
		case s.In == "header" && IsBlocked(s.Field):
			made.Problem = "The header " + s.Field + " is controlled by the connection. It cannot be set here."
		case s.In == "header" && !httpguts.ValidHeaderFieldName(s.Field):
			made.Problem = "The contract names a header that HTTP does not have."
		}
		list = append(list, made)
	}
	return list
}

func identifier(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return r
	}
	return '_'
}

func placeholderOf(s model.AuthScheme) string {
	switch {
	case s.Kind == "apiKey":
		return keyPlaceholder
	case s.Kind == "basic":
		return passwordPlaceholder
	case s.Kind == "bearer", s.Kind == "oauth2", s.Kind == "openIdConnect":
		return tokenPlaceholder
	}
	return "<CREDENTIALS>"
}

// credentials reads the credentials of an entry and returns the schemes of its
// alternative.
func (c *Call) credentials(e *model.Endpoint, entry Entry, found *findings) []model.AuthScheme {
	if entry.Auth != 0 && (entry.Auth < 0 || entry.Auth >= len(e.Auth)) {
		found.add("auth", "Choose one of the ways to authenticate.")
		return nil
	}
	var schemes []model.AuthScheme
	for _, s := range Schemes(e, entry.Auth) {
		schemes = append(schemes, s.AuthScheme)
		given := entry.Credentials[s.Name]
		secret := strings.TrimSpace(string(given.Secret))
		if entry.Server == Mock && secret == "" && given.User == "" && s.Problem == "" {
			c.stand(s)
			continue
		}
		if s.Kind == "basic" && (given.User != "" || secret != "") {
			c.secrets[userPlaceholder] = given.User
		}
		if secret == "" && given.User == "" {
			continue
		}
		if problem := cmp.Or(s.Problem, valueProblem(given.User+secret)); problem != "" {
			found.add("credential."+s.Name, problem)
			continue
		}
		c.secrets[s.Placeholder] = secret
	}
	return schemes
}

// stand sends the placeholder of a credential in its place, which is enough for the
// mock server.
func (c *Call) stand(s Scheme) {
	c.secrets[s.Placeholder] = s.Placeholder
	if s.Kind == "basic" {
		c.secrets[userPlaceholder] = userPlaceholder
	}
}

// valueProblem returns what keeps a text from being sent in a header.
func valueProblem(text string) string {
	if !httpguts.ValidHeaderFieldValue(text) {
		return "Remove line breaks and other control characters from the credential."
	}
	return ""
}

// attachCredentials adds the placeholders of the credentials. A credential that the
// body has a placeholder for is not sent a second time.
func (c *Call) attachCredentials(schemes []model.AuthScheme, entry Entry, query, cookies string) (string, string) {
	for i, s := range schemes {
		placeholder := c.placeholder(schemes, i)
		pair := s.Field + "=" + placeholder
		switch {
		case s.In == "" || s.In == "header" && headerProblem(s.Field, "") != "":
		case s.Kind == "apiKey" && s.In == "query" && strings.Contains(entry.Raw, placeholder):
		case s.In == "query":
			query = strings.TrimPrefix(query+"&"+escape(s.Field)+"="+placeholder, "&")
		case s.In == "cookie":
			cookies = strings.TrimPrefix(cookies+"; "+pair, "; ")
		case s.Kind == "apiKey":
			c.Header = append(c.Header, Header{s.Field, placeholder, true})
		case s.Kind == "basic":
			c.Header = append(c.Header, Header{s.Field, "Basic " + userPlaceholder + ":" + passwordPlaceholder, true})
		case placeholder == "<CREDENTIALS>":
			c.Header = append(c.Header, Header{s.Field, s.Kind + " " + placeholder, true})
		default:
			c.Header = append(c.Header, Header{s.Field, "Bearer " + placeholder, true})
		}
	}
	return query, cookies
}

// placeholder returns the placeholder of a scheme among others.
func (c *Call) placeholder(schemes []model.AuthScheme, i int) string {
	return Schemes(&model.Endpoint{Auth: [][]model.AuthScheme{schemes}}, 0)[i].Placeholder
}

// revealAddress puts the credentials into an address, and leaves out the parameters of
// credentials that were not entered.
func (c *Call) revealAddress() string {
	address, query, has := strings.Cut(c.URL, "?")
	if !has {
		return address
	}
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if isPlaceholder(value) {
			if c.secrets[value] == "" {
				continue
			}
			part = name + "=" + escape(c.secrets[value])
		}
		kept = append(kept, part)
	}
	if len(kept) == 0 {
		return address
	}
	return address + "?" + strings.Join(kept, "&")
}

// isPlaceholder reports whether a value of a query is a placeholder: values that
// readers enter have no angle brackets, as they are encoded.
func isPlaceholder(value string) bool {
	return strings.HasPrefix(value, "<") && strings.HasSuffix(value, ">")
}

// revealHeader returns the value of a header with its credential, and false for a
// credential that was not entered.
func (c *Call) revealHeader(h Header) (string, bool) {
	if strings.EqualFold(h.Name, "Cookie") {
		var kept []string
		for part := range strings.SplitSeq(h.Value, "; ") {
			name, value, _ := strings.Cut(part, "=")
			if isPlaceholder(value) {
				if c.secrets[value] == "" {
					continue
				}
				part = name + "=" + c.secrets[value]
			}
			kept = append(kept, part)
		}
		return strings.Join(kept, "; "), len(kept) > 0
	}
	if !h.isCredential {
		return h.Value, true
	}
	if basic, is := strings.CutPrefix(h.Value, "Basic "); is && basic == userPlaceholder+":"+passwordPlaceholder {
		if _, entered := c.secrets[userPlaceholder]; !entered {
			return "", false
		}
		return "Basic " + c.basic(), true
	}
	for placeholder, secret := range c.secrets {
		if strings.HasSuffix(h.Value, placeholder) && secret != "" {
			return strings.TrimSuffix(h.Value, placeholder) + secret, true
		}
	}
	return "", false
}

// basic returns the name and the password as basic authentication sends them.
func (c *Call) basic() string {
	return base64.StdEncoding.EncodeToString([]byte(c.secrets[userPlaceholder] + ":" + c.secrets[passwordPlaceholder]))
}

// revealBody returns the body with the credentials in the place of their
// placeholders, as JSON has them within a JSON body.
func (c *Call) revealBody() []byte {
	data := c.Body
	for placeholder, secret := range c.secrets {
		if secret == "" || !bytes.Contains(data, []byte(placeholder)) {
			continue
		}
		if isJSON(string(data)) {
			quoted, err := json.Marshal(secret)
			if err != nil {
				continue
			}
			data = bytes.ReplaceAll(data, []byte(placeholder), quoted[1:len(quoted)-1])
			continue
		}
		data = bytes.ReplaceAll(data, []byte(placeholder), []byte(secret))
	}
	return data
}

// mask replaces the credentials of the call in a text that came from outside.
func (c *Call) mask(data []byte) []byte {
	for _, secret := range c.hidden() {
		data = bytes.ReplaceAll(data, []byte(secret), []byte("••••"))
	}
	return data
}

// hidden lists the forms of the credentials, the longest first. Texts of up to three
// bytes hide nothing and would be found everywhere.
func (c *Call) hidden() []string {
	var list []string
	add := func(text string) {
		if len(text) > 3 {
			list = append(list, text)
		}
	}
	for placeholder, secret := range c.secrets {
		if placeholder == userPlaceholder || placeholder == secret {
			continue
		}
		add(secret)
		add(escape(secret))
		if quoted, err := json.Marshal(secret); err == nil {
			add(string(quoted[1 : len(quoted)-1]))
		}
		add(base64.StdEncoding.EncodeToString([]byte(secret)))
	}
	if secret := c.secrets[passwordPlaceholder]; secret != "" && secret != passwordPlaceholder {
		add(c.basic())
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}
