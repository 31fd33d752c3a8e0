package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/lists"
)

// sectionNames lists what get_endpoint can include. The sections of the page come
// without asking.
var sectionNames = append(slices.Clone(reference.SectionNames), "examples", "schemas")

func languageSlugs() (list []string) {
	return lists.Map(sample.Languages(), func(language sample.Language) string { return language.Slug })
}

// maxDepth is how deep the members of a body are listed.
const maxDepth = 4

type (
	endpointFacts struct {
		standing
		ID          string          `json:"endpoint_id"`
		Name        string          `json:"name"`
		Category    string          `json:"category"`
		Method      string          `json:"method"`
		Path        string          `json:"path"`
		Callback    bool            `json:"callback"`
		IsObsolete  bool            `json:"endpoint_deprecated"`
		URI         string          `json:"uri"`
		URL         string          `json:"url"`
		MarkdownURL string          `json:"markdown_url"`
		SDKURL      string          `json:"sdk_url,omitempty"` // the call with the client libraries
		Description string          `json:"description"`
		Servers     []string        `json:"servers"`
		Auth        []string        `json:"authentication"`
		Parameters  []fieldFacts    `json:"parameters,omitempty"`
		Request     []bodyFacts     `json:"request,omitempty"`
		Code        *codeFacts      `json:"code,omitempty"`
		Responses   []responseFacts `json:"responses,omitempty"`
		Examples    []exampleFacts  `json:"examples,omitempty"`
		Schemas     []schemaFacts   `json:"schemas,omitempty"`
		Omitted     []string        `json:"omitted"`
	}
	fieldFacts struct {
		In          string   `json:"in,omitempty"`
		Name        string   `json:"name"`
		Type        string   `json:"type"`
		Required    bool     `json:"required"`
		Deprecated  bool     `json:"deprecated,omitempty"`
		Description string   `json:"description,omitempty"`
		Constraints []string `json:"constraints,omitempty"`
		Enum        []string `json:"enum,omitempty"`
		Default     string   `json:"default,omitempty"`
		Example     string   `json:"example,omitempty"`
		Schema      string   `json:"schema,omitempty"`
		RepeatsAs   string   `json:"repeats,omitempty"`
	}
	bodyFacts struct {
		ContentType string       `json:"content_type"`
		Required    bool         `json:"required"`
		Fields      []fieldFacts `json:"fields"`
	}
	responseFacts struct {
		Status      string       `json:"status"`
		Title       string       `json:"title"`
		Description string       `json:"description"`
		Headers     []fieldFacts `json:"headers,omitempty"`
		Bodies      []bodyFacts  `json:"bodies,omitempty"`
		Example     string       `json:"example,omitempty"`
	}
	codeFacts struct {
		Language string `json:"language"`
		Text     string `json:"text"`
	}
	exampleFacts struct {
		Of          string `json:"of"`
		Name        string `json:"name"`
		Summary     string `json:"summary,omitempty"`
		ContentType string `json:"content_type"`
		Value       string `json:"value"`
	}
	schemaFacts struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
)

// endpointCall is one call of get_endpoint.
type endpointCall struct {
	library
	at      reference.Place
	op      *published.Operation
	e       *model.Endpoint
	choice  reference.Choice
	wanted  []string
	facts   endpointFacts
	text    string
	omitted []string
}

func (l library) getEndpoint(ctx context.Context, args arguments) (result, error) {
	c := &endpointCall{library: l, wanted: reference.SectionNames}
	var err error
	if c.at, err = l.mustPlace(args); err != nil {
		return result{}, err
	}
	if c.op, err = mustOperation(c.at, args); err != nil {
		return result{}, err
	}
	if language := strings.ToLower(args.Language); language != "" {
		if c.choice.Language = slices.Index(languageSlugs(), language); c.choice.Language < 0 {
			return result{}, mistakef("There is no code in %s. Use one of: %s.", quote(args.Language), strings.Join(languageSlugs(), ", "))
		}
	}
	for _, name := range args.Include {
		if !slices.Contains(sectionNames, name) {
			return result{}, mistakef("include has no part %s. Use some of: %s.", quote(name), strings.Join(sectionNames, ", "))
		}
	}
	if len(args.Include) > 0 {
		c.wanted = args.Include
	}
	sections, e, err := l.Site.Sections(ctx, c.at, c.op, c.choice)
	if err != nil {
		return result{}, err
	}
	c.e = e
	c.begin(sections[0].Text)
	for _, section := range sections[1:] {
		if slices.Contains(c.wanted, section.Name) {
			c.add(section.Name, section.Text, c.fill(section.Name))
		}
	}
	for _, name := range []string{"examples", "schemas"} {
		if slices.Contains(c.wanted, name) {
			c.addExtra(name)
		}
	}
	return c.finish(), nil
}

// begin sets the facts that every answer has.
func (c *endpointCall) begin(text string) {
	path := c.at.Operation(c.op)
	c.text = text
	c.facts = endpointFacts{
		standing: newStanding(c.at), Description: shorten(c.e.Purpose, maxText/4), Servers: []string{}, Auth: []string{}, Omitted: []string{},
		ID: c.op.Slug, Name: c.op.Name, Category: c.op.Category, Method: c.op.Method, Path: c.op.Path, IsObsolete: c.op.Deprecated, Callback: c.op.Callback,
		URI: endpointURI(c.at, c.op), URL: c.Site.URL + path, MarkdownURL: c.Site.URL + reference.TextPath(path), SDKURL: c.callOf(c.at, c.op),
	}
	for _, server := range c.e.Servers {
		c.facts.Servers = append(c.facts.Servers, c.Site.Server(server.URL))
	}
	for _, scheme := range reference.Schemes(c.e.Auth) {
		c.facts.Auth = append(c.facts.Auth, strings.TrimSpace(scheme.Name+" "+scheme.Sends))
	}
}

