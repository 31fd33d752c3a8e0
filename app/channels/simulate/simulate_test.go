package simulate

import (
	"strings"
	"testing"
	"time"
)

func simulator() *Simulator {
	return &Simulator{Words: []string{"msgapp"}, Now: func() time.Time { return time.Date(2026, 11, 28, 6, 0, 0, 0, time.UTC) }}
}

// check runs the simulator of a channel.
func check(t *testing.T, channel, text string) Result {
	t.Helper()
	s := simulator()
	var r Result
	var err error
	switch channel {
	case "messaging":
		r, err = s.Messaging(t.Context(), text, Account{})
	case "rcs":
		r, err = s.RCS(t.Context(), text, false, Account{})
	default:
		r, err = s.SMS(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestExamplesShowAScreen(t *testing.T) {
	for channel, list := range examples {
		for _, e := range list {
			r := check(t, channel, e.Text)
			if len(r.Problems) > 0 || r.Screen == nil || len(r.Screen.Bubbles) == 0 || r.Answer == "" {
				t.Errorf("%s %s: %+v", channel, e.Name, r.Problems)
			}
		}
	}
}

func TestProblemsHaveTheirPlaces(t *testing.T) {
	tests := []struct {
		name, channel, text string
		line, column        int
		field, code         string
	}{
		{"value", "messaging", "{\"messaging_product\": \"msgapp\",\n  \"to\": \"Asha\", \"text\": {\"body\": \"x\"}}", 2, 9, "to", "131009"},
		{"missing member", "messaging", "{\"messaging_product\": \"msgapp\", \"to\": \"919812345678\",\n \"text\": {}}", 2, 10, "text.body", "131008"},
		{"item", "messaging", "{\"messaging_product\": \"msgapp\", \"to\": \"919812345678\", \"type\": \"interactive\", \"interactive\": {\"type\": \"button\", \"body\": {\"text\": \"?\"}, \"action\": {\"buttons\": [\n{\"type\": \"reply\", \"reply\": {\"id\": \"é\", \"title\": \"123456789012345678901\"}}]}}}", 2, 49, "interactive.action.buttons[0].reply.title", "131009"},
		{"wrong type", "messaging", "{\"messaging_product\": \"msgapp\",\n\"to\": {}}", 2, 7, "", "100"},
		{"unknown template", "messaging", "{\"messaging_product\": \"msgapp\", \"to\": \"919812345678\", \"type\": \"template\", \"template\": {\n\"name\": \"none\", \"language\": {\"code\": \"en\"}}}", 2, 9, "template.name", "132001"},
		{"closed window", "messaging", "{\"messaging_product\": \"msgapp\",\n\"to\": \"919812340007\", \"text\": {\"body\": \"x\"}}", 2, 7, "to", "131047"},
		{"unknown field", "rcs", "{\"botId\": \"b\", \"to\": \"+919812345678\", \"contentMessage\": {\"text\": \"x\",\n  \"shown\": 1}}", 2, 12, "contentMessage.shown", "unknown"},
		{"header", "sms", "{\"messages\": [{\"dest\": [\"919812345678\"],\n \"header\": \"NOBODY\", \"msg\": \"x\"}]}", 2, 12, "messages[0].header", "330"},
		{"recipient", "sms", "{\"messages\": [\n{\"dest\": [\"12\"], \"header\": \"HELIOG\", \"msg\": \"x\"}]}", 2, 10, "messages[0].dest", "312"},
	}
	for _, tt := range tests {
		r := check(t, tt.channel, tt.text)
		if len(r.Problems) == 0 || r.Screen != nil {
			t.Errorf("%s: no problem: %+v", tt.name, r.Screen)
			continue
		}
		if p := r.Problems[0]; p.place != (place{tt.line, tt.column}) || p.Field != tt.field || p.Code != tt.code || p.Syntax {
			t.Errorf("%s: got %+v", tt.name, p)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		text         string
		line, column int
	}{
		{"", 1, 1}, {"{", 1, 2}, {`{"a": }`, 1, 7}, {`{"a": 1,}`, 1, 9}, {`{"a" 1}`, 1, 6}, {"{\"é\": 1\n \"b\": 2}", 2, 2}, {`{"a": "x}`, 1, 7},
		{`{"a": tru}`, 1, 7}, {`["\x"]`, 1, 3}, {`[1, 2`, 1, 6}, {`{} {}`, 1, 4}, {`{a: 1}`, 1, 2}, {"{\"a\": \"x\ny\"}", 1, 9}, {`[01]`, 1, 3}, {`[1.]`, 1, 4}, {`[-]`, 1, 2},
		{strings.Repeat("[", 10_002), 1, 10_002},
	}
	for _, tt := range tests {
		_, err := parse(tt.text)
		mistake, ok := err.(*syntaxError)
		if !ok || mistake.place != (place{tt.line, tt.column}) {
			t.Errorf("%.40q: got %v, want line %d, column %d", tt.text, err, tt.line, tt.column)
		}
	}
}

func TestFormatting(t *testing.T) {
	tests := []struct{ text, want string }{
		{"*a _b_* c", "p[*a ][*_b][ c]"},
		{"2*3*4 and snake_case_name", "p[2*3*4 and snake_case_name]"},
		{"see https://a.example/x_y_z.", "p[see ][@https://a.example/x_y_z][.]"},
		{"- one\n- *two*\n1. three\n> four\nfive", "b[one] b[*two] n[three] q[four] p[five]"},
		{"~x~ `*y*`", "p[~x][ ][`*y*]"},
		{"a\n```\nx = *1*\n```\nb", "p[a] c[`x = *1*] p[b]"},
		{"* not a mark* and *open", "b[not a mark* and *open]"},
	}
	for _, tt := range tests {
		var words []string
		for _, b := range formatted(tt.text) {
			word := b.Kind[:1]
			for _, line := range b.Lines {
				for _, s := range line {
					word += "["
					for mark, on := range map[string]bool{"~": s.Strike, "`": s.Mono, "@": s.Link} {
						if on {
							word += mark
						}
					}
					if s.Bold {
						word += "*"
					}
					if s.Italic {
						word += "_"
					}
					word += s.Text + "]"
				}
			}
			words = append(words, word)
		}
		if got := strings.Join(words, " "); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestPartsOfAnSMS(t *testing.T) {
	r := check(t, "sms", examples["sms"][4].Text)
	if n := len(r.Screen.Bubbles[0].Parts); n != 30 || !strings.Contains(r.Answer, `"parts": 30`) {
		t.Errorf("4,590 characters: %d parts\n%s", n, r.Answer)
	}
	r = check(t, "sms", examples["sms"][0].Text)
	marks := 0
	for _, s := range r.Screen.Bubbles[0].Parts[0].Text {
		if s.Marked {
			marks++
			if s.Text != "–" {
				t.Errorf("marked %q", s.Text)
			}
		}
	}
	if marks != 2 || !strings.Contains(r.Screen.Bubbles[0].Summary, "2 characters are not in the GSM alphabet") {
		t.Errorf("%d marks: %s", marks, r.Screen.Bubbles[0].Summary)
	}
}
