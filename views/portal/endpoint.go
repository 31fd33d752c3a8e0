package portal

import (
	"strconv"
	"strings"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// EndpointPage is the reference of one endpoint, or of one callback, which is
// sent to a server of the reader.
type EndpointPage struct {
	layout.Page
	Nav    Nav
	Crumbs []ui.Link
	Notice Notice
	Lost   Lost
	Name   string
	// Badges stand by the heading: a stage, "New in 3.1", and so on.
	Badges  []Badge
	Request RequestLine
	// Servers to choose from, each with the address of this page for it; none
	// where there is no choice. Request has the chosen one.
	Servers []ui.Link
	Purpose ui.HTML
	// Callback says that it is one: nobody authenticates, Samples are what it
	// carries, and Responses what the reader answers.
	Callback bool
	// Guide leads to how callbacks are received; nowhere without one.
	Guide           ui.Link
	Auth            []AuthScheme
	Repeating       Repeating
	ParameterGroups []ParameterGroup
	// BodyRequired and BodyNote introduce the request body, which comes in
	// one form for each content type.
	BodyRequired bool
	BodyNote     ui.HTML
	Bodies       []Body
	Responses    []Response
	// Languages that samples come in, each with the address of this page in it.
	Languages      []ui.Link
	Samples        []Sample
	Previous, Next ui.Link
	Published      Published
}

// Sections leads to the parts of the page below its purpose.
func (p EndpointPage) Sections() []ui.Link {
	var list []ui.Link
	if !p.Callback {
		list = append(list, ui.Link{Label: "Authentication", Href: "#authentication"})
	}
	if p.Repeating.Key.Exists() || len(p.Repeating.Waits) > 0 {
		list = append(list, ui.Link{Label: "Limits and retries", Href: "#repeating"})
	}
	for _, g := range p.ParameterGroups {
		list = append(list, ui.Link{Label: g.Title, Href: "#" + g.ID})
	}
	if len(p.Bodies) > 0 {
		list = append(list, ui.Link{Label: "Body", Href: "#body"})
	}
	return append(list, ui.Link{Label: p.answers(), Href: "#responses"})
}

// answers is the heading of the responses.
func (p EndpointPage) answers() string {
	if p.Callback {
		return "Your answer"
	}
	return "Responses"
}

// sampleLabel names the choice of samples.
func (p EndpointPage) sampleLabel() string {
	if p.Callback {
		return "Payload example"
	}
	return "Request example"
}

// Repeating says what the endpoint knows about being called again.
type Repeating struct {
	// Key is the header that makes repeating safe, with the anchor of its row.
	Key ui.Link
	// Waits are the answers that say how long to wait, with their anchors.
	Waits []ui.Link
}

// Badge is a short word with a meaning.
type Badge struct {
	Tone  ui.Tone
	Label string
}

// RequestLine shows what is called.
type RequestLine struct {
	Method string
	// Server is the base URL, shown dimmed before the path.
	Server string
	Path   []PathPart
	// Receiver says in words where a callback goes, in place of an address.
	Receiver string
}

// URL is the whole address with its placeholders, as the copy button gives it.
func (r RequestLine) URL() string {
	url := r.Server
	for _, p := range r.Path {
		url += p.Text
	}
	return url
}

// PathPart is a stretch of a path. Tint counts the path's parameters from 1,
// and is the same in the parameter's row; 0 is literal text.
type PathPart struct {
	Text string
	Tint int
	// Anchor is the parameter's row, without the number sign.
	Anchor string
}

// AuthScheme is one way to authenticate.
type AuthScheme struct {
	Name string
	// Sends shows the header or parameter with a placeholder:
	// "apikey: <API_KEY>". It may be empty.
	Sends string
	// Joined says that the scheme is needed together with the one before it,
	// rather than instead.
	Joined bool
	Note   ui.HTML
	// Scopes that the key must have, if the scheme knows any.
	Scopes []string
}

// ParameterGroup holds the parameters of one place. ID is its anchor: path,
// query, header or cookie.
type ParameterGroup struct {
	ID     string
	Title  string
	Fields []Field
}

// Body is a request or response body of one content type.
type Body struct {
	// ID is the anchor of the body, unique on the page.
	ID          string
	ContentType string
	// Whole is what the body is; its anchor and name are not used.
	Whole Field
}

// Sample is the code of one call. Label tells it from others.
type Sample struct {
	Label string
	Code  ui.Code
}

// Field is a parameter, a header or a member of a body, with its own members
// beneath it.
type Field struct {
	// Anchor is the field's address on the page: its place, then its dotted
	// path, as in body.to.phone or response-200.data.id.
	Anchor string
	Name   string
	// Type in words: "string", "array of object", "integer or null".
	Type       string
	Required   bool
	Deprecated bool
	// ReadOnly and its kin, in words.
	Notes []string
	// Constraints in words: "at most 1,024 characters".
	Constraints []string
	Enum        []string
	// Default and Example as they are written in JSON; empty when absent.
	Default     string
	Example     string
	Description ui.HTML
	// Tint is that of the parameter's token in the path; 0 has none.
	Tint     int
	Children []Field
	// Open shows the children at first.
	Open     bool
	Variants []Variant
	// Schema leads to the named schema that the field, or each of its items, is.
	Schema ui.Link
	// RecursiveOf leads to the schema whose members repeat here.
	RecursiveOf ui.Link
	// Branch leads to this page with the members that it leaves out. Path then
	// names the field.
	Branch ui.Link
	Path   string
	// Asked says that the address names this field.
	Asked bool
	// Truncated says that members are left out: there are too many for a page.
	Truncated bool
}

// limit says what narrows a field: words, and a value after them.
type limit struct{ Words, Code string }

// limits are the constraints of a field, its only value, its default and its
// example.
func (f Field) limits() (list []limit) {
	for _, c := range f.Constraints {
		l := limit{Words: c}
		for _, word := range []string{"always ", "matches "} {
			if value, is := strings.CutPrefix(c, word); is {
				l = limit{word, value}
			}
		}
		list = append(list, l)
	}
	if len(f.Enum) == 1 {
		list = append(list, limit{"always ", f.Enum[0]})
	}
	if f.Default != "" && (len(f.Enum) != 1 || f.Default != f.Enum[0]) {
		list = append(list, limit{"default ", f.Default})
	}
	if f.Example != "" {
		list = append(list, limit{"example ", f.Example})
	}
	return list
}

// ordinary says that nothing is to be told of the whole but its members.
func (f Field) ordinary() bool {
	return !f.Deprecated && len(f.Notes) == 0 && !f.Schema.Exists() && (f.Type == "object" || f.Type == "")
}

// Variant is one of the shapes that a body or a field can take. ID is its
// anchor and selects it.
type Variant struct {
	ID    string
	Label string
	// Form is the shape; its anchor and name are not used.
	Form Field
}

// Response is what one status carries.
type Response struct {
	// Status is a code, a range such as "4XX", or "default".
	Status string
	// Reason is the code's name: "Not found".
	Reason string
	Note   ui.HTML
	// Errors are those that programs tell apart by a code.
	Errors   []Fault
	Headers  []Field
	Bodies   []Body
	Examples []ui.Code
}

// Fault is an error that a response carries.
type Fault struct {
	// Code is what programs decide by: "131008".
	Code string
	// Cause says what went wrong; Cases, when it happens.
	Cause string
	Cases []string
	// Remedy says what the caller does about it; may be empty.
	Remedy string
}

// id is the anchor of the response.
func (r Response) id() string { return "response-" + strings.ToLower(r.Status) }

// exampleID is the anchor of the response's examples.
func (r Response) exampleID() string { return "example-" + strings.ToLower(r.Status) }

// tintClass colours a path token and its row alike. Four tints take turns.
func tintClass(n int) string {
	if n < 1 {
		return ""
	}
	return "tint-" + strconv.Itoa((n-1)%4+1)
}

// childCount says how many members a disclosure holds.
func childCount(n int) string {
	if n == 1 {
		return "1 field"
	}
	return strconv.Itoa(n) + " fields"
}

// enumShown is how many values of an enumeration are shown before the rest
// folds away.
const enumShown = 5

// splitEnum gives the values shown at once and those that fold away. A single
// value is never folded alone.
func splitEnum(values []string) (shown, folded []string) {
	if len(values) <= enumShown+1 {
		return values, nil
	}
	return values[:enumShown], values[enumShown:]
}
