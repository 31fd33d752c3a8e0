package messaging_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/documentation/openapi/codetest"
	"heliograph/app/fault"
)

// to gives a message of a kind its address.
func to(members string) string {
	return `{"messaging_product":"msgapp","to":"919812345678",` + members + `}`
}

func interactive(members string) string {
	return to(`"type":"interactive","interactive":{` + members + `}`)
}

func template(name string, components string) string {
	return to(`"type":"template","template":{"name":"` + name + `","language":{"code":"en_US"},"components":[` + components + `]}`)
}

func authentication(body, button string) string {
	return template("login_code", `{"type":"body","parameters":[{"type":"text","text":"`+body+
		`"}]},{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"`+button+`"}]}`)
}

// payload is what was stored of a send.
func (b *bundle) payload(t *testing.T, reply pipeline.Reply) (kind, category, payload string) {
	t.Helper()
	var sent messaging.SendReply
	if err := json.Unmarshal(reply.Body, &sent); err != nil {
		t.Fatal(err)
	}
	id, ok := messaging.ParseMessageID(sent.Messages[0].ID)
	if !ok {
		t.Fatalf("message id %q is not one of ours", sent.Messages[0].ID)
	}
	if err := b.pool.QueryRow(t.Context(), `select kind, category, payload from messages where id = $1`, id).Scan(&kind, &category, &payload); err != nil {
		t.Fatal(err)
	}
	return kind, category, payload
}

const (
	body  = `"body":{"text":"Choose"}`
	wamid = `wamid.AZt22qgAeOW4x2G1Kp8_MQ`
	order = `{"reference_id":"order-7","type":"Physical-Goods","payment_configuration":"main_upi","currency":"INR","total_amount":{"value":21500,"offset":100},
		"order":{"status":"pending","items":[{"name":"Lamp","amount":{"value":12000,"offset":100},"sale_amount":{"value":"10000","offset":100},"quantity":2}],
		"subtotal":{"value":20000,"offset":100},"tax":{"value":1000,"offset":100},"shipping":{"value":1000,"offset":100},"discount":{"value":500,"offset":100}}}`
)

