package validate

import (
	"errors"
	"slices"
	"strings"
)

// errRepeated means that a parameter with one value was sent several times.
var errRepeated = errors.New("repeated")

// pairs of an object with members that stand alone, separated by a delimiter.
var delimiters = map[string][]string{
	"form": {","}, "simple": {","}, "spaceDelimited": {"%20", "+", " "}, "pipeDelimited": {"|", "%7C", "%7c"},
	"label": {","}, "matrix": {","},
}

// read returns the value of a parameter, and false where it is missing. The
// styles are defined by OpenAPI 3.1.1, section 4.8.12.2.
func (p *parameter) read(s *source) (value any, ok bool, err error) {
	list := s.query
	if p.in == Cookie {
		list = s.cookies
	}
	isExploded := p.explode && p.style == "form"
	switch {
	case p.style == "deepObject":
		return p.deepObject(list)
	case p.shape.isMap() && isExploded && p.media == "":
		return p.spread(list)
	}
	raws := s.texts(p.in, p.source)
	if len(raws) == 0 {
		return nil, false, nil
	}
	if p.style == "label" || p.style == "matrix" {
		value, err = p.prefixed(raws[0])
	} else {
		value, err = p.value(raws)
	}
	return value, true, err
}

// value reads values that are delimited or sent one by one.
func (p *parameter) value(raws []string) (any, error) {
	decode := unescape(p.in)
	switch {
	case p.shape.isList(len(raws)):
		if len(raws) == 1 && (!p.explode || p.style == "simple") {
			raws = split(raws[0], delimiters[p.style])
		} else if len(raws) == 1 && raws[0] == "" {
			raws = nil
		}
		texts, err := decodeAll(raws, decode)
		return p.shape.list(texts), err
	case len(raws) > 1:
		return nil, errRepeated
	case p.shape.isMap():
		return p.object(split(raws[0], delimiters[p.style]), p.explode)
	}
	text, err := decode(raws[0])
	return p.shape.scalar(text), err
}

// prefixed reads the styles label (.a.b) and matrix (;name=a).
func (p *parameter) prefixed(raw string) (any, error) {
	mark := "."
	if p.style == "matrix" {
		mark = ";"
	}
	rest, ok := strings.CutPrefix(raw, mark)
	if !ok {
		return nil, errors.New("begin the value with " + mark)
	}
	isMap, isList := p.shape.isMap(), p.shape.isList(0)
	if p.style == "matrix" && !(isMap && p.explode) {
		var texts []string
		for text := range strings.SplitSeq(rest, ";") {
			name, value, _ := strings.Cut(text, "=")
			if name != p.name {
				return nil, errors.New("write the value as ;" + p.name + "=")
			}
			texts = append(texts, value)
		}
		if isList && p.explode {
			decoded, err := decodeAll(texts, unescape(p.in))
			return p.shape.list(decoded), err
		}
		if len(texts) > 1 {
			return nil, errRepeated
		}
		rest, mark = texts[0], ","
	} else if !p.explode {
		mark = ","
	}
	switch {
	case isMap:
		return p.object(split(rest, []string{mark}), p.explode)
	case isList:
		decoded, err := decodeAll(split(rest, []string{mark}), unescape(p.in))
		return p.shape.list(decoded), err
	}
	text, err := unescape(p.in)(rest)
	return p.shape.scalar(text), err
}

// object reads the members of an object: k=v when exploded, else k,v.
func (p *parameter) object(raws []string, isExploded bool) (any, error) {
	object := map[string]any{}
	if !isExploded {
		if len(raws)%2 != 0 {
			return nil, errors.New("send a value for each name")
		}
		joined := make([]string, 0, len(raws)/2)
		for pairs := range slices.Chunk(raws, 2) {
			joined = append(joined, pairs[0]+"="+pairs[1])
		}
		raws = joined
	}
	for _, raw := range raws {
		name, value, _ := strings.Cut(raw, "=")
		texts, err := decodeAll([]string{name, value}, unescape(p.in))
		if err != nil {
			return nil, err
		}
		object[texts[0]] = p.shape.member(texts[0]).scalar(texts[1])
	}
	return object, nil
}

// spread reads an object with members that are sent as parameters of their own.
func (p *parameter) spread(list []pair) (any, bool, error) {
	byName := map[string][]string{}
	for _, one := range list {
		if p.shape.properties[one.name] != nil || p.shape.rest != nil && !p.taken[one.name] {
			byName[one.name] = append(byName[one.name], one.value)
		}
	}
	if len(byName) == 0 {
		return nil, false, nil
	}
	return p.members(byName)
}

// deepObject reads name[key]=value. Keys within keys make objects within
// objects.
func (p *parameter) deepObject(list []pair) (any, bool, error) {
	root := map[string]any{}
	found := false
	for _, one := range list {
		rest, ok := strings.CutPrefix(one.name, p.name+"[")
		if !ok || !strings.HasSuffix(rest, "]") {
			continue
		}
		found = true
		keys := strings.Split(strings.TrimSuffix(rest, "]"), "][")
		if len(keys) > maxShape {
			return nil, true, errors.New("use fewer keys within keys")
		}
		text, err := unescape(p.in)(one.value)
		if err != nil {
			return nil, true, err
		}
		if err := place(root, keys, p.shape, text); err != nil {
			return nil, true, err
		}
	}
	return root, found, nil
}

// place puts a text where the keys of a deepObject say.
func place(object map[string]any, keys []string, sh *shape, text string) error {
	key, inner := keys[0], sh.member(keys[0])
	if len(keys) > 1 && keys[1] == "" && len(keys) == 2 {
		keys = keys[:1] // name[key][] is a further item
	}
	if len(keys) > 1 {
		next, ok := object[key].(map[string]any)
		if !ok && object[key] != nil {
			return errRepeated
		}
		if !ok {
			next = map[string]any{}
			object[key] = next
		}
		return place(next, keys[1:], inner, text)
	}
	if inner.isList(1) {
		items, _ := object[key].([]any)
		object[key] = append(items, inner.item(len(items)).scalar(text))
		return nil
	}
	if _, has := object[key]; has {
		return errRepeated
	}
	object[key] = inner.scalar(text)
	return nil
}

// members gives the values of each name the types of its member.
func (p *parameter) members(byName map[string][]string) (any, bool, error) {
	object := map[string]any{}
	for name, raws := range byName {
		texts, err := decodeAll(raws, unescape(p.in))
		if err != nil {
			return nil, true, err
		}
		inner := p.shape.member(name)
		switch {
		case inner.isList(len(texts)):
			object[name] = inner.list(texts)
		case len(texts) > 1:
			return nil, true, errRepeated
		default:
			object[name] = inner.scalar(texts[0])
		}
	}
	return object, true, nil
}

// split cuts a text at any of the delimiters. An empty text has no parts.
func split(text string, delimiters []string) []string {
	if text == "" {
		return nil
	}
	for _, d := range delimiters[min(1, len(delimiters)):] {
		text = strings.ReplaceAll(text, d, delimiters[0])
	}
	return strings.Split(text, delimiters[0])
}

func decodeAll(raws []string, decode func(string) (string, error)) ([]string, error) {
	texts := make([]string, len(raws))
	var err error
	for i, raw := range raws {
		if texts[i], err = decode(raw); err != nil {
			return nil, err
		}
	}
	return texts, nil
}
