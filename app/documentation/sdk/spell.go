package sdk

import (
	"fmt"
	"strings"
)

// typeWords are the names of types in a language, by their kinds. ELEMENT, MODEL and
// PACKAGE stand for the type of an element, the name of a model and the package.
type typeWords map[string]string

// spell returns the name of a type. elem spells the elements of lists and maps.
func (w typeWords) spell(t *Type, pkg string, elem func(*Type) string) string {
	word := strings.Replace(w[t.Kind], "PACKAGE", pkg, 1)
	switch t.Kind {
	case Array, Map:
		return strings.Replace(word, "ELEMENT", elem(t.Elem), 1)
	case Ref:
		return strings.Replace(word, "MODEL", t.Model.Name.Pascal, 1)
	}
	return word
}

// jsonReaders are the functions of Java and PHP archives that read a kind of value from JSON.
// In C# they begin with a capital.
var jsonReaders = map[string]string{String: "string", Integer: "integer", Number: "number", Boolean: "bool", Binary: "file", Array: "list", Map: "map"}

// setter returns the call, of Java or C#, that puts a parameter into a request.
func setter(p *Param, value, name string) string {
	q := quote(p.Wire)
	switch p.In {
	case "path":
		return fmt.Sprintf(".%s(%s, %s, %t, %t, %s)", name, q, quote(p.Style), p.Explode, p.JSON, value)
	case "query":
		return fmt.Sprintf(".%s(%s, %t, %s, %t, %t, %t, %s)", name, q, p.Required, quote(p.Style), p.Explode, p.AllowReserved, p.JSON, value)
	case "cookie":
		return fmt.Sprintf(".%s(%s, %t, %s)", name, q, p.Required, value)
	}
	return fmt.Sprintf(".%s(%s, %t, %t, %t, %s)", name, q, p.Required, p.Explode, p.JSON, value)
}

// resultType returns the type that a method returns: none without a result, and stream
// for one that is no JSON.
func resultType(m *Method, none, stream string, of func(*Type) string) string {
	switch {
	case m.Result == nil:
		return none
	case m.Result.Kind == BodyBinary:
		return stream
	}
	return of(m.Result.Type)
}

// bodyType returns the type of a body, which is stream for one that is no JSON.
func bodyType(b *Body, stream, typed string) string {
	if b.Kind == BodyBinary {
		return stream
	}
	return typed
}