func TestSendTakesEveryKind(t *testing.T) {
	t.Parallel()
	b := setup(t)
	catalogue := fmt.Sprintf(`"catalog_id":"%d"`, b.sandbox.CatalogueID)
	for _, tt := range []struct{ name, body, kind string }{
		{"text without a type", to(`"text":{"body":"Hello"}`), "text"},
		{"text", to(`"type":"TEXT","recipient_type":"INDIVIDUAL","text":{"body":"https://example.com","preview_url":"true"}`), "text"},
		{"reply", to(`"text":{"body":"Yes"},"context":{"message_id":"` + wamid + `"}`), "text"},
		{"numeric recipient", `{"messaging_product":"WhatsApp","to":919812345678,"text":{"body":1}}`, "text"},
		{"image", to(`"type":"image","image":{"link":"https://example.com/a.jpg","caption":"A"}`), "image"},
		{"video", to(`"type":"video","video":{"link":"http://example.com/a.mp4"}`), "video"},
		{"audio", to(`"type":"audio","audio":{"link":"https://example.com/a.ogg"}`), "audio"},
		{"document", to(`"type":"document","document":{"link":"https://example.com/a.pdf","filename":"a.pdf","caption":"A"}`), "document"},
		{"sticker", to(`"type":"sticker","sticker":{"link":"https://example.com/a.webp"}`), "sticker"},
		{"location", to(`"type":"location","location":{"latitude":"18.94","longitude":0,"name":"Counter"}`), "location"},
		{"contacts", to(`"type":"contacts","contacts":[{"name":{"formatted_name":"Ravi","first_name":"Ravi"},"birthday":"1990-05-17","phones":[{"phone":"+919812345001","wa_id":"919812345001"}],"org":{"title":"Cook"}}]`), "contacts"},
		{"reaction", to(`"type":"reaction","reaction":{"message_id":"` + wamid + `","emoji":"👍"}`), "reaction"},
		{"no reaction any more", to(`"type":"reaction","reaction":{"message_id":"` + wamid + `","emoji":""}`), "reaction"},
		{"buttons", interactive(`"type":"button","header":{"type":"image","image":{"link":"https://example.com/a.jpg"}},` + body + `,"footer":{"text":"F"},"action":{"buttons":[{"type":"reply","reply":{"id":"a","title":"A"}},{"type":"reply","reply":{"id":"b","title":"B"}}]}`), "interactive"},
		{"list", interactive(`"type":"list",` + body + `,"action":{"button":"Open","sections":[{"rows":[{"id":"a","title":"A","description":"D"}]}]}`), "interactive"},
		{"link", interactive(`"type":"cta_url",` + body + `,"action":{"name":"cta_url","parameters":{"display_text":"Open","url":"https://example.com"}}`), "interactive"},
		{"flow", interactive(`"type":"flow",` + body + `,"action":{"name":"flow","parameters":{"flow_message_version":"3","flow_id":"1","flow_cta":"Begin","flow_action_payload":{"screen":"A","data":{"n":12345678901234567890}}}}`), "interactive"},
		{"product", interactive(`"type":"product","action":{` + catalogue + `,"product_retailer_id":"lamp"}`), "interactive"},
		{"products", interactive(`"type":"product_list","header":{"type":"text","text":"Lamps"},` + body + `,"action":{` + catalogue + `,"sections":[{"product_items":[{"product_retailer_id":"lamp"}]}]}`), "interactive"},
		{"catalogue", interactive(`"type":"catalog_message",` + body + `,"action":{"name":"catalog_message","parameters":{"thumbnail_product_retailer_id":"lamp"}}`), "interactive"},
		{"order", interactive(`"type":"order_details",` + body + `,"action":{"name":"review_and_pay","parameters":` + order + `}`), "interactive"},
		{"order status", interactive(`"type":"order_status",` + body + `,"action":{"name":"review_order","parameters":{"reference_id":"order-7","order":{"status":"shipped","description":"On its way"}}}`), "interactive"},
		{"template", template("hello_world", ``), "template"},
		{"template, numeric index", strings.Replace(authentication("123456", "123456"), `"0"`, `0`, 1), "template"},
		{"template, amounts and times", template("order_update", `{"type":"BODY","parameters":[{"type":"currency","currency":{"fallback_value":"₹210","code":"INR","amount_1000":210000}},{"type":"date_time","date_time":{"fallback_value":"Friday"}}]}`), "template"},
	} {
		reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(tt.body), "")
		if err != nil {
			t.Errorf("%s: %v %v", tt.name, err, fault.As(err).Fields)
			continue
		}
		if kind, _, _ := b.payload(t, reply); kind != tt.kind {
			t.Errorf("%s is stored as %s, want %s", tt.name, kind, tt.kind)
		}
	}
}

