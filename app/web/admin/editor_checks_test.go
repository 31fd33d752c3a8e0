package admin_test

import (
	"strings"
	"testing"

	"heliograph/app/web/webtest"
)

// An example that does not match its schema is named with its line and column.
func TestExamplesAreChecked(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	media := "/responses/200/content/application~1json"
	p.ada.Post(p.endpoint+"/outline", p.filled(p.ada.Get(p.endpoint), "do", "example:"+media))
	form := p.filled(p.ada.Get(p.endpoint), "in:"+media+"/examples/example#value", "{\r\n  \"text\": \"A\",\r\n  \"id\": 7\r\n}")
	a := p.ada.HX("checks").On(p.endpoint).Post(p.endpoint+"/checks", form)
	if a.Status != 200 || !strings.Contains(a.Find("#checks li").Text(), "Line 3, column 9") || a.Find("#checks a").Length() != 1 {
		t.Errorf("the check gives %d: %s", a.Status, a.Body)
	}
	// Lines and columns count in the text that was typed, however it is written.
	form.Set("in:"+media+"/examples/example#value", `{"text": "A",    "id": 7}`)
	form.Set("in:"+media+"/examples/example#name", "another")
	link := p.ada.HX("checks").On(p.endpoint).Post(p.endpoint+"/checks", form).Find("#checks li a")
	if place := link.AttrOr("data-line", "") + ":" + link.AttrOr("data-column", ""); place != "1:24" || p.ada.Get(p.endpoint).Find(link.AttrOr("href", "-")).Length() != 1 {
		t.Errorf("the place is %s, of %s", place, link.AttrOr("href", ""))
	}
	form.Set("in:"+media+"/examples/example#value", `{"id": "7"}`)
	if a := p.ada.HX("checks").On(p.endpoint).Post(p.endpoint+"/checks", form); !strings.Contains(a.Find("#checks li.good").Text(), "Every example matches") {
		t.Errorf("the check gives %d: %s", a.Status, a.Body)
	}
}

// checked posts the form of an item to its checks.
func (p *press) checked(path string, edits ...string) *webtest.Answer {
	p.Helper()
	return p.ada.HX("checks").On(path).Post(path+"/checks", p.filled(p.ada.Get(path), edits...))
}

// What cannot be read, and what is no OpenAPI or JSON Schema, is named with its
// line and its column, which link to the place in the field.
func TestSourceIsChecked(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	schema := p.page("schema", "letter")
	operation := `{"responses": {"200": {"description": "OK", "content": {"application/json": {
"schema": {"$ref": "#/components/schemas/Letter"},
  "examples": {"one": {"value": {"id": 7}}}}}}}}`
	for _, c := range []struct{ path, as, text, link, place, says string }{
		{p.endpoint, "source", "{\n  \"responses\": {,}\n}", "#field-raw", "2:17", "this is not JSON"},
		{p.endpoint, "source", operation, "#field-raw", "3:40", "Send a string"},
		{p.endpoint, "source", "responses:\n  200:\n    descripton: OK\n", "#field-raw", "3:5", "description"},
		{schema, "source", "type: object\nproperties:\n  id: {type: text}", "#field-raw", "3:14", "must be one of"},
		{schema, "source", "type: object\n  properties: {}", "#field-raw", "2:13", "not YAML"},
	} {
		a := p.checked(c.path, "as", c.as, "raw", c.text)
		link := a.Find("#checks li a")
		if got := link.AttrOr("data-line", "") + ":" + link.AttrOr("data-column", ""); got != c.place || link.AttrOr("href", "") != c.link || !strings.Contains(a.Find("#checks li").Text(), c.says) {
			t.Errorf("%q gives %s at %s: %s", c.text, a.Find("#checks li").Text(), got, a.Body)
		}
	}
	for path, change := range map[string][]string{schema: {"as", "source", "raw", "type: object"}, p.version: nil, p.page("category", "letters"): nil} {
		if a := p.checked(path, change...); a.Status != 200 || a.Find("#checks li").Length() != 0 || a.Find("#checks p").Length() != 1 {
			t.Errorf("%s without a fault gives %s", path, a.Body)
		}
	}
	// In rows, a link leads to the row.
	a := p.checked(schema, "in:/properties/id#type", "string", "raw", `{"type":"object","properties":{"id":{"type":"string","minLength":"3"}}}`)
	if a.Find("#checks li a[href^='#field-row-']").Length() != 1 {
		t.Errorf("a flaw of a row gives %s", a.Find("#checks").Text())
	}
}

// Without script, the page after a save says the same.
func TestChecksWithoutScript(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	media := "/responses/200/content/application~1json"
	p.ada.Post(p.endpoint+"/outline", p.filled(p.ada.Get(p.endpoint), "do", "example:"+media))
	name := "in:" + media + "/examples/example#value"
	a := p.ada.Post(p.endpoint, p.filled(p.ada.Get(p.endpoint), name, "{\r\n  \"id\": x\r\n}"))
	link := a.Find(".field.invalid .error a")
	if a.Status != 422 || link.AttrOr("data-line", "") != "2" || link.AttrOr("data-column", "") != "9" || !strings.HasPrefix(a.Find(".field.invalid .error").Text(), "Line 2, column 9: this is not JSON") {
		t.Errorf("what is no JSON gives %d: %s", a.Status, a.Find(".field.invalid").Text())
	}
	p.ok(p.ada, p.save(p.ada, p.endpoint, name, "{\r\n  \"id\": 7\r\n}"))
	if a := p.ada.Get(p.endpoint + "?done=saved"); !strings.Contains(a.Find("#checks li").Text(), "Line 2, column 9") {
		t.Errorf("the page after the save says %s", a.Find("#checks").Text())
	}
	if a := p.ada.Get(p.endpoint); a.Find(".all-checks [hx-trigger^=load]").Length() != 1 {
		t.Error("a page that was opened does not ask for its checks")
	}
	if a := p.ada.Get(p.endpoint); a.Find(".rail h2:contains('Checks') + .all-checks").Find("li, p").Length() == 0 {
		t.Errorf("the heading of checks stands over nothing: %s", a.Find(".rail").Text())
	}
}
