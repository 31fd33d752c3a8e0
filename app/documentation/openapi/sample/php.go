package sample

import (
	"fmt"
	"path"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/lists"
)

// php writes a script for PHP 7.3 or later with ext-curl.
func php(r *request) string {
	c := &code{}
	c.addf("<?php\n\n")
	phpBody(c, r.body)
	c.addf("$request = curl_init(%s);\ncurl_setopt_array($request, [\n", phpQuote(r.url))
	if r.method == "HEAD" {
		c.addf("    CURLOPT_NOBODY => true,\n")
	} else {
		c.addf("    CURLOPT_CUSTOMREQUEST => %s,\n", phpQuote(r.method))
	}
	if r.user != "" {
		c.addf("    CURLOPT_USERPWD => %s,\n", phpQuote(r.user))
	}
	headers := lists.Map(r.withType(), func(h pair) string { return phpQuote(headerLine(h)) })
	if r.body.is(media.Multipart) && !phpTakes(r.body.pairs) {
		headers = append(headers, `"Content-Type: `+phpInner(r.body.contentType)+`; boundary=$boundary"`)
	}
	if len(headers) > 0 {
		c.addf("    CURLOPT_HTTPHEADER => [\n        %s,\n    ],\n", strings.Join(headers, ",\n        "))
	}
	if r.cookie != "" {
		c.addf("    CURLOPT_COOKIE => %s,\n", phpQuote(r.cookie))
	}
	if r.body != nil {
		c.addf("    CURLOPT_POSTFIELDS => $body,\n")
	}
	c.addf("    CURLOPT_RETURNTRANSFER => true,\n    CURLOPT_TIMEOUT => 30,\n]);\n\n")
	c.addf("$answer = curl_exec($request);\nif ($answer === false) {\n    throw new RuntimeException(curl_error($request));\n}\n")
	c.addf("$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);\nif ($status < 200 || $status > 299) {\n    throw new RuntimeException(\"$status $answer\");\n}\n")
	if r.reply == replyFile {
		c.addf("file_put_contents(%s, $answer);\n", phpQuote(replyFileName))
	} else {
		c.addf("echo $answer, PHP_EOL;\n")
	}
	return c.done()
}

func phpBody(c *code, b *requestBody) {
	if b == nil {
		return
	}
	switch {
	case b.kind == media.Binary:
		c.addf("$body = file_get_contents(%s);\n\n", phpQuote(anyFile))
	case b.kind == media.Form && distinct(b.pairs):
		c.addf("$body = http_build_query([\n")
		for _, p := range b.pairs {
			c.addf("    %s => %s,\n", phpQuote(p.name), phpQuote(p.value))
		}
		c.addf("]);\n\n")
	case b.kind == media.Form:
		list := lists.Map(b.pairs, func(p pair) string { return encodeValue(p.name) + "=" + encodeValue(p.value) })
		c.addf("$body = %s;\n\n", phpQuote(strings.Join(list, "&")))
	case b.kind == media.Multipart && phpTakes(b.pairs):
		phpMultipart(c, b.pairs)
	case b.kind == media.Multipart:
		phpParts(c, b.pairs)
	case b.kind == media.JSON:
		// Within a nowdoc nothing has a meaning, and no line of JSON begins with
		// its end.
		c.addf("$body = <<<'JSON'\n%s\nJSON;\n\n", b.text)
	default:
		c.addf("$body = %s;\n\n", phpQuote(b.text))
	}
}

// phpTakes reports whether curl can be given a form as an array: no name is there twice,
// and no text has a type.
func phpTakes(pairs []pair) bool { return distinct(pairs) && !typed(pairs) }

func phpMultipart(c *code, pairs []pair) {
	c.addf("$body = [\n")
	for _, p := range pairs {
		value := phpQuote(p.value)
		if p.file {
			own := "null"
			if p.media != "" {
				own = phpQuote(p.media)
			}
			base := path.Base(p.value)
			switch {
			case base != p.value:
				value = fmt.Sprintf("new CURLFile(%s, %s, %s)", phpQuote(p.value), own, phpQuote(base))
			case p.media != "":
				value = fmt.Sprintf("new CURLFile(%s, %s)", value, own)
			default:
				value = "new CURLFile(" + value + ")"
			}
		}
		c.addf("    %s => %s,\n", phpQuote(p.name), value)
	}
	c.addf("];\n\n")
}

// phpParts writes the parts (RFC 7578) of a form that has a name twice, which the keys of
// an array cannot be, or a text with a type.
func phpParts(c *code, pairs []pair) {
	c.addf("$boundary = bin2hex(random_bytes(16));\n$body = ")
	for _, p := range pairs {
		head, value := phpInner(`; name="`+partName.Replace(p.name)+`"`), phpQuote(p.value)
		if p.file {
			head += phpInner(`; filename="` + path.Base(p.value) + `"`)
			value = "file_get_contents(" + value + ")"
		}
		if p.media != "" {
			head += `\r\nContent-Type: ` + phpInner(p.media)
		}
		c.addf("\"--$boundary\\r\\nContent-Disposition: form-data%s\\r\\n\\r\\n\"\n    . %s . \"\\r\\n\"\n    . ", head, value)
	}
	c.addf("\"--$boundary--\\r\\n\";\n\n")
}

// phpInner writes what stands within a double-quoted string.
func phpInner(s string) string {
	q := quoted(s, '"', `"\$`, escapeBraced)
	return q[1 : len(q)-1]
}

// phpQuote writes a single-quoted string, or a double-quoted one where a
// character would not show.
func phpQuote(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !shows(r) }) {
		return `"` + phpInner(s) + `"`
	}
	return quoted(s, '\'', `'\`, escapeBraced)
}
