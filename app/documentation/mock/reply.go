package mock

import (
	"cmp"
	"math/rand/v2"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/lists"
)

// reply makes the answer to a valid request. An example that a rule of the
// document chose is given by its name.
func (op *operation) reply(r validate.Request, p preferences, to target, ruled string) *answer {
	a := &answer{Status: to.status, Rule: ruleEmpty, Header: to.header}
	if len(to.contents) == 0 || !mayHaveBody(to.status) {
		return a
	}
	wanted := cmp.Or(p.example, ruled)
	c := negotiate(to.contents, r.Header, wanted)
	if c == nil && to.status >= http.StatusBadRequest {
		c = to.contents[0] // an error is better than none (RFC 9110, section 12.5.1)
	}
	if c == nil {
		names := lists.Map(to.contents, func(c *form) string { return c.name })
		return refusal(kindAccept, http.StatusNotAcceptable, "The response has none of the types in Accept. Documented: "+words(names)+".",
			detail{Location: "header", Name: "Accept", Code: "accept", Message: "Accept one of " + words(names) + "."})
	}
	if p.example != "" && c.example(p.example) == nil {
		return refusal(kindAccept, http.StatusNotAcceptable, "The example "+shorten(p.example)+" has none of the types in Accept.",
			detail{Location: "header", Name: "Accept", Code: "accept", Message: "Accept the type of the example."})
	}
	a.Header = c.headerFor(r.Header)
	seed := p.seed
	if p.isDynamic && seed == "" {
		seed = strconv.FormatUint(rand.Uint64()>>32, 36)
	}
	var shown *tree.Node
	switch e := op.pick(a, r, p, c, ruled); {
	case e != nil:
		a.Example, a.Body, shown = e.name, e.body, e.node
	case c.kind == media.Binary:
		a.Rule, a.Body = ruleSchema, sampleFile(c.header.Get("Content-Type"))
	default:
		if p.isDynamic {
			a.Rule, a.Seed = ruleDynamic, seed
		} else {
			a.Rule = ruleSchema
		}
		shown = op.sample(to, c, seed)
		a.Body = c.encode(shown)
	}
	if p.shape != "" && shown != nil {
		if shaped, ok := reshape(shown, c.schema, p, r); ok {
			shown = shaped
			a.Body = c.encode(shaped)
		}
	}
	a.form, a.shown = c, shown
	return a
}

// mayHaveBody reports whether responses with a status have content (RFC 9110).
func mayHaveBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusResetContent && status != http.StatusNotModified
}

// pick picks an example and says in the answer which rule did. It returns nil
// where a value must be sampled.
func (op *operation) pick(a *answer, r validate.Request, p preferences, c *form, ruled string) *example {
	switch {
	case p.example != "":
		a.Rule = rulePrefer
		return c.example(p.example)
	case p.isDynamic && c.schema.Exists() && c.kind != media.Binary:
		return nil
	case ruled != "":
		a.Rule = ruleMock
		return c.example(ruled)
	case len(c.examples) == 0:
		return nil
	}
	a.Rule = ruleFirst
	if len(op.variants) == 0 || a.Status >= http.StatusMultipleChoices {
		return c.examples[0]
	}
	names := make([]string, 0, len(c.examples))
	for _, e := range c.examples {
		names = append(names, e.name)
	}
	if v, rule := op.fit(r, names); v != nil {
		a.Variant, a.Rule = v.name, rule
		return c.example(v.name)
	}
	return c.examples[0]
}

// negotiate picks the content that the header Accept prefers. Among those that it
// likes alike, one with the wanted example comes first, then the first of the
// document. It returns nil where none is acceptable.
func negotiate(list []*form, header http.Header, wanted string) *form {
	accept := strings.Join(header["Accept"], ",")
	var best *form
	most := 0.
	for _, c := range list {
		q := quality(accept, c.name)
		if q > 0 && wanted != "" && c.example(wanted) != nil {
			q += 2 // a name that was asked for decides
		}
		if q > most {
			best, most = c, q
		}
	}
	return best
}

// sampleFile returns bytes that stand for a file of a type.
func sampleFile(contentType string) []byte {
	if strings.HasPrefix(contentType, "image/png") {
		return pixel
	}
	return []byte("A file of the mock server.\n")
}

// encode writes a value. Without one, a JSON body is an empty object.
func (c *form) encode(v *tree.Node) []byte {
	if v == nil {
		if c.kind == media.JSON {
			return []byte("{}")
		}
		return nil
	}
	return encode(v, c.name, c.schema)
}

// headerFor returns the header of the response for a request. A documented range
// such as image/* becomes the type that the request accepts.
func (c *form) headerFor(sent http.Header) http.Header {
	main, isRange := strings.CutSuffix(c.name, "*")
	if !isRange {
		return c.header
	}
	for item := range strings.SplitSeq(strings.Join(sent["Accept"], ","), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(item), ";")
		t, _, err := mime.ParseMediaType(name)
		if err == nil && !strings.Contains(t, "*") && (main == "*/" || strings.HasPrefix(t, main)) {
			return withType(c.header, t)
		}
	}
	return c.header
}
