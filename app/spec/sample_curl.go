package spec

import (
	"net/url"
	"strings"
)

// CURL writes the shortest call of an endpoint that works, for curl in a POSIX
// shell. Server is the base address, without a trailing slash or with one.
// Values come from the examples of the document; credentials and values that
// it gives none for are placeholders such as <API_KEY> and <phone-number-id>.
func CURL(e *Endpoint, server string) string {
	r := newRequest(e, server)
	c := &curl{}
	if r.method == "HEAD" {
		c.flag("--head")
	} else {
		c.option("--request", r.method)
	}
	c.option("--url", r.url)
	if strings.ContainsAny(r.url, "[]{}") {
		c.flag("--globoff")
	}
	if path, _, _ := strings.Cut(r.url, "?"); strings.Contains(path+"/", "/../") || strings.Contains(path+"/", "/./") {
		c.flag("--path-as-is")
	}
	if r.user != "" {
		c.option("--user", r.user)
	}
	for _, h := range r.headers {
		c.option("--header", headerLine(h))
	}
	if len(r.cookies) > 0 {
		var list []string
		for _, p := range r.cookies {
			list = append(list, p.name+"="+p.value)
		}
		c.option("--cookie", strings.Join(list, "; "))
	}
	c.body(r.body)
	return "curl " + strings.Join(c.parts, " \\\n  ")
}

// curl collects the options of a command, one for each line.
type curl struct{ parts []string }

func (c *curl) flag(name string) { c.parts = append(c.parts, name) }

func (c *curl) option(name, value string) { c.parts = append(c.parts, name+" "+shellQuote(value)) }

func (c *curl) body(b *requestBody) {
	if b == nil {
		return
	}
	switch b.kind {
	case mediaForm:
		for _, p := range b.pairs {
			c.option("--data-urlencode", url.QueryEscape(p.name)+"="+p.value)
		}
	case mediaMultipart:
		for _, p := range b.pairs {
			if p.file {
				c.option("--form", p.name+"=@"+p.value)
			} else {
				c.option("--form-string", p.name+"="+p.value) // no meaning in a leading @ or <
			}
		}
	case mediaBinary:
		c.option("--data-binary", "@"+anyFile)
	default:
		c.option("--data-raw", b.text) // no meaning in a leading @
	}
}

// headerLine writes a header as curl reads it. A line break would begin
// another header, and a semicolon is how curl sends an empty value.
func headerLine(h pair) string {
	value := strings.TrimSpace(strings.NewReplacer("\r", " ", "\n", " ").Replace(h.value))
	if value == "" {
		return h.name + ";"
	}
	return h.name + ": " + value
}

// shellQuote quotes a text for a POSIX shell: nothing within single quotes has
// a meaning, save the quote itself. Plain words stay bare.
func shellQuote(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:", r))
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
