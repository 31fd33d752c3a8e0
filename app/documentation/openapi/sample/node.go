package sample

import (
	"fmt"
	"path"
	"strings"
)

// nodeJS writes a call for Node.js 18 or later, as a module: fetch, with files
// from the disk and credentials from the environment.
func nodeJS(r *request) string {
	used := map[string]bool{}
	quote := func(s string) string {
		for _, v := range environment {
			used[v.name] = used[v.name] || strings.Contains(s, v.placeholder)
		}
		return nodeQuote(s)
	}
	f := fetch{
		address: strings.ReplaceAll(quote(r.url), "${apiKey}", "${encodeURIComponent(apiKey)}"),
		quote:   quote,
		basic:   "Buffer.from(" + jsQuote(r.user) + ").toString(\"base64\")",
		headers: r.withCookie(r.headers),
		part: func(_ int, p pair) string {
			options := ""
			if p.media != "" {
				options = ", { type: " + jsQuote(p.media) + " }"
			}
			return fmt.Sprintf("new Blob([await readFile(%s)]%s), %s", jsQuote(p.value), options, jsQuote(path.Base(p.value)))
		},
		file: "await readFile(" + jsQuote(anyFile) + ")",
		keep: "await writeFile(" + jsQuote(replyFileName) + ", response.body);\n",
	}
	f.write(r)
	c := &code{}
	var from []string
	if len(r.body.files()) > 0 {
		from = append(from, "readFile")
	}
	if r.reply == replyFile {
		from = append(from, "writeFile")
	}
	if len(from) > 0 {
		c.addf("import { %s } from \"node:fs/promises\";\n\n", strings.Join(from, ", "))
	}
	declared := ""
	for _, v := range environment {
		if used[v.name] {
			declared += fmt.Sprintf("const %s = process.env.%s ?? %s;\n", v.name, strings.Trim(v.placeholder, "<>"), jsQuote(v.placeholder))
		}
	}
	if declared != "" {
		c.addf("%s\n", declared)
	}
	return c.String() + f.done()
}

// environment is what credentials are called.
var environment = []struct{ placeholder, name string }{{"<API_KEY>", "apiKey"}, {"<ACCESS_TOKEN>", "accessToken"}}

// nodeQuote writes a string literal, and where a credential stands in the text
// the variable, or a template literal (ECMA-262 12.9.6) around it.
func nodeQuote(s string) string {
	template := quoted(s, '`', "`\\$", escapeBraced)
	bare := template
	for _, v := range environment {
		if s == v.placeholder {
			return v.name
		}
		template = strings.ReplaceAll(template, v.placeholder, "${"+v.name+"}")
	}
	if template == bare {
		return jsQuote(s)
	}
	return template
}
