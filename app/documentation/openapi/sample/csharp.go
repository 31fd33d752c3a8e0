package sample

import (
	"path"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/media"
)

// cSharp writes a program for C# 7.1 or later with HttpClient.
func cSharp(r *request) string {
	c := &code{}
	csUsings(c, r)
	c.addf("\nclass Sample\n{\n    static async Task Main()\n    {\n")
	handler := ""
	if r.cookie != "" {
		handler = "(new HttpClientHandler { UseCookies = false })" // else it overwrites the header
	}
	c.addf("        using (var client = new HttpClient%s { Timeout = TimeSpan.FromSeconds(30) })\n", handler)
	c.addf("        using (var request = new HttpRequestMessage(%s, %s))\n        {\n", csMethod(r.method), csQuote(r.url))
	if r.user != "" {
		c.addf("            var user = Convert.ToBase64String(Encoding.UTF8.GetBytes(%s));\n", csQuote(r.user))
		c.addf("            request.Headers.Authorization = new AuthenticationHeaderValue(\"Basic\", user);\n")
	}
	for _, h := range r.withCookie(r.headers) {
		if !isContentHeader(h.name) {
			c.addf("            request.Headers.TryAddWithoutValidation(%s, %s);\n", csQuote(h.name), csQuote(h.value))
		}
	}
	if r.body != nil {
		csBody(c, r.body)
		for _, h := range r.headers {
			if isContentHeader(h.name) {
				c.addf("            request.Content.Headers.TryAddWithoutValidation(%s, %s);\n", csQuote(h.name), csQuote(h.value))
			}
		}
	}
	c.addf("            using (var response = await client.SendAsync(request))\n            {\n")
	c.addf("                if (!response.IsSuccessStatusCode)\n                {\n")
	c.addf("                    throw new HttpRequestException(\n                        (int)response.StatusCode + \" \" + await response.Content.ReadAsStringAsync());\n                }\n")
	if r.reply == replyFile {
		c.addf("                File.WriteAllBytes(%s, await response.Content.ReadAsByteArrayAsync());\n", csQuote(replyFileName))
	} else {
		c.addf("                Console.WriteLine(await response.Content.ReadAsStringAsync());\n")
	}
	c.addf("            }\n        }\n    }\n}\n")
	return c.done()
}

func csUsings(c *code, r *request) {
	c.addf("using System;\n")
	if r.body.is(media.Form) {
		c.addf("using System.Collections.Generic;\n")
	}
	if len(r.body.files()) > 0 || r.reply == replyFile {
		c.addf("using System.IO;\n")
	}
	c.addf("using System.Net.Http;\n")
	if r.user != "" || r.body.is(media.JSON) || r.body.is(media.Text) || r.body.is(media.Binary) || csTypes(r.body) {
		c.addf("using System.Net.Http.Headers;\n")
	}
	if r.user != "" {
		c.addf("using System.Text;\n")
	}
	c.addf("using System.Threading.Tasks;\n")
}

// csTypes reports whether a part of a form has a type of its own.
func csTypes(b *requestBody) bool {
	return b.is(media.Multipart) && slices.ContainsFunc(b.pairs, func(p pair) bool { return p.media != "" })
}

// isContentHeader reports whether .NET keeps a header with the body.
func isContentHeader(name string) bool { return strings.HasPrefix(strings.ToLower(name), "content-") }

// csMethod names a method; PATCH has no name in .NET Framework.
func csMethod(method string) string {
	if slices.Contains([]string{"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"}, method) {
		return "HttpMethod." + method[:1] + strings.ToLower(method[1:])
	}
	return "new HttpMethod(" + csQuote(method) + ")"
}

func csBody(c *code, b *requestBody) {
	const pad = "            "
	const typed = ")\n" + pad + "{\n" + pad + "    Headers = { ContentType = MediaTypeHeaderValue.Parse(%s) }\n" + pad + "};\n"
	switch {
	case b.kind == media.Multipart:
		c.addf(pad + "var form = new MultipartFormDataContent();\n")
		for _, p := range b.pairs {
			content, names := "new StringContent("+csQuote(p.value)+")", csQuote(p.name)
			if p.file {
				content = "new StreamContent(File.OpenRead(" + csQuote(p.value) + "))"
				names += ", " + csQuote(path.Base(p.value))
			}
			if p.media != "" {
				content += "\n" + pad + "{\n" + pad + "    Headers = { ContentType = MediaTypeHeaderValue.Parse(" + csQuote(p.media) + ") }\n" + pad + "}"
			}
			c.addf(pad+"form.Add(%s, %s);\n", content, names)
		}
		c.addf(pad + "request.Content = form;\n")
	case b.kind == media.Form:
		c.addf(pad + "request.Content = new FormUrlEncodedContent(new[]\n" + pad + "{\n")
		for _, p := range b.pairs {
			c.addf(pad+"    new KeyValuePair<string, string>(%s, %s),\n", csQuote(p.name), csQuote(p.value))
		}
		c.addf(pad + "});\n")
	case b.kind == media.Binary:
		c.addf(pad+"request.Content = new StreamContent(File.OpenRead(%s)"+typed, csQuote(anyFile), csQuote(b.contentType))
	case b.kind == media.JSON:
		c.addf(pad+"request.Content = new StringContent(%s"+typed, csVerbatim(b.text), csQuote(b.contentType))
	default:
		c.addf(pad+"request.Content = new StringContent(%s"+typed, csQuote(b.text), csQuote(b.contentType))
	}
}

// csVerbatim writes a verbatim string (C# specification 6.4.5.6), in which
// nothing but the quote has a meaning.
func csVerbatim(s string) string { return `@"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// csQuote writes a regular string.
func csQuote(s string) string { return quoted(s, '"', `"\`, escapeFixed) }
