package sdk

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// maxMethods is the number of operations of an API.
const maxMethods = 3_000

// Options say what a contract does not.
type Options struct {
	Name       string // of the product and its version
	Product    string // slug
	Version    string // slug
	Release    int
	SDKVersion string
	PageURL    string
	Generator  string
	Publisher  string
	License    License
	Changes    []Change
}

// New returns the intermediate form of a contract. document is the exported document,
// which archives hold. It fails for a contract that is too large.
func New(a *openapi.Assembly, document *tree.Node, o Options) (*API, error) {
	if len(a.Operations)+len(a.Callbacks) > maxMethods {
		return nil, fault.New(fault.TooLarge, "The contract has %d operations. Archives are made for at most %d.", len(a.Operations)+len(a.Callbacks), maxMethods)
	}
	g := graph.New(document)
	info := g.Info()
	sum := sha256.Sum256(document.JSON())
	api := &API{
		Name: o.Name, Product: o.Product, Version: o.Version, Release: o.Release, SDKVersion: o.SDKVersion,
		Title: info.Title(), Description: info.Description(), PageURL: o.PageURL, Generator: o.Generator, Publisher: oneLine(o.Publisher),
		Hash: hex.EncodeToString(sum[:]), License: o.License, Changes: o.Changes, Document: document,
	}
	for _, s := range g.Servers() {
		api.BaseURL = strings.TrimSuffix(s.URL(), "/")
		break
	}
	b := &builder{api: api, g: g, s: newSchemas(g), methods: newNames(keywords), types: newNames(typeNames), resources: map[string]*Resource{}, names: map[*Resource]*names{}}
	b.schemes()
	// Named schemas take their names before those written in place do.
	for _, schema := range g.Schemas() {
		b.s.typeOf(schema, newName(schema.Name(), "model"))
	}
	for _, op := range a.Operations {
		b.method(op)
	}
	for _, r := range api.Resources {
		for _, m := range r.Methods {
			if m.Page != nil {
				m.Page.Name = b.names[r].unique(m.Name.plus("all"), "pages")
			}
		}
	}
	for _, op := range a.Callbacks {
		b.webhook(op)
	}
	if b.s.count > maxFields {
		return nil, fault.New(fault.TooLarge, "The schemas of the contract have more than %d members. Split the contract, or remove schemas that nothing uses.", maxFields)
	}
	api.Models = b.s.models
	slices.SortStableFunc(api.Models, func(x, y *Model) int { return strings.Compare(x.Name.Pascal, y.Name.Pascal) })
	return api, nil
}

type builder struct {
	api       *API
	g         *graph.Graph
	s         *schemas
	methods   *names // of all resources: types of arguments have the method's name
	types     *names
	resources map[string]*Resource
	names     map[*Resource]*names
	tags      *names
}

// prefix returns the start of the names of environment variables.
func (a *API) prefix() string { return newName(a.Product, "api").Upper }

// schemes reads the ways to authenticate that clients know.
func (b *builder) schemes() {
	own := newNames(schemeWords)
	for _, named := range b.g.SecuritySchemes() {
		s := &Scheme{Key: named.Name, Name: own.unique(newName(named.Name, "credential"), "credential"), Doc: named.Value.Description()}
		switch named.Value.Type() {
		case "apiKey":
			s.Kind, s.In, s.Field = "apiKey", named.Value.In(), named.Value.Field()
		case "http":
			s.Kind, s.In, s.Field = "bearer", "header", "Authorization"
			if named.Value.Scheme() == "basic" {
				s.Kind = "basic"
			} else if named.Value.Scheme() != "bearer" {
				continue
			}
		case "oauth2", "openIdConnect":
			s.Kind, s.In, s.Field = "bearer", "header", "Authorization"
		default:
			continue
		}
		s.Env = b.api.prefix() + "_" + s.Name.Upper
		b.api.Schemes = append(b.api.Schemes, s)
	}
}

// security lists the alternatives of an operation. Alternatives with a scheme that
// clients do not know are left out.
func (b *builder) security(op graph.Operation) (list [][]*Scheme) {
	requirements, _ := op.Security()
	for _, r := range requirements {
		together, ok := []*Scheme{}, true
		for _, needed := range r.Schemes {
			i := slices.IndexFunc(b.api.Schemes, func(s *Scheme) bool { return s.Key == needed.Name })
			if i < 0 {
				ok = false
				break
			}
			together = append(together, b.api.Schemes[i])
		}
		if ok {
			list = append(list, together)
		}
	}
	return list
}

