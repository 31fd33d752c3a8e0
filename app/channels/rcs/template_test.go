package rcs

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/fault"
)

// object with members replaced; a nil value removes one.
func changed(m map[string]any, name string, value any) map[string]any {
	m = maps.Clone(m)
	if m[name] = value; value == nil {
		delete(m, name)
	}
	return m
}

func card(members map[string]any) map[string]any {
	m := map[string]any{"cardTitle": "Ready"}
	maps.Copy(m, members)
	return m
}

// reply returns a suggestion with members replaced.
func reply(members map[string]any) map[string]any {
	m := map[string]any{"suggestionType": "reply", "displayText": "Yes", "postback": "yes"}
	maps.Copy(m, members)
	return m
}

func long(n int) string { return strings.Repeat("ä", n) }

func repeated1(n int, item any) []any { return slices.Repeat([]any{item}, n) }

// Each limit of templates: what is just allowed, and what is not any more, with
// the field and the code of its error.
func TestTemplateLimits(t *testing.T) {
	t.Parallel()
	base := map[string]map[string]any{
		"text":     {"templateType": "TEXT", "text": "Hello"},
		"card":     {"templateType": "STANDALONE", "orientation": "VERTICAL", "card": card(nil)},
		"side":     {"templateType": "STANDALONE", "orientation": "HORIZONTAL", "alignment": "LEFT", "card": card(nil)},
		"carousel": {"templateType": "CAROUSEL", "width": "MEDIUM_WIDTH", "height": "SHORT_HEIGHT", "carouselList": repeated1(2, card(nil))},
	}
	pdf := map[string]any{"mediaUrl": "https://a.example.com/a.pdf", "fileName": "a.pdf"}
	for _, tt := range []struct {
		of, field string
		good, bad any
		at, code  string // of the error; at is the field if it is empty
	}{
		{"text", "templateType", "TEXT", "VIDEO", "", "enum"},
		{"text", "templateType", "TEXT", nil, "", "required"},
		{"text", "text", long(2500), long(2501), "", "max_length"},
		{"text", "text", "x", "", "", "min_length"},
		{"text", "text", "x", nil, "", "required"},
		{"text", "text", "x", 7, "", "type"},
		{"text", "fallbackText", long(160), long(161), "", "max_length"},
		{"text", "suggestions", repeated1(11, reply(nil)), repeated1(12, reply(nil)), "", "max_items"},
		{"text", "pdf", pdf, map[string]any{"mediaUrl": "https://a.example.com/a.pdf"}, "pdf.fileName", "required"},
		{"text", "title", nil, "x", "", "unknown"},
		{"card", "orientation", "VERTICAL", "SIDEWAYS", "", "enum"},
		{"card", "alignment", nil, "LEFT", "", "combination"},
		{"side", "alignment", "RIGHT", nil, "", "required"},
		{"side", "height", nil, "SHORT_HEIGHT", "", "combination"},
		{"card", "height", "TALL_HEIGHT", "HUGE", "", "enum"},
		{"card", "card", card(map[string]any{"cardTitle": long(200)}), card(map[string]any{"cardTitle": long(201)}), "card.cardTitle", "max_length"},
		{"card", "card", card(map[string]any{"cardDescription": long(2000)}), card(map[string]any{"cardDescription": long(2001)}), "card.cardDescription", "max_length"},
		{"card", "card", card(map[string]any{"suggestions": repeated1(4, reply(nil))}), card(map[string]any{"suggestions": repeated1(5, reply(nil))}), "card.suggestions", "max_items"},
		{"card", "card", card(nil), map[string]any{"fileName": "x"}, "card", "required"},
		{"card", "card", card(nil), card(map[string]any{"mediaUrl": "https://a.example.com/a.png"}), "height", "required"},
		{"carousel", "carouselList", repeated1(10, card(nil)), repeated1(11, card(nil)), "", "max_items"},
		{"carousel", "carouselList", repeated1(2, card(nil)), repeated1(1, card(nil)), "", "min_items"},
		{"carousel", "width", "SMALL_WIDTH", "LARGE", "", "enum"},
		{"carousel", "height", "TALL_HEIGHT", nil, "", "required"},
	} {
		if err := checkTemplate(changed(base[tt.of], tt.field, tt.good), fields{}); err != nil {
			t.Errorf("%s with %s = %.40v: %v", tt.of, tt.field, tt.good, err)
		}
		at := tt.at
		if at == "" {
			at = tt.field
		}
		f := fault.As(checkTemplate(changed(base[tt.of], tt.field, tt.bad), fields{}))
		if f == nil || f.Fields[0].Name != at || f.Fields[0].Code != tt.code {
			t.Errorf("%s with %s = %.40v: %+v, want %s of %s", tt.of, tt.field, tt.bad, f, tt.code, at)
		}
	}
	tall := changed(changed(base["carousel"], "width", "SMALL_WIDTH"), "height", "TALL_HEIGHT")
	if f := fault.As(checkTemplate(tall, fields{})); f == nil || f.Fields[0].Code != "combination" {
		t.Errorf("tall media in small cards: %v", f)
	}
	withPDF := changed(changed(base["text"], "pdf", pdf), "text", long(2001))
	if f := fault.As(checkTemplate(withPDF, fields{})); f == nil || f.Fields[0].Name != "text" {
		t.Errorf("a long text with a PDF: %v", f)
	}
}

