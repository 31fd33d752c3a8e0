package mock

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/lists"
)

// operation is an operation of the document. Its parts are compiled when it is
// first asked for.
type operation struct {
	engine *engine
	placed openapi.Placed
	graph  graph.Operation

	once         sync.Once
	responses    []*response
	isDeprecated bool
	invalid      int // status of an invalid request
	alternatives [][]credential
	challenge    string
	variants     []*variant
	property     string // of the body's discriminator, empty without one
	rules        []rule
	isOff        bool // a part of the request is not validated
}

// compile compiles the parts of the operation at the first call.
func (op *operation) compile() {
	op.once.Do(func() {
		op.isDeprecated = op.graph.Deprecated()
		op.invalid = http.StatusUnprocessableEntity
		names := []string{}
		for _, r := range op.graph.Responses() {
			names = append(names, r.Name)
			op.responses = append(op.responses, newResponse(r.Name, r.Value))
		}
		if !slices.Contains(names, "422") && slices.Contains(names, "400") {
			op.invalid = http.StatusBadRequest
		}
		op.compileSecurity()
		op.variants = newVariants(op.graph)
		op.property = discriminatorOf(op.graph)
		op.rules = readRules(op.graph.Node().Get("x-mock"))
		warnings, err := op.engine.validator.Warnings(op.placed.ID)
		op.isOff = err != nil || slices.ContainsFunc(warnings, func(w validate.Warning) bool { return strings.HasPrefix(w.Message, "The schema is not checked") })
	})
}

// choose picks the operation of a request among variants that share its path.
func choose(list []*operation, r validate.Request) *operation {
	if len(list) == 1 {
		return list[0]
	}
	for _, op := range list {
		if op.hasExamplePath(r.Path) {
			return op
		}
	}
	sent, _ := url.ParseQuery(r.Query) // what cannot be read names nothing
	best, most := list[0], 0
	for _, op := range list {
		n := 0
		for _, p := range op.graph.Parameters() {
			if p.In() == "query" && sent.Has(p.Name()) {
				n++
			}
		}
		if n > most {
			best, most = op, n
		}
	}
	if most > 0 {
		return best
	}
	for _, op := range list {
		if problems, err := op.engine.validator.Request(op.placed.ID, r); err == nil && len(problems) == 0 {
			return op
		}
	}
	return list[0]
}

// hasExamplePath reports whether the values of a path are the examples of its
// parameters.
func (op *operation) hasExamplePath(values map[string]string) bool {
	names := newTemplate(op.placed.Route).names
	own := newTemplate(op.placed.Path).names
	for _, p := range op.graph.Parameters() {
		if p.In() != "path" {
			continue
		}
		name := p.Name()
		if i := slices.Index(own, name); i >= 0 && i < len(names) && !slices.Contains(names, name) {
			name = names[i] // a variant names it as in its own path
		}
		value, err := url.PathUnescape(values[name])
		if err != nil || !slices.Contains(exampleTexts(p), value) {
			return false
		}
	}
	return len(names) > 0
}

// exampleTexts lists the examples of a parameter and of its schema.
func exampleTexts(p graph.Parameter) (list []string) {
	for _, e := range p.Examples() {
		list = append(list, e.Value.Value().Display())
	}
	for _, n := range p.Schema().Examples() {
		list = append(list, n.Display())
	}
	return list
}

// target is the response that a request gets.
type target struct {
	*response
	status int
}

// answer answers a request to the operation.
func (op *operation) answer(r validate.Request, p preferences) *answer {
	to, refused := op.target(p.code, p.example)
	if refused != nil {
		return refused
	}
	isChecked := false
	if to.status < http.StatusBadRequest {
		if refused := op.check(r); refused != nil {
			return refused
		}
		isChecked = !op.isOff
	}
	ruled := ""
	if p.code == 0 && p.example == "" {
		if rule := op.rule(r); rule != nil {
			if ruledTo, refused := op.target(rule.code, rule.example); refused == nil {
				to, ruled = ruledTo, rule.example
			}
		}
	}
	a := op.reply(r, p, to, ruled)
	a.IsChecked = isChecked
	return a
}

