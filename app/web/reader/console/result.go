package console

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"mime"
	"strconv"
	"strings"
	"time"

	"heliograph/app/documentation/console"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

// failureTitles head the classes of failures.
var failureTitles = map[string]string{
	"target": "This server is refused.", "dns": "The name was not found.", "timeout": "No answer in time.", "certificate": "The certificate was not accepted.",
	"tls": "No secure connection.", "refused": "The connection was refused.", "cancelled": "Cancelled.", "broken": "The connection broke.",
	"redirect": "Redirect refused.", "large": "The answer is too large.", "encoding": "The answer is compressed.",
}

// newResult shows the result of a call.
func (h *Handlers) newResult(t target, a asked, r *console.Result) views.Result {
	if r == nil {
		return views.Result{}
	}
	v := views.Result{Exists: true, Server: h.base(t, a.entry.Server)}
	if r.Status != 0 || r.Took >= time.Millisecond {
		v.Took = milliseconds(r.Took)
	}
	if r.Failure != nil {
		v.Failure, v.FailureTitle = r.Failure.Message, failureTitles[r.Failure.Code]
	}
	head, body := r.Call.Shown()
	v.Sent = ui.Code{Title: "Request, with placeholders for credentials", Text: strings.TrimSuffix(head+"\n"+body, "\n")}
	if r.Status != 0 {
		v.Status, v.Reason, v.Tone = strconv.Itoa(r.Status), r.Reason, ui.StatusTone(strconv.Itoa(r.Status))
		v.Size = bytesOf(r.Size)
		for _, header := range r.Header {
			v.Headers = append(v.Headers, ui.Pair{Key: header.Name, Value: header.Value, Mono: true})
		}
		addBody(&v, r)
	}
	addChecks(&v, t, r)
	return v
}

func milliseconds(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
}

func bytesOf(n int) string {
	if n < 10_000 {
		return strconv.Itoa(n) + " bytes"
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}

// The most that is shown of a body: values of a tree, and bytes of a text.
const (
	mostNodes = 3000
	mostText  = 200_000
)

// addBody shows the body: JSON folded, other text as it is, and bytes as a download.
func addBody(v *views.Result, r *console.Result) {
	text, isText := r.Text()
	switch {
	case len(r.Body) == 0:
		v.NoBody = "The answer has no body."
		return
	case !isText:
		v.NoBody = "The body is no text: " + bytesOf(r.Size) + " of " + orUnknown(r.Type) + "."
	case len(text) > mostText:
		v.NoBody = "The body is long. Download it to read it."
	default:
		if media.KindOf(r.Type) == media.JSON || strings.HasPrefix(strings.TrimSpace(text), "{") {
			if node, err := tree.Read([]byte("[" + text + "]")); err == nil && len(node.Items) == 1 {
				left := mostNodes
				if n := newNode("", node.Items[0], 0, &left); left > 0 {
					v.Tree = &n
				}
			}
		}
		v.Code = ui.Code{Title: orUnknown(r.Type), Language: reference.Syntax(r.Type), Text: text}
	}
	kind, _, _ := mime.ParseMediaType(r.Type)
	extension := ".bin"
	if isText {
		extension = ".txt"
	}
	if v.Tree != nil {
		extension = ".json"
	} else if list, err := mime.ExtensionsByType(kind); err == nil && len(list) > 0 && !isText {
		extension = list[0]
	}
	v.FileName = "answer" + extension
	v.Download = "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(r.Body)
}

func orUnknown(contentType string) string {
	return cmp.Or(contentType, "an unknown type")
}

// newNode shows a JSON value with the digits of its numbers as they came.
func newNode(key string, n *tree.Node, depth int, left *int) views.Node {
	v := views.Node{Key: key, Open: depth < 3}
	if *left--; *left <= 0 {
		return v
	}
	switch n.Kind {
	case tree.KindObject:
		v.Brackets, v.Count = "{}", ui.Counted(len(n.Members), "member", "members")
		for _, m := range n.Members {
			v.Children = append(v.Children, newNode(string(tree.String(m.Key).JSON()), m.Value, depth+1, left))
		}
	case tree.KindArray:
		v.Brackets, v.Count = "[]", ui.Counted(len(n.Items), "item", "items")
		for _, item := range n.Items {
			v.Children = append(v.Children, newNode("", item, depth+1, left))
		}
	case tree.KindString:
		v.Text, v.Class = string(n.JSON()), "s"
	case tree.KindNumber:
		v.Text, v.Class = n.Text, "n"
	default:
		v.Text, v.Class = string(n.JSON()), "k"
	}
	return v
}

// addChecks shows what the contract says.
func addChecks(v *views.Result, t target, r *console.Result) {
	page := t.Operation(t.op)
	inAnswer := 0
	for _, p := range r.Checks.Problems {
		made := views.Problem{Of: "Request", Place: ui.Link{Label: p.Place}, Message: p.Message}
		if !p.InRequest {
			made.Of = "Answer"
			inAnswer++
		}
		if p.Anchor != "" {
			made.Place.Href = page + "?field=" + p.Anchor + "#" + p.Anchor
		}
		v.Problems = append(v.Problems, made)
	}
	for _, c := range r.Checks.Codes {
		v.Codes = append(v.Codes, views.Code{Link: ui.Link{Label: c.Code, Href: t.Errors() + "#" + markdown.ErrorID(c.Code)}, Meaning: c.Meaning, Remedy: c.Remedy})
	}
	v.Skipped = r.Checks.Skipped
	switch {
	case r.Checks.Refusal != nil:
		v.Verdict, v.VerdictTone = "The mock server refuses the call: "+r.Checks.Refusal.Title+".", ui.Warn
		v.Help = r.Checks.Refusal.Help
		if len(v.Problems) == 0 { // else they say the same
			v.Detail = r.Checks.Refusal.Detail
		}
	case r.Status == 0:
		v.Verdict = "There is no answer to check."
	case r.Failure != nil && r.Failure.Code != "redirect":
		v.Verdict, v.VerdictTone = "The answer is not whole and was not checked.", ui.Warn
	case inAnswer > 0:
		v.Verdict, v.VerdictTone = "The answer differs from the contract in "+ui.Counted(inAnswer, "place", "places")+".", ui.Bad
	default:
		v.Verdict, v.VerdictTone = "The answer is as documented for "+r.Checks.Status+".", ui.Good
	}
}
