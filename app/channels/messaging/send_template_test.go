package messaging_test

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/fault"
)

// addTemplate stores an approved template of the sandbox.
func (b *bundle) addTemplate(t *testing.T, id int64, name, category, status, components string) {
	t.Helper()
	if _, err := b.pool.Exec(t.Context(), `insert into registry values ($1, 'template', $2)`, id, b.number.OrganisationID); err != nil {
		t.Fatal(err)
	}
	_, err := b.pool.Exec(t.Context(), `
		insert into message_templates (id, organisation_id, business_account_id, name, language, category, status, components)
		values ($1, $2, $3, $4, 'en_US', $5, $6, $7)`, id, b.number.OrganisationID, b.number.BusinessAccountID, name, category, status, components)
	if err != nil {
		t.Fatal(err)
	}
}

func (b *bundle) addTemplates(t *testing.T) {
	t.Helper()
	for i, tt := range []struct{ name, status, components string }{
		{"paused_one", "PAUSED", `[]`},
		{"disabled_one", "DISABLED", `[]`},
		{"pending_one", "PENDING", `[]`},
		{"named", "APPROVED", `[{"type":"HEADER","format":"TEXT","text":"{{shop}}"},{"type":"BODY","text":"{{first_name}}, your order {{order}} is ready, {{first_name}}."}]`},
		{"place", "APPROVED", `[{"type":"HEADER","format":"LOCATION"},{"type":"BODY","text":"Come"}]`},
		{"invoice", "APPROVED", `[{"type":"HEADER","format":"DOCUMENT"},{"type":"BODY","text":"Your invoice"},{"type":"FOOTER","text":"Bye"}]`},
		{"buttons", "APPROVED", `[{"type":"BODY","text":"Choose"},{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"Yes"},{"type":"COPY_CODE","text":"Copy"},
			{"type":"URL","text":"See","url":"https://example.com/{{1}}"},{"type":"PHONE_NUMBER","text":"Call","phone_number":"+919812345001"},
			{"type":"FLOW","text":"Begin","flow_id":"1"},{"type":"CATALOG","text":"Look"},{"type":"MPM","text":"Choose"}]}]`},
		{"offer", "APPROVED", `[{"type":"BODY","text":"Soon over"},{"type":"LIMITED_TIME_OFFER","limited_time_offer":{"text":"Ends","has_expiration":true}}]`},
		{"cards", "APPROVED", `[{"type":"BODY","text":"Look, {{1}}"},{"type":"CAROUSEL","cards":[
			{"components":[{"type":"HEADER","format":"IMAGE"},{"type":"BODY","text":"Lamp {{1}}"}]},
			{"components":[{"type":"HEADER","format":"IMAGE"},{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"This"}]}]}]}]`},
	} {
		b.addTemplate(t, 1000000000000001+int64(i), tt.name, "MARKETING", tt.status, tt.components)
	}
}

const (
	code    = `{"type":"button","sub_type":"copy_code","index":"1","parameters":[{"type":"coupon_code","coupon_code":"LAMP25"}]}`
	address = `{"type":"button","sub_type":"url","index":"2","parameters":[{"type":"text","text":"a"}]}`
	mpm     = `{"type":"button","sub_type":"mpm","index":"6","parameters":[{"type":"action","action":{"sections":[{"product_items":[{"product_retailer_id":"lamp"}]}]}}]}`
	image   = `{"type":"header","parameters":[{"type":"image","image":{"link":"https://example.com/a.jpg"}}]}`
	cards   = `{"type":"body","parameters":[{"type":"text","text":"Asha"}]},{"type":"carousel","cards":[
		{"card_index":0,"components":[` + image + `,{"type":"body","parameters":[{"type":"text","text":"one"}]}]},
		{"card_index":1,"components":[` + image + `,{"type":"button","sub_type":"quick_reply","index":0,"parameters":[{"type":"payload","payload":"p"}]}]}]}`
)

func named(header, body string) string {
	return template("named", `{"type":"header","parameters":[`+header+`]},{"type":"body","parameters":[`+body+`]}`)
}

func text(name string) string { return `{"type":"text","text":"x","parameter_name":"` + name + `"}` }

func TestTemplatesOfEveryShapeAreSent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.addTemplates(t)
	for name, body := range map[string]string{
		"code":             authentication("123456", "123456"),
		"named, any order": named(text("shop"), text("order")+","+text("first_name")),
		"place":            template("place", `{"type":"header","parameters":[{"type":"location","location":{"latitude":18.9,"longitude":72.8}}]}`),
		"invoice":          template("invoice", `{"type":"header","parameters":[{"type":"document","document":{"link":"https://example.com/a.pdf","filename":"a.pdf"}}]}`),
		"needed buttons":   template("buttons", code+`,`+address+`,`+mpm),
		"every button": template("buttons", `{"type":"button","sub_type":"quick_reply","index":"0","parameters":[{"type":"payload","payload":"yes"}]},`+code+`,`+address+
			`,{"type":"button","sub_type":"FLOW","index":"4","parameters":[{"type":"action","action":{"flow_token":"t","flow_action_data":{"a":1}}}]},`+
			`{"type":"button","sub_type":"catalog","index":"5","parameters":[{"type":"action","action":{"thumbnail_product_retailer_id":"lamp"}}]},`+mpm),
		"offer":            template("offer", `{"type":"limited_time_offer","parameters":[{"type":"limited_time_offer","limited_time_offer":{"expiration_time_ms":1893456000000}}]}`),
		"cards":            template("cards", cards),
		"empty components": template("hello_world", `{"type":"body"},{"type":"header","parameters":[]}`),
	} {
		if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(body), ""); err != nil {
			t.Errorf("%s: %v %v", name, err, fault.As(err).Fields)
		}
	}
}