// add adds a section if both renderings keep within their budgets.
func (c *endpointCall) add(name, text string, facts endpointFacts) {
	raw, err := json.Marshal(facts)
	if err != nil || length(c.text)+length(text) > maxText-500 || length(string(raw)) > maxText-500 {
		c.omitted = append(c.omitted, name)
		return
	}
	c.text += text
	c.facts = facts
}

// fill returns the facts with the facts of a section.
func (c *endpointCall) fill(name string) endpointFacts {
	facts := c.facts
	switch name {
	case "parameters":
		for _, g := range c.e.Parameters {
			for _, f := range g.Fields {
				facts.Parameters = append(facts.Parameters, newFields(g.In, f, 1)...)
			}
		}
	case "request":
		facts.Request = newBodies(c.e.Bodies)
	case "code":
		if !c.e.Callback {
			language := sample.Languages()[c.choice.Language].Slug
			text, _ := sample.Write(c.e, c.Site.Base(c.e, 0), language, 0)
			facts.Code = &codeFacts{language, text}
		}
	case "responses":
		for _, r := range c.e.Responses {
			made := responseFacts{Status: r.Status, Title: r.Title, Description: r.Description, Bodies: newBodies(r.Bodies)}
			for _, h := range r.Headers {
				made.Headers = append(made.Headers, newFields("header", h, 1)...)
			}
			if len(r.Bodies) > 0 && len(r.Bodies[0].Examples) > 0 {
				made.Example = r.Bodies[0].Examples[0].Value
			}
			facts.Responses = append(facts.Responses, made)
		}
	}
	return facts
}

// addExtra adds the named examples or the schemas.
func (c *endpointCall) addExtra(name string) {
	facts := c.facts
	var b strings.Builder
	if name == "schemas" {
		b.WriteString("## Schemas\n\n")
		for _, schema := range schemaNames(c.e) {
			if c.at.Version.HasSchema(schema) {
				f := schemaFacts{schema, c.Site.URL + reference.TextPath(c.at.Schema(schema))}
				facts.Schemas = append(facts.Schemas, f)
				fmt.Fprintf(&b, "- [%s](%s)\n", f.Name, f.URL)
			}
		}
	} else {
		b.WriteString("## Examples\n\n")
		facts.Examples = newExamples(c.e)
		for _, x := range facts.Examples {
			fmt.Fprintf(&b, "### %s: %s %s (%s)\n\n```\n%s\n```\n\n", x.Of, x.Name, x.Summary, x.ContentType, x.Value)
		}
	}
	c.add(name, b.String(), facts)
}

// finish names the parts that were left out.
func (c *endpointCall) finish() result {
	if len(c.omitted) > 0 {
		c.facts.Omitted = c.omitted
		if len(c.wanted) == 1 {
			c.text += fmt.Sprintf("\nThe part %s is too long for an answer. Read it at %s.\n", c.omitted[0], c.facts.MarkdownURL)
		} else {
			c.text += fmt.Sprintf("\nLeft out to keep the answer short: %s. Ask for one at a time with include=[\"%s\"].\n", strings.Join(c.omitted, ", "), c.omitted[0])
		}
	}
	return result{text: c.text, value: c.facts, links: []mcp.Content{&mcp.ResourceLink{URI: c.facts.URI, Name: c.op.Slug, Title: c.op.Name, MIMEType: markdownType}}}
}

// newFields lists a field and its members, each with its path.
func newFields(in string, f *model.Field, depth int) []fieldFacts {
	name := f.Path
	if in != "" && depth == 1 {
		name = f.Name
	}
	list := []fieldFacts{{
		In: in, Name: name, Type: reference.TypeWords(f), Required: f.Required, Deprecated: f.Deprecated, Description: f.Description,
		Constraints: f.Constraints, Enum: f.Enum, Default: f.Default, Example: f.Example, Schema: f.Schema, RepeatsAs: f.Recursive,
	}}
	if depth == maxDepth {
		return list
	}
	for _, child := range f.Children {
		list = append(list, newFields(in, child, depth+1)...)
	}
	for _, variant := range f.Variants {
		for _, child := range variant.Field.Children {
			list = append(list, newFields(in, child, depth+1)...)
		}
	}
	return list
}

func newBodies(bodies []model.Body) (list []bodyFacts) {
	for _, b := range bodies {
		made := bodyFacts{ContentType: b.ContentType, Required: b.Required, Fields: []fieldFacts{}}
		if b.Root != nil {
			made.Fields = append(made.Fields, newFields("", b.Root, 0)...)
		}
		list = append(list, made)
	}
	return list
}

// newExamples lists all examples of an endpoint.
func newExamples(e *model.Endpoint) (list []exampleFacts) {
	add := func(of string, bodies []model.Body) {
		for _, b := range bodies {
			for _, x := range b.Examples {
				list = append(list, exampleFacts{of, x.Name, x.Summary, b.ContentType, x.Value})
			}
		}
	}
	add("request", e.Bodies)
	for _, r := range e.Responses {
		add("response "+r.Status, r.Bodies)
	}
	return list
}

// schemaNames lists the named schemas of the fields of an endpoint.
func schemaNames(e *model.Endpoint) (list []string) {
	for f := range e.Fields() {
		for _, name := range []string{f.Schema, f.Recursive} {
			if name != "" && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return list
}

// shorten cuts a text to a number of characters.
func shorten(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
