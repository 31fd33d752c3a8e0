package sample

import (
	"strings"

	"heliograph/app/documentation/openapi/media"
)

// curl writes a call for curl 7.76 or later in a POSIX shell.
func curl(r *request) string {
	c := &command{}
	if r.method == "HEAD" {
		c.flag("--head")
	} else {
		c.option("--request", r.method)
	}
	c.option("--url", r.url)
	if strings.ContainsAny(r.url, "[]{}") {
		c.flag("--globoff")
	}
	if r.user != "" {
		c.option("--user", r.user)
	}
	for _, h := range r.withType() {
		c.option("--header", headerLine(h))
	}
	if r.cookie != "" {
		c.option("--cookie", r.cookie)
	}
	c.body(r.body)
	if r.reply == replyFile {
		c.option("--output", replyFileName)
	}
	c.flag("--fail-with-body")
	c.option("--max-time", "30")
	return "curl " + strings.Join(c.parts, " \\\n  ")
}

// command collects the options of a command, one for each line.
type command struct{ parts []string }

func (c *command) flag(name string) { c.parts = append(c.parts, name) }

func (c *command) option(name, value string) { c.parts = append(c.parts, name+" "+shellQuote(value)) }

func (c *command) body(b *requestBody) {
	if b == nil {
		return
	}
	switch b.kind {
	case media.Form:
		for _, p := range b.pairs {
			c.option("--data-urlencode", encodeValue(p.name)+"="+p.value)
		}
	case media.Multipart:
		for _, p := range b.pairs {
			switch {
			case p.file && p.media != "":
				c.option("--form", p.name+"=@"+p.value+";type="+p.media)
			case p.file:
				c.option("--form", p.name+"=@"+p.value)
			case p.media != "":
				// Within double quotes neither a semicolon nor a leading @ or < has a meaning.
				c.option("--form", p.name+`="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.value)+`";type=`+p.media)
			default:
				c.option("--form-string", p.name+"="+p.value) // no meaning in a leading @ or <
			}
		}
	case media.Binary:
		c.option("--data-binary", "@"+anyFile)
	default:
		c.option("--data-raw", b.text) // no meaning in a leading @
	}
}

// headerLine writes a header as curl reads it, in the shell and in PHP: a
// semicolon is how it sends an empty value.
func headerLine(h pair) string {
	if h.value == "" {
		return h.name + ";"
	}
	return h.name + ": " + h.value
}

// shellQuote quotes a text for a POSIX shell: nothing within single quotes has
// a meaning, save the quote itself. Plain words stay bare.
func shellQuote(s string) string {
	plain := s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r > 0x7f || !isAlphanumeric(byte(r)) && !strings.ContainsRune("-_./:", r)
	})
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
