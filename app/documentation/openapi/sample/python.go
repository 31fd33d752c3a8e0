package sample

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
)

// python writes a call for Python 3 with requests.
func python(r *request) string {
	c := &code{}
	if len(r.body.files()) > 0 || r.reply == replyFile {
		c.addf("from pathlib import Path\n\n")
	}
	c.addf("import requests\n\n")
	verb := strings.ToLower(r.method)
	if slices.Contains([]string{"get", "post", "put", "patch", "delete", "head", "options"}, verb) {
		c.addf("response = requests.%s(\n", verb)
	} else {
		c.addf("response = requests.request(\n    %s,\n", pyQuote(r.method))
	}
	c.addf("    %s,\n", pyQuote(r.url))
	if user, password, ok := strings.Cut(r.user, ":"); ok {
		c.addf("    auth=(%s, %s),\n", pyQuote(user), pyQuote(password))
	}
	if headers := r.withCookie(pyHeaders(r)); len(headers) > 0 {
		c.addf("    headers=%s,\n", pyPairs(headers))
	}
	if r.body != nil {
		pyBody(c, r.body)
	}
	c.addf("    timeout=30,\n)\nif not response.ok:\n    print(response.text)\nresponse.raise_for_status()\n")
	switch r.reply {
	case replyJSON:
		c.addf("print(response.json())\n")
	case replyFile:
		c.addf("Path(%s).write_bytes(response.content)\n", pyQuote(replyFileName))
	default:
		c.addf("print(response.text)\n")
	}
	return c.done()
}

// pyHeaders are the headers that requests does not write itself.
func pyHeaders(r *request) []pair {
	if r.body.is(media.Form) || pyTakesJSON(r.body) && r.body.contentType == "application/json" {
		return r.headers
	}
	return r.withType()
}

// pyTakesJSON reports whether requests can be given the value itself: it takes
// None for no body.
func pyTakesJSON(b *requestBody) bool {
	return b.is(media.JSON) && lossless(b.value) && b.value.Kind != tree.KindNull
}

func pyBody(c *code, b *requestBody) {
	switch {
	case pyTakesJSON(b):
		c.addf("    json=%s,\n", pyLiterals.write(b.value, "    "))
	case b.kind == media.Binary:
		c.addf("    data=Path(%s).read_bytes(),\n", pyQuote(anyFile))
	case b.kind == media.Form:
		c.addf("    data=%s,\n", pyPairs(b.pairs))
	case b.kind == media.Multipart:
		c.addf("    files=[\n")
		for _, p := range b.pairs {
			own := ""
			if p.media != "" {
				own = ", " + pyQuote(p.media)
			}
			if p.file {
				c.addf("        (%s, (%s, Path(%s).read_bytes()%s)),\n", pyQuote(p.name), pyQuote(path.Base(p.value)), pyQuote(p.value), own)
			} else {
				c.addf("        (%s, (None, %s%s)),\n", pyQuote(p.name), pyQuote(p.value), own)
			}
		}
		c.addf("    ],\n")
	default:
		c.addf("    data=%s.encode(),\n", pyQuote(b.text))
	}
}

// pyPairs writes a dict, or a list of tuples where a name is there twice.
func pyPairs(pairs []pair) string {
	open, format, end := "{\n", "        %s: %s,\n", "    }"
	if !distinct(pairs) {
		open, format, end = "[\n", "        (%s, %s),\n", "    ]"
	}
	list := open
	for _, p := range pairs {
		list += fmt.Sprintf(format, pyQuote(p.name), pyQuote(p.value))
	}
	return list + end
}

// pyLiterals writes JSON as Python does.
var pyLiterals = literals{null: "None", yes: "True", no: "False", indent: "    ", quote: pyQuote, key: pyQuote}

// pyQuote writes a string literal (Python reference 2.4.1).
func pyQuote(s string) string { return quoted(s, '"', `"\`, escapeFixed) }
