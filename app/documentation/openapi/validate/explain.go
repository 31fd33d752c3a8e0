package validate

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"heliograph/app/documentation/openapi/tree"
)

// check reports the problems of a value. The problem given holds its place.
func (c *checker) check(value any, at Problem, found *report) {
	if c == nil || c.schema == nil {
		return
	}
	work, ok := c.fits(value, found.limits.Work)
	found.work += work
	if !ok {
		at.Code, at.Message = "work", "Send fewer or less deeply nested values. Checking these takes too long."
		found.add(at)
		return
	}
	var invalid *jsonschema.ValidationError
	if errors.As(c.schema.Validate(value), &invalid) {
		e := &explainer{checker: c, at: at, found: found, value: value}
		e.collect(invalid)
	}
}

// explainer turns validation errors into problems.
type explainer struct {
	*checker
	at    Problem
	found *report
	value any
}

// collect reports the leaves of an error, which are the ones that explain it.
func (e *explainer) collect(err *jsonschema.ValidationError) {
	switch k := err.ErrorKind.(type) {
	case *kind.AnyOf:
		if best := e.branch(err); best != nil {
			e.collect(best)
			return
		}
	case *kind.OneOf:
		if best := e.branch(err); best != nil && len(k.Subschemas) == 0 {
			e.collect(best)
			return
		}
	case *kind.Contains, *kind.MinContains, *kind.PropertyNames:
		e.leaf(err)
		return
	}
	if len(err.Causes) == 0 {
		e.leaf(err)
	}
	for _, cause := range err.Causes {
		e.collect(cause)
	}
}

// leaf reports one error.
func (e *explainer) leaf(err *jsonschema.ValidationError) {
	at := err.InstanceLocation
	add := func(tokens []string, code, message string) {
		p := e.at
		p.Pointer, p.Code, p.Message = pointer(tokens), code, message
		e.found.add(p)
	}
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			add(at, "required", "Add the member "+shorten(name)+".")
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			add(append(slices.Clone(at), name), "additionalProperties", "Remove this member. It is not documented.")
		}
	case *kind.FalseSchema:
		place := pointerOf(err.SchemaURL)
		if name, ok := e.forbidden[place]; ok {
			word, reason := e.refusal()
			add(append(slices.Clone(at), name), word, reason)
			return
		}
		code, message := falseSchema(place)
		add(at, code, message)
	default:
		code, message := explain(err.ErrorKind)
		add(at, code, message)
	}
}

func (e *explainer) refusal() (code, message string) {
	if e.checker.word == "readOnly" {
		return "readOnly", "Remove this member. It is read-only."
	}
	return "writeOnly", "Remove this member. It is write-only."
}

// pointerOf returns the pointer of a schema's address.
func pointerOf(address string) string {
	_, text, _ := strings.Cut(address, "#")
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// falseSchema explains a value that no schema allows, by the place of the
// schema false.
func falseSchema(place string) (code, message string) {
	tokens := tree.Tokens(place)
	last := tokens[max(len(tokens)-1, 0):]
	switch {
	case slices.Equal(last, []string{"unevaluatedProperties"}):
		return last[0], "Remove this member. It is not documented."
	case slices.Equal(last, []string{"unevaluatedItems"}), slices.Equal(last, []string{"items"}):
		return last[0], "Remove this item. The array has too many."
	case len(tokens) > 1 && tokens[len(tokens)-2] == "dependentSchemas":
		return "dependentSchemas", "Remove the member " + shorten(last[0]) + "."
	}
	return "false", "Remove this value. None is allowed here."
}

// branch returns the error of the variant that was meant: the one that the
// discriminator names, or else the one that fits best.
func (e *explainer) branch(err *jsonschema.ValidationError) *jsonschema.ValidationError {
	if d := e.discriminators[pointerOf(err.SchemaURL)]; d != nil {
		if i := d.variant(valueAt(e.value, err.InstanceLocation), len(err.Causes)); i >= 0 {
			return err.Causes[i]
		}
	}
	var best *jsonschema.ValidationError
	var least []int
	for _, cause := range err.Causes {
		m := misfit(cause, len(err.InstanceLocation))
		if best == nil || slices.Compare(m, least) < 0 {
			best, least = cause, m
		}
	}
	return best
}

// misfit orders variants: a wrong type of the value itself is worst, then a
// wrong constant in a member, then an error that lies high, then many errors.
func misfit(err *jsonschema.ValidationError, level int) []int {
	m := make([]int, 4)
	var visit func(*jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		depth := len(e.InstanceLocation) - level
		if len(e.Causes) == 0 {
			m[2] = min(m[2], -depth)
			m[3]++
			switch e.ErrorKind.(type) {
			case *kind.Type:
				if depth == 0 {
					m[0] = 1
				}
			case *kind.Const, *kind.Enum:
				if depth <= 1 {
					m[1] = 1
				}
			}
		}
		for _, cause := range e.Causes {
			visit(cause)
		}
	}
	visit(err)
	return m
}

// pointer writes a JSON pointer (RFC 6901).
func pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteString("/" + tree.Escape(token))
	}
	return b.String()
}
