package console

import (
	"net/url"
	"strings"

	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// pair is a name and a value that are sent together. The value is encoded already.
type pair struct{ name, value string }

// IsList reports whether a parameter is entered as one item a line.
func IsList(in model.Input) bool {
	return strings.HasPrefix(in.Field.Type, "array") && in.Media == ""
}

// IsObject reports whether a parameter is entered as JSON.
func IsObject(in model.Input) bool {
	return in.Media == "" && (in.Field.Type == "object" || in.Field.Type == "" && len(in.Field.Children) > 0)
}

// read reads the text of a parameter as the value to send.
func read(in model.Input, text string) (value *tree.Node, problem string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	switch {
	case in.Media != "" && media.KindOf(in.Media) == media.JSON:
		if n := readJSON(text); n != nil {
			return tree.String(string(n.JSON())), ""
		}
		return tree.String(string(tree.String(text).JSON())), "" // a bare word is a text
	case IsList(in):
		if n := readJSON(text); n.Is(tree.KindArray) {
			return n, ""
		}
		list := tree.Array()
		for line := range strings.SplitSeq(text, "\n") {
			if line != "" {
				list.Items = append(list.Items, tree.String(line))
			}
		}
		return list, ""
	case IsObject(in):
		n := readJSON(text)
		if !n.Is(tree.KindObject) {
			return nil, "Enter a JSON object, for example {\"name\": \"value\"}."
		}
		return n, ""
	}
	return tree.String(text), ""
}

// readJSON reads a JSON text, nil for anything else.
func readJSON(text string) *tree.Node {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || !isJSON(trimmed) {
		return nil
	}
	list, err := tree.Read([]byte("[" + trimmed + "]"))
	if err != nil || len(list.Items) != 1 {
		return nil
	}
	return list.Items[0]
}

// pairs writes a parameter of the query, of a form or of cookies in its style.
func pairs(in model.Input, value *tree.Node) []pair {
	encode := encoder(in)
	switch {
	case value.Is(tree.KindObject) && in.Style == "deepObject":
		return deep(encode(in.Name), value, encode)
	case value.Is(tree.KindObject) && in.Explode && in.Style == "form":
		return lists.Map(value.Members, func(m tree.Member) pair { return pair{encode(m.Key), encode(m.Value.Display())} })
	case value.Is(tree.KindArray) && in.Explode:
		return lists.Map(value.Items, func(item *tree.Node) pair { return pair{encode(in.Name), encode(item.Display())} })
	}
	return []pair{{encode(in.Name), joined(value, separators[in.Style], encode)}}
}

// separators are the separators of lists that are one value of a query.
var separators = map[string]string{"spaceDelimited": "%20", "pipeDelimited": "|", "form": ",", "": ","}

// deep writes an object as name[key]=value.
func deep(name string, value *tree.Node, encode func(string) string) (list []pair) {
	for _, m := range value.Members {
		at := name + "[" + encode(m.Key) + "]"
		switch m.Value.Kind {
		case tree.KindObject:
			list = append(list, deep(at, m.Value, encode)...)
		case tree.KindArray:
			for _, item := range m.Value.Items {
				list = append(list, pair{at, encode(item.Display())})
			}
		default:
			list = append(list, pair{at, encode(m.Value.Display())})
		}
	}
	return list
}

// joined writes a value as one text.
func joined(value *tree.Node, separator string, encode func(string) string) string {
	var list []string
	switch value.Kind {
	case tree.KindArray:
		for _, item := range value.Items {
			list = append(list, encode(item.Display()))
		}
	case tree.KindObject:
		for _, m := range value.Members {
			list = append(list, encode(m.Key), encode(m.Value.Display()))
		}
	default:
		return encode(value.Display())
	}
	return strings.Join(list, separator)
}

// exploded writes the members of an object as key=value.
func exploded(value *tree.Node, separator string, encode func(string) string) string {
	list := lists.Map(value.Members, func(m tree.Member) string { return encode(m.Key) + "=" + encode(m.Value.Display()) })
	return strings.Join(list, separator)
}

// segment writes a parameter of the path in its style: simple, label or matrix.
func segment(in model.Input, value *tree.Node) string {
	encode := url.PathEscape
	switch {
	case in.Style == "label" && value.Is(tree.KindObject) && in.Explode:
		return "." + exploded(value, ".", encode)
	case in.Style == "label" && in.Explode:
		return "." + joined(value, ".", encode)
	case in.Style == "label":
		return "." + joined(value, ",", encode)
	case in.Style == "matrix" && value.Is(tree.KindObject) && in.Explode:
		return ";" + exploded(value, ";", encode)
	case in.Style == "matrix" && value.Is(tree.KindArray) && in.Explode:
		var text strings.Builder
		for _, item := range value.Items {
			text.WriteString(";" + encode(in.Name) + "=" + encode(item.Display()))
		}
		return text.String()
	case in.Style == "matrix":
		return ";" + encode(in.Name) + "=" + joined(value, ",", encode)
	case value.Is(tree.KindObject) && in.Explode:
		return exploded(value, ",", encode)
	}
	return joined(value, ",", encode)
}

// line writes a parameter of the header.
func line(in model.Input, value *tree.Node) string {
	plain := func(text string) string { return text }
	if value.Is(tree.KindObject) && in.Explode {
		return exploded(value, ",", plain)
	}
	return joined(value, ",", plain)
}

// encoder returns the encoding of names and values of a query.
func encoder(in model.Input) func(string) string {
	if !in.Reserved {
		return escape
	}
	// Ampersands, hashes and plus signs would change what the query means.
	return func(text string) string {
		return strings.NewReplacer(
			"%3A", ":", "%2F", "/", "%3F", "?", "%5B", "[", "%5D", "]", "%40", "@", "%21", "!", "%24", "$", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";", "%3D", "=",
		).Replace(escape(text))
	}
}

// escape percent-encodes a text, blanks as %20.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
