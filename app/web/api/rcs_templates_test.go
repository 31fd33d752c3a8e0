package api_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
)

// A template can be read in every way, sent as its preview says, and changed.
func TestRCSTemplates(t *testing.T) {
	t.Parallel()
	p, other := setupRCS(t)
	bot := p.sandbox.BotID
	create := jsonMap{
		"botId": bot, "templateName": "greeting", "templateType": "TEXT", "text": "Hello [name], {{day}} it is, [name].", "fallbackText": "Hello [name]",
		"suggestions": []jsonMap{
			{"suggestionType": "calendar_action", "displayText": "Note", "postback": "n", "startTime": "2026-01-01T09:00:00Z", "endTime": "2026-01-01T10:00:00Z", "title": "Parcel"},
			{"suggestionType": "location_request", "displayText": "Where?", "postback": "w"},
			{"suggestionType": "map_action", "displayText": "Map", "postback": "m", "latitude": 12.5, "longitude": -77, "label": "Shop"},
			{"suggestionType": "dialer_action", "displayText": "Call", "postback": "c", "phoneNumber": "+919812345670"},
			{"suggestionType": "url_action", "displayText": "Track", "postback": "t", "url": "https://parcels.example.com/t"},
		},
	}
	a := p.call(t, "POST", "/create-template", create)
	id := a.text(t, "templateId")
	if a.status != 201 || a.text(t, "status") != "PENDING" {
		t.Fatalf("%s", a.body)
	}
	if a := p.call(t, "POST", "/create-template", create); a.status != 409 || a.field("templateName") != "duplicate" {
		t.Errorf("the name again: %s", a.body)
	}
	send := jsonMap{"botId": bot, "templateCode": "greeting", "recipients": []jsonMap{{"to": "+919812345678", "customParams": jsonMap{"name": "Asha", "day": 7}}}}
	if a := p.call(t, "POST", "/send-message", send); a.status != 409 || a.field("templateCode") != "invalid_template" {
		t.Errorf("sent while it waits for its review: %s", a.body)
	}
	update := jsonMap{"templateId": id, "templateType": "TEXT", "text": "Hello [name]"}
	if a := p.call(t, "POST", "/update-template", update); a.status != 409 {
		t.Errorf("updated during its review: %s", a.body)
	}
	p.review(t, id, 1)
	for _, segment := range []string{id, "greeting", base64.RawURLEncoding.EncodeToString([]byte("greeting")), base64.URLEncoding.EncodeToString([]byte("greeting"))} {
		if a := p.call(t, "GET", "/get-template-status/"+bot+"/"+segment, nil); a.text(t, "templateId") != id || a.text(t, "status") != "APPROVED" {
			t.Errorf("%s: %s", segment, a.body)
		}
	}
	preview := p.call(t, "GET", "/get-template-preview-by-templateName?templateName=greeting&botId="+bot, nil)
	if !strings.Contains(string(preview.Data), `"text":"Hello name, day it is, name."`) || !strings.Contains(string(preview.Data), `"variables":["name","day"]`) {
		t.Errorf("preview: %s", preview.body)
	}
	if a := p.call(t, "POST", "/send-message", `{"botId": "`+bot+`", "to": "+919812345678", "contentMessage": `+contentOf(t, preview)+`}`); a.status != 202 {
		t.Errorf("the preview cannot be sent: %s", a.body)
	}
	if a := p.call(t, "GET", "/get-template-details-by-templateId?templateId="+id, nil); a.text(t, "templateName") != "greeting" {
		t.Errorf("details: %s", a.body)
	}
	if a := p.call(t, "GET", "/get-templateId-by-templateName-and-botId?templateName=greeting&botId="+bot, nil); a.text(t, "templateId") != id {
		t.Errorf("by name: %s", a.body)
	}
	if a := p.call(t, "GET", "/get-all-templates-by-botid?type=TEXT&status=APPROVED&botId="+bot, nil); a.Total != 2 {
		t.Errorf("texts of the bot: %s", a.body)
	}
	if a := p.call(t, "GET", "/get-all-template-by-orgId?size=3&orgId="+p.organisation(), nil); a.Total != 4 || strings.Count(string(a.Data), `"templateId"`) != 3 {
		t.Errorf("of the organisation: %s", a.body)
	}
	if a := p.call(t, "POST", "/update-template", update); a.status != 200 || a.text(t, "status") != "PENDING" {
		t.Errorf("updating: %s", a.body)
	}
	p.review(t, id, 1) // of the content before
	if a := p.call(t, "GET", "/get-template-status/"+bot+"/greeting", nil); a.text(t, "status") != "PENDING" {
		t.Errorf("after the review of an old content: %s", a.body)
	}
	for field, value := range map[string]string{"templateType": "CAROUSEL", "templateName": "other"} {
		changed := jsonMap{"templateId": id, "templateType": "TEXT", "text": "x", "width": nil}
		delete(changed, "width")
		if changed[field] = value; field == "templateType" {
			changed = jsonMap{"templateId": id, "templateType": "CAROUSEL", "width": "MEDIUM_WIDTH", "height": "SHORT_HEIGHT", "carouselList": []jsonMap{{"cardTitle": "a"}, {"cardTitle": "b"}}}
		}
		if a := p.call(t, "POST", "/update-template", changed); a.status != 409 || a.field(field) != "frozen" {
			t.Errorf("%s: %s", field, a.body)
		}
	}
	if a := other.call(t, "POST", "/update-template", update); a.status != 404 {
		t.Errorf("updated by another: %s", a.body)
	}
	if a := p.call(t, "GET", "/templates/msgapp-fallback/"+bot, nil); a.status != 200 || a.Total == 0 {
		t.Errorf("fallback templates: %s", a.body)
	}
}