func (b *builder) resource(tag string) *Resource {
	tag = cmp.Or(tag, "operations")
	if known := b.resources[tag]; known != nil {
		return known
	}
	if b.tags == nil {
		b.tags = newNames(keywords)
	}
	r := &Resource{Name: b.tags.unique(newName(tag, "group"), "api")}
	r.Type = b.s.names.unique(r.Name.plus("resource"), "group")
	for _, t := range b.g.Tags() {
		if t.Name() == tag {
			r.Doc = t.Description()
		}
	}
	b.resources[tag] = r
	b.names[r] = newNames(keywords)
	b.api.Resources = append(b.api.Resources, r)
	return r
}

func (b *builder) method(placed openapi.Placed) {
	op := b.g.Operation(placed.Method, placed.Route, placed.Node)
	r := b.resource(placed.Category)
	id := cmp.Or(placed.ID, placed.Method+" "+placed.Path)
	m := &Method{
		Name: b.names[r].unique(newName(id, "call"), "call"), ID: placed.ID, Slug: placed.Slug, Title: placed.Name,
		Doc: cmp.Or(placed.Purpose, placed.Name), Deprecated: op.Deprecated(), Verb: strings.ToUpper(placed.Method), Path: placed.Path,
		Resource: r, Security: b.security(op),
	}
	m.Input = b.s.names.unique(m.Name.plus("params"), "input")
	if own := placed.Node.List("servers"); len(own) > 0 {
		for _, s := range op.Servers() {
			m.Server = strings.TrimSuffix(s.URL(), "/")
			break
		}
	}
	own := newNames(keywords)
	b.params(m, op, own)
	b.body(m, op, own)
	b.result(m, op)
	m.Page = b.page(m, op)
	m.Example = examples(m, op)
	r.Methods = append(r.Methods, m)
}

// ignored are header parameters that clients set themselves (OpenAPI 3.1, 4.8.12.2.1).
var ignored = []string{"accept", "content-type", "authorization"}

// params reads the parameters. Credentials and the idempotency key are the client's.
func (b *builder) params(m *Method, op graph.Operation, own *names) {
	for _, p := range op.Parameters() {
		if !p.Exists() || p.Name() == "" || p.In() == "header" && slices.Contains(ignored, strings.ToLower(p.Name())) || b.isCredential(m, p) {
			continue
		}
		if p.In() == "header" && isIdempotency(p.Name()) {
			m.Idempotency = p.Name()
		}
		if p.In() == "path" && !strings.Contains(m.Path, "{"+p.Name()+"}") {
			continue
		}
		made := &Param{
			Name: own.unique(newName(p.Name(), "value"), p.In()), Wire: p.Name(), In: p.In(), Required: p.Required() || p.In() == "path",
			Deprecated: p.Deprecated(), Style: p.Style(), Explode: p.Explode(), AllowReserved: p.AllowReserved(), Doc: p.Description(),
		}
		if made.Wire == m.Idempotency {
			made.Required = false
		}
		schema := p.Schema()
		for _, c := range p.Content() {
			schema, made.JSON = c.Value.Schema(), true
		}
		made.Type = b.s.typeOf(schema, join(m.Name, made.Name))
		m.Params = append(m.Params, made)
	}
	b.pathParams(m, own)
}

// pathParams adds the parameters that only the path names.
func (b *builder) pathParams(m *Method, own *names) {
	rest := m.Path
	for {
		_, after, found := strings.Cut(rest, "{")
		name, after, closed := strings.Cut(after, "}")
		if !found || !closed {
			return
		}
		rest = after
		if !slices.ContainsFunc(m.Params, func(p *Param) bool { return p.In == "path" && p.Wire == name }) {
			m.Params = append(m.Params, &Param{Name: own.unique(newName(name, "value"), "path"), Wire: name, In: "path", Required: true, Style: "simple", Type: &Type{Kind: String}})
		}
	}
}

func (b *builder) isCredential(m *Method, p graph.Parameter) bool {
	for _, together := range m.Security {
		for _, s := range together {
			if s.In == p.In() && strings.EqualFold(s.Field, p.Name()) {
				return true
			}
		}
	}
	return false
}

func isIdempotency(name string) bool {
	low := strings.ToLower(name)
	return low == "idempotency-key" || low == "x-idempotency-key" || low == "request-id-idempotency"
}
