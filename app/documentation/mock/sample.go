package mock

import (
	"net/http"
	"slices"
	"strconv"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/sampling"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
)

// mostSamples is how many values are made until one is valid, and mostSteps how many
// steps that may take: applications of schemas to check values, and looks at schemas to
// make others. Making the first one has a budget of its own, so that it is whole.
const (
	mostSamples = 12
	mostSteps   = 40_000
)

// sampled returns a value of a schema that need not be valid in every detail.
func sampled(schema graph.Schema, seed string) *tree.Node {
	if !schema.Exists() {
		return nil
	}
	return sampling.Value(schema, sampling.Options{Seed: seed})
}

// sample returns a body from the schema of a response, the same for the same
// seed: the first value that is valid, else the first one made.
func (op *operation) sample(to target, c *form, seed string) *tree.Node {
	if !c.schema.Exists() {
		return nil
	}
	if seed != "" {
		return op.makeSample(to, c, seed)
	}
	c.once.Do(func() { c.sampled = op.makeSample(to, c, "") })
	return c.sampled
}

func (op *operation) makeSample(to target, c *form, seed string) *tree.Node {
	v, _ := op.trySamples(to, c, seed)
	return v
}

// trySamples makes a sample and returns how many steps it has taken.
func (op *operation) trySamples(to target, c *form, seed string) (first *tree.Node, steps int) {
	left := mostSteps
	header := http.Header{"Content-Type": c.header["Content-Type"]}
	for i := range mostSamples {
		o := sampling.Options{Seed: seed, NoExamples: i >= mostSamples/2}
		if i > 0 {
			o.Seed, o.Steps = o.Seed+"#"+strconv.Itoa(i), &left
		}
		v := sampling.Value(c.schema, o)
		if left == 0 {
			break // it is not whole
		}
		problems, err := op.engine.validator.ResponseWithin(op.placed.ID, to.status, header, c.encode(v), &left)
		if err != nil || !slices.ContainsFunc(problems, func(p validate.Problem) bool { return p.Location == validate.Body }) {
			return v, mostSteps - left
		}
		if first == nil {
			first = v
		}
		if slices.ContainsFunc(problems, func(p validate.Problem) bool { return p.Code == "work" }) {
			break // nor can others be checked
		}
	}
	return first, mostSteps - left
}