func contentOf(t *testing.T, a rcsAnswerBody) string {
	t.Helper()
	_, rest, ok := strings.Cut(string(a.Data), `"contentMessage":`)
	content, _, closed := strings.Cut(rest, `,"variables"`)
	if !ok || !closed {
		t.Fatalf("no content: %s", a.body)
	}
	return content
}

// Templates of each type and what is wrong with them.
func TestRCSTemplateFieldsAreChecked(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	chip := jsonMap{"suggestionType": "reply", "displayText": "a", "postback": "b"}
	card := jsonMap{"cardTitle": "a"}
	long := func(n int) string { return strings.Repeat("x", n) }
	padded := func(size int) []byte { return append(picture(9, 9), make([]byte, size-len(picture(9, 9)))...) }
	for name, file := range map[string][]byte{"text": []byte("hello"), "large": padded(101 << 10), "largest": padded(2 << 20), "larger": padded(2<<20 + 1)} {
		p.files.serve("https://files.example.com/"+name, http.StatusOK, file)
	}
	for name, tt := range map[string]struct {
		members     jsonMap
		field, code string
	}{
		"no type":                  {jsonMap{"text": "a"}, "templateType", "required"},
		"unknown type":             {jsonMap{"templateType": "VIDEO"}, "templateType", "enum"},
		"a text with a card":       {jsonMap{"templateType": "TEXT", "text": "a", "card": card}, "card", "unknown"},
		"a long text":              {jsonMap{"templateType": "TEXT", "text": long(2501)}, "text", "max_length"},
		"a long text with a PDF":   {jsonMap{"templateType": "TEXT", "text": long(2001), "pdf": jsonMap{"mediaUrl": "https://a.example.com/a.pdf", "fileName": "a"}}, "text", "max_length"},
		"a long fallback":          {jsonMap{"templateType": "TEXT", "text": "a", "fallbackText": long(161)}, "fallbackText", "max_length"},
		"twelve chips":             {jsonMap{"templateType": "TEXT", "text": "a", "suggestions": repeat(chip, 12)}, "suggestions", "max_items"},
		"long words on a chip":     {jsonMap{"templateType": "TEXT", "text": "a", "suggestions": []jsonMap{{"suggestionType": "reply", "displayText": long(26), "postback": "b"}}}, "suggestions[0].displayText", "max_length"},
		"a chip of another type":   {jsonMap{"templateType": "TEXT", "text": "a", "suggestions": []jsonMap{{"suggestionType": "pay"}}}, "suggestions[0].suggestionType", "enum"},
		"a link without address":   {jsonMap{"templateType": "TEXT", "text": "a", "suggestions": []jsonMap{{"suggestionType": "url_action", "displayText": "a", "postback": "b"}}}, "suggestions[0].url", "required"},
		"an entry that ends early": {jsonMap{"templateType": "TEXT", "text": "a", "suggestions": []jsonMap{{"suggestionType": "calendar_action", "displayText": "a", "postback": "b", "title": "t", "startTime": "2026-01-02T00:00:00Z", "endTime": "2026-01-01T00:00:00Z"}}}, "suggestions[0].endTime", "combination"},
		"beyond the pole":          {jsonMap{"templateType": "TEXT", "text": "a", "suggestions": []jsonMap{{"suggestionType": "map_action", "displayText": "a", "postback": "b", "latitude": 91, "longitude": 0}}}, "suggestions[0].latitude", "range"},
		"an empty card":            {jsonMap{"templateType": "STANDALONE", "orientation": "VERTICAL", "card": jsonMap{"fileName": "a"}}, "card", "required"},
		"no alignment":             {jsonMap{"templateType": "STANDALONE", "orientation": "HORIZONTAL", "card": card}, "alignment", "required"},
		"alignment when vertical":  {jsonMap{"templateType": "STANDALONE", "orientation": "VERTICAL", "alignment": "LEFT", "card": card}, "alignment", "combination"},
		"height when horizontal":   {jsonMap{"templateType": "STANDALONE", "orientation": "HORIZONTAL", "alignment": "LEFT", "height": "TALL_HEIGHT", "card": card}, "height", "combination"},
		"media without height":     {jsonMap{"templateType": "STANDALONE", "orientation": "VERTICAL", "card": jsonMap{"mediaUrl": "https://a.example.com/a.png"}}, "height", "required"},
		"five chips in a card":     {jsonMap{"templateType": "STANDALONE", "orientation": "VERTICAL", "card": jsonMap{"cardTitle": "a", "suggestions": repeat(chip, 5)}}, "card.suggestions", "max_items"},
		"one card":                 {jsonMap{"templateType": "CAROUSEL", "width": "SMALL_WIDTH", "height": "SHORT_HEIGHT", "carouselList": []jsonMap{card}}, "carouselList", "min_items"},
		"eleven cards":             {jsonMap{"templateType": "CAROUSEL", "width": "SMALL_WIDTH", "height": "SHORT_HEIGHT", "carouselList": repeat(card, 11)}, "carouselList", "max_items"},
		"tall in small":            {jsonMap{"templateType": "CAROUSEL", "width": "SMALL_WIDTH", "height": "TALL_HEIGHT", "carouselList": repeat(card, 2)}, "height", "combination"},
		"a long title":             {jsonMap{"templateType": "CAROUSEL", "width": "SMALL_WIDTH", "height": "SHORT_HEIGHT", "carouselList": []jsonMap{card, {"cardTitle": long(201)}}}, "carouselList[1].cardTitle", "max_length"},
		"a name with spaces":       {jsonMap{"templateType": "TEXT", "text": "a", "templateName": "a b"}, "templateName", "pattern"},
		"a long name":              {jsonMap{"templateType": "TEXT", "text": "a", "templateName": long(21)}, "templateName", "max_length"},
		"media that is a text":     {jsonMap{"templateType": "STANDALONE", "orientation": "VERTICAL", "height": "SHORT_HEIGHT", "card": jsonMap{"mediaUrl": "https://files.example.com/text"}}, "card.mediaUrl", "file_format"},
		"a large thumbnail":        {jsonMap{"templateType": "STANDALONE", "orientation": "VERTICAL", "height": "SHORT_HEIGHT", "card": jsonMap{"mediaUrl": "https://files.example.com/a.png", "thumbnailUrl": "https://files.example.com/large"}}, "card.thumbnailUrl", "file_size"},
		"a large picture":          {jsonMap{"templateType": "STANDALONE", "orientation": "VERTICAL", "height": "SHORT_HEIGHT", "card": jsonMap{"mediaUrl": "https://files.example.com/larger"}}, "card.mediaUrl", "file_size"},
		"a PDF that is a picture":  {jsonMap{"templateType": "TEXT", "text": "a", "pdf": jsonMap{"mediaUrl": "https://files.example.com/a.png", "fileName": "a.pdf"}}, "pdf.mediaUrl", "file_format"},
	} {
		body := jsonMap{"botId": p.sandbox.BotID, "templateName": "checked"}
		for k, v := range tt.members {
			body[k] = v
		}
		if a := p.call(t, "POST", "/create-template", body); a.status != 400 || a.field(tt.field) != tt.code {
			t.Errorf("%s: %s, want %s %s", name, a.body, tt.field, tt.code)
		}
	}
	largest := jsonMap{
		"botId": p.sandbox.BotID, "templateName": "largest", "templateType": "STANDALONE", "orientation": "VERTICAL", "height": "SHORT_HEIGHT",
		"card": jsonMap{"mediaUrl": "https://files.example.com/largest"},
	}
	if a := p.call(t, "POST", "/create-template", largest); a.status >= 300 {
		t.Errorf("a picture of 2 MiB: %s", a.body)
	}
}

