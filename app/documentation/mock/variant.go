package mock

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strconv"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
)

// variant is a kind of request that has a name: the name of an example of its body,
// or of its parameters.
type variant struct {
	name   string
	leaves leaves
}

// leaves are the texts of the values without members, by their place: the
// pointer of a body, or the name of a parameter.
type leaves map[string]string

// mostLeaves bounds the values of a request that are compared.
const mostLeaves = 2_000

// newVariants lists the kinds of requests that an operation has examples of.
func newVariants(op graph.Operation) (list []*variant) {
	at := func(name string) *variant {
		for _, v := range list {
			if v.name == name {
				return v
			}
		}
		list = append(list, &variant{name: name, leaves: leaves{}})
		return list[len(list)-1]
	}
	for _, m := range op.Body().Content() {
		for _, e := range m.Value.Examples() {
			if n := e.Value.Value(); n != nil && e.Name != "" {
				if v := at(e.Name); len(v.leaves) == 0 {
					v.leaves.add("", plainOf(n, m.Name))
				}
			}
		}
	}
	for _, p := range op.Parameters() {
		for _, e := range p.Examples() {
			if n := e.Value.Value(); n != nil && e.Name != "" {
				at(e.Name).leaves.add(p.In()+"."+p.Name(), n.Display())
			}
		}
	}
	return list
}

// plainOf returns the value of an example of a body. A JSON document may be
// written as text.
func plainOf(n *tree.Node, contentType string) any {
	if n.Is(tree.KindString) && media.KindOf(contentType) == media.JSON {
		if read, err := tree.Read([]byte(n.Text)); err == nil {
			return read.Plain()
		}
	}
	return n.Plain()
}

// add adds the leaves of a value.
func (l leaves) add(place string, value any) {
	if len(l) >= mostLeaves {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			l.add(place+"/"+tree.Escape(name), member)
		}
	case []any:
		for i, item := range v {
			l.add(place+"/"+strconv.Itoa(i), item)
		}
	case string:
		l[place] = v
	case json.Number:
		l[place] = v.String()
	case bool:
		l[place] = strconv.FormatBool(v)
	case nil:
		l[place] = "null"
	}
}

// leavesOf returns the leaves of a request.
func leavesOf(r validate.Request, hasParameters bool) leaves {
	l := leaves{}
	if hasParameters {
		query, _ := url.ParseQuery(r.Query) // a valid request has been read already
		for name, values := range query {
			l["query."+name] = values[0]
		}
		for name, value := range r.Path {
			if plain, err := url.PathUnescape(value); err == nil {
				l["path."+name] = plain
			}
		}
	}
	if len(r.Body) > 0 {
		l.add("", bodyOf(r))
	}
	return l
}

// bodyOf reads the body of a request, nil for one without members.
func bodyOf(r validate.Request) any {
	contentType := r.Header.Get("Content-Type")
	switch media.KindOf(contentType) {
	case media.JSON:
		d := json.NewDecoder(bytes.NewReader(r.Body))
		d.UseNumber()
		var value any
		if d.Decode(&value) != nil {
			return nil
		}
		return value
	case media.Form:
		form, _ := url.ParseQuery(string(r.Body)) // what can be read
		return membersOf(form)
	case media.Multipart:
		return partsOf(contentType, r.Body)
	}
	return nil
}

func membersOf(form url.Values) map[string]any {
	made := map[string]any{}
	for name, values := range form {
		made[name] = values[0]
	}
	return made
}

// partsOf reads the fields of a multipart body, and the names of its files.
func partsOf(contentType string, body []byte) any {
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || parameters["boundary"] == "" {
		return nil
	}
	made := map[string]any{}
	reader := multipart.NewReader(bytes.NewReader(body), parameters["boundary"])
	for range mostLeaves {
		part, err := reader.NextPart()
		if err != nil {
			break
		}
		if part.FileName() != "" {
			made[part.FormName()] = part.FileName()
			continue
		}
		text, err := io.ReadAll(io.LimitReader(part, 4<<10))
		if err != nil {
			break
		}
		made[part.FormName()] = string(text)
	}
	return made
}

// fit returns the variant that a request resembles most among those with the
// names, and the rule that found it. It returns nil where there is none.
func (op *operation) fit(r validate.Request, names []string) (*variant, string) {
	candidates := slices.DeleteFunc(slices.Clone(op.variants), func(v *variant) bool { return !slices.Contains(names, v.name) })
	if len(candidates) == 0 {
		return nil, ""
	}
	hasParameters := slices.ContainsFunc(candidates, func(v *variant) bool {
		for place := range v.leaves {
			if place != "" && place[0] != '/' {
				return true
			}
		}
		return false
	})
	sent := leavesOf(r, hasParameters)
	if len(sent) == 0 {
		return nil, ""
	}
	rule := ruleFit
	if op.property != "" {
		place := "/" + tree.Escape(op.property)
		same := slices.DeleteFunc(slices.Clone(candidates), func(v *variant) bool { return v.leaves[place] != sent[place] })
		if _, ok := sent[place]; ok && len(same) > 0 {
			candidates, rule = same, ruleDiscriminator
		}
	}
	var best *variant
	most := 0.
	for _, v := range candidates {
		if score := v.leaves.resemble(sent); best == nil || score > most {
			best, most = v, score
		}
	}
	return best, rule
}

// resemble scores how much a request has in common with an example. Values near
// the root count more, and words that look like names count more than texts,
// since they tell kinds apart.
func (l leaves) resemble(sent leaves) float64 {
	score := 0.
	for place, value := range l {
		weight := 1 / float64(1+depth(place))
		got, ok := sent[place]
		switch {
		case !ok:
			score -= weight
		case got != value && isName(value):
			score -= weight / 4
		case got != value:
			score += weight / 4
		case isName(value):
			score += 2 * weight
		default:
			score += weight
		}
	}
	for place := range sent {
		if _, ok := l[place]; !ok {
			score -= 1 / float64(1+depth(place))
		}
	}
	return score
}

func depth(place string) int {
	n := 0
	for i := range len(place) {
		if place[i] == '/' {
			n++
		}
	}
	return n
}

// isName reports whether a text looks like a value of an enumeration.
func isName(text string) bool {
	if text == "" || len(text) > 40 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if c != '_' && c != '-' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return true
}
