package sample

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/media"
)

// golang writes a program for Go with net/http, formatted as gofmt does.
func golang(r *request) string {
	c := &code{}
	c.addf("package main\n\nimport (\n")
	for _, name := range goImports(r) {
		c.addf("\t%q\n", name)
	}
	c.addf(")\n\nfunc main() {\n\tif err := call(); err != nil {\n\t\tlog.Fatal(err)\n\t}\n}\n\n")
	c.addf("func call() error {\n\tctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)\n\tdefer cancel()\n\n")
	c.addf("\treq, err := http.NewRequestWithContext(ctx, %s, %s, %s)\n", goMethod(r.method), goQuote(r.url), goBody(c, r.body))
	goCheck(c)
	if user, password, ok := strings.Cut(r.user, ":"); ok {
		c.addf("\treq.SetBasicAuth(%s, %s)\n", goQuote(user), goQuote(password))
	}
	for _, h := range r.withCookie(r.withType()) {
		c.addf("\treq.Header.Set(%s, %s)\n", goQuote(h.name), goQuote(h.value))
	}
	if r.body.is(media.Multipart) {
		c.addf("\treq.Header.Set(\"Content-Type\", form.FormDataContentType())\n")
	}
	c.addf("\n\tres, err := http.DefaultClient.Do(req)\n")
	goCheck(c)
	c.addf("\tdefer res.Body.Close()\n\n\tanswer, err := io.ReadAll(res.Body)\n")
	goCheck(c)
	c.addf("\tif res.StatusCode/100 != 2 {\n\t\treturn fmt.Errorf(\"%%s: %%s\", res.Status, answer)\n\t}\n")
	if r.reply == replyFile {
		c.addf("\treturn os.WriteFile(%s, answer, 0o644)\n}\n", goQuote(replyFileName))
	} else {
		c.addf("\tfmt.Println(string(answer))\n\treturn nil\n}\n")
	}
	return c.done()
}

func goCheck(c *code) { c.addf("\tif err != nil {\n\t\treturn err\n\t}\n") }

func goImports(r *request) []string {
	list := []string{"context", "fmt", "io", "log", "net/http", "time"}
	switch {
	case r.body == nil:
	case r.body.kind == media.Multipart:
		list = append(list, "bytes", "mime/multipart")
		if slices.ContainsFunc(r.body.pairs, func(p pair) bool { return p.media != "" }) {
			list = append(list, "net/textproto")
		}
	case r.body.kind == media.Form:
		list = append(list, "net/url", "strings")
	case r.body.kind == media.Binary:
		list = append(list, "bytes")
	default:
		list = append(list, "strings")
	}
	if len(r.body.files()) > 0 || r.reply == replyFile {
		list = append(list, "os")
	}
	slices.Sort(list)
	return list
}

// goMethod names the constant of a method.
func goMethod(method string) string { return "http.Method" + method[:1] + strings.ToLower(method[1:]) }

// goBody writes what makes the body, and returns the value to send.
func goBody(c *code, b *requestBody) string {
	if b == nil {
		return "nil"
	}
	switch b.kind {
	case media.Multipart:
		c.addf("\tvar body bytes.Buffer\n\tform := multipart.NewWriter(&body)\n")
		goParts(c, b.pairs)
		c.addf("\tif err := form.Close(); err != nil {\n\t\treturn err\n\t}\n\n")
		return "&body"
	case media.Form:
		c.addf("\tform := url.Values{}\n")
		for _, p := range b.pairs {
			c.addf("\tform.Add(%s, %s)\n", goQuote(p.name), goQuote(p.value))
		}
		c.addf("\n")
		return "strings.NewReader(form.Encode())"
	case media.Binary:
		c.addf("\tbody, err := os.ReadFile(%s)\n", goQuote(anyFile))
		goCheck(c)
		c.addf("\n")
		return "bytes.NewReader(body)"
	case media.JSON:
		c.addf("\tbody := strings.NewReader(%s)\n\n", goRaw(b.text))
	default:
		c.addf("\tbody := strings.NewReader(%s)\n\n", goQuote(b.text))
	}
	return "body"
}

func goParts(c *code, pairs []pair) {
	known := map[string]bool{}
	assign := func(names ...string) string { // the operator that assigns to variables
		operator := "="
		for _, name := range names {
			if !known[name] {
				operator = ":="
			}
			known[name] = true
		}
		return strings.Join(names, ", ") + " " + operator
	}
	for _, p := range pairs {
		if !p.file && p.media == "" {
			c.addf("\tif err := form.WriteField(%s, %s); err != nil {\n\t\treturn err\n\t}\n", goQuote(p.name), goQuote(p.value))
			continue
		}
		head := `form-data; name="` + partName.Replace(p.name) + `"`
		if p.file {
			c.addf("\t%s os.ReadFile(%s)\n", assign("file", "err"), goQuote(p.value))
			goCheck(c)
			head += `; filename="` + path.Base(p.value) + `"`
		}
		if p.media == "" {
			c.addf("\t%s form.CreateFormFile(%s, %s)\n", assign("part", "err"), goQuote(p.name), goQuote(path.Base(p.value)))
		} else {
			c.addf("\t%s textproto.MIMEHeader{}\n", assign("head"))
			c.addf("\thead.Set(\"Content-Disposition\", %s)\n\thead.Set(\"Content-Type\", %s)\n", goQuote(head), goQuote(p.media))
			c.addf("\t%s form.CreatePart(head)\n", assign("part", "err"))
		}
		goCheck(c)
		if p.file {
			c.addf("\tif _, err := part.Write(file); err != nil {\n\t\treturn err\n\t}\n")
		} else {
			c.addf("\tif _, err := io.WriteString(part, %s); err != nil {\n\t\treturn err\n\t}\n", goQuote(p.value))
		}
	}
}

// goRaw writes a raw string (Go specification, String literals) of a text in
// which all characters show.
func goRaw(s string) string { return "`" + strings.ReplaceAll(s, "`", "` + \"`\" + `") + "`" }

// goQuote writes an interpreted string.
func goQuote(s string) string { return strconv.Quote(s) }
