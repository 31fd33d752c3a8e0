package reader

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"heliograph/views/layout"
	"heliograph/views/reader/console"
	"heliograph/views/ui"
)

// EndpointPage is the reference of an endpoint or a callback.
type EndpointPage struct {
	layout.Page
	// Path is the path of the page.
	Path   string
	Nav    Nav
	Notice Notice
	Lost   Lost
	Name   string
	// Badges stand by the heading: a stage, "New in 3.1", and so on.
	Badges []Badge
	// Since is the history of the endpoint.
	Since   Since
	Recent  []RecentChange
	Request RequestLine
	// Mock is empty for callbacks.
	Mock Mock
	// Servers to choose from, each with the address of this page for it. There
	// are none without a choice. Request has the chosen one.
	Servers []ui.Link
	// Purpose says what the operation is for. Behaviour holds the other sections of
	// its description, which Topics link to.
	Purpose, Behaviour ui.HTML
	Topics             []ui.Link
	// Callback marks a callback: Samples are its payloads, and Responses what
	// the reader's server responds.
	Callback bool
	// Unserved marks an operation that nothing serves yet.
	Unserved bool
	// Guide links to the guide about receiving callbacks; it may be empty.
	Guide           ui.Link
	Auth            []AuthScheme
	IsOpen          bool // whether it says that calls need no credential
	Repeating       Repeating
	ParameterGroups []ParameterGroup
	// BodyRequired and BodyNote introduce the request body, which comes in
	// one form for each content type.
	BodyRequired bool
	BodyNote     ui.HTML
	Bodies       []Body
	Responses    []Response
	// Console is the panel of the API console; callbacks have none.
	Console console.Panel
	// Languages that samples come in, each with the address of this page in it.
	Languages []ui.Link
	// Library links to code that makes the call with the client library of the language,
	// where there is one, and Raw to this page.
	Library, Raw ui.Link
	// Calls are the calls to choose from, and Sample the chosen one.
	Calls  Chooser
	Sample Sample
	// Statuses have examples of responses, Answers are the responses of the chosen status, and
	// Answer is the chosen one.
	Statuses []Status
	Answers  Chooser
	Answer   ui.Code
	// Open lists the ids of the panels that belong to the sample and the answer.
	Open           []string
	Previous, Next ui.Link
	Published      Published
}

// Sections links to the sections of the page.
func (p EndpointPage) Sections() []ui.Link {
	var list []ui.Link
	if !p.Callback {
		list = append(list, ui.Link{Label: "Authentication", Href: "#authentication"})
	}
	for _, g := range p.ParameterGroups {
		list = append(list, ui.Link{Label: g.Title, Href: "#" + g.ID})
	}
	if len(p.Bodies) > 0 {
		list = append(list, ui.Link{Label: "Body", Href: "#body"})
	}
	list = append(append(list, ui.Link{Label: p.answers(), Href: "#responses"}), p.Topics...)
	if p.Repeating.exists() {
		list = append(list, ui.Link{Label: "Limits and retries", Href: "#repeating"})
	}
	if len(p.Recent) > 0 {
		list = append(list, ui.Link{Label: "Changes", Href: "#changes"})
	}
	return list
}

// answers returns the heading of the responses.
func (p EndpointPage) answers() string {
	if p.Callback {
		return "Your answer"
	}
	return "Responses"
}

// unservedNote describes an operation that nothing serves yet.
func (p EndpointPage) unservedNote() string {
	if p.Callback {
		return "No callback of this kind is sent. The description shows what it will hold."
	}
	return "A request gets status 404. The description shows what it will do."
}

// Repeating holds the headers for retries.
type Repeating struct {
	// Key is the header that makes retries safe, with the anchor of its row.
	Key ui.Link
	// Waits are the responses with a time to wait, with their anchors.
	Waits []ui.Link
}

// exists reports whether there is anything to say about retries.
func (r Repeating) exists() bool { return r.Key.Exists() || len(r.Waits) > 0 }

// Since links to the entries of comparisons about an endpoint or a field: the
// version that added it and the last one that changed it. A version without an
// entry has no address.
type Since struct{ Since, Changed ui.Link }

// Badge is a short word with a tone.
type Badge struct {
	Tone  ui.Tone
	Label string
}

// Mock is the address of an endpoint at the mock server, and the guide about it.
type Mock struct {
	URL       string
	Guide     ui.Link
	Unchecked bool // it accepts what the contract does not
}

// RequestLine shows the method and address of a request.
type RequestLine struct {
	Method string
	// Server is the base URL, shown dimmed before the path.
	Server string
	Path   []PathPart
	// Receiver describes in words where a callback is sent.
	Receiver string
}

