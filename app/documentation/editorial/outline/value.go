package outline

import (
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

func itoa(n int) string { return strconv.Itoa(n) }

// display writes a value for an input: a string as its text, others as JSON.
func display(n *tree.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Is(tree.KindString):
		return n.Text
	}
	return n.Pretty()
}

// anything is the type of a value that may become another kind of JSON.
const anything = "json"

// begins reports whether a text begins like an object or a list.
func begins(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// parse reads a value of a schema type. A value that was a string stays one.
func parse(text string, was *tree.Node, typ string) (*tree.Node, error) {
	isText := was.Is(tree.KindString) && (typ != anything || !begins(text) || begins(was.Text))
	if isText || typ == "string" {
		return tree.String(text), nil
	}
	list, err := tree.Read([]byte("[" + text + "\n]"))
	if err == nil && len(list.Items) == 1 {
		return list.Items[0], nil
	}
	if typ == "" && was == nil && !strings.ContainsAny(strings.TrimSpace(text), "{[\"") {
		return tree.String(text), nil
	}
	if err == nil {
		return nil, fault.New(fault.Invalid, "Enter one JSON value.")
	}
	return nil, fault.New(fault.Invalid, "%s", withinBrackets(err))
}

// withinBrackets words an error of a text that was read within a bracket: the
// columns of its first line are one less.
func withinBrackets(err error) string {
	message := err.Error()
	if f := fault.As(err); f != nil {
		message = f.Message
	}
	rest, ok := strings.CutPrefix(message, "Line 1, column ")
	if !ok {
		return message
	}
	digits, text, _ := strings.Cut(rest, ":")
	column, err := strconv.Atoi(digits)
	if err != nil {
		return message
	}
	return "Line 1, column " + itoa(max(column-1, 1)) + ":" + text
}

// setText writes a string member, which an empty text removes.
func setText(n *tree.Node, key string) func(string) error {
	return func(text string) error {
		if text == "" {
			n.Remove(key)
		} else {
			n.Set(key, tree.String(text))
		}
		return nil
	}
}

// setCheck writes a member that is true or missing.
func setCheck(n *tree.Node, key string) func(string) error {
	return func(text string) error {
		if text == "" {
			n.Remove(key)
		} else {
			n.Set(key, tree.Bool(true))
		}
		return nil
	}
}

// setValue writes a member of any type, which an empty text removes.
func setValue(n *tree.Node, key string, typ func() string) func(string) error {
	return func(text string) error {
		if text == "" {
			n.Remove(key)
			return nil
		}
		value, err := parse(text, n.Get(key), typ())
		if err == nil {
			n.Set(key, value)
		}
		return err
	}
}

// typeOf returns the type of a schema in words.
func typeOf(n *tree.Node) string {
	t := n.Get("type")
	if t.Is(tree.KindArray) {
		return strings.Join(tree.Texts(t.Items), ", ")
	}
	return t.Display()
}

var types = []string{"", "string", "integer", "number", "boolean", "object", "array", "null"}

// setType writes the type of a schema: one, or several with commas.
func setType(n *tree.Node) func(string) error {
	return func(text string) error {
		parts := strings.Split(text, ", ")
		switch {
		case text == "":
			n.Remove("type")
		case len(parts) == 1:
			n.Set("type", tree.String(text))
		default:
			list := tree.Array()
			for _, p := range parts {
				list.Items = append(list.Items, tree.String(p))
			}
			n.Set("type", list)
		}
		return nil
	}
}

// withOption returns options with the current one among them.
func withOption(options []string, value string) []string {
	if slices.Contains(options, value) {
		return options
	}
	return append(slices.Clone(options), value)
}

// enum writes the allowed values of a schema, each on a line. ok is false where
// lines cannot hold them.
func enum(n *tree.Node) (text string, ok bool) {
	list := n.Get("enum")
	if list != nil && !list.Is(tree.KindArray) {
		return "", false
	}
	var lines []string
	for _, item := range n.List("enum") {
		line := item.Display()
		if strings.ContainsAny(line, "\r\n") || line == "" || line != strings.TrimSpace(line) {
			return "", false
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), true
}

func setEnum(n *tree.Node) func(string) error {
	return func(text string) error {
		was := n.List("enum")
		list := tree.Array()
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if i := slices.IndexFunc(was, func(o *tree.Node) bool { return o.Display() == line }); i >= 0 {
				list.Items = append(list.Items, was[i])
				continue
			}
			typ := typeOf(n)
			if typ == "" && (len(was) == 0 || was[0].Is(tree.KindString)) {
				typ = "string"
			}
			value, err := parse(line, nil, typ)
			if err != nil {
				return fault.New(fault.Invalid, "%q is no %s.", line, typ)
			}
			list.Items = append(list.Items, value)
		}
		if len(list.Items) == 0 {
			n.Remove("enum")
		} else {
			n.Set("enum", list)
		}
		return nil
	}
}
