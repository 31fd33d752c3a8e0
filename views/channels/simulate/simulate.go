// Package simulate holds the views of the message simulators: the editor, and the
// phone beside it with what is wrong or what a recipient sees.
package simulate

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Preview is the region with the problems or the phone.
const Preview ui.Region = "simulator-preview"

// IndexPage lists the simulators.
type IndexPage struct {
	layout.Page
	Simulators []Entry
}

// Entry leads to a simulator.
type Entry struct {
	ui.Link
	About string
}

// Page is a simulator.
type Page struct {
	layout.Page
	Title, Lead string
	Action      string
	CSRF        string
	Others      []ui.Link // the simulators, with this one marked
	Examples    ui.Select
	Operation   ui.Select // without options where there is one operation
	Own         string    // the example of the account that the text began with; empty for none
	Text        string
	Most        string // how long a text may be
	Result      Result
}

// Result is the outcome of checking a text.
type Result struct {
	// Alert is why nothing was checked, for example a limit.
	Alert     string
	Problems  []Problem
	Refused   []Problem
	Warnings  []string
	Unchecked []string
	Screen    *Screen
	Answer    ui.Code
	// Action is the address that checks the text.
	Action string
	Follow *Follow // nil for a message that nothing follows
	Take   *Take   // nil for a text that is not taken along
	Sent   *Sent   // nil for a text that was not sent
}

// Take is a text as a program or as JSON, to be taken along.
type Take struct {
	Languages []ui.Option
	Language  string
	Note      string // why there is no code
	Code      ui.Code
	Console   *ConsoleForm // nil where readers see no console
	Send      string       // address that sends it in a sandbox; empty for those who may not
}

// Sent is the outcome of sending a text in a sandbox.
type Sent struct {
	Problem string // why nothing was sent
	Sender  string // that took the place of the one of the text; empty for none
	Answer  ui.Code
	Log     ui.Link
}

// sends sends the text in a sandbox.
func (t Take) sends() templ.Attributes { return templ.Attributes{"formaction": t.Send} }

// ConsoleForm opens the text in the API console, where nothing is sent yet.
type ConsoleForm struct {
	Action, CSRF string
	Fields       []ui.Pair
}

// Follow is what can happen to a message, and the callbacks about what was chosen.
type Follow struct {
	Groups    []OutcomeGroup
	Outcome   string // that was chosen; empty for none
	About     string // which message it is about
	Secret    string
	Callbacks []Callback
}

// OutcomeGroup is a part of the choice.
type OutcomeGroup struct {
	Label    string
	Outcomes []ui.Option
}

// Callback is a callback in one form: its body for reading, and a command that sends it.
type Callback struct {
	Form       string
	Body, CURL ui.Code
}

// follows shows the callbacks about an outcome when it is chosen.
func (r Result) follows() templ.Attributes {
	return templ.Attributes{
		"hx-post": r.Action, "hx-trigger": "change", "hx-include": "#simulator", "hx-target": Preview.Selector(), "hx-swap": "outerHTML", "hx-select-oob": "",
		"hx-push-url": "false", "hx-sync": "#simulator:replace",
	}
}

// Problem is a reason why a text cannot be sent.
type Problem struct {
	Line, Column  int
	Field         string
	Code          string
	CodeHref      string // of the code in the documentation; empty without one
	Title, Detail string
}

func (p Problem) where() string {
	return "Line " + strconv.Itoa(p.Line) + ", column " + strconv.Itoa(p.Column)
}

func (p Problem) at() templ.Attributes {
	return templ.Attributes{"data-line": strconv.Itoa(p.Line), "data-column": strconv.Itoa(p.Column)}
}

// Screen is what a phone shows.
type Screen struct {
	Sender, About string
	Verified      bool
	Bubbles       []Bubble
	Notes         []string
}

// initial stands for the picture of the sender.
func (s Screen) initial() string {
	for _, r := range s.Sender {
		return strings.ToUpper(string(r))
	}
	return ""
}

// Bubble is one message, or one card of it.
type Bubble struct {
	To, Channel, Quoted, Reaction string
	Wide                          bool
	Media                         *Media
	Title                         string
	Text                          []Block
	Rows                          []Row
	Footer                        string
	Offer                         *Offer
	List                          *List
	Order                         *Order
	Buttons                       []Button
	Cards                         []Bubble
	Chips                         []Button
	Parts                         []Part
	Summary                       string
	Flash                         bool
	Caution                       string
}

