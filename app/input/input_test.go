package input_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"heliograph/app/input"
)

// members holds one member of each type.
type members struct {
	Text    input.Text    `json:"text"`
	Integer input.Integer `json:"integer"`
	Decimal input.Decimal `json:"decimal"`
	Flag    input.Flag    `json:"flag"`
	Object  input.Object  `json:"object"`
}

func TestMembersAreReadFromOtherTypes(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]members{
		`{"text": "a\u00e9", "integer": 7, "decimal": 1.5, "flag": true}`:   {Text: "aé", Integer: 7, Decimal: 1.5, Flag: true},
		`{"text": 12.50, "integer": "7", "decimal": "1.5", "flag": "true"}`: {Text: "12.50", Integer: 7, Decimal: 1.5, Flag: true},
		`{"text": false, "integer": " 7 ", "decimal": 2, "flag": "0"}`:      {Text: "false", Integer: 7, Decimal: 2},
		`{"text": null, "integer": null, "decimal": null, "flag": null}`:    {},
		`{"text": "", "integer": -9223372036854775808, "decimal": -1e3}`:    {Integer: -1 << 63, Decimal: -1000},
		`{"text": "\"\\\u0022\n", "decimal": 0}`:                            {Text: "\"\\\"\n"},
		"{\"text\": \"a\xffb\"}":                                            {Text: "a\ufffdb"}, // the database refuses other bytes
	} {
		var got members
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if got.Text != want.Text || got.Integer != want.Integer || got.Decimal != want.Decimal || got.Flag != want.Flag {
			t.Errorf("%s gives %+v, want %+v", body, got, want)
		}
	}
}

func TestMembersThatCannotBeReadAreDescribed(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	for body, want := range map[string]string{
		``:                                   "the body is empty: send a JSON object",
		"{\n  \"text\": }":                   "at line 2, column 11",
		`{"text": }`:                         "at line 1, column 10",
		`{"text": {}}`:                       "text cannot be a JSON object",
		`{"text": []}`:                       "text cannot be a JSON array",
		`{"text": "a\u0000"}`:                "text has a NUL character: remove it",
		`{"integer": 1.5}`:                   "integer cannot be a JSON number: a whole number is expected",
		`{"integer": "9223372036854775808"}`: "integer cannot be a JSON string: a whole number is expected",
		`{"decimal": "NaN"}`:                 "decimal cannot be a JSON string: a number is expected",
		`{"decimal": "0x1p4"}`:               "decimal cannot be a JSON string: a number is expected",
		`{"flag": "perhaps"}`:                "flag cannot be a JSON string: true or false is expected",
		`{"object": []}`:                     "object cannot be a JSON array: an object is expected",
		`{"object": {"a": ["\u0000"]}}`:      "NUL character in a text",
		`{"object": ` + deep + `}`:           "more than 32 levels",
		`[]`:                                 "the body cannot be a JSON array",
	} {
		var got members
		err := json.Unmarshal([]byte(body), &got)
		if err == nil {
			t.Errorf("%s is read as %+v", body, got)
			continue
		}
		if text := input.Describe([]byte(body), err); !strings.Contains(text, want) {
			t.Errorf("%s is described as %q, want %q", body, text, want)
		}
	}
}

func TestObjectsKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	var got members
	if err := json.Unmarshal([]byte(`{"object": {"amount": 12345678901234567890.10}}`), &got); err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(got.Object); err != nil || string(text) != `{"amount":12345678901234567890.10}` {
		t.Errorf("%s, %v", text, err)
	}
}

// What is stored as it came has lists in lists and objects in objects, 32 levels of them.
func TestObjectsAreBoundInDepth(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{"lists": "[%s]", "objects": `{"a":%s}`} {
		value := `"x"`
		for level := 1; level < 34; level++ { // the object around them is a level too
			var o input.Object
			body := fmt.Sprintf(`{"a":%s}`, value)
			err := json.Unmarshal([]byte(body), &o)
			if level <= 32 && err != nil || level > 32 && err == nil {
				t.Fatalf("%d levels of %s: %v", level, name, err)
			}
			if kept, _ := json.Marshal(o); err == nil && string(kept) != body {
				t.Errorf("%s is kept as %s", body, kept)
			}
			value = fmt.Sprintf(form, value)
		}
	}
	for _, body := range []string{`{"a":{"\u0000":1}}`, `{"a":[[1],["\u0000"]]}`} {
		if err := json.Unmarshal([]byte(body), new(input.Object)); err == nil {
			t.Errorf("%s is read", body)
		}
	}
}

func TestHalvesOfCharactersAreFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``: ``, `{"text":"a"}`: ``, `"\n\\ud83d"`: ``, `"\ud7ff\ue000"`: ``, `"\u00e9\u0041"`: ``, `"\`: ``, `"\ud83`: ``, `"\ud83x"`: ``,
		`"\ud83d\ude00"`: ``, `"\uD800\uDC00\udbff\udfff"`: ``, `"é\t\ud83d\ude00\\"`: ``,
		`"\ud83d"`: `\ud83d`, `"a\ud83d b"`: `\ud83d`, `"\ud83d\n"`: `\ud83d`, `"\ud83d\u0041"`: `\ud83d`, `"\ud83dxude00"`: `\ud83d`, `"\ud83d\xde00"`: `\ud83d`,
		`"\ude00"`: `\ude00`, `"\uDC00\uDC00"`: `\uDC00`, `"\udfff"`: `\udfff`, `"\ud800"`: `\ud800`, `"\ude00\ud83d"`: `\ude00`,
		`"\ud83d\ud83d\ude00"`: `\ud83d`, `"\ud83d\ude00\ude01"`: `\ude01`, `"\\\ud83d\\"`: `\ud83d`, `\ud83d`: `\ud83d`, `"\u0041\ud83d"`: `\ud83d`,
	} {
		garbled := input.Garbled([]byte(body))
		if (garbled != "") != (want != "") || !strings.HasPrefix(garbled, "the body has "+want) && want != "" {
			t.Errorf("%s: %q, want the half %q", body, garbled, want)
		}
	}
}

func TestBytesThatAreNotUTF8AreFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{`"café 😀"`: false, "\"caf\xe9\"": true, "\"\xc3(\"": true, "\"\xed\xa0\xbd\"": true} {
		if garbled := input.Garbled([]byte(body)); strings.Contains(garbled, "not UTF-8") != want {
			t.Errorf("%q: %q, want a refusal %t", body, garbled, want)
		}
	}
}
