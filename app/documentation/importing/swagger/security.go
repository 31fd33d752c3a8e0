package swagger

import (
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/tree"
)

// flows are the names of OAuth 2 flows in Swagger 2.0 and in OpenAPI 3.
var flows = map[string]string{
	"implicit": "implicit", "password": "password", "application": "clientCredentials", "accessCode": "authorizationCode",
}

// scheme converts a security scheme.
func (c documentConverter) scheme(n *tree.Node, place string) *tree.Node {
	out := at(n, tree.Object())
	kind := n.Get("type")
	switch n.Str("type") {
	case "basic":
		out.Append("type", at(kind, tree.String("http")))
		out.Append("scheme", at(kind, tree.String("basic")))
	case "oauth2":
		out.Append("type", kind)
		out.Append("flows", c.flow(n, place))
	case "apiKey":
		out.Append("type", kind)
	default:
		c.add(finding.Repaired, n, place, "The security type %.40q is unknown. It is read as an HTTP scheme of this name.", n.Str("type"))
		out.Append("type", at(kind, tree.String("http")))
		out.Append("scheme", at(kind, tree.String(n.Str("type"))))
	}
	for _, m := range n.Members {
		switch m.Key {
		case "type", "flow", "authorizationUrl", "tokenUrl", "scopes":
		case "description":
			out.Append(m.Key, m.Value)
		case "name", "in":
			if n.Str("type") == "apiKey" {
				out.Append(m.Key, m.Value)
			}
		default:
			c.other(out, m, place)
		}
	}
	return out
}

func (c documentConverter) flow(n *tree.Node, place string) *tree.Node {
	name := flows[n.Str("flow")]
	if name == "" {
		name = "implicit"
		c.add(finding.Repaired, n, place, "The OAuth 2 flow %.40q is unknown. It is read as implicit.", n.Str("flow"))
	}
	flow := at(n, tree.Object())
	wanted := map[string][]string{"implicit": {"authorizationUrl"}, "authorizationCode": {"authorizationUrl", "tokenUrl"}, "password": {"tokenUrl"}, "clientCredentials": {"tokenUrl"}}
	for _, key := range wanted[name] {
		v := n.Get(key)
		if v == nil {
			v = tree.String("/")
			c.add(finding.Repaired, n, place, "The OAuth 2 flow has no %s. The address / is filled in.", key)
		}
		flow.Append(key, v)
	}
	scopes := n.Get("scopes")
	if !scopes.Is(tree.KindObject) {
		scopes = tree.Object()
	}
	kept := at(scopes, tree.Object())
	for _, m := range scopes.Members {
		if strings.HasPrefix(m.Key, "x-") {
			flow.Append(m.Key, m.Value)
			continue
		}
		kept.Append(m.Key, m.Value)
	}
	flow.Append("scopes", kept)
	return tree.Object(tree.Member{Key: name, Value: flow})
}

// security renames schemes in a list of requirements.
func (c documentConverter) security(list *tree.Node) *tree.Node {
	out := at(list, tree.Array())
	for _, n := range list.Elements() {
		made := at(n, tree.Object())
		for _, m := range n.Members {
			made.Append(c.named("securityDefinitions", m.Key), m.Value)
		}
		out.Items = append(out.Items, made)
	}
	return out
}