// URL returns the whole address with its placeholders, for the copy button.
func (r RequestLine) URL() string {
	url := r.Server
	for _, p := range r.Path {
		url += p.Text
	}
	return url
}

// PathPart is a part of a path. Tint counts the path's parameters from 1 and is
// the same in the parameter's row; 0 is literal text.
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
	// Joined marks a scheme that is needed together with the one before it,
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
	Panel       Panel
	// Whole is the field of the body. Its anchor and name are not used.
	Whole Field
}

// Sample is the code of one call.
type Sample struct {
	Code ui.Code
	// Replace lists the placeholders of the code.
	Replace []Replacement
	// Simulator shows the message of the call on a phone; empty for most.
	Simulator ui.Link
}

// Chooser is a form that shows the page with another of its examples.
type Chooser struct {
	// Label names the choice, and Name is its parameter.
	Label, Name string
	Options     []ui.Option
	Value       string
	// Action is the address of the page, relative to itself.
	Action string
	// Kept are the other choices of the reader.
	Kept []Kept
}

// Kept is a parameter of the address that stays as it is.
type Kept struct{ Name, Value string }

// Status links to this page with an example of a response with the status.
type Status struct {
	ui.Link
	Tone ui.Tone
}

// Panel is the state of one of several parts of which one is open.
type Panel struct {
	// Href is this page with what belongs to the panel; it may be empty.
	Href string
	// Open marks the panel that belongs to the sample, and Asked the one that holds
	// the field that the address names.
	Open, Asked bool
}

// Replacement is a placeholder of a sample and where readers find its value.
type Replacement struct {
	Name  string
	Found ui.HTML
}

// replaces counts the placeholders in words.
func (s Sample) replaces() string {
	if len(s.Replace) == 1 {
		return "Replace 1 value"
	}
	return "Replace " + strconv.Itoa(len(s.Replace)) + " values"
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
	// ReadOnly and WriteOnly, in words.
	Notes []string
	// Constraints in words: "at most 1,024 characters".
	Constraints []string
	Enum        []string
	// Default and Example as they are written in JSON; empty when absent.
	Default     string
	Example     string
	Description ui.HTML
	// Tint is the tint of the parameter's token in the path; 0 has none.
	Tint     int
	Children []Field
	// Open shows the children at first.
	Open     bool
	Variants []Variant
	// Schema links to the named schema of the field, or of each of its items.
	Schema ui.Link
	// RecursiveOf links to the schema that repeats here.
	RecursiveOf ui.Link
	// Branch links to this page with the members that it leaves out. Path then
	// names the field.
	Branch ui.Link
	Path   string
	// Asked marks the field that the address names.
	Asked bool
	Since
	// Truncated marks a field without its members, because there are too
	// many for a page.
	Truncated bool
}

// limit is a constraint of a field in words, with a value after them.
type limit struct{ Words, Code string }

// limits lists the constraints of a field, its only value, its default and its
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

// ordinary reports whether only the members of a field are worth showing.
func (f Field) ordinary() bool {
	return !f.Deprecated && len(f.Notes) == 0 && !f.Schema.Exists() && (f.Type == "object" || f.Type == "")
}

// Variant is one of the forms of a body or a field. ID is its anchor and
// selects it.
type Variant struct {
	ID    string
	Label string
	Panel Panel
	// Form is the field of the form. Its anchor and name are not used.
	Form Field
}

// Response is a documented response.
type Response struct {
	// Status is a code, a range such as "4XX", or "default".
	Status string
	// Reason is the code's name: "Not found".
	Reason string
	Note   ui.HTML
	// Errors are the errors that programs distinguish by a code.
	Errors  []Fault
	Headers []Field
	Bodies  []Body
	Panel   Panel
}

// Fault is an error in a response.
type Fault struct {
	// Code identifies the error for programs: "131008".
	Code string
	// Href is its entry among the error codes; it may be empty.
	Href string
	// Cause describes the error, and Cases when it happens.
	Cause string
	Cases []string
	// Remedy describes what the caller can do; it may be empty.
	Remedy string
}

// id is the anchor of the response.
func (r Response) id() string { return "response-" + strings.ToLower(r.Status) }

// tintClass gives a path token and its row the same colour. There are four.
func tintClass(n int) string {
	if n < 1 {
		return ""
	}
	return "tint-" + strconv.Itoa((n-1)%4+1)
}

// enumShown is the number of values of an enumeration that are always shown.
const enumShown = 5

// splitEnum splits values into those that are always shown and those that are
// folded. A single value is never folded.
func splitEnum(values []string) (shown, folded []string) {
	values = slices.Clone(values)
	for i, v := range values {
		values[i] = cmp.Or(v, `""`) // an empty text is a value, too
	}
	if len(values) <= enumShown+1 {
		return values, nil
	}
	return values[:enumShown], values[enumShown:]
}
