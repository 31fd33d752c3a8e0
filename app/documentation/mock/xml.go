package mock

import (
	"bytes"
	"cmp"
	"encoding/xml"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// encodeXML writes a value as XML, with the names of the XML Objects of its
// schema (OpenAPI 3.1.1, section 4.8.26).
func encodeXML(v *tree.Node, schema graph.Schema) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	name := ""
	for s := range inPlace(schema) {
		if x, ok := s.XML(); ok && x.Name != "" && name == "" {
			name = x.Name
		}
		if s.Name() != "" && name == "" {
			name = s.Name()
		}
	}
	writeXML(&b, elementName(name, "root"), v, schema)
	b.WriteByte('\n')
	return b.Bytes()
}

func writeXML(b *bytes.Buffer, name string, v *tree.Node, schema graph.Schema) {
	if v.Is(tree.KindArray) {
		items := propertyOf(schema, "")
		for _, item := range v.Items {
			writeXML(b, name, item, items)
		}
		return
	}
	b.WriteString("<" + name)
	for _, m := range v.Members {
		if x, _ := xmlOf(propertyOf(schema, m.Key)); x.Attribute {
			b.WriteString(" " + elementName(x.Name, m.Key) + `="`)
			escapeXML(b, m.Value.Display())
			b.WriteString(`"`)
		}
	}
	b.WriteString(">")
	if !v.Is(tree.KindObject) && !v.Is(tree.KindNull) {
		escapeXML(b, v.Display())
	}
	for _, m := range v.Members {
		property := propertyOf(schema, m.Key)
		x, _ := xmlOf(property)
		switch inner := elementName(x.Name, m.Key); {
		case x.Attribute:
		case x.Wrapped && m.Value.Is(tree.KindArray):
			item, _ := xmlOf(propertyOf(property, ""))
			b.WriteString("<" + inner + ">")
			writeXML(b, elementName(item.Name, inner), m.Value, property)
			b.WriteString("</" + inner + ">")
		default:
			writeXML(b, inner, m.Value, property)
		}
	}
	b.WriteString("</" + name + ">")
}

func escapeXML(b *bytes.Buffer, text string) {
	_ = xml.EscapeText(b, []byte(text)) // a buffer cannot fail
}

// elementName returns a name, or another one where XML has no such names.
func elementName(name, instead string) string {
	name = cmp.Or(name, instead)
	made := []byte(name)
	for i, c := range made {
		isLetter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !isLetter && (i == 0 || c != '-' && c != '.' && (c < '0' || c > '9')) {
			made[i] = '_'
		}
	}
	return string(made)
}

func xmlOf(schema graph.Schema) (graph.XML, bool) {
	for s := range inPlace(schema) {
		if x, ok := s.XML(); ok {
			return x, true
		}
	}
	return graph.XML{}, false
}

// propertyOf returns the schema of a member, or the schema of items for no name.
func propertyOf(schema graph.Schema, name string) graph.Schema {
	for s := range inPlace(schema) {
		if name == "" && s.Items().Exists() {
			return s.Items()
		}
		if p := s.Property(name); name != "" && p.Exists() {
			return p
		}
	}
	return graph.Schema{}
}