func TestMessageTakesTheTimeToLiveOfItsTemplate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	components := `[{"type":"BODY","text":"Hello"}]`
	for i, tt := range []struct {
		category string
		stored   any
		want     int
	}{{"UTILITY", nil, 0}, {"MARKETING", 86400, 86400}, {"UTILITY", 120, 120}, {"AUTHENTICATION", -1, 0}, {"AUTHENTICATION", nil, 600}} {
		name := fmt.Sprintf("lives_%d", i)
		b.addTemplate(t, 1000000000000501+int64(i), name, tt.category, "APPROVED", components)
		if _, err := b.pool.Exec(t.Context(), `update message_templates set message_send_ttl_seconds = $2 where name = $1`, name, tt.stored); err != nil {
			t.Fatal(err)
		}
		if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(template(name, "")), ""); err != nil {
			t.Fatal(err)
		}
		if got := b.count(t, `select ttl_seconds from messages where payload->'template'->>'name' = $1`, name); got != tt.want {
			t.Errorf("a template that lives %v gives a message that lives %d seconds, want %d", tt.stored, got, tt.want)
		}
	}
}

func TestTemplatesThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.addTemplates(t)
	first := "template.components[0]"
	b.refuses(t, []refused{
		{"no name", to(`"type":"template","template":{"language":{"code":"en_US"}}`), "131008", "template.name"},
		{"no language", to(`"type":"template","template":{"name":"hello_world"}`), "131008", "template.language.code"},
		{"no part", template("order_update", `{"parameters":[]}`), "131008", first + ".type"},
		{"unknown part", template("order_update", `{"type":"tail"}`), "131009", first + ".type"},
		{"button nowhere", template("buttons", `{"type":"button","sub_type":"url"}`), "131008", first + ".index"},
		{"button far away", template("buttons", `{"type":"button","sub_type":"url","index":"10"}`), "131009", first + ".index"},
		{"no value", template("order_update", `{"type":"body","parameters":[{"type":"text"}]}`), "131008", first + ".parameters[0].text"},
		{"thirteen parts", template("order_update", strings.Repeat(`{"type":"body"},`, 12)+`{"type":"body"}`), "131009", "template.components"},
		{"foreign file", template("invoice", `{"type":"header","parameters":[{"type":"document","document":{"id":"1234567890123456"}}]}`), "131009", first + ".parameters[0].document.id"},
		{"cards in cards", template("cards", `{"type":"carousel","cards":[{"card_index":0,"components":[{"type":"carousel","cards":[{"card_index":0}]}]}]}`), "131009", first + ".cards[0]"},

		{"unknown template", template("nope", ``), "132001", "template.name"},
		{"unknown language", strings.Replace(template("hello_world", ``), "en_US", "fr", 1), "132001", "template.name"},
		{"not reviewed", template("pending_one", ``), "132001", "template.name"},
		{"paused", template("paused_one", ``), "132015", "template.name"},
		{"disabled", template("disabled_one", ``), "132016", "template.name"},
		{"missing parameters", template("order_update", ``), "132000", "template.components"},
		{"surplus part", template("hello_world", `{"type":"header","parameters":[{"type":"text","text":"x"}]}`), "132000", first},
		{"surplus value", template("order_update", `{"type":"body","parameters":[`+text("1")+`,`+text("2")+`,`+text("3")+`]}`), "132000", first},
		{"part twice", template("order_update", `{"type":"body"},{"type":"body"}`), "132012", "template.components[1]"},
		{"too long once filled", template("order_update", `{"type":"body","parameters":[{"type":"text","text":"`+strings.Repeat("x", 1100)+`"},{"type":"text","text":"x"}]}`), "132005", first},
		{"wrong kind", template("order_update", `{"type":"body","parameters":[{"type":"payload","payload":"x"},{"type":"text","text":"x"}]}`), "132012", first},
		{"wrong header", template("invoice", image), "132012", first},
		{"unknown variable", named(text("shop"), text("order")+","+text("last_name")), "132012", "template.components[1]"},
		{"variable twice", named(text("shop"), text("order")+","+text("order")), "132012", "template.components[1]"},
		{"nameless", named(text("shop"), `{"type":"text","text":"x"},{"type":"text","text":"y"}`), "132012", "template.components[1]"},
		{"another button", template("buttons", strings.Replace(code, "copy_code", "url", 1)), "132012", first},
		{"offer without end", template("offer", ``), "132000", "template.components"},
		{"one card", template("cards", `{"type":"body","parameters":[`+text("1")+`]},{"type":"carousel","cards":[{"card_index":0}]}`), "132000", "template.components[1]"},
		{"cards in disorder", template("cards", strings.Replace(cards, `"card_index":1`, `"card_index":7`, 1)), "132012", "template.components[1]"},
		{"card without picture", template("cards", strings.Replace(cards, image+`,{"type":"button"`, `{"type":"button"`, 1)), "132000", "template.components[1].cards[1].components"},

		{"code without button", template("login_code", `{"type":"body","parameters":[{"type":"text","text":"123456"}]}`), "132000", "template.components"},
		{"two codes", authentication("123456", "654321"), "132012", "template.components"},
		{"long code", authentication("1234567890123456", "1234567890123456"), "132012", "template.components"},
	})
}
