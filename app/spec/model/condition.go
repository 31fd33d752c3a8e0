package model

import (
	"fmt"
	"slices"
	"strings"

	"heliograph/app/spec/naming"
	"heliograph/app/spec/tree"
)

// conditional are the keywords that narrow a schema by another one. They are
// described in words, since several of them may apply to one value.
var conditional = []string{
	"not", "if", "then", "else", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "contains", "minContains", "maxContains",
}

// conditions describes the conditional keywords of a schema.
func (f *flattener) conditions(n *tree.Node) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if names := n.Get("propertyNames"); names != nil {
		if rules := f.rules(names); rules != "" {
			add("each key: %s", rules)
		}
	}
	if items := n.Get("contains"); items != nil {
		least, most := n.Get("minContains").Display(), n.Get("maxContains").Display()
		if least == "" {
			least = "1"
		}
		if count := amount(least, most, "item"); count != "" {
			add("%s of the form: %s", count, f.form(items))
		}
	}
	if not := n.Get("not"); not != nil {
		add("%s", f.negation(not))
	}
	if condition := n.Get("if"); condition != nil {
		list = append(list, f.branches(condition, n.Get("then"), n.Get("else"))...)
	}
	for _, m := range n.Entries("dependentSchemas") {
		add("with %s: %s", m.Key, f.form(m.Value))
	}
	if isFalse(n.Get("unevaluatedProperties")) {
		add("no other members")
	}
	if isFalse(n.Get("unevaluatedItems")) {
		add("no other items")
	}
	return list
}

func isFalse(n *tree.Node) bool { return n.Is(tree.KindBool) && n.Text == "false" }

// branches describes what applies where a condition holds, and where it does
// not.
func (f *flattener) branches(condition, then, otherwise *tree.Node) (list []string) {
	when := f.rulesOf(condition, "%s is there")
	if when == "" {
		when = "a condition holds"
	}
	if then != nil {
		list = append(list, fmt.Sprintf("if %s, then %s", when, f.form(then)))
	}
	if otherwise != nil {
		list = append(list, fmt.Sprintf("unless %s, %s", when, f.form(otherwise)))
	}
	return list
}

// negation describes values that are not allowed.
func (f *flattener) negation(n *tree.Node) string {
	s := f.flatten(n)
	if required := tree.Texts(s.node.List("required")); len(required) > 0 && len(n.Without("required").Members) == 0 {
		if len(required) == 1 {
			return "without " + required[0]
		}
		return "not " + strings.Join(required, " and ") + " together"
	}
	if len(s.variants) == 0 && s.node.Get("const") == nil && s.node.Get("enum") == nil && s.node.Get("properties") == nil && f.rules(n) == "" {
		return "not " + f.typeWords(s, 0)
	}
	return "not: " + f.form(n)
}

// form describes a schema in words, or by its type.
func (f *flattener) form(n *tree.Node) string {
	if isFalse(n) {
		return "nothing"
	}
	if rules := f.rules(n); rules != "" {
		return rules
	}
	s := f.flatten(n)
	if s.name != "" {
		return naming.Readable(s.name)
	}
	if words := f.typeWords(s, 0); words != "any" {
		return words
	}
	return "another schema"
}

// rules describes the constraints of a schema on a value and its members, ""
// when there are none that fit into a line.
func (f *flattener) rules(n *tree.Node) string { return f.rulesOf(n, "needs %s") }

// rulesOf is rules with other words for required members.
func (f *flattener) rulesOf(n *tree.Node, presence string) string {
	s := f.flatten(n)
	var list []string
	required := tree.Texts(s.node.List("required"))
	for _, m := range s.node.Entries("properties") {
		if len(list) >= maxRules {
			break
		}
		member := f.flatten(m.Value)
		required = slices.DeleteFunc(required, func(name string) bool { return name == m.Key && len(values(member)) > 0 })
		switch {
		case member.never:
			list = append(list, "no "+m.Key)
		case len(values(member)) > 0:
			list = append(list, m.Key+" is "+strings.Join(values(member), " or "))
		default:
			for _, c := range limits(member) {
				list = append(list, m.Key+": "+c)
			}
		}
	}
	if len(required) > 0 {
		list = slices.Insert(list, 0, fmt.Sprintf(presence, strings.Join(required, " and ")))
	}
	list = append(list, limits(s)...)
	if enum := tree.Texts(s.node.List("enum")); len(enum) > 0 {
		list = append(list, strings.Join(enum, " or "))
	}
	return strings.Join(list[:min(len(list), maxRules)], ", ")
}

// maxRules is the number of rules of a schema that are described.
const maxRules = 6

// values lists the only values that a schema allows.
func values(s *flat) []string {
	if c := s.node.Get("const"); c != nil {
		return []string{c.Display()}
	}
	return tree.Texts(s.node.List("enum"))
}