// Each kind of suggestion has fields of its own.
func TestTemplateSuggestions(t *testing.T) {
	t.Parallel()
	plain := map[string]any{"templateType": "TEXT", "text": "Hello"}
	for kind, tt := range map[string]struct {
		good  map[string]any
		wrong string // a field that makes it wrong
		value any
	}{
		"reply":         {nil, "displayText", long(26)},
		"url_action":    {map[string]any{"url": "https://a.example.com"}, "url", "a.example.com"},
		"dialer_action": {map[string]any{"phoneNumber": "+919812345678"}, "phoneNumber", "12345"},
		"map_action":    {map[string]any{"latitude": json.Number("12.9"), "longitude": json.Number("77.6"), "label": "Shop"}, "latitude", json.Number("91")},
		"calendar_action": {map[string]any{"startTime": "2030-01-01T09:00:00Z", "endTime": "2030-01-01T10:00:00Z", "title": "Visit"},
			"endTime", "2030-01-01T08:00:00Z"},
		"location_request": {nil, "postback", long(121)},
	} {
		chip := reply(tt.good)
		chip["suggestionType"] = kind
		if err := checkTemplate(changed(plain, "suggestions", []any{chip}), fields{}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if err := checkTemplate(changed(plain, "suggestions", []any{changed(chip, tt.wrong, tt.value)}), fields{}); err == nil {
			t.Errorf("%s with %s = %.30v is accepted", kind, tt.wrong, tt.value)
		}
	}
}

// Both spellings of variables are found once each, in order, and filled in. What
// only looks like one stays.
func TestVariables(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string
		full string
	}{
		{"Hello [name], {{code}} and [name] again", []string{"name", "code"}, "Hello <name>, <code> and <name> again"},
		{"{{1}} {{2}} {{1}}", []string{"1", "2"}, "<1> <2> <1>"},
		{"[1] [a b] {{a b}} {{}} [] [] {x} [[name]]", []string{"name"}, "[1] [a b] {{a b}} {{}} [] [] {x} [<name>]"},
		{"[name]{{name}}", []string{"name"}, "<name><name>"},
		{"none", []string{}, "none"},
		{"[ünder] [a_1]", []string{"a_1"}, "[ünder] <a_1>"},
	} {
		names := variables(tt.text)
		values := map[string]string{}
		for _, name := range names {
			values[name] = "<" + name + ">"
		}
		if diff := cmp.Diff(tt.want, names); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
		if got := fill(tt.text, values); got != tt.full {
			t.Errorf("%s becomes %s, want %s", tt.text, got, tt.full)
		}
	}
	// A value that looks like a variable is not filled in again.
	if got := fill("[a] [b]", map[string]string{"a": "[b]", "b": "{{a}}"}); got != "[b] {{a}}" {
		t.Errorf("values are filled in twice: %s", got)
	}
	// A message names every variable that has no value.
	r := &recipient{path: "messages[0]", params: map[string]string{"b": "x"}}
	r.render(map[string]any{"templateType": textTemplate, "text": "[a] {{b}} [c]"})
	if f := r.refusal.fields; len(f) != 2 || f[0].Name != "messages[0].customParams.a" || f[1].Name != "messages[0].customParams.c" || r.refusal.Message != "customParams.a has no value, customParams.c has no value" {
		t.Errorf("what is missing: %+v", r.refusal)
	}
}
