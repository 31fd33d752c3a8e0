package fields_test

import (
	"encoding/json"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/fault"
)

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for kind, value := range map[string]any{
		content.KindProduct:  content.Product{Name: "Lamps & <more>", Summary: "Signals.", Description: "A\n\nB", Accent: "teal", Order: 3, Homepage: true},
		content.KindVersion:  content.Version{Label: content.Beta, ReleasedOn: "2026-01-02", Frame: json.RawMessage(`{"openapi":"3.1.0","x-b":1,"x-a":1.50,"info":{"title":"<b>"}}`)},
		content.KindEndpoint: content.Endpoint{Name: "Send", Method: "POST", Path: "/a", Purpose: "Sends\n", Order: -1, Raw: json.RawMessage(`{"z":1e3,"a":[true,null,"\u003c"]}`)},
		content.KindSchema:   content.Schema{Name: "Any", Raw: json.RawMessage(`true`)},
		content.KindCategory: content.Category{Name: "Letters"},
		content.KindGuide:    content.Guide{Title: "Begin", Text: "\nFirst\n\n```\n{}\n```\n"},
	} {
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		values, err := fields.Values(kind, raw)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range values {
			values[name] = strings.ReplaceAll(text, "\n", "\r\n") // as browsers send it
		}
		back, err := fields.Content(kind, raw, values)
		if err != nil {
			t.Fatal(err)
		}
		if string(back) != string(raw) {
			t.Errorf("%s: %s\nwant %s", kind, back, raw)
		}
	}
}

func TestContentKeepsOrderAndUnknownKeys(t *testing.T) {
	t.Parallel()
	raw, err := fields.Content(content.KindEndpoint, json.RawMessage(`{"name":"Send","order":4,"raw":{}}`),
		map[string]string{"name": "Send", "method": "POST", "path": "/a", "order": "5", "raw": "x-last: 1\nresponses:\n  '200': {description: 'no'}\nx-first: 007\n"})
	if err != nil {
		t.Fatal(err)
	}
	if want := `"raw":{"x-last":1,"responses":{"200":{"description":"no"}},"x-first":`; !strings.Contains(string(raw), want) || !strings.Contains(string(raw), `"order":5`) {
		t.Errorf("the content is %s, want %s", raw, want)
	}
}

func TestContentNamesFieldAndLine(t *testing.T) {
	t.Parallel()
	_, err := fields.Content(content.KindEndpoint, nil, map[string]string{"order": "many", "method": "FETCH", "raw": "{\n  \"a\": 1,\n  \"b\" 2\n}"})
	f := fault.As(err)
	if f == nil || f.Kind != fault.Invalid || len(f.Fields) != 3 {
		t.Fatalf("refused with %v", err)
	}
	for _, field := range f.Fields {
		if want := map[string]string{"order": "whole number", "method": "Choose one of GET", "raw": "Line 3"}[field.Name]; !strings.Contains(field.Message, want) {
			t.Errorf("%s says %q, want %q", field.Name, field.Message, want)
		}
	}
	if _, err := fields.Content(content.KindSchema, nil, map[string]string{"raw": "just a text"}); fault.As(err) == nil {
		t.Errorf("a text passes as a schema: %v", err)
	}
}

func TestBaseURLOfAProduct(t *testing.T) {
	t.Parallel()
	if raw, err := fields.Parse(content.KindProduct, "base_url", " https://api.example.com/v1/ "); err != nil || string(raw) != `"https://api.example.com/v1"` {
		t.Errorf("an address is %s, %v", raw, err)
	}
	if _, err := fields.Parse(content.KindProduct, "base_url", "nonsense"); !fault.Is(err, fault.Invalid) || fault.As(err).Message != "Enter a whole address, for example https://api.example.com/v1." {
		t.Errorf("nonsense is accepted: %v", err)
	}
}
