package postman

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/tree"
)

// address is the address of a request in parts.
type address struct {
	host   string // with its scheme, variables in double braces
	path   string // with parameters in braces
	names  []string
	values map[string]parameter // of path parameters
	query  []parameter
	node   *tree.Node
}

// parameter is a parameter of a request, or a field of its form.
type parameter struct {
	name, value, about string
	disabled, file     bool
	contentType        string
	node               *tree.Node
}

var (
	variable = regexp.MustCompile(`\{\{([^{}]+)\}\}`)
	pathName = regexp.MustCompile(`^:([A-Za-z0-9_-]+)(.*)$`)
	braces   = regexp.MustCompile(`\{[^{}]*\}`)
	unsafe   = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)
)

// template returns the path without the names of its parameters.
func (a *address) template() string { return braces.ReplaceAllString(a.path, "{}") }

// rename gives the parameters of the path the names of another address.
func (a *address) rename(names []string) {
	renamed := map[string]parameter{}
	for i, name := range a.names {
		if p, ok := a.values[name]; ok && i < len(names) {
			p.name = names[i]
			renamed[names[i]] = p
		}
	}
	a.names, a.values = names, renamed
}

// address reads the address of a request, which is a text or an object where the text may
// be absent.
func (c *converter) address(n *tree.Node, around *scope, name string) *address {
	a := &address{node: n, values: map[string]parameter{}}
	raw := n.Str("raw")
	if n.Is(tree.KindString) {
		raw = n.Text
	}
	host, path, query := split(raw)
	if h := n.Get("host"); h != nil {
		host = joined(h, ".")
		if protocol := n.Str("protocol"); protocol != "" {
			host = protocol + "://" + host
		}
		if port := n.Get("port").Display(); port != "" {
			host += ":" + port
		}
	}
	if p := n.Get("path"); p != nil {
		path = "/" + strings.TrimPrefix(joined(p, "/"), "/")
	}
	a.host = around.filled(host)
	given := map[string]parameter{}
	for _, v := range n.List("variable") {
		key := cmp.Or(v.Str("key"), v.Str("id"))
		given[key] = parameter{name: key, value: around.filled(v.Get("value").Display()), about: description(v.Get("description")), node: v}
	}
	if q := n.Get("query"); q != nil {
		for _, p := range q.Elements() {
			a.query = append(a.query, read(p, around))
		}
	} else {
		for pair := range strings.SplitSeq(query, "&") {
			if pair == "" {
				continue
			}
			key, value, _ := strings.Cut(pair, "=")
			a.query = append(a.query, parameter{name: unescaped(key), value: around.filled(unescaped(value)), node: n})
		}
	}
	a.setPath(path, given, around)
	if a.path == "/" && raw == "" && n.Get("path") == nil {
		c.add(finding.Noted, n, name, "The request %.80q has no address. It is read as a call of the path /.", name)
	}
	return a
}

// split splits an address into the part before its path, its path and its query.
func split(raw string) (host, path, query string) {
	raw, _, _ = strings.Cut(raw, "#")
	raw, query, _ = strings.Cut(raw, "?")
	rest, scheme := raw, ""
	if before, after, ok := strings.Cut(raw, "://"); ok {
		scheme, rest = before+"://", after
	}
	host, path, _ = strings.Cut(rest, "/")
	if host == "" {
		scheme = ""
	}
	return scheme + host, "/" + path, query
}

// joined writes a text or a list of texts. Items may be objects with a value.
func joined(n *tree.Node, separator string) string {
	if n.Is(tree.KindString) {
		return n.Text
	}
	var list []string
	for _, item := range n.Elements() {
		if item.Is(tree.KindObject) {
			item = item.Get("value")
		}
		list = append(list, item.Display())
	}
	return strings.Join(list, separator)
}

// setPath turns :name and {{name}} into parameters of the path.
func (a *address) setPath(path string, given map[string]parameter, around *scope) {
	taken := map[string]bool{}
	add := func(name string, p parameter) string {
		name = cmp.Or(strings.Trim(unsafe.ReplaceAllString(name, "_"), "_"), "value")
		free := name
		for n := 2; taken[free]; n++ {
			free = name + strings.Repeat("_", n-1)
		}
		taken[free] = true
		p.name = free
		a.names, a.values[free] = append(a.names, free), p
		return "{" + free + "}"
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if m := pathName.FindStringSubmatch(segment); m != nil {
			segments[i] = add(m[1], given[m[1]]) + m[2]
			continue
		}
		segments[i] = variable.ReplaceAllStringFunc(segment, func(s string) string {
			name := strings.TrimSpace(strings.Trim(s, "{}"))
			p, ok := given[name]
			if value, known := around.value(name); !ok && known {
				p.value = value
			}
			return add(name, p)
		})
	}
	a.path = strings.Join(segments, "/")
	a.path = cmp.Or(a.path, "/")
}

// filled replaces variables by their values where they have one.
func (s *scope) filled(text string) string {
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		if value, ok := s.value(strings.TrimSpace(strings.Trim(found, "{}"))); ok && value != "" && !strings.Contains(value, "{{") {
			return value
		}
		return found
	})
}

func unescaped(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// read reads a header, a query parameter or a field of a form.
func read(n *tree.Node, around *scope) parameter {
	p := parameter{
		name: n.Str("key"), value: around.filled(n.Get("value").Display()), about: description(n.Get("description")),
		disabled: n.True("disabled"), file: n.Str("type") == "file", contentType: n.Str("contentType"), node: n,
	}
	if p.file {
		source := n.Str("src")
		p.value = cmp.Or(n.Str("fileName"), source[strings.LastIndexAny(source, `/\`)+1:])
	}
	return p
}

// server registers the address that an operation is called at, and returns it.
func (c *converter) server(a *address, n *tree.Node) string {
	around := a.host
	if around == "" {
		return ""
	}
	if c.servers[around] == nil {
		c.servers[around] = c.serverObject(a, n)
		c.order = append(c.order, around)
	}
	c.hosts[around]++
	return around
}

// serverObject makes a Server Object. Variables without a value are variables of the
// server.
func (c *converter) serverObject(a *address, n *tree.Node) *tree.Node {
	text := a.host
	open := tree.Object()
	text = variable.ReplaceAllStringFunc(text, func(s string) string {
		name := unsafe.ReplaceAllString(strings.TrimSpace(strings.Trim(s, "{}")), "_")
		open.Set(name, tree.Object(tree.Member{Key: "default", Value: tree.String("https://api.example.com")}))
		if len(open.Members) > 1 || !strings.HasPrefix(a.host, s) {
			open.Set(name, tree.Object(tree.Member{Key: "default", Value: tree.String(name)}))
		}
		c.add(finding.Repaired, n, s, "The variable %.60s of the address has no value in the collection. It is a variable of the server.", s)
		return "{" + name + "}"
	})
	if !strings.Contains(text, "://") && !strings.HasPrefix(text, "{") {
		text = "https://" + text
	}
	server := at(a.node, tree.Object(tree.Member{Key: "url", Value: at(a.node, tree.String(strings.TrimSuffix(text, "/")))}))
	if len(open.Members) > 0 {
		server.Append("variables", open)
	}
	return server
}
