package simulate

import (
	"strconv"

	rule "heliograph/app/channels/simulate"
	"heliograph/app/lists"
	views "heliograph/views/channels/simulate"
	"heliograph/views/ui"
)

// maxProblems is how many problems a page lists.
const maxProblems = 20

// newResult returns a result for the page.
func newResult(ch channel, r rule.Result) views.Result {
	v := views.Result{Problems: problems(ch, r.Problems), Refused: problems(ch, r.Refused), Warnings: r.Warnings, Unchecked: r.Unchecked}
	if r.Answer != "" {
		v.Answer = ui.Code{Title: "What the API would answer", Language: "json", Text: r.Answer}
	}
	if r.Screen != nil {
		v.Screen = newScreen(r.Screen)
	}
	return v
}

func problems(ch channel, list []rule.Problem) (shown []views.Problem) {
	for _, p := range list[:min(len(list), maxProblems)] {
		made := views.Problem{Line: p.Line, Column: p.Column, Field: p.Field, Code: p.Code, Title: p.Title, Detail: p.Message}
		if n, err := strconv.Atoi(p.Code); err == nil {
			made.CodeHref = ch.declared.ErrorEntry(n)
		}
		if p.Syntax {
			made.Detail = p.Title + ": " + p.Message + "."
			made.Title = ""
		}
		shown = append(shown, made)
	}
	return shown
}

func newScreen(s *rule.Screen) *views.Screen {
	return &views.Screen{Sender: s.Sender, About: s.About, Verified: s.Verified, Bubbles: lists.Map(s.Bubbles, newBubble), Notes: s.Notes}
}

func newBubble(b rule.Bubble) views.Bubble {
	v := views.Bubble{
		To: b.To, Channel: b.Channel, Quoted: b.Quoted, Reaction: b.Reaction, Wide: b.Wide, Media: (*views.Media)(b.Media), Title: b.Title,
		Text: lists.Map(b.Text, newBlock), Rows: lists.Map(b.Rows, newRow), Footer: b.Footer, Offer: (*views.Offer)(b.Offer), Buttons: lists.Map(b.Buttons, newButton),
		Cards: lists.Map(b.Cards, newBubble), Chips: lists.Map(b.Chips, newButton), Parts: lists.Map(b.Parts, newPart), Summary: b.Summary, Flash: b.Flash, Caution: b.Caution,
	}
	if b.List != nil {
		v.List = &views.List{Button: b.List.Button, Sections: lists.Map(b.List.Sections, func(s rule.Section) views.Section {
			return views.Section{Title: s.Title, Items: lists.Map(s.Items, func(i rule.Item) views.Item { return views.Item(i) })}
		})}
	}
	if b.Order != nil {
		v.Order = &views.Order{Reference: b.Order.Reference, Items: lists.Map(b.Order.Items, newRow), Sums: lists.Map(b.Order.Sums, newRow), Total: b.Order.Total}
	}
	return v
}

func newBlock(b rule.Block) views.Block {
	return views.Block{Kind: b.Kind, Mark: b.Mark, Lines: lists.Map(b.Lines, func(line []rule.Span) []views.Span { return lists.Map(line, newSpan) })}
}

func newSpan(s rule.Span) views.Span { return views.Span(s) }

func newRow(r rule.Row) views.Row { return views.Row(r) }

func newButton(b rule.Button) views.Button { return views.Button(b) }

func newPart(p rule.Part) views.Part {
	return views.Part{Text: lists.Map(p.Text, newSpan), Size: p.Size}
}
