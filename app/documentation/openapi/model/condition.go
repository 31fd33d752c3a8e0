package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

// conditional are the keywords that narrow a schema by another one. They are
// described in words, since several of them may apply to one value.
var conditional = []string{
	"not", "if", "then", "else", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "contains", "minContains", "maxContains",
}

// describeConditions describes the conditional keywords of a schema.
func (f *flattener) describeConditions(s graph.Schema) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if names := s.PropertyNames(); names.Exists() {
		if rules := f.rules(names); rules != "" {
			add("each key: %s", rules)
		}
	}
	if items := s.Contains(); items.Exists() {
		l := s.Limits()
		if count := amount(cmp.Or(l.MinContains, "1"), l.MaxContains, "item"); count != "" {
			add("%s of the form: %s", count, f.form(items))
		}
	}
	if not := s.Not(); not.Exists() {
		add("%s", f.negation(not))
	}
	if condition := s.If(); condition.Exists() {
		list = append(list, f.branches(condition, s.Then(), s.Else())...)
	}
	for _, m := range s.DependentSchemas() {
		add("with %s: %s", m.Name, f.form(m.Value))
	}
	if isFalse(s.UnevaluatedProperties()) {
		add("no other members")
	}
	if isFalse(s.UnevaluatedItems()) {
		add("no other items")
	}
	return list
}

func isFalse(s graph.Schema) bool {
	value, ok := s.Boolean()
	return ok && !value
}

// branches describes what applies where a condition holds, and where it does
// not.
func (f *flattener) branches(condition, then, otherwise graph.Schema) (list []string) {
	when := cmp.Or(f.rulesOf(condition, "%s is there"), "a condition holds")
	if then.Exists() {
		list = append(list, fmt.Sprintf("if %s, then %s", when, f.form(then)))
	}
	if otherwise.Exists() {
		list = append(list, fmt.Sprintf("unless %s, %s", when, f.form(otherwise)))
	}
	return list
}

// negation describes values that are not allowed.
func (f *flattener) negation(n graph.Schema) string {
	s := f.flatten(n)
	if required := s.Required(); len(required) > 0 && n.HasOnly("required") {
		if len(required) == 1 {
			return "without " + required[0]
		}
		return "not " + strings.Join(required, " and ") + " together"
	}
	if len(s.variants) == 0 && !s.Has("const") && !s.Has("enum") && !s.Has("properties") && f.rules(n) == "" {
		return "not " + f.typeWords(s, 0)
	}
	return "not: " + f.form(n)
}

// form describes a schema in words, or by its type.
func (f *flattener) form(n graph.Schema) string {
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
func (f *flattener) rules(n graph.Schema) string { return f.rulesOf(n, "needs %s") }

// rulesOf is rules with other words for required members.
func (f *flattener) rulesOf(n graph.Schema, presence string) string {
	s := f.flatten(n)
	var list []string
	required := s.Required()
	for _, m := range s.Properties() {
		if len(list) >= maxRules {
			break
		}
		member := f.flatten(m.Value)
		required = slices.DeleteFunc(required, func(name string) bool { return name == m.Name && len(values(member)) > 0 })
		switch {
		case member.never:
			list = append(list, "no "+m.Name)
		case len(values(member)) > 0:
			list = append(list, m.Name+" is "+strings.Join(values(member), " or "))
		default:
			for _, c := range limits(member) {
				list = append(list, m.Name+": "+c)
			}
		}
	}
	if len(required) > 0 {
		list = slices.Insert(list, 0, fmt.Sprintf(presence, strings.Join(required, " and ")))
	}
	list = append(list, limits(s)...)
	if enum := tree.Texts(s.Enum()); len(enum) > 0 {
		list = append(list, strings.Join(enum, " or "))
	}
	return strings.Join(list[:min(len(list), maxRules)], ", ")
}

// maxRules is the number of rules of a schema that are described.
const maxRules = 6

// values lists the only values that a schema allows.
func values(s *flat) []string {
	if c := s.Const(); c != nil {
		return []string{c.Display()}
	}
	return tree.Texts(s.Enum())
}
