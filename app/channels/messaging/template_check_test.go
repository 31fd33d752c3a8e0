package messaging_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Pieces of templates.
const (
	plainBody = `{"type":"BODY","text":"Hello there"}`
	otp       = `{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE"}]}`
	oneTap    = `"type":"OTP","otp_type":"ONE_TAP","supported_apps":[{"package_name":"com.example.lamps","signature_hash":"K8a/AINcGX7"}]`
	cardTop   = `{"type":"HEADER","format":"IMAGE","example":{"header_handle":["4::x"]}}`
)

func buttons(list ...string) string {
	return plainBody + `,{"type":"BUTTONS","buttons":[` + strings.Join(list, ",") + `]}`
}

func several(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

func quick(i int) string { return fmt.Sprintf(`{"type":"QUICK_REPLY","text":"Answer %d"}`, i) }

func letters(n int) string { return strings.Repeat("é", n) }

func bodyText(text, examples string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"type":"BODY","text":%s,"example":{"body_text":[[%s]]}}`, quoted, examples)
}

// templateOf puts components into a template of its own name.
func templateOf(i int, category, rest, components string) string {
	return fmt.Sprintf(`{"name":"t_%d","language":"en_US","category":%q%s,"components":[%s]}`, i, category, rest, components)
}

// templateCases are templates with what their check says.
var templateCases = []struct {
	name, category, rest, components string
	subcode                          int // -1 for what is accepted
}{
	{"text only", "utility", "", plainBody, -1},
	{"unknown category", "POEM", "", plainBody, 0},
	{"no body", "UTILITY", "", `{"type":"FOOTER","text":"x"}`, 2388043},
	{"no components", "UTILITY", "", ``, 2388043},
	{"unknown component", "UTILITY", "", plainBody + `,{"type":"SONG"}`, 0},
	{"two bodies", "UTILITY", "", plainBody + `,` + plainBody, 0},
	{"components of the wrong type", "UTILITY", "", `7`, 0},
	{"NUL in a text", "UTILITY", "", `{"type":"BODY","text":"a\u0000b"}`, 0},

	{"header of 60", "UTILITY", "", plainBody + `,{"type":"header","format":"text","text":"` + letters(60) + `"}`, -1},
	{"header of 61", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"TEXT","text":"` + letters(61) + `"}`, 2388040},
	{"header without text", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"TEXT"}`, 2388043},
	{"header without format", "UTILITY", "", plainBody + `,{"type":"HEADER","text":"x"}`, 0},
	{"header with a variable", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"TEXT","text":"Order {{1}}","example":{"header_text":["7"]}}`, -1},
	{"header with two variables", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"TEXT","text":"{{1}} of {{2}}","example":{"header_text":["1","2"]}}`, 2388047},
	{"header with a variable and no example", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"TEXT","text":"Order {{1}}"}`, 2388043},
	{"header on two lines", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"TEXT","text":"a\nb"}`, 2388047},
	{"header with emoji", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"TEXT","text":"Hot 🔥"}`, 2388047},
	{"location", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"LOCATION"}`, -1},
	{"image without file", "UTILITY", "", plainBody + `,{"type":"HEADER","format":"IMAGE"}`, 2388043},
	{"image with a foreign file", "UTILITY", "", plainBody + `,` + cardTop, 0},

	{"body of 1024", "UTILITY", "", `{"type":"BODY","text":"` + letters(1024) + `"}`, -1},
	{"body of 1025", "UTILITY", "", `{"type":"BODY","text":"` + letters(1025) + `"}`, 2388040},
	{"blank body", "UTILITY", "", `{"type":"BODY","text":" "}`, 2388043},
	{"gap between variables", "UTILITY", "", bodyText("One {{1}} two {{3}} three four five", `"a","b"`), 2388047},
	{"variable 01", "UTILITY", "", bodyText("One {{01}} two three", `"a"`), 2388047},
	{"open variable", "UTILITY", "", bodyText("One {{1} two three", `"a"`), 2388047},
	{"names among numbers", "UTILITY", "", bodyText("One {{first}} two three", `"a"`), 2388047},
	{"variable first", "UTILITY", "", bodyText("{{1}} is one two three", `"a"`), 2388299},
	{"variable last", "UTILITY", "", bodyText("One two three is {{1}} ", `"a"`), 2388299},
	{"variable before a full stop", "UTILITY", "", bodyText("One two three is {{1}}.", `"a"`), -1},
	{"two variables, five words", "UTILITY", "", bodyText("One {{1}} two, {{2}} three four five", `"a","b"`), -1},
	{"two variables, four words", "UTILITY", "", bodyText("One {{1}} two, {{2}} three four -", `"a","b"`), 2388293},
	{"a script without spaces", "UTILITY", "", bodyText("您好{{1}}，您的订单{{2}}已发货。", `"a","b"`), -1},
	{"one example for two", "UTILITY", "", bodyText("One {{1}} two, {{2}} three four five", `"a"`), 2388043},
	{"empty example", "UTILITY", "", bodyText("One {{1}} two three", `""`), 2388043},
	{"the same variable twice", "UTILITY", "", bodyText("One {{1}} two {{1}} three", `"a"`), -1},
	{"eleven variables", "UTILITY", "", bodyText("a "+several(11, func(i int) string { return fmt.Sprintf("{{%d}} x y z", i+1) }), several(11, func(int) string { return `"v"` })), -1},
	{"named", "UTILITY", `,"parameter_format":"named"`, `{"type":"BODY","text":"One {{first_name}} two three","example":{"body_text_named_params":[{"param_name":"first_name","example":"Asha"}]}}`, -1},
	{"named without example", "UTILITY", `,"parameter_format":"NAMED"`, `{"type":"BODY","text":"One {{first_name}} two three","example":{"body_text_named_params":[{"param_name":"last","example":"Asha"}]}}`, 2388043},
	{"named in capitals", "UTILITY", `,"parameter_format":"NAMED"`, `{"type":"BODY","text":"One {{First}} two three"}`, 2388047},
	{"named with two examples for one", "UTILITY", `,"parameter_format":"NAMED"`, `{"type":"BODY","text":"One {{first_name}} two three","example":{"body_text_named_params":[{"param_name":"first_name","example":"Asha"},{"param_name":"last_name","example":"Rao"}]}}`, 2388043},
	{"unknown format", "UTILITY", `,"parameter_format":"RANDOM"`, plainBody, 0},

	{"footer of 60", "UTILITY", "", plainBody + `,{"type":"FOOTER","text":"` + letters(60) + `"}`, -1},
	{"footer of 61", "UTILITY", "", plainBody + `,{"type":"FOOTER","text":"` + letters(61) + `"}`, 2388040},
	{"footer with a variable", "UTILITY", "", plainBody + `,{"type":"FOOTER","text":"Bye {{1}}"}`, 2388073},

	{"no buttons", "UTILITY", "", buttons(), 0},
	{"10 buttons", "UTILITY", "", buttons(several(10, quick)), -1},
	{"11 buttons", "UTILITY", "", buttons(several(11, quick)), 0},
	{"label of 25", "UTILITY", "", buttons(`{"type":"quick_reply","text":"` + letters(25) + `"}`), -1},
	{"label of 26", "UTILITY", "", buttons(`{"type":"QUICK_REPLY","text":"` + letters(26) + `"}`), 2388040},
	{"quick replies apart", "UTILITY", "", buttons(quick(1), `{"type":"PHONE_NUMBER","text":"Call","phone_number":"+919812345000"}`, quick(2)), 0},
	{"2 links", "UTILITY", "", buttons(`{"type":"URL","text":"a","url":"https://example.com/a"}`, `{"type":"URL","text":"b","url":"https://example.com/{{1}}","example":"https://example.com/7"}`), -1},
	{"3 links", "UTILITY", "", buttons(several(3, func(int) string { return `{"type":"URL","text":"a","url":"https://example.com"}` })), 0},
	{"link of 2000", "UTILITY", "", buttons(`{"type":"URL","text":"a","url":"https://example.com/` + strings.Repeat("x", 1980) + `"}`), -1},
	{"link of 2001", "UTILITY", "", buttons(`{"type":"URL","text":"a","url":"https://example.com/` + strings.Repeat("x", 1981) + `"}`), 2388040},
	{"link without host", "UTILITY", "", buttons(`{"type":"URL","text":"a","url":"javascript:alert(1)"}`), 0},
	{"variable inside a link", "UTILITY", "", buttons(`{"type":"URL","text":"a","url":"https://example.com/{{1}}/b","example":["x"]}`), 0},
	{"variable for a host", "UTILITY", "", buttons(`{"type":"URL","text":"a","url":"https://{{1}}","example":["x"]}`), 0},
	{"link without example", "UTILITY", "", buttons(`{"type":"URL","text":"a","url":"https://example.com/{{1}}"}`), 2388043},
	{"number of 20", "UTILITY", "", buttons(`{"type":"PHONE_NUMBER","text":"Call","phone_number":"` + strings.Repeat("1", 20) + `"}`), -1},
	{"number of 21", "UTILITY", "", buttons(`{"type":"PHONE_NUMBER","text":"Call","phone_number":"` + strings.Repeat("1", 21) + `"}`), 0},
	{"offer code of 15", "MARKETING", "", buttons(`{"type":"COPY_CODE","example":"` + strings.Repeat("1", 15) + `"}`), -1},
	{"offer code of 16", "MARKETING", "", buttons(`{"type":"COPY_CODE","example":["` + strings.Repeat("1", 16) + `"]}`), 2388040},
	{"offer code without example", "MARKETING", "", buttons(`{"type":"COPY_CODE"}`), 2388043},
	{"flow", "UTILITY", "", buttons(`{"type":"FLOW","text":"Book","flow_id":"77","flow_action":"NAVIGATE"}`), -1},
	{"flow without id", "UTILITY", "", buttons(`{"type":"FLOW","text":"Book"}`), 2388043},
	{"flow with id and name", "UTILITY", "", buttons(`{"type":"FLOW","text":"Book","flow_id":"77","flow_name":"book"}`), 2388043},
	{"flow with an unknown action", "UTILITY", "", buttons(`{"type":"FLOW","text":"Book","flow_name":"book","flow_action":"fly"}`), 0},
	{"flow for data", "UTILITY", "", buttons(`{"type":"FLOW","text":"Book","flow_name":"book","flow_action":"data_exchange"}`), -1},
	{"catalogue", "MARKETING", "", buttons(`{"type":"CATALOG","text":"See all"}`), -1},
	{"catalogue beside another", "MARKETING", "", buttons(`{"type":"CATALOG","text":"See all"}`, quick(1)), 0},
	{"one-time code outside authentication", "UTILITY", "", plainBody + `,` + otp, 0},

	{"offer of 16", "MARKETING", "", plainBody + `,{"type":"LIMITED_TIME_OFFER","limited_time_offer":{"text":"` + letters(16) + `","has_expiration":"true"}}`, -1},
	{"offer of 17", "MARKETING", "", plainBody + `,{"type":"LIMITED_TIME_OFFER","limited_time_offer":{"text":"` + letters(17) + `"}}`, 2388040},
	{"offer without text", "MARKETING", "", plainBody + `,{"type":"LIMITED_TIME_OFFER"}`, 2388043},

	{"one card", "MARKETING", "", plainBody + `,{"type":"CAROUSEL","cards":[{"components":[]}]}`, 0},
	{"cards without header", "MARKETING", "", plainBody + `,{"type":"CAROUSEL","cards":[{"components":[` + plainBody + `]},{"components":[` + plainBody + `]}]}`, 0},
	{"card with a document", "MARKETING", "", plainBody + `,{"type":"CAROUSEL","cards":[{"components":[{"type":"HEADER","format":"DOCUMENT"}]},{"components":[]}]}`, 0},
	{"carousel beside a footer", "MARKETING", "", plainBody + `,{"type":"FOOTER","text":"x"},{"type":"CAROUSEL","cards":[]}`, 0},
	{"card body of 161", "MARKETING", "", plainBody + `,{"type":"CAROUSEL","cards":[{"components":[{"type":"BODY","text":"` + letters(161) + `"}]},{"components":[]}]}`, 2388040},
	{"card with a song", "MARKETING", "", plainBody + `,{"type":"CAROUSEL","cards":[{"components":[{"type":"` + strings.Repeat("SONG", 20) + `"}]},{"components":[]}]}`, 0},
	{"card with a code button", "MARKETING", "", plainBody + `,{"type":"CAROUSEL","cards":[{"components":[{"type":"BUTTONS","buttons":[{"type":"COPY_CODE","example":"1"}]}]},{"components":[]}]}`, 0},
	{"card with three buttons", "MARKETING", "", plainBody + `,{"type":"CAROUSEL","cards":[{"components":[{"type":"BUTTONS","buttons":[` + several(3, quick) + `]}]},{"components":[]}]}`, 0},

	{"utility for 43200 s", "UTILITY", `,"message_send_ttl_seconds":43200`, plainBody, -1},
	{"utility for 43201 s", "UTILITY", `,"message_send_ttl_seconds":43201`, plainBody, 0},
	{"utility for 29 s", "UTILITY", `,"message_send_ttl_seconds":29`, plainBody, 0},
	{"utility for 30 s", "UTILITY", `,"message_send_ttl_seconds":"30"`, plainBody, -1},
	{"utility for 30 days", "UTILITY", `,"message_send_ttl_seconds":-1`, plainBody, 0},
	{"marketing for 43199 s", "MARKETING", `,"message_send_ttl_seconds":43199`, plainBody, 0},
	{"marketing for 43200 s", "MARKETING", `,"message_send_ttl_seconds":43200`, plainBody, -1},
	{"marketing for 30 days", "MARKETING", `,"message_send_ttl_seconds":2592000`, plainBody, -1},
	{"marketing for longer", "MARKETING", `,"message_send_ttl_seconds":2592001`, plainBody, 0},

	{"code", "AUTHENTICATION", `,"message_send_ttl_seconds":-1`, `{"type":"BODY"},` + otp, -1},
	{"code for 900 s", "AUTHENTICATION", `,"message_send_ttl_seconds":900`, `{"type":"BODY"},` + otp, -1},
	{"code for 901 s", "AUTHENTICATION", `,"message_send_ttl_seconds":901`, `{"type":"BODY"},` + otp, 0},
	{"code with text", "AUTHENTICATION", "", plainBody + `,` + otp, 2388047},
	{"code without button", "AUTHENTICATION", "", `{"type":"BODY"}`, 2388043},
	{"code with a link", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{"type":"URL","text":"a","url":"https://example.com"}]}`, 0},
	{"code with a header", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"HEADER","format":"TEXT","text":"x"},` + otp, 0},
	{"code for 90 minutes", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"FOOTER","code_expiration_minutes":90},` + otp, -1},
	{"code for 91 minutes", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"FOOTER","code_expiration_minutes":91},` + otp, 0},
	{"code for no minutes", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"FOOTER","code_expiration_minutes":0},` + otp, 0},
	{"code with a footer of words", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"FOOTER","text":"Soon"},` + otp, 2388073},
	{"code with an empty footer", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"FOOTER"},` + otp, 2388043},
	{"label of a code with a variable", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE","text":"Copy {{1}}"}]}`, 0},
	{"label of a code with a link", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE","text":"https://example.com"}]}`, 0},
	{"label of a code with emoji", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{` + oneTap + `,"autofill_text":"Hot 🔥"}]}`, 0},
	{"one tap with a word for an app", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{` + strings.Replace(oneTap, "com.example.lamps", "lamps", 1) + `}]}`, 0},
	{"code with a named format", "AUTHENTICATION", `,"parameter_format":"NAMED"`, `{"type":"BODY"},` + otp, 0},
	{"unknown kind of code", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"TELEPATHY"}]}`, 0},
	{"label of a code of 26", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE","text":"` + letters(26) + `"}]}`, 2388040},
	{"one tap", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{` + oneTap + `}]}`, -1},
	{"one tap without app", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"ONE_TAP"}]}`, 2388043},
	{"one tap with a short hash", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{` + strings.Replace(oneTap, "K8a/", "", 1) + `}]}`, 0},
	{"zero tap without terms", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{` + strings.Replace(oneTap, "ONE_", "ZERO_", 1) + `}]}`, 0},
	{"zero tap", "AUTHENTICATION", "", `{"type":"BODY"},{"type":"BUTTONS","buttons":[{` + strings.Replace(oneTap, "ONE_", "ZERO_", 1) + `,"zero_tap_terms_accepted":true}]}`, -1},
}

