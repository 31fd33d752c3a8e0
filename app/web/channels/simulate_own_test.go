package channels_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/channels/messaging/assets"
	rule "heliograph/app/channels/simulate"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// partner is an organisation with a template and a bot, which has a template too.
type partner struct {
	client   *webtest.Client
	word     string // in everything that belongs to it
	template string // name of its example
	bot      string // id
	account  string // id of its business account
}

func newPartner(t *testing.T, site *webtest.Site, word, status string) partner {
	t.Helper()
	client, id := site.SignIn(t, 0, identity.Viewer)
	k, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	service := assets.New(site.DB, k)
	if _, err := service.AddAccount(t.Context(), assets.By{OrganisationID: id, Actor: "test"}, "Account of "+word); err != nil {
		t.Fatal(err)
	}
	list, err := service.List(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	made := models.Template{
		ID: 700000000000000 + id, OrganisationID: id, BusinessAccountID: list.Accounts[0].ID, Name: "parcel_" + word, Language: "en_US", Category: "UTILITY", Status: status, ParameterFormat: "NAMED",
		Components: json.RawMessage(`[{"type":"BODY","text":"The parcel of ` + word + ` for {{first_name}} is on its way today.","example":{"body_text_named_params":[{"param_name":"first_name","example":"Asha"}]}}]`),
	}
	if err := writes.RegistryInsert(t.Context(), site.DB, made.ID, "template", id); err != nil {
		t.Fatal(err)
	}
	if err := writes.TemplateInsert(t.Context(), site.DB, made); err != nil {
		t.Fatal(err)
	}
	bot := models.RCSBot{ID: "bot-of-" + word + "-0123456789", OrganisationID: id, Name: "Bot " + word, Profile: json.RawMessage(`{"botName":"Bot ` + word + `","brandName":"Brand ` + word + `"}`)}
	if _, err := writes.RCSBotInsert(t.Context(), site.DB, bot); err != nil {
		t.Fatal(err)
	}
	if _, err := writes.RCSTemplateInsert(t.Context(), site.DB, models.RCSTemplate{
		ID: "template-" + word + "-0123456789", BotID: bot.ID, OrganisationID: id, Name: "ready_" + word, Type: "TEXT", Content: json.RawMessage(`{"templateType":"TEXT","text":"Ready at ` + word + `, [name]"}`),
	}); err != nil {
		t.Fatal(err)
	}
	return partner{client, word, rule.TemplateExample(made.ID), bot.ID, fmt.Sprint(made.BusinessAccountID)}
}

// Templates and bots of an organisation open in the simulators with their own contents.
// To another organisation and to visitors they do not exist, by whatever way they are
// named.
func TestOwnTemplatesAndBotsAreForTheirOrganisation(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	visitor := site.Client(t)
	one, other := newPartner(t, site, "zebrine", "APPROVED"), newPartner(t, site, "cobalt", "PENDING")
	for _, p := range []partner{one, other} {
		addresses := map[string]string{
			"/simulators/messaging?example=" + p.template:                        "The parcel of " + p.word + " for Asha",
			"/simulators/rcs?example=" + rule.BotExample(p.bot, ""):              "Brand " + p.word,
			"/simulators/rcs?example=" + rule.BotExample(p.bot, "ready_"+p.word): "Ready at " + p.word + ", name",
		}
		for address, want := range addresses {
			a := p.client.Get(address)
			phone := a.Find(".sim-phone").Text()
			if a.Status != http.StatusOK || !strings.Contains(phone, want) || a.Find(".sim-problems").Length() != 0 {
				t.Errorf("%s: %d, the phone shows %q, want %q %s", address, a.Status, phone, want, a.Find(".sim-problems").Text())
			}
			_, name, _ := strings.Cut(address, "example=")
			if got := a.Find("#field-example option[selected]").AttrOr("value", ""); got != name {
				t.Errorf("%s: %q is chosen", address, got)
			}
			if a := visitor.Get(address); a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/login?next=%2Fsimulators") {
				t.Errorf("%s: a visitor gets %d %s", address, a.Status, a.Header.Get("Location"))
			}
		}
		for page, href := range map[string]string{
			"/account/templates": "/simulators/messaging?example=" + p.template, "/account/bots": "/simulators/rcs?example=" + url.QueryEscape(rule.BotExample(p.bot, "")),
			"/account/bots/" + p.bot: "/simulators/rcs?example=" + url.QueryEscape(rule.BotExample(p.bot, "ready_"+p.word)),
		} {
			if a := p.client.Get(page); a.Status != http.StatusOK || a.Find(`a[href="`+href+`"]`).Length() != 1 {
				t.Errorf("%s (%d) does not lead to %s", page, a.Status, href)
			}
		}
	}
	if code := one.client.Get("/account/templates").Find("#create ~ figure code").Text(); !strings.Contains(code, "/v3/"+one.account+"/message_templates") {
		t.Errorf("the page of templates does not say how one is created: %s", code)
	}
	if note := other.client.Get("/simulators/messaging?example=" + other.template).Find(".sim-phone").Text(); !strings.Contains(note, "parcel_cobalt is PENDING. The API refuses it") {
		t.Errorf("the phone does not say that the template waits for its approval: %s", note)
	}

	for _, address := range []string{
		"/simulators/messaging?example=" + one.template, "/simulators/rcs?example=" + rule.BotExample(one.bot, ""), "/simulators/rcs?example=" + rule.BotExample(one.bot, "ready_zebrine"),
		"/simulators/messaging?example=template.1", "/simulators/rcs?example=bot.x",
	} {
		if a := other.client.Get(address); a.Status != http.StatusNotFound || strings.Contains(strings.ToLower(a.Body), "parcel of zebrine") || strings.Contains(a.Body, "Brand zebrine") {
			t.Errorf("%s: another organisation gets %d", address, a.Status)
		}
	}
	texts := []struct{ path, text, secret, want string }{
		{"/simulators/messaging", `{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"parcel_zebrine","language":{"code":"en_US"},"components":[{"type":"body","parameters":[{"type":"text","parameter_name":"first_name","text":"Asha"}]}]}}`, "The parcel of zebrine", "132001"},
		{"/simulators/rcs", fmt.Sprintf(`{"botId":%q,"messages":[{"to":"+919812345678","templateCode":"ready_zebrine","customParams":{"name":"Asha"}}]}`, one.bot), "Ready at zebrine", "templateCode"},
		{"/simulators/rcs", fmt.Sprintf(`{"botId":%q,"to":"+919812345678","contentMessage":{"text":"x"}}`, one.bot), "Brand zebrine", "Parcel updates"},
		{"/simulators/rcs", fmt.Sprintf(`{"botId":%q,"to":"+919812345678","contentMessage":{"text":"x"},"fallback":{"enabled":true,"channel":"MSGAPP","msgapp":{"phoneNumberId":"100000000000001","template":{"name":"parcel_zebrine","language":{"code":"en_US"},"components":[{"type":"body","parameters":[{"type":"text","parameter_name":"first_name","text":"Asha"}]}]}}}}`, one.bot), "The parcel of zebrine", ""},
	}
	for _, tt := range texts {
		for who, c := range map[string]*webtest.Client{"another organisation": other.client, "a visitor": visitor} {
			c.Get(tt.path)
			a := c.Post(tt.path, url.Values{"text": {tt.text}, "own": {one.template}})
			shown := a.Find("#simulator-preview").Text()
			if strings.Contains(shown, tt.secret) || !strings.Contains(shown, tt.want) || strings.Contains(a.Find("#field-example").Text(), "zebrine") {
				t.Errorf("%s: %s sees %d %s", tt.text, who, a.Status, shown)
			}
		}
		one.client.Get(tt.path)
		if a := one.client.Post(tt.path, url.Values{"text": {tt.text}}); !strings.Contains(a.Find(".sim-phone").Text(), tt.secret) {
			t.Errorf("%s: its organisation sees %d %s", tt.text, a.Status, a.Find("#simulator-preview").Text())
		}
	}
	for _, page := range []string{"/account/templates", "/account/bots", "/simulators/messaging", "/simulators/rcs"} {
		if a := other.client.Get(page); a.Status != http.StatusOK || !strings.Contains(a.Body, "cobalt") || strings.Contains(a.Body, "zebrine") {
			t.Errorf("%s (%d) does not list what the organisation has, or lists what another has", page, a.Status)
		}
	}
	if a := one.client.Get("/simulators/sms?example=" + one.template); a.Status != http.StatusNotFound {
		t.Errorf("a template opens in the simulator of another channel: %d", a.Status)
	}
}
