package sample

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf16"

	"heliograph/app/documentation/openapi/media"
)

// java writes a program for Java 17 with java.net.http.
func java(r *request) string {
	c := &code{}
	imports := []string{"java.io.IOException", "java.net.URI", "java.net.http.HttpClient", "java.net.http.HttpRequest"}
	if r.body != nil || r.method != "GET" && r.method != "DELETE" {
		imports = append(imports, "java.net.http.HttpRequest.BodyPublishers")
	}
	imports = append(imports, "java.net.http.HttpResponse.BodyHandlers")
	if r.reply == replyFile {
		imports = append(imports, "java.nio.file.Files")
	}
	if len(r.body.files()) > 0 || r.reply == replyFile {
		imports = append(imports, "java.nio.file.Path")
	}
	imports = append(imports, "java.time.Duration")
	if r.user != "" {
		imports = append(imports, "java.util.Base64")
	}
	if r.body.is(media.Multipart) {
		imports = append(imports, "java.util.UUID")
	}
	for _, name := range imports {
		c.addf("import %s;\n", name)
	}
	c.addf("\npublic class Sample {\n    public static void main(String[] args) throws Exception {\n")
	javaBody(c, r.body)
	if r.user != "" {
		c.addf("        var user = Base64.getEncoder().encodeToString(%s.getBytes());\n\n", javaQuote(r.user))
	}
	c.addf("        var request = HttpRequest.newBuilder(URI.create(%s))\n", javaQuote(r.url))
	c.addf("            .timeout(Duration.ofSeconds(30))\n")
	if r.user != "" {
		c.addf("            .header(\"Authorization\", \"Basic \" + user)\n")
	}
	headers := r.withCookie(r.withType())
	for _, h := range headers {
		c.addf("            .header(%s, %s)\n", javaQuote(h.name), javaQuote(h.value))
	}
	if r.body.is(media.Multipart) {
		c.addf("            .header(\"Content-Type\", %s + boundary)\n", javaQuote(r.body.contentType+"; boundary="))
	}
	c.addf("            .%s\n            .build();\n\n", javaMethod(r))
	handler, text := "ofString", "response.body()"
	if r.reply == replyFile {
		handler, text = "ofByteArray", "new String(response.body())"
	}
	c.addf("        var response = HttpClient.newHttpClient().send(request, BodyHandlers.%s());\n", handler)
	c.addf("        if (response.statusCode() / 100 != 2) {\n")
	c.addf("            throw new IOException(response.statusCode() + \" \" + %s);\n        }\n", text)
	if r.reply == replyFile {
		c.addf("        Files.write(Path.of(%s), response.body());\n", javaQuote(replyFileName))
	} else {
		c.addf("        System.out.println(response.body());\n")
	}
	c.addf("    }\n}\n")
	return c.done()
}

// javaMethod sets the method with the body.
func javaMethod(r *request) string {
	body := "BodyPublishers.noBody()"
	switch {
	case r.body.is(media.Binary):
		body = "BodyPublishers.ofFile(Path.of(" + javaQuote(anyFile) + "))"
	case r.body.is(media.Multipart):
		body = "body"
	case r.body != nil:
		body = "BodyPublishers.ofString(body)"
	}
	switch {
	case r.body == nil && (r.method == "GET" || r.method == "DELETE"):
		return r.method + "()"
	case r.method == "POST" || r.method == "PUT":
		return r.method + "(" + body + ")"
	}
	return "method(" + javaQuote(r.method) + ", " + body + ")"
}

func javaBody(c *code, b *requestBody) {
	if b == nil || b.kind == media.Binary {
		return
	}
	switch {
	case b.kind == media.Multipart:
		javaMultipart(c, b.pairs)
	case b.kind == media.Form:
		var lines []string
		for i, p := range b.pairs {
			and := ""
			if i > 0 {
				and = "&"
			}
			lines = append(lines, javaQuote(and+encodeValue(p.name)+"="+encodeValue(p.value)))
		}
		c.addf("        var body = %s;\n\n", strings.Join(lines, "\n            + "))
	case strings.Contains(b.text, "\n") && b.kind == media.JSON:
		c.addf("        var body = %s;\n\n", javaBlock(b.text, "            "))
	default:
		c.addf("        var body = %s;\n\n", javaQuote(b.text))
	}
}

// javaMultipart writes the parts (RFC 7578), for which Java has no class.
func javaMultipart(c *code, pairs []pair) {
	c.addf("        var boundary = UUID.randomUUID().toString();\n        var body = BodyPublishers.concat(\n")
	for _, p := range pairs {
		head := `"--" + boundary + "\r\nContent-Disposition: form-data; name=` + javaInner(`"`+partName.Replace(p.name)+`"`)
		if p.file {
			head += javaInner(`; filename="` + path.Base(p.value) + `"`)
		}
		if p.media != "" {
			head += `\r\nContent-Type: ` + javaInner(p.media)
		}
		head += `\r\n\r\n`
		if p.file {
			c.addf("            BodyPublishers.ofString(%s\"),\n", head)
			c.addf("            BodyPublishers.ofFile(Path.of(%s)),\n", javaQuote(p.value))
			c.addf("            BodyPublishers.ofString(\"\\r\\n\"),\n")
		} else {
			c.addf("            BodyPublishers.ofString(%s\"\n                + %s + \"\\r\\n\"),\n", head, javaQuote(p.value))
		}
	}
	c.addf("            BodyPublishers.ofString(\"--\" + boundary + \"--\\r\\n\"));\n\n")
}

// partName escapes the name of a part as browsers do (WHATWG HTML 4.10.22.8).
var partName = strings.NewReplacer("\"", "%22", "\r", "%0D", "\n", "%0A")

// javaBlock writes a text block (JLS 3.10.6) of JSON. The lines have no
// trailing blanks; its indentation is stripped.
func javaBlock(text, indent string) string {
	text = strings.ReplaceAll(blockEscapes.Replace(text), "\n", "\n"+indent)
	return "\"\"\"\n" + indent + text + `"""`
}

var blockEscapes = strings.NewReplacer(`\`, `\\`, `"""`, `\"""`)

// javaQuote writes a string literal (JLS 3.10.5).
func javaQuote(s string) string { return quoted(s, '"', `"\`, javaEscape) }

// javaInner writes what stands within a string literal.
func javaInner(s string) string {
	q := javaQuote(s)
	return q[1 : len(q)-1]
}

// javaEscape writes a character. Java reads \u before it reads literals, so
// that \u000c would not do for a control character: those are octal.
func javaEscape(r rune) string {
	if r < 0x100 {
		return fmt.Sprintf(`\%03o`, r)
	}
	var escaped string
	for _, unit := range utf16.Encode([]rune{r}) {
		escaped += fmt.Sprintf(`\u%04x`, unit)
	}
	return escaped
}