func TestStoredSendIsCanonical(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for body, want := range map[string][]string{
		to(`"type":"Image","image":{"link":"https://example.com/a.jpg","filename":"x","unknown":1},"text":{"body":"dropped"},"more":{}`): {
			"service", `{"messaging_product":"msgapp","to":"919812345678","type":"image","image":{"link":"https://example.com/a.jpg"}}`},
		template("hello_world", ``): {
			"utility", `{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"hello_world","language":{"code":"en_US"}}}`},
		`{"messaging_product":"WhatsApp","to":919812345678,"text":{"body":"Hello"}}`: {
			"service", `{"messaging_product":"whatsapp","to":"919812345678","type":"text","text":{"body":"Hello"}}`},
		to(`"type":"reaction","reaction":{"message_id":"` + wamid + `","emoji":""}`): {
			"service", `{"messaging_product":"msgapp","to":"919812345678","type":"reaction","reaction":{"message_id":"` + wamid + `","emoji":""}}`},
	} {
		reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(body), "")
		if err != nil {
			t.Fatal(err)
		}
		_, category, payload := b.payload(t, reply)
		if diff := cmp.Diff(want, []string{category, payload}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
	reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(authentication("123456", "123456")), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, category, _ := b.payload(t, reply); category != "authentication" {
		t.Errorf("a code counts as %s, want authentication", category)
	}
}

// refused is a send with the code and the path that answer it.
type refused struct{ name, body, code, field string }

func TestMain(m *testing.M) { codetest.Run(m) }

func (b *bundle) refuses(t *testing.T, sends []refused) {
	t.Helper()
	for _, tt := range sends {
		_, err := b.service.Sender.Send(t.Context(), b.number, []byte(tt.body), "")
		f := fault.As(err)
		if f == nil {
			t.Errorf("%s: error = %v, want a fault", tt.name, err)
			continue
		}
		codetest.Note(t, "messaging", f.Code, "a message: "+tt.name)
		if f.Code != tt.code || f.Fields[0].Name != tt.field || f.Fields[0].Message == "" {
			t.Errorf("%s: code %s on %q (%s), want %s on %q", tt.name, f.Code, f.Fields[0].Name, f.Fields[0].Message, tt.code, tt.field)
		}
	}
	if n := b.count(t, `select count(*) from messages`); n != 0 {
		t.Errorf("%d messages were stored", n)
	}
}

func TestSendRefusesWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	setup(t).refuses(t, []refused{
		{"empty", ``, "100", ""},
		{"not JSON", `{"to":`, "100", ""},
		{"NUL", to(`"text":{"body":"a\u0000b"}`), "100", ""},
		{"NUL in free data", interactive(`"type":"flow","action":{"parameters":{"flow_action_payload":{"data":{"a":["\u0000"]}}}}`), "100", ""},
		{"deep free data", interactive(`"type":"flow","action":{"parameters":{"flow_action_payload":{"data":{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}}}}`), "100", ""},
		{"object for a string", `{"messaging_product":{}}`, "100", ""},
		{"string for an object", to(`"text":"Hello"`), "100", ""},
		{"word for a number", to(`"type":"location","location":{"latitude":"north"}`), "100", ""},
		{"not a number", to(`"type":"location","location":{"latitude":"NaN"}`), "100", ""},
		{"word for a flag", to(`"text":{"body":"x","preview_url":"maybe"}`), "100", ""},
		{"half an amount", interactive(`"type":"order_details","action":{"parameters":{"total_amount":{"value":0.5}}}`), "100", ""},
		{"no product", `{"to":"919812345678","text":{"body":"x"}}`, "100", "messaging_product"},
	})
}

func TestSendRefusesWrongMessages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	long := func(n int) string { return strings.Repeat("é", n) }
	b.refuses(t, []refused{
		{"unknown type", to(`"type":"poem"`), "131051", "type"},
		{"no recipient", `{"messaging_product":"msgapp","text":{"body":"x"}}`, "131008", "to"},
		{"no text", to(`"type":"text"`), "131008", "text.body"},
		{"missing before wrong", `{"messaging_product":"msgapp","to":"Asha"}`, "131008", "text.body"},
		{"words for a number", `{"messaging_product":"msgapp","to":"Asha","text":{"body":"x"}}`, "131009", "to"},
		{"short number", `{"messaging_product":"msgapp","to":"12","text":{"body":"x"}}`, "131009", "to"},
		{"long text", to(`"text":{"body":"` + long(4097) + `"}`), "131009", "text.body"},
		{"long reference", to(`"text":{"body":"x"},"biz_opaque_callback_data":"` + long(513) + `"`), "131009", "biz_opaque_callback_data"},
		{"group", to(`"recipient_type":"group","text":{"body":"x"}`), "131009", "recipient_type"},
		{"foreign reply", to(`"text":{"body":"x"},"context":{"message_id":"m1"}`), "131009", "context.message_id"},
		{"to itself", `{"messaging_product":"msgapp","to":"` + b.sandbox.PhoneNumber + `","text":{"body":"x"}}`, "131021", "to"},

		{"no file", to(`"type":"image"`), "131008", "image.id or image.link"},
		{"two files", to(`"type":"image","image":{"id":"1234567890123456","link":"https://example.com/a"}`), "131009", "image"},
		{"no such file", to(`"type":"image","image":{"id":"1234567890123456"}`), "131009", "image.id"},
		{"a catalogue as file", to(`"type":"image","image":{"id":"` + fmt.Sprint(b.sandbox.CatalogueID) + `"}`), "131009", "image.id"},
		{"file of a disk", to(`"type":"image","image":{"link":"file:///etc/passwd"}`), "131009", "image.link"},
		{"long caption", to(`"type":"image","image":{"link":"https://example.com/a","caption":"` + long(1025) + `"}`), "131009", "image.caption"},
		{"no longitude", to(`"type":"location","location":{"latitude":0}`), "131008", "location.longitude"},
		{"off the map", to(`"type":"location","location":{"latitude":91,"longitude":0}`), "131009", "location.latitude"},
		{"beyond the date line", to(`"type":"location","location":{"latitude":0,"longitude":-180.5}`), "131009", "location.longitude"},
		{"no cards", to(`"type":"contacts","contacts":[]`), "131008", "contacts"},
		{"six cards", to(`"type":"contacts","contacts":[` + strings.Repeat(`{"name":{"formatted_name":"A","first_name":"A"}},`, 5) + `{"name":{"formatted_name":"A","first_name":"A"}}]`), "131009", "contacts"},
		{"whole name only", to(`"type":"contacts","contacts":[{"name":{"formatted_name":"A"}}]`), "131008", "contacts[0].name.first_name"},
		{"no date", to(`"type":"contacts","contacts":[{"name":{"formatted_name":"A","suffix":"A"},"birthday":"17 May"}]`), "131009", "contacts[0].birthday"},
		{"reaction to nothing", to(`"type":"reaction","reaction":{"emoji":"x"}`), "131008", "reaction.message_id"},
	})
}

