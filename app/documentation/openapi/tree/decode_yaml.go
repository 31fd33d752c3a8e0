package tree

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// jsonNumber is the grammar of numbers in RFC 8259.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// yamlReader turns YAML nodes into ours: aliases expanded, merge keys merged.
type yamlReader struct {
	budget budget
	open   map[*yaml.Node]bool // anchors that are being expanded
}

// decodeYAML reads one YAML document. Duplicate keys, alias cycles and keys
// that are not scalars are refused.
func decodeYAML(data []byte) (*Node, error) {
	if separators(data) > MaxNodes {
		return nil, Invalid(1, 1, "the document has over %d values; split it into smaller documents", MaxNodes)
	}
	var root yaml.Node
	// The loader checks aliases only where it expands them, which it does not do
	// for nodes: they are counted below, as often as they are used.
	limits := loaderlimits.New(loaderlimits.DepthValue(maxDepth))
	if err := yaml.Load(data, &root, yaml.WithPlugin(limits)); err != nil {
		return nil, yamlFault(err)
	}
	r := &yamlReader{open: map[*yaml.Node]bool{}}
	return r.value(&root, 0)
}

// separators counts the characters that can separate values. This is a cheap
// upper bound for the values of a YAML document before it is decoded.
func separators(data []byte) int {
	n := 0
	for i, c := range data {
		switch c {
		case '\n', ',', '[', '{':
			n++
		case ':', '-', '?':
			if i+1 < len(data) && (data[i+1] == ' ' || data[i+1] == '\t') {
				n++
			}
		}
	}
	return n
}

// yamlFault words an error of the loader with its place.
func yamlFault(err error) error {
	var one *yaml.LoadError
	if errors.As(err, &one) {
		return Invalid(max(one.Mark.Line, 1), max(one.Mark.Column, 1), "this is not YAML: %s", one.Message)
	}
	return Invalid(1, 1, "this is not YAML: %s", err)
}

func (r *yamlReader) value(y *yaml.Node, depth int) (*Node, error) {
	switch y.Kind {
	case yaml.DocumentNode:
		if len(y.Content) == 1 {
			return r.value(y.Content[0], depth+1)
		}
		return nil, Invalid(1, 1, "the document is empty")
	case yaml.AliasNode:
		if r.open[y.Alias] {
			return nil, Invalid(y.Line, y.Column, "the alias *%.40s contains itself; write the value out", y.Value)
		}
		return r.value(y.Alias, depth)
	}
	if err := r.budget.spend(y.Line, y.Column, depth); err != nil {
		return nil, err
	}
	if y.Anchor != "" {
		r.open[y] = true
		defer delete(r.open, y)
	}
	n := &Node{Line: int32(y.Line), Column: int32(y.Column)}
	switch y.Kind {
	case yaml.MappingNode:
		return n, r.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.Kind = KindArray
		for _, c := range y.Content {
			item, err := r.value(c, depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
		return n, nil
	}
	return n, scalar(n, y)
}

func (r *yamlReader) mapping(n *Node, y *yaml.Node, depth int) error {
	n.Kind = KindObject
	seen := map[string]bool{}
	var merged []Member
	for i := 0; i+1 < len(y.Content); i += 2 {
		k := y.Content[i]
		if k.Kind == yaml.AliasNode {
			k = k.Alias
		}
		if k.Kind != yaml.ScalarNode {
			return Invalid(k.Line, k.Column, "a key is not plain text; use a string as the key")
		}
		value, err := r.value(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		if k.ShortTag() == "!!merge" {
			merged = append(merged, mergeMembers(value)...)
			continue
		}
		if seen[k.Value] {
			return Invalid(k.Line, k.Column, "the key %.80q appears twice in one object; keep one", k.Value)
		}
		seen[k.Value] = true
		if err := checkText(k.Line, k.Column, k.Value); err != nil {
			return err
		}
		n.Members = append(n.Members, Member{k.Value, value})
	}
	for _, m := range merged {
		if !seen[m.Key] {
			seen[m.Key] = true
			n.Members = append(n.Members, m)
		}
	}
	return nil
}

// mergeMembers returns the members that a merge key adds: the members of an object,
// or of each object of a list. The first object wins.
func mergeMembers(value *Node) []Member {
	list := value.Members
	for _, item := range value.Items {
		list = append(list, item.Members...)
	}
	return list
}

// scalar fills a node from a YAML scalar. Dates and unknown tags stay text.
func scalar(n *Node, y *yaml.Node) error {
	switch y.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if y.Load(&b) == nil {
			n.Kind, n.Text = KindBool, strconv.FormatBool(b)
			return nil
		}
	case "!!int", "!!float":
		if literal := jsonLiteral(y); literal != "" {
			n.Kind, n.Text = KindNumber, literal
			return checkNumber(y.Line, y.Column, literal)
		}
	}
	n.Kind, n.Text = KindString, y.Value
	return checkText(y.Line, y.Column, y.Value)
}

// jsonLiteral writes a YAML number as JSON does; "" for infinity and the like.
func jsonLiteral(y *yaml.Node) string {
	if jsonNumber.MatchString(y.Value) {
		return y.Value
	}
	if i, err := strconv.ParseInt(strings.ReplaceAll(y.Value, "_", ""), 0, 64); err == nil {
		return strconv.FormatInt(i, 10)
	}
	var f float64
	if y.Load(&f) != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return ""
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
