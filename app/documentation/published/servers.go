package published

import (
	"encoding/json"
	"net/url"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/tree"
)

// baseDescription describes the base URL of a product among the servers.
const baseDescription = "Base URL"

// baseURL returns the base URL of the product. One that was stored before it was
// checked, and is no address, counts as none.
func (p *Product) baseURL() string {
	base, err := content.ReadBaseURL(p.BaseURL)
	if err != nil {
		return ""
	}
	return base
}

// at returns the version with the servers that a base URL of its product gives it.
// The base URL comes first and the servers of the API description follow it. A
// server without a host is read relative to a base URL with a host. A server with
// the same address as the base URL is listed once.
func (v *Version) at(base string) *Version {
	if v.baseURL == base {
		return v
	}
	moved := *v
	moved.baseURL = base
	moved.Servers = model.ReadServers(serversAt(base, v.contract).JSON())
	moved.unserved = moved.newUnserved()
	return &moved
}

// serversAt returns the servers member of an API description for a base URL, which
// may be empty. The servers are JSON and may be missing.
func serversAt(base string, servers json.RawMessage) *tree.Node {
	list, err := tree.Read(servers)
	if err != nil || !list.Is(tree.KindArray) {
		list = tree.Array()
	}
	if base == "" {
		return list
	}
	first := tree.Object(tree.Member{Key: "url", Value: tree.String(base)}, tree.Member{Key: "description", Value: tree.String(baseDescription)})
	made := tree.Array()
	for _, server := range list.Items {
		if relative := resolve(base, server.Str("url")); relative != "" {
			server = server.Without()
			server.Set("url", tree.String(relative))
		}
		if listed := model.ReadServers(tree.Array(server).JSON()); len(listed) == 1 && isSame(listed[0].URL, base) {
			first = server
			continue
		}
		made.Items = append(made.Items, server)
	}
	made.Items = append([]*tree.Node{first}, made.Items...)
	return made
}

// isSame reports whether two addresses of servers are one. This installation has
// several.
func isSame(a, b string) bool {
	pathA, isOwnA := openapi.OwnPath(a)
	pathB, isOwnB := openapi.OwnPath(b)
	if isOwnA || isOwnB {
		return isOwnA && isOwnB && strings.Trim(pathA, "/") == strings.Trim(pathB, "/")
	}
	return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
}

// resolve returns the address of a server without a host at the host of a base URL,
// "" for every other server.
func resolve(base, address string) string {
	from, err := url.Parse(base + "/")
	to, wrong := url.Parse(address)
	if err != nil || wrong != nil || from.Host == "" || strings.Contains(address, "{") || to.Scheme != "" || to.Host != "" || to.Opaque != "" {
		return ""
	}
	return from.ResolveReference(to).String()
}

// rebase gives the parts of an API description the servers of the version.
func (v *Version) rebase(p *openapi.Parts) error {
	if v.baseURL == "" {
		return nil
	}
	frame, err := tree.Read(p.Frame)
	if err != nil || !frame.Is(tree.KindObject) {
		return err
	}
	frame.Set("servers", serversAt(v.baseURL, v.contract))
	p.Frame = frame.JSON()
	return nil
}

// serversOf returns the servers member of a frame, nil where it has none.
func serversOf(frame json.RawMessage) json.RawMessage {
	var f struct {
		Servers json.RawMessage `json:"servers"`
	}
	if json.Unmarshal(frame, &f) != nil {
		return nil
	}
	return f.Servers
}