func TestTemplatesAreChecked(t *testing.T) {
	t.Parallel()
	b := setupTemplates(t)
	for i, tt := range templateCases {
		sent := templateOf(i, tt.category, tt.rest, tt.components)
		if tt.components == "7" {
			sent = strings.Replace(sent, "[7]", "7", 1)
		}
		made, err := b.create(t, sent)
		if tt.subcode == -1 {
			if err != nil {
				t.Errorf("%s: %v, want it accepted", tt.name, err)
				continue
			}
			b.samples(t, tt.name, made)
			continue
		}
		wantFault(t, tt.name, err, tt.subcode)
	}
	for name, in := range map[string]string{
		"no name":              `{"language":"en_US","category":"UTILITY","components":[` + plainBody + `]}`,
		"name in capitals":     strings.Replace(plain("x", "UTILITY"), `"x"`, `"News"`, 1),
		"name of 513":          plain(strings.Repeat("x", 513), "UTILITY"),
		"language in full":     strings.Replace(plain("x", "UTILITY"), "en_US", "English", 1),
		"language with a dash": strings.Replace(plain("x", "UTILITY"), "en_US", "en-US", 1),
	} {
		_, err := b.create(t, in)
		wantFault(t, name, err, 0)
	}
	if _, err := b.create(t, plain(strings.Repeat("x", 512), "UTILITY")); err != nil {
		t.Errorf("a name of 512: %v", err)
	}
	asText, _ := json.Marshal(`[` + plainBody + `]`)
	if _, err := b.create(t, `{"name":"form","language":"en_US","category":"UTILITY","components":`+string(asText)+`}`); err != nil {
		t.Errorf("components as JSON in a string: %v", err)
	}
}
