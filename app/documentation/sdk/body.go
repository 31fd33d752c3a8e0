package sdk

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
)

// body chooses the form of the request body that suits programs best.
func (b *builder) body(m *Method, op graph.Operation, own *names) {
	var best *Body
	rank := 99
	for _, c := range op.Body().Content() {
		kind, r := bodyKind(c.Name)
		if r >= rank {
			continue
		}
		rank = r
		best = &Body{
			Name: Name{"Body", "body", "body", "BODY"}, Kind: kind, ContentType: clean(c.Name), Required: op.Body().Required(), Doc: op.Body().Description(),
			Type: b.s.typeOf(c.Value.Schema(), m.Name.plus("body")),
		}
		switch kind {
		case BodyBinary:
			best.Type = &Type{Kind: Binary}
		case BodyText:
			best.Type = &Type{Kind: String}
		case BodyMultipart:
			for _, e := range c.Value.Encoding() {
				if t := e.Value.ContentType(); t != "" {
					first, _, _ := strings.Cut(t, ",")
					best.Parts = append(best.Parts, Part{e.Name, strings.TrimSpace(clean(first))})
				}
			}
		}
		if kind == BodyForm || kind == BodyMultipart {
			best.Type = formType(best.Type)
		}
	}
	m.Body = best
}

// formType returns the type of a form, which is an object or a map.
func formType(t *Type) *Type {
	if t.Kind == Ref && t.Model.Kind == Object || t.Kind == Map {
		c := *t
		c.Nullable = false
		return &c
	}
	return &Type{Kind: Map, Elem: &Type{Kind: Any}}
}

func bodyKind(contentType string) (kind string, rank int) {
	base, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	base = strings.TrimSpace(base)
	switch {
	case base == "application/json" || base == "*/*":
		return BodyJSON, 0
	case strings.HasSuffix(base, "+json"):
		return BodyJSON, 1
	case base == "multipart/form-data":
		return BodyMultipart, 2
	case base == "application/x-www-form-urlencoded":
		return BodyForm, 3
	case strings.HasPrefix(base, "text/") || strings.HasSuffix(base, "xml") || strings.HasSuffix(base, "yaml"):
		return BodyText, 5
	}
	return BodyBinary, 4
}

// result reads the first successful response.
func (b *builder) result(m *Method, op graph.Operation) {
	responses := op.Responses()
	rank := func(status string) int {
		switch {
		case status == "200":
			return 0
		case status == "201":
			return 1
		case strings.HasPrefix(status, "2"):
			return 2
		case status == "default":
			return 3
		}
		return 9
	}
	slices.SortStableFunc(responses, func(x, y graph.Named[graph.Response]) int { return rank(x.Name) - rank(y.Name) })
	for _, r := range responses {
		if rank(r.Name) == 9 || r.Name == "default" && len(responses) > 1 {
			continue
		}
		best := 99
		for _, c := range r.Value.Content() {
			kind, n := bodyKind(c.Name)
			if n >= best {
				continue
			}
			best = n
			switch kind {
			case BodyJSON:
				m.Result = &Result{Kind: BodyJSON, Type: b.s.typeOf(c.Value.Schema(), m.Name.plus("result"))}
			case BodyText:
				m.Result = &Result{Kind: BodyText, Type: &Type{Kind: String}}
			default:
				m.Result = &Result{Kind: BodyBinary, Type: &Type{Kind: Binary}}
			}
		}
		if m.Result != nil {
			return
		}
	}
}
