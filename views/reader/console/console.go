// Package console holds the views of the API console: the panel on the page of an
// endpoint, the form of a call and its result.
package console

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// The regions of the console.
const (
	// PanelRegion is the panel on the page of an endpoint.
	PanelRegion ui.Region = "console"
	// formRegion is the form of a call.
	formRegion ui.Region = "console-form"
	// ResultRegion is the result of a call.
	ResultRegion ui.Region = "console-result"
	// SampleRegion is the call as a program.
	SampleRegion ui.Region = "console-sample"
)

// Panel is the panel on the page of an endpoint.
type Panel struct {
	// Path is the address of the form.
	Path string
	// Staff is the address from which administrators get a panel that readers do not
	// see; empty in a panel that is visible.
	Staff string
	// Shown makes the panel visible.
	Shown bool
	// Draft marks a preview: the panel shows and sends nothing.
	Draft bool
	// Note names the people that see the panel, unless everybody does.
	Note string
}

// IndexPage lists the endpoints that the console can call.
type IndexPage struct {
	layout.Page
	Versions []IndexVersion
}

// StaffPage shows administrators whether readers see the console.
type StaffPage struct {
	layout.Frame
	State       string
	Tone        ui.Tone
	Explanation string
	Change      ui.Post // zero without the right to change it
	Versions    []IndexVersion
}

// IndexVersion is a version with its endpoints.
type IndexVersion struct {
	Title     string
	Open      bool
	Endpoints []IndexEndpoint
}

// IndexEndpoint links to the form of an endpoint.
type IndexEndpoint struct {
	Method string
	ui.Link
}

// CallPage is the form of an endpoint as a page of its own.
type CallPage struct {
	layout.Page
	Form   Form
	Result Result
}

// Form is the form of a call.
type Form struct {
	Action string
	CSRF   string
	Method string
	// Path of the endpoint with its placeholders, and Doc its page.
	Path string
	Doc  ui.Link
	// Note names the people that see the console, unless everybody does.
	Note string
	// Problem is about the form as a whole.
	Problem string
	Servers ui.Select
	IsMock  bool // the chosen server is the mock server
	Ways    ui.Select
	Schemes []Scheme
	Groups  []Group
	Body    Body
	Confirm string // asks before the call; empty where nothing is asked
	Refused bool   // the confirmation is missing
	Sample  Sample
	Bounds  string
	Secrets string // names of the fields that are not sent for samples
	// HasMock offers the mock server, and Prefer its answers.
	HasMock bool
	Prefer  ui.Select
	// Recent are the last calls of the reader's own organisation.
	Recent []Recent
	// Skipped is what is not checked of the endpoint.
	Skipped []string
	// Release and Names identify what a shared link was made of.
	Release string
	Names   string
}

// Recent is a message that a key of the reader's own organisation sent.
type Recent struct {
	At, ISO         string // UTC
	Kind, Recipient string
	State           string
	Tone            ui.Tone
	Open            ui.Link // the form with an example of the kind
	Message         ui.Link // its history
}

// Scheme is a security scheme with its fields.
type Scheme struct {
	Name   string
	Ways   string // the ways to authenticate that need it, by their values
	Fields []ui.Input
	// Problem is why the credential cannot be sent.
	Problem string
}

// Group holds the parameters of one place.
type Group struct {
	Title  string
	Fields []Field
}

// Field is a parameter.
type Field struct {
	Name     string // of the control
	Switch   string // name of the checkbox that sends it; empty for a required one
	Label    string
	Type     string // in words
	Required bool
	On       bool
	Lines    bool // several lines can be typed
	Value    string
	Options  []ui.Option // to choose from; nothing is typed then
	Hint     string
	Error    string
	Own      string // placeholder of the reader's own value; empty without one
}

func (f Field) id() string { return "field-" + f.Name }

func (f Field) input() ui.Input {
	return ui.Input{Name: f.Name, Label: f.Label, Hint: f.Hint, Error: f.Error}
}

// Body is the body of a call. It has one of Raw, Parts and File.
type Body struct {
	Exists   bool
	Types    ui.Select
	Examples ui.Select
	// Reload is the address of the form with another content type or example.
	Reload string
	// Raw is the body as text, and Members describes what it may hold, as JSON.
	Raw     ui.TextArea
	HasRaw  bool
	IsJSON  bool
	Members string
	Parts   []Field
	Files   []File
}

// File is a file to send.
type File struct {
	Name     string
	Label    string
	Hint     string
	Required bool
	Several  bool
	Error    string
}

// Sample is the call as a program.
type Sample struct {
	Action   string
	Language ui.Select
	Code     ui.Code
	Problem  string
}

// Result is the result of a call.
type Result struct {
	Exists bool
	// Fields are problems of the form: nothing was sent.
	Fields []ui.Input
	// Failure is why there is no answer, with its class as a heading.
	Failure, FailureTitle string
	Status, Reason        string
	Tone                  ui.Tone
	Took, Size            string
	Server                string
	Headers               []ui.Pair
	Tree                  *Node // of a JSON body
	Code                  ui.Code
	Download              string // a data URL of the whole body; empty for none
	FileName              string
	NoBody                string // what is said in place of a body
	Sent                  ui.Code
	Problems              []Problem
	Codes                 []Code
	Verdict               string // of the checks
	VerdictTone           ui.Tone
	Detail, Help          string // why the mock server refused, with the address of an explanation
	Direct                Direct
	Skipped               []string
}

// Direct is a call of the mock server that the browser sends. It comes back with the
// answer.
type Direct struct {
	Call    string // as JSON; empty for none
	Action  string
	Secrets string   // names of the fields that are not sent
	Fields  []string // names of the fields of the answer
}

// Problem is a place where the call or the answer breaks the contract.
type Problem struct {
	Of      string // "Request" or "Answer"
	Place   ui.Link
	Message string
}

// Code is a documented error code.
type Code struct {
	ui.Link
	Meaning, Remedy string
}

// Node is a value of a JSON body.
type Node struct {
	Key      string // with its quotes, or empty
	Text     string // of a value without members
	Class    string // s for texts, n for numbers, k for words
	Open     bool
	Brackets string // "{}" or "[]"
	Count    string // "3 members"
	Children []Node
}

func (n Node) opening() string { return n.Brackets[:1] }

func (n Node) closing() string { return n.Brackets[1:] }

// OnlyResult is the result of a call without its form, for a page that is open.
func OnlyResult(r Result) templ.Component { return resultView(r) }

// OnlySample is the call as a program without its form, which needs the sample and the
// names of its secrets alone.
func OnlySample(f Form) templ.Component { return sampleView(f.Sample, f.follows()) }