// target finds the response of a status and of the name of an example. Zero
// values leave the choice to the document: the lowest success.
func (op *operation) target(code int, example string) (target, *answer) {
	var candidates []target
	if code != 0 {
		if r := op.responseOf(code); r != nil {
			candidates = append(candidates, target{r, code})
		} else {
			return target{}, refusal(kindUndefined, http.StatusNotFound, "The operation documents no response "+strconv.Itoa(code)+". Documented: "+words(op.statuses())+".")
		}
	} else {
		candidates = op.targets()
	}
	if len(candidates) == 0 {
		return target{}, refusal(kindUndefined, http.StatusInternalServerError, "The operation documents no response.")
	}
	if example == "" {
		return candidates[0], nil
	}
	for _, to := range candidates {
		if to.has(example) {
			return to, nil
		}
	}
	return target{}, op.missingExample(code, example, candidates)
}

func (op *operation) missingExample(code int, example string, candidates []target) *answer {
	var known []string
	for _, to := range candidates {
		for _, name := range to.names() {
			if !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
	}
	place := "The operation"
	if code != 0 {
		place = "The response " + strconv.Itoa(code)
	}
	detail := place + " has no example " + shorten(example) + "."
	if len(known) > 0 {
		detail += " Documented: " + words(known) + "."
	}
	return refusal(kindUndefined, http.StatusNotFound, detail)
}

// responseOf returns what is documented for a status: the status itself, its
// range, or the default.
func (op *operation) responseOf(code int) *response {
	text := strconv.Itoa(code)
	for _, key := range []string{text, text[:1] + "XX", "default"} {
		for _, r := range op.responses {
			if strings.EqualFold(r.key, key) {
				return r
			}
		}
	}
	return nil
}

func (op *operation) statuses() (list []string) {
	return lists.Map(op.responses, func(r *response) string { return r.key })
}

// targets lists the documented responses, successes first, each with the status
// that stands for it.
func (op *operation) targets() (list []target) {
	for _, r := range op.responses {
		switch code, err := strconv.Atoi(r.key); {
		case err == nil && code >= 200 && code <= 599:
			list = append(list, target{r, code})
		case len(r.key) == 3 && strings.EqualFold(r.key[1:], "xx") && r.key[0] >= '2' && r.key[0] <= '5':
			list = append(list, target{r, int(r.key[0]-'0') * 100})
		}
	}
	slices.SortStableFunc(list, func(a, b target) int { return a.status - b.status })
	for _, r := range op.responses {
		if !strings.EqualFold(r.key, "default") {
			continue
		}
		if len(list) == 0 || list[0].status >= 300 {
			list = append([]target{{r, http.StatusOK}}, list...)
		} else {
			list = append(list, target{r, http.StatusInternalServerError})
		}
	}
	return list
}

// check validates a request. It returns nil for a valid one.
func (op *operation) check(r validate.Request) *answer {
	if missing := op.missingCredentials(r); len(missing) > 0 {
		a := refusal(kindCredentials, http.StatusUnauthorized, "The operation needs credentials. Any value will do here, such as a placeholder. "+missing[0].Message, missing...)
		a.Header = http.Header{"Content-Type": {problemType}, "Www-Authenticate": {op.challenge}}
		return a
	}
	problems, err := op.engine.validator.Request(op.placed.ID, r)
	if err != nil || len(problems) == 0 {
		return nil // every operation of the document is known to the validator
	}
	status, kind := op.invalid, kindInvalid
	for _, p := range problems {
		switch {
		case p.Location == validate.Header && p.Name == "Content-Type":
			status, kind = http.StatusUnsupportedMediaType, kindMedia
		case p.Location == validate.Body && p.Code == "size":
			status, kind = http.StatusRequestEntityTooLarge, kindTooLarge
		}
	}
	list := details(problems)
	detail := list[0].Message
	if n := len(list); n > 1 {
		detail = strconv.Itoa(n) + " places of the request must change. The first: " + detail
	}
	return refusal(kind, status, detail, list...)
}

// fail answers a request that asked for a status with a probability: with the
// documented response, else with a problem. It returns nil for one that goes
// well.
func (op *operation) fail(r validate.Request, p preferences) *answer {
	if p.fault.kind != faultStatus || rand.Float64() >= p.fault.chance {
		return nil
	}
	if documented := op.responseOf(p.fault.status); documented != nil {
		return op.reply(r, preferences{}, target{documented, p.fault.status}, "")
	}
	return refusal(kindFault, p.fault.status, "The request asked for this failure.")
}
