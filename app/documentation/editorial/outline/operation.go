package outline

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// The choices of authentication beside the names of schemes.
const (
	inherited = "As the version says"
	open      = "None"
	special   = "Other, see the source"
)

// operationRows makes the rows of an operation.
type operationRows struct{ contentRows }

// settings outlines what is said of the operation as a whole.
func (o operationRows) settings() *Row {
	r := &Row{Title: "Settings", IsGroup: true}
	chosen := auth(o.Root, inherited)
	options := append([]string{inherited, open}, o.sources.Schemes...)
	o.input(r, "", Input{Name: "security", Label: "Authentication", Type: choiceInput, Value: chosen, Options: withOption(options, chosen), set: setAuth(o.Root, o.sources.Schemes, inherited)})
	deprecated := ""
	if o.Root.True("deprecated") {
		deprecated = "true"
	}
	o.input(r, "", Input{Name: "deprecated", Label: "Deprecated", Type: checkInput, Value: deprecated, set: setCheck(o.Root, "deprecated")})
	return r
}

// auth returns the choice of authentication. None is what it is called where nothing
// is said.
func auth(root *tree.Node, none string) string {
	security := root.Get("security")
	switch {
	case security == nil:
		return none
	case security.Is(tree.KindArray) && len(security.Items) == 0:
		return open
	case len(security.Elements()) == 1 && len(security.Items[0].Members) == 1 && len(security.Items[0].Members[0].Value.Items) == 0:
		return security.Items[0].Members[0].Key
	}
	return special
}

func setAuth(root *tree.Node, schemes []string, none string) func(string) error {
	return func(choice string) error {
		switch {
		case choice == none:
			root.Remove("security")
		case choice == open:
			root.Set("security", tree.Array())
		case slices.Contains(schemes, choice):
			root.Set("security", tree.Array(tree.Object(tree.Member{Key: choice, Value: tree.Array()})))
		default:
			return fault.New(fault.Invalid, "Choose one of the list.")
		}
		return nil
	}
}

func (o operationRows) body() *Row {
	n := o.Root.Get("requestBody")
	r := &Row{At: "/requestBody", Title: "Body", IsGroup: true}
	switch {
	case n == nil:
		o.action(r, "body", "Add a body", func() *tree.Node {
			schema := tree.Object(tree.Member{Key: "type", Value: tree.String("object")})
			media := tree.Object(tree.Member{Key: "schema", Value: schema})
			o.Root.Set("requestBody", tree.Object(tree.Member{Key: "required", Value: tree.Bool(true)},
				tree.Member{Key: "content", Value: tree.Object(tree.Member{Key: "application/json", Value: media})}))
			return schema // opens the row that fields are added to
		})
	case n.Get("$ref") != nil || !n.Is(tree.KindObject):
		r.Note, r.IsShared = "shared", true
	default:
		required := ""
		if n.True("required") {
			required = "true"
		}
		o.input(r, r.At, Input{Name: "required", Label: "A body is required", Type: checkInput, Value: required, set: setCheck(n, "required")})
		o.input(r, r.At, Input{Name: "description", Label: "Description", Hint: "Markdown.", Type: Markdown, Value: n.Str("description"), set: setText(n, "description")})
		o.contents(r, n)
		o.action(r, "delete", "Delete the body", func() *tree.Node { o.Root.Remove("requestBody"); return nil })
	}
	return r
}

var status = regexp.MustCompile(`^([1-5]([0-9]{2}|XX)|default)$`)

func checkStatus(code string) string {
	if status.MatchString(code) {
		return ""
	}
	return "Enter a status such as 200, 4XX or default."
}

func (o operationRows) responses() *Row {
	list := o.Root.Get("responses")
	r := &Row{At: "/responses", Title: "Responses", IsGroup: true}
	if list.Is(tree.KindObject) {
		for _, v := range list.Members {
			if strings.HasPrefix(v.Key, "x-") {
				continue
			}
			row := o.row(below(r.At, v.Key), v.Key)
			if row == nil {
				break
			}
			o.response(row, &member{list, v.Value, nil})
			r.Rows = append(r.Rows, row)
		}
	}
	o.action(r, "response", "Add a status", func() *tree.Node {
		if !list.Is(tree.KindObject) {
			list = tree.Object()
			o.Root.Set("responses", list)
		}
		code := 200
		for _, next := range []int{200, 400, 401, 403, 404, 409, 422, 429, 500, 503} {
			if code = next; list.Get(itoa(next)) == nil {
				break
			}
		}
		for ; list.Get(itoa(code)) != nil; code++ {
			continue
		}
		added := tree.Object(tree.Member{Key: "description", Value: tree.String(http.StatusText(code))})
		list.Append(itoa(code), added)
		return added
	})
	return r
}

func (o operationRows) response(r *Row, m *member) {
	n := m.value
	if code, err := strconv.Atoi(r.Title); err == nil {
		r.Note = http.StatusText(code)
	}
	o.input(r, r.At, Input{Name: "code", Label: "Status", Type: lineInput, Value: r.Title, set: m.rename(checkStatus)})
	name, isShared := strings.CutPrefix(n.Str("$ref"), responseRef)
	name = tree.Tokens("/" + tree.Unescape(name))[0]
	if isShared || n.Is(tree.KindObject) && n.Get("$ref") == nil && len(o.sources.Responses) > 0 {
		chosen := owned
		if isShared {
			chosen = name
		}
		o.input(r, r.At, Input{
			Name:    "shared",
			Label:   "Answer",
			Hint:    "A shared answer is written once, in the version.",
			Type:    choiceInput,
			Value:   chosen,
			Options: withOption(append([]string{owned}, o.sources.Responses...), chosen),
			set:     setShared(n, r.Note),
		})
	}
	if n.Get("$ref") != nil || !n.Is(tree.KindObject) {
		r.Note, r.IsShared = strings.TrimSpace(name+", shared"), true
	} else {
		o.input(r, r.At, Input{Name: "description", Label: "Description", Hint: "Markdown.", Type: Markdown, Value: n.Str("description"), set: setDescription(n)})
		o.contents(r, n)
	}
	o.moves(r, m)
}
