package sample

import (
	"fmt"
	"regexp"
	"slices"

	"heliograph/app/documentation/openapi/media"
)

// javaScript writes a call as a module that browsers run: fetch, with files from
// the page's file input and the cookies that the browser holds. One with a key says
// that a page is no place for it.
func javaScript(r *request) string {
	f := fetch{
		address: jsQuote(r.url),
		quote:   jsQuote,
		basic:   "btoa(" + jsQuote(r.user) + ")",
		headers: r.headers,
		part: func(i int, p pair) string {
			if p.media == "" {
				return fmt.Sprintf("files[%d]", i)
			}
			return fmt.Sprintf("new Blob([files[%[1]d]], { type: %[2]s }), files[%[1]d].name", i, jsQuote(p.media))
		},
		file: "files[0]",
		keep: "const file = await response.blob();\nconsole.log(file.type, file.size);\n",
	}
	if r.cookie != "" {
		f.option = "  credentials: \"include\",\n"
	}
	switch {
	case r.needsKey():
		f.addf("// The key belongs on a server, because a page shows it to everybody. Send this call\n// from there.\n")
	case r.user != "":
		f.addf("// The password belongs on a server, because a page shows it to everybody. Send this\n// call from there.\n")
	}
	if len(r.body.files()) > 0 {
		f.addf("const { files } = document.querySelector(\"input[type=file]\");\n\n")
	}
	f.write(r)
	return f.done()
}

// fetch writes a call with fetch; its members are what differs between
// browsers and Node.js.
type fetch struct {
	code
	address string
	quote   func(string) string // writes values
	basic   string              // credentials of basic authentication, encoded
	headers []pair
	option  string                         // one more option
	part    func(index int, p pair) string // a file in a form
	file    string                         // the file that is the body
	keep    string                         // keeps the answer
}

func (f *fetch) write(r *request) {
	if r.body.is(media.Multipart) {
		f.form(r.body.pairs)
	}
	f.addf("const response = await fetch(%s, {\n  method: %s,\n", f.address, jsQuote(r.method))
	if r.body.is(media.JSON) || r.body.is(media.Text) || r.body.is(media.Binary) {
		f.headers = append(slices.Clip(f.headers), pair{name: "Content-Type", value: r.body.contentType})
	}
	if len(f.headers) > 0 || r.user != "" {
		f.addf("  headers: {\n")
		if r.user != "" {
			f.addf("    Authorization: `Basic ${%s}`,\n", f.basic)
		}
		for _, h := range f.headers {
			f.addf("    %s: %s,\n", jsKey(h.name), f.quote(h.value))
		}
		f.addf("  },\n")
	}
	f.addf("%s", f.option)
	if r.body != nil {
		f.addf("  body: %s,\n", f.body(r.body))
	}
	f.addf("  signal: AbortSignal.timeout(30_000),\n});\n")
	f.addf("if (!response.ok) {\n  throw new Error(`${response.status} ${await response.text()}`);\n}\n")
	switch r.reply {
	case replyJSON:
		f.addf("console.log(await response.json());\n")
	case replyFile:
		f.addf("%s", f.keep)
	default:
		f.addf("console.log(await response.text());\n")
	}
}

// form writes a form. A part with a type is a Blob, for which fetch sends the file name
// blob: there is no other way to give it a type.
func (f *fetch) form(pairs []pair) {
	f.addf("const form = new FormData();\n")
	files := 0
	for _, p := range pairs {
		value := f.quote(p.value)
		switch {
		case p.file:
			value = f.part(files, p)
			files++
		case p.media != "":
			value = fmt.Sprintf("new Blob([%s], { type: %s })", value, jsQuote(p.media))
		}
		f.addf("form.append(%s, %s);\n", jsQuote(p.name), value)
	}
	f.addf("\n")
}

func (f *fetch) body(b *requestBody) string {
	switch {
	case b.kind == media.Multipart:
		return "form"
	case b.kind == media.Binary:
		return f.file
	case b.kind == media.Form:
		list := "new URLSearchParams([\n"
		for _, p := range b.pairs {
			list += fmt.Sprintf("    [%s, %s],\n", jsQuote(p.name), f.quote(p.value))
		}
		return list + "  ])"
	case b.kind == media.JSON && lossless(b.value):
		return "JSON.stringify(" + f.literals().write(b.value, "  ") + ")"
	}
	return f.quote(b.text)
}

// literals writes JSON as JavaScript does.
func (f *fetch) literals() literals {
	return literals{null: "null", yes: "true", no: "false", indent: "  ", quote: f.quote, key: jsKey}
}

// identifier is a name that needs no quotes as a key.
var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// jsKey writes the key of a member. A plain __proto__ would set the prototype.
func jsKey(name string) string {
	switch {
	case name == "__proto__":
		return `["__proto__"]`
	case identifier.MatchString(name):
		return name
	}
	return jsQuote(name)
}

// jsQuote writes a string literal (ECMA-262 12.9.4) that can stand in a page:
// nothing within it ends a script element.
func jsQuote(s string) string {
	return inScript.ReplaceAllString(quoted(s, '"', `"\`, escapeBraced), `<\$1`)
}

// inScript is what a string within a script element must not hold.
var inScript = regexp.MustCompile(`(?i)<(/script|!--)`)