func TestSendRefusesWrongInteractive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	titled := func(id, title string) string {
		return `{"type":"reply","reply":{"id":"` + id + `","title":"` + title + `"}}`
	}
	button := func(id string) string { return titled(id, "Button "+id) }
	row := func(id string) string { return `{"id":"` + id + `","title":"A"}` }
	rows := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, row(fmt.Sprint(i)))
		}
		return strings.Join(all, ",")
	}
	list := func(sections string) string {
		return interactive(`"type":"list",` + body + `,"action":{"button":"Open","sections":[` + sections + `]}`)
	}
	pay := func(old, new string) string {
		return interactive(`"type":"order_details",` + body + `,"action":{"name":"review_and_pay","parameters":` + strings.Replace(order, old, new, 1) + `}`)
	}
	b.refuses(t, []refused{
		{"nothing", to(`"type":"interactive"`), "131008", "interactive.type"},
		{"unknown", interactive(`"type":"game",` + body), "131009", "interactive.type"},
		{"no body", interactive(`"type":"button","action":{"buttons":[` + button("a") + `]}`), "131008", "interactive.body.text"},
		{"no buttons", interactive(`"type":"button",` + body + `,"action":{}`), "131008", "interactive.action.buttons"},
		{"four buttons", interactive(`"type":"button",` + body + `,"action":{"buttons":[` + button("a") + `,` + button("b") + `,` + button("c") + `,` + button("d") + `]}`), "131009", "interactive.action.buttons"},
		{"same ids", interactive(`"type":"button",` + body + `,"action":{"buttons":[` + button("a") + `,` + button("a") + `]}`), "131009", "interactive.action.buttons[1].reply.id"},
		{"same titles", interactive(`"type":"button",` + body + `,"action":{"buttons":[` + titled("a", "Yes") + `,` + titled("b", "Yes") + `]}`), "131009", "interactive.action.buttons[1].reply.title"},
		{"long title", interactive(`"type":"button",` + body + `,"action":{"buttons":[{"type":"reply","reply":{"id":"a","title":"` + strings.Repeat("x", 21) + `"}}]}`), "131009", "interactive.action.buttons[0].reply.title"},
		{"long header", interactive(`"type":"button","header":{"type":"text","text":"` + strings.Repeat("x", 61) + `"},` + body + `,"action":{"buttons":[` + button("a") + `]}`), "131009", "interactive.header.text"},
		{"header without file", interactive(`"type":"button","header":{"type":"video"},` + body + `,"action":{"buttons":[` + button("a") + `]}`), "131008", "interactive.header.video.id or interactive.header.video.link"},
		{"no sections", list(``), "131008", "interactive.action.sections"},
		{"sections without title", list(`{"rows":[` + row("a") + `]},{"rows":[` + row("b") + `]}`), "131008", "interactive.action.sections[0].title"},
		{"eleven rows", list(`{"title":"A","rows":[` + rows(6) + `]},{"title":"B","rows":[` + strings.ReplaceAll(rows(5), `"id":"`, `"id":"b`) + `]}`), "131009", "interactive.action.sections"},
		{"same rows", list(`{"rows":[` + row("a") + `,` + row("a") + `]}`), "131009", "interactive.action.sections[0].rows[1].id"},
		{"wrong name", interactive(`"type":"cta_url",` + body + `,"action":{"name":"flow","parameters":{"display_text":"Open","url":"https://example.com"}}`), "131009", "interactive.action.name"},
		{"no address", interactive(`"type":"cta_url",` + body + `,"action":{"name":"cta_url","parameters":{"display_text":"Open","url":"example"}}`), "131009", "interactive.action.parameters.url"},
		{"two flows", interactive(`"type":"flow",` + body + `,"action":{"name":"flow","parameters":{"flow_message_version":"3","flow_id":"1","flow_name":"a","flow_cta":"Begin"}}`), "131009", "interactive.action.parameters"},
		{"no catalogue", interactive(`"type":"product","action":{"product_retailer_id":"lamp"}`), "131008", "interactive.action.catalog_id"},
		{"another catalogue", interactive(`"type":"product","action":{"catalog_id":"` + fmt.Sprint(b.sandbox.BusinessID) + `","product_retailer_id":"lamp"}`), "131009", "interactive.action.catalog_id"},
		{"wrong total", pay("21500", "21400"), "131009", "interactive.action.parameters.total_amount"},
		{"wrong subtotal", pay(`"quantity":2`, `"quantity":3`), "131009", "interactive.action.parameters.order.subtotal"},
		{"no tax", pay(`"tax"`, `"tox"`), "131008", "interactive.action.parameters.order.tax"},
		{"spaces in the reference", pay(`order-7`, `order 7`), "131009", "interactive.action.parameters.reference_id"},
		{"beyond all amounts", pay(`"value":20000`, `"value":9223372036854775807`), "131009", "interactive.action.parameters.order.subtotal.value"},
		{"dollars", pay(`INR`, `USD`), "131009", "interactive.action.parameters.currency"},
		{"another offset", pay(`"offset":100`, `"offset":10`), "131009", "interactive.action.parameters.total_amount.offset"},
		{"negative price", pay(`"value":12000`, `"value":-1`), "131009", "interactive.action.parameters.order.items[0].amount.value"},
		{"amount without value", pay(`"value":1000,`, ``), "131008", "interactive.action.parameters.order.tax.value"},
		{"item without quantity", pay(`,"quantity":2`, ``), "131008", "interactive.action.parameters.order.items[0].quantity"},
		{"no lamps", pay(`"quantity":2`, `"quantity":0`), "131009", "interactive.action.parameters.order.items[0].quantity"},
		{"expires some day", pay(`"status":"pending"`, `"status":"pending","expiration":{"timestamp":"soon"}`), "131009", "interactive.action.parameters.order.expiration.timestamp"},
		{"expires without a time", pay(`"status":"pending"`, `"status":"pending","expiration":{"description":"soon"}`), "131008", "interactive.action.parameters.order.expiration.timestamp"},
		{"order of another's catalogue", pay(`"status":"pending"`, `"status":"pending","catalog_id":"`+fmt.Sprint(b.sandbox.BusinessID)+`"`), "131009", "interactive.action.parameters.order.catalog_id"},
		{"no document", interactive(`"type":"button","header":{"type":"document"},` + body + `,"action":{"buttons":[` + button("a") + `]}`), "131008", "interactive.header.document.id or interactive.header.document.link"},
		{"no such status", interactive(`"type":"order_status",` + body + `,"action":{"name":"review_order","parameters":{"reference_id":"order-7","order":{"status":"lost"}}}`), "131009", "interactive.action.parameters.order.status"},
	})
}
