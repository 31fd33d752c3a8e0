// Package simulate shows what a recipient sees of a message, before it is sent. The
// checks are the channels' own, for a sandbox that exists in memory
// alone: nothing is stored, and nothing is asked of a database, a carrier or a
// network.
//
// A result has the problems of a text with their places, or the screen of a phone:
// words and labels alone. Media is a labelled placeholder, since a preview must not
// fetch from other servers.
package simulate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
)

// MaxText is the largest text of a simulator, in bytes. It is the limit of the RCS API.
const MaxText = rcs.MaxBody

// Simulator checks texts and shows them on a phone.
type Simulator struct {
	// Words are the names of the messaging channel.
	Words []string
	// Now returns the time.
	Now func() time.Time
	// Signer makes the headers of callbacks.
	Signer Signer
	// FirstID is the id of the first callback, others follow; 0 gives all previews the
	// same.
	FirstID int64
}

// Result is the outcome of checking a text.
type Result struct {
	// Problems are why the text cannot be sent; the first decides.
	Problems []Problem
	// Refused are problems of single recipients. The others get their messages.
	Refused  []Problem
	Warnings []string
	// Unchecked says what the service checks beyond this.
	Unchecked []string
	// Screen is what the recipient sees; nil with Problems.
	Screen *Screen
	// Answer is what the service would answer, as JSON. Its ids belong to nothing.
	Answer string
	// Follows is what can happen to the message, or to the first of several.
	Follows []pipeline.Following
}

// Problem is a reason why a text cannot be sent.
type Problem struct {
	place
	Field   string // path in the text; empty for all of it
	Code    string // of the channel
	Title   string // the code in words
	Message string // what to change
	// Syntax marks a text that is not JSON.
	Syntax bool
}

// Messaging checks the body of a send of the messaging channel. What the account has adds
// to what every sandbox has.
func (s *Simulator) Messaging(ctx context.Context, text string, account Account) (r Result, err error) {
	root, problems := read(text)
	if problems != nil {
		return Result{Problems: problems}, nil
	}
	made, err := messaging.Rehearse(ctx, s.Words, account.Templates, []byte(text), s.Now())
	if f := fault.As(err); f != nil {
		r.Problems = locate(text, root, f)
		return r, nil
	}
	if err != nil {
		return r, err
	}
	r.Unchecked, r.Answer = made.Unchecked, pretty(made.Reply)
	if r.Screen, err = messagingScreen(made); err != nil {
		return r, err
	}
	if t := made.Template; t.Name != "" && t.Status != "APPROVED" {
		r.Screen.Notes = append(r.Screen.Notes, templateRemark(t.Name, t.Status))
	}
	r.Follows, err = made.Follows(s.Now())
	return r, err
}

// RCS checks the body of send-message, or of send-freeflow-message. What the account has
// adds to what every sandbox has.
func (s *Simulator) RCS(ctx context.Context, text string, freeflow bool, account Account) (r Result, err error) {
	root, problems := read(text)
	if problems != nil {
		return Result{Problems: problems}, nil
	}
	h := rcs.Rehearser{Words: s.Words, Bot: account.Bot, Templates: account.BotTemplates, Fallbacks: account.Templates}
	check := h.Send
	if freeflow {
		check = h.SendFreeflow
	}
	made, err := check(ctx, []byte(text), s.Now())
	if f := fault.As(err); f != nil {
		r.Problems = locate(text, root, f)
		return r, nil
	}
	if err != nil {
		return r, err
	}
	r.Refused = locateFields(text, root, made.Fields, fault.Error{})
	r.Unchecked, r.Answer = made.Unchecked, pretty(map[string]any{"status": "SUCCESS", "code": 202, "data": made.Reply})
	r.Screen = rcsScreen(made)
	r.Screen.Notes = append(r.Screen.Notes, account.remarks()...)
	if len(made.Messages) > 0 {
		r.Follows, err = made.Messages[0].Follows(s.Now())
	}
	return r, err
}

// SMS checks the body of a submission in JSON.
func (s *Simulator) SMS(text string) (r Result, err error) {
	root, problems := read(text)
	if problems != nil {
		return Result{Problems: problems}, nil
	}
	made, err := sms.Rehearse([]byte(text), s.Now())
	var refusal *sms.Refusal
	if errors.As(err, &refusal) {
		r.Problems = []Problem{smsProblem(text, root, refusal.Code, refusal.Error(), "")}
		return r, nil
	}
	if err != nil {
		return r, err
	}
	r.Unchecked, r.Warnings, r.Answer = made.Unchecked, made.Response.Warnings, pretty(made.Response)
	for _, o := range made.Refused {
		r.Refused = append(r.Refused, smsProblem(text, root, o.Code, o.Message, o.Path))
	}
	if len(made.Texts) == 0 {
		r.Problems, r.Refused = r.Refused, nil
		return r, nil
	}
	r.Screen = smsScreen(made)
	r.Follows, err = made.Texts[0].Follows(s.Now())
	return r, err
}