// Block is a part of a text that stands on lines of its own: paragraph, bullet,
// number, quote or code.
type Block struct {
	Kind, Mark string
	Lines      [][]Span
}

// Span is a piece of a line in one style.
type Span struct {
	Text                       string
	Bold, Italic, Strike, Mono bool
	Link                       bool
	Marked                     bool
}

// Media is a placeholder for a file.
type Media struct{ Kind, Label, Name, Height, Side string }

// Row is a line of details with its label.
type Row struct{ Label, Text string }

// Offer is a limited offer with its end.
type Offer struct{ Title, Code, Until string }

// Button is something that can be tapped.
type Button struct{ Kind, Text, Leads string }

// List opens from a button.
type List struct {
	Button   string
	Sections []Section
}

// Section is a part of a list.
type Section struct {
	Title string
	Items []Item
}

// Item is a choice of a list.
type Item struct{ ID, Title, Text string }

// Order is what is to be paid, or the state of it.
type Order struct {
	Reference   string
	Items, Sums []Row
	Total       string
}

// Part is one short message of an SMS.
type Part struct {
	Text []Span
	Size string
}

// mediaWords name the kinds of placeholders.
var mediaWords = map[string]string{
	"image": "Picture", "video": "Video", "audio": "Audio", "document": "Document", "sticker": "Sticker", "map": "Map", "product": "Product", "file": "File", "gif": "Picture",
}

func (m Media) word() string {
	if word, ok := mediaWords[m.Kind]; ok {
		return word
	}
	return "File"
}

func (m Media) class() string {
	class := "sim-media " + m.Kind
	if m.Height != "" {
		class += " " + m.Height
	}
	return class
}

// buttonWords say what a button does, where its text alone does not.
var buttonWords = map[string]string{
	"reply": "Reply", "url": "Opens", "call": "Calls", "copy": "", "flow": "", "shop": "", "pay": "Order", "map": "Shows", "calendar": "Adds", "share": "",
}

func (b Button) hint() string {
	if b.Leads == "" {
		return ""
	}
	if word := buttonWords[b.Kind]; word != "" {
		return word + ": " + b.Leads
	}
	return b.Leads
}

func (b Bubble) class() string {
	class := "sim-bubble"
	if b.Media != nil && b.Media.Side != "" {
		class += " " + b.Media.Side
	}
	if b.Wide {
		class += " wide"
	}
	if b.Media != nil && b.Media.Kind == "sticker" {
		class += " sticker"
	}
	return class
}

func (s Span) class() string {
	class := ""
	for _, style := range []struct {
		on   bool
		name string
	}{{s.Bold, "b"}, {s.Italic, "i"}, {s.Strike, "s"}, {s.Mono, "m"}, {s.Link, "a"}, {s.Marked, "x"}} {
		if style.on {
			class += " " + style.name
		}
	}
	if class == "" {
		return ""
	}
	return class[1:]
}

// checks has the text checked as it is typed and when the button is pressed, and shows
// the outcome.
func (p Page) checks() templ.Attributes {
	return templ.Attributes{
		"hx-post": p.Action, "hx-trigger": "submit, input delay:80ms", "hx-target": Preview.Selector(), "hx-swap": "outerHTML", "hx-select-oob": "",
		"hx-push-url": "false", "hx-sync": "this:replace",
	}
}

func (b Bubble) hasWords() bool {
	return b.Title != "" || len(b.Text) > 0 || len(b.Rows) > 0 || b.Offer != nil || b.Order != nil || b.Footer != ""
}

// scrolls lets several cards be scrolled with the keyboard.
func (b Bubble) scrolls() templ.Attributes {
	if len(b.Cards) < 2 {
		return nil
	}
	return templ.Attributes{"role": "group", "tabindex": "0", "aria-label": "Cards"}
}

func (b Block) mark() string {
	if b.Kind == "number" {
		return b.Mark
	}
	return "•"
}

// lines shows lines of a text, every space of it: none stands between the pieces.
func lines(all [][]Span) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		html := make([]byte, 0, 256)
		for i, line := range all {
			if i > 0 {
				html = append(html, "<br/>"...)
			}
			for _, s := range line {
				name := "span"
				if s.Marked {
					name = "mark"
				}
				html = append(html, "<"+name...)
				if class := s.class(); class != "" {
					html = append(html, ` class="`+class+`"`...)
				}
				html = append(html, ">"+templ.EscapeString(s.Text)+"</"+name+">"...)
			}
		}
		_, err := w.Write(html)
		return err
	})
}
