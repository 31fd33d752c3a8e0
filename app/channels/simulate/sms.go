package simulate

import (
	"fmt"

	"heliograph/app/channels/sms"
)

// smsScreen returns the screen of the texts of a submission.
func smsScreen(r sms.Rehearsal) *Screen {
	s := &Screen{Sender: r.Texts[0].Header, About: "SMS"}
	for i, t := range r.Texts {
		if i == maxBubbles {
			s.Notes = append(s.Notes, fmt.Sprintf("%d more recipients get a message.", len(r.Texts)-maxBubbles))
			break
		}
		b := smsBubble(t)
		if len(r.Texts) > 1 {
			b.To = "+" + t.Recipient
		}
		if t.Header != s.Sender {
			b.Channel = "From " + t.Header
		}
		s.Bubbles = append(s.Bubbles, b)
	}
	return s
}

// smsBubble returns an SMS with its parts.
func smsBubble(t sms.RehearsedText) Bubble {
	b := Bubble{Flash: t.Flash}
	unit, characters := "septets", "the GSM alphabet (GSM 7-bit)"
	switch t.Encoding {
	case "UCS2":
		unit, characters = "characters of 16 bits", "UCS-2"
	case "BINARY":
		unit, characters = "octets", "octets"
	}
	forced := 0
	for i, p := range t.Parts {
		size := fmt.Sprintf("%d of %d %s", p.Units, p.Room, unit)
		if len(t.Parts) > 1 {
			size = fmt.Sprintf("Part %d of %d: %s, %d octets of header", i+1, len(t.Parts), size, p.Header)
		}
		part := Part{Size: size}
		if t.Encoding == "BINARY" {
			part.Text = []Span{{Text: fmt.Sprintf("%d octets for an application", p.Octets), Mono: true}}
		} else {
			spans, n := marked(p.Text, t.Encoding == "UCS2")
			part.Text, forced = spans, forced+n
		}
		b.Parts = append(b.Parts, part)
	}
	b.Summary = fmt.Sprintf("%s in %s.", counted(len(t.Parts), "part", "parts"), characters)
	switch {
	case forced > 0:
		b.Summary += fmt.Sprintf(" %s not in the GSM alphabet: marked below.", counted(forced, "character is", "characters are"))
	case t.Encoding == "UCS2":
		b.Summary += " Every character is in the GSM alphabet: without the type for Unicode, more would fit."
	}
	if t.Fault != "" {
		b.Caution = "An Indian operator would not deliver this text: " + dltReasons[t.Fault]
	}
	return b
}

// counted writes a number with the noun that agrees with it.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// dltReasons are the findings of Indian operators in words.
var dltReasons = map[string]string{
	"617": "it does not match the registered template.",
	"618": "the template is not registered.",
	"620": "the template is registered for another header.",
	"622": "a value of the template is too long.",
	"625": "the entity is not registered.",
}

// marked divides a text at the characters that the GSM alphabet does not have, and
// counts them.
func marked(text string, wide bool) (spans []Span, n int) {
	start, was := 0, false
	for i, r := range text {
		is := wide && !sms.IsGSM(r)
		if is {
			n++
		}
		if is != was && i > start {
			spans = append(spans, Span{Text: text[start:i], Marked: was})
			start = i
		}
		was = is
	}
	return append(spans, Span{Text: text[start:], Marked: was}), n
}