// Follows returns what can happen to the message of an example.
func (s *Simulator) Follows(ctx context.Context, channel string, e Example) ([]pipeline.Following, error) {
	var r Result
	var err error
	switch channel {
	case messaging.Channel:
		r, err = s.Messaging(ctx, e.Text, Account{})
	case rcs.Channel:
		r, err = s.RCS(ctx, e.Text, e.Freeflow, Account{})
	default:
		r, err = s.SMS(e.Text)
	}
	return r.Follows, err
}

// read parses a text. The problem says where it is no JSON.
func read(text string) (*node, []Problem) {
	root, err := parse(strings.TrimPrefix(text, "\ufeff"))
	var mistake *syntaxError
	if errors.As(err, &mistake) {
		return nil, []Problem{{place: mistake.place, Message: mistake.Message, Title: "This is not JSON", Syntax: true}}
	}
	return root, nil
}

// locate returns the problems of a fault with their places in the text.
func locate(text string, root *node, f *fault.Error) []Problem {
	if len(f.Fields) == 0 {
		return locateFields(text, root, []fault.Field{{Message: f.Message}}, *f)
	}
	return locateFields(text, root, f.Fields, *f)
}

// named finds the field at the beginning of a message about a value of the wrong type.
var named = regexp.MustCompile(`^([A-Za-z_][\w.\[\]]*) (cannot be a JSON|has a NUL)`)

func locateFields(text string, root *node, fields []fault.Field, f fault.Error) (problems []Problem) {
	for _, field := range fields {
		p := Problem{Field: field.Name, Code: cmp.Or(field.Code, f.Code), Title: f.Message, Message: field.Message}
		if p.Title == p.Message {
			p.Title = ""
		}
		path, _, _ := strings.Cut(field.Name, " or ")
		first := min(1, len(field.Message))
		found := named.FindStringSubmatch(strings.ToLower(field.Message[:first]) + field.Message[first:])
		if path == "" && found != nil {
			path = found[1]
		}
		p.place = root.place(text, path)
		problems = append(problems, p)
	}
	return problems
}

// place returns the place of the value at a path, or of what is nearest to it.
func (n *node) place(text, path string) place {
	found, _ := n.find(path)
	return placeAt(text, found.start)
}

// smsFields are the fields that the outcome codes of SMS are about.
var smsFields = map[sms.Code]string{
	303: "version", 310: "encrypt", 311: "dest", 312: "dest", 313: "msg", 314: "schedule_time", 315: "schedule_time", 316: "schedule_time", 317: "type",
	318: "port", 319: "expiry", 320: "expiry", 321: "app_country", 322: "urltrack", 323: "cust_ref", 324: "cust_ref", 325: "header", 326: "schedule_time",
	327: "udhi", 328: "dcs", 329: "header", 330: "header", 332: "template_id", 333: "template_values", 334: "udh", 336: "dlt_entity_id",
	337: "dlt_template_id", 340: "dest", 341: "country_cd", sms.CodeJSON: "messages",
}

// detailed finds the field at the beginning of the detail of a refusal.
var detailed = regexp.MustCompile(`: ((?:messages\[\d+\]\.)?[A-Za-z_0-9]+) (has|is|must|cannot)`)

// smsProblem returns the problem of a refusal. path leads to the message; empty for
// the whole submission.
func smsProblem(text string, root *node, code sms.Code, message, path string) Problem {
	p := Problem{Code: code.String(), Title: code.Meaning(), Message: message, Field: smsFields[code]}
	if found := detailed.FindStringSubmatch(message); found != nil && p.Field == "" {
		p.Field = found[1]
	}
	if path != "" && p.Field != "" && !strings.HasPrefix(p.Field, "messages") {
		if _, exact := root.find(path + "." + p.Field); exact || !root.has(p.Field) {
			p.Field = path + "." + p.Field
		}
	}
	p.place = root.place(text, cmp.Or(p.Field, path))
	return p
}

func (n *node) has(name string) bool { return n.get(name) != nil }

// pretty writes a value as indented JSON.
func pretty(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}

// Channels are the simulators by their slugs.
var Channels = []string{"messaging", "rcs", "sms"}