func repeat(m jsonMap, n int) []jsonMap {
	all := make([]jsonMap, n)
	for i := range all {
		all[i] = m
	}
	return all
}

// What the documentation shows is accepted as it stands, by a bot and templates of
// the names that it uses.
func TestDocumentedRCSExamplesAreAccepted(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	read, err := openapi.Read(readSeedOf(t, "rcs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := model.Compile(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	late := p.call(t, "POST", "/create-template", jsonMap{"botId": p.sandbox.BotID, "templateName": "order_late", "templateType": "TEXT", "text": "Late", "fallbackText": "Dear Asha, your parcel A-1 arrives today."}).text(t, "templateId")
	p.review(t, late, 1)
	old := p.call(t, "POST", "/create-template", jsonMap{"botId": p.sandbox.BotID, "templateName": "order_old", "templateType": "TEXT", "text": "Old"}).text(t, "templateId")
	p.review(t, old, 1)
	// The account owns the header and the text that the documentation names.
	if _, err := p.pool.Exec(t.Context(), `insert into sms_headers (organisation_id, header, kind) values ($1, 'PARCEL', 'transactional') on conflict do nothing`, p.id); err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, category := range compiled.Categories {
		for _, e := range category.Endpoints {
			if len(e.Bodies) == 0 || !strings.HasPrefix(e.Path, "/") || e.Method == "" {
				continue
			}
			for _, example := range e.Bodies[0].Examples {
				body := strings.NewReplacer("b7Qm2xT9LrVd4KsWcN0aZe", p.sandbox.BotID, "k3Wd8yP1HsTn6RvXcJ5bLf", p.sandbox.BotID, "t5Hn8wQ2ZcXv1RpLk7Ym0B", old, "partner.example.com", "93.184.215.14").Replace(example.Value)
				path, headers := strings.TrimPrefix(e.Path, "/api/v1"), []string{"botId", p.sandbox.BotID}
				a := p.call(t, e.Method, path, body, headers...)
				want := map[string][]int{"createBot": {201, 409}, "submitBotForVerification": {409}, "updateBot": {200}}[e.ID]
				if e.ID == "updateTemplate" && example.Name != "text" { // the template is of the kind TEXT, which cannot change
					want = []int{409}
				}
				if want == nil {
					want = []int{200, 201, 202}
				}
				ok := false
				for _, status := range want {
					ok = ok || a.status == status
				}
				if !ok {
					t.Errorf("%s %s: %d %s", e.ID, example.Name, a.status, a.body)
				}
				sent++
			}
		}
	}
	if sent < 20 {
		t.Errorf("%d examples were sent", sent)
	}
}
