package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// action is an operation, or what time and people do meanwhile.
type action struct {
	id  string
	run func(w *walk, p *player)
}

var actions []action

func init() {
	actions = []action{
		{"batchCatalogue", (*walk).batchCatalogue}, {"checkBatch", (*walk).checkBatch}, {"createTemplate", (*walk).createTemplate},
		{"createUploadSession", (*walk).createUploadSession}, {"deleteMedia", (*walk).deleteMedia}, {"deleteQRCode", (*walk).deleteQRCode},
		{"deleteTemplate", (*walk).deleteTemplate}, {"downloadMedia", (*walk).downloadMedia}, {"editTemplate", (*walk).editTemplate},
		{"getAttachment", (*walk).getAttachment}, {"getBusinessAccount", (*walk).getObject}, {"getBusinessProfile", (*walk).getBusinessProfile},
		{"getCatalogueId", (*walk).getCatalogueID}, {"getEncryption", (*walk).getEncryption}, {"getMedia", (*walk).getObject},
		{"getPayment", (*walk).getPayment}, {"getPrivateKey", (*walk).getPrivateKey}, {"getQRCode", (*walk).getQRCode},
		{"getTemplate", (*walk).getObject}, {"getUpload", (*walk).getUpload}, {"getUserDetails", (*walk).getUserDetails},
		{"getWebhook", (*walk).getWebhook}, {"listClientBusinessAccounts", (*walk).listClientBusinessAccounts},
		{"listOwnedBusinessAccounts", (*walk).listOwnedBusinessAccounts}, {"listProducts", (*walk).listProducts},
		{"listQRCodes", (*walk).listQRCodes}, {"listReceivedMessages", (*walk).listReceivedMessages}, {"listTemplates", (*walk).listTemplates}, {"receiveInSandbox", (*walk).receiveInSandbox},
		{"saveQRCode", (*walk).saveQRCode}, {"sendMessage", (*walk).sendMessage}, {"setBusinessProfile", (*walk).setBusinessProfile},
		{"setEncryption", (*walk).setEncryption}, {"setWebhook", (*walk).setWebhook}, {"uploadFile", (*walk).uploadFile},
		{"uploadMedia", (*walk).uploadMedia},
		{"getPhoneNumber", (*walk).getObject}, {"listPhoneNumbers", (*walk).listPhoneNumbers}, {"listSubscribedApps", (*walk).listSubscribedApps},
		{"registerPhoneNumber", (*walk).registerPhoneNumber}, {"subscribeApp", (*walk).subscribeApp},
		{"arrive", (*walk).arrive}, {"pay", (*walk).pay}, {"repeat", (*walk).repeat}, {"review", (*walk).review}, {"settle", (*walk).settle},
	}
}

// listed is a query that a list takes; sure says that it can be answered.
func (w *walk) listed() (query string, sure bool) {
	switch w.n(8) {
	case 0:
		return "?limit=" + pickOne(w, "0", "-1", "101", "x", "1e2", "", "%00"), false
	case 1:
		return "?after=" + pickOne(w, "MQ", "OTk5", "eA", "!!", "%00", "LTE"), false
	case 2:
		return "?before=" + pickOne(w, "MQ", "OTk5", "eA", "MQ&after=MQ", "x&fields=%00"), false
	case 3:
		return "?fields=" + pickOne(w, "id", "name,id", "nothing", ",,", "id.x(y)"), true
	case 4:
		return fmt.Sprintf("?limit=%d", 1+w.n(100)), true
	}
	return "", true
}

// read makes a request without a body at a path below an id.
func (w *walk) read(p *player, id, before, kind, after string) (answer, bool) {
	w.t.Helper()
	r := w.draw(p, kind)
	query, sure := w.listed()
	return w.ask(p, id, request{method: http.MethodGet, path: before + "/" + r.id + after + query, refs: []ref{r}, sure: sure, spoilt: !sure})
}

func (w *walk) getBusinessProfile(p *player) {
	number := w.draw(p, "phone_number")
	if a, ok := w.ask(p, "getBusinessProfile", request{method: http.MethodGet, path: "/" + number.id + "/msgapp_business_profile?fields=about", refs: []ref{number}, sure: true}); ok {
		var got struct{ Data []struct{ About string } }
		w.decode(a, &got)
		w.knows(p, "profile", got.Data[0].About)
	}
}

func (w *walk) setBusinessProfile(p *player) {
	number, about := w.draw(p, "phone_number"), w.words(p)
	if _, ok := w.ask(p, "setBusinessProfile", request{
		method: http.MethodPost, path: "/" + number.id + "/msgapp_business_profile", refs: []ref{number}, sure: true, place: "profile",
		body: w.json(map[string]any{"messaging_product": "msgapp", "about": about, "websites": []string{"https://" + p.marker + ".example.com/"}, "vertical": "RETAIL"}),
	}); ok {
		p.known["profile"] = about
	}
}

func (w *walk) getWebhook(p *player) {
	number := w.draw(p, "phone_number")
	if a, ok := w.ask(p, "getWebhook", request{method: http.MethodGet, path: "/" + number.id + "/getwebhook", refs: []ref{number}, sure: true}); ok {
		w.knows(p, "webhook", string(a.body))
	}
}

func (w *walk) setWebhook(p *player) {
	number := w.draw(p, "phone_number")
	hook := map[string]any{"webhook_url": fmt.Sprintf("http://127.0.0.1:9/%s/%d", p.marker, w.step), "headers": map[string]string{"X-Mine": p.marker}}
	if _, ok := w.ask(p, "setWebhook", request{
		method: http.MethodPost, path: "/" + number.id + "/setwebhook", body: w.json(hook), refs: []ref{number}, sure: true, place: "webhook",
	}); ok {
		p.known["webhook"] = fmt.Sprintf(`{"webhook_url":%q,"headers":{"X-Mine":%q}}`, hook["webhook_url"], p.marker)
	}
}

func (w *walk) getUserDetails(p *player) {
	w.ask(p, "getUserDetails", request{method: http.MethodGet, path: "/getuserdetails", sure: true})
}

func (w *walk) getCatalogueID(p *player) {
	w.ask(p, "getCatalogueId", request{method: http.MethodGet, path: "/fetchcatalogId", sure: true})
}

func (w *walk) listOwnedBusinessAccounts(p *player) {
	w.read(p, "listOwnedBusinessAccounts", "", "business", "/owned_msgapp_business_accounts")
}

func (w *walk) listClientBusinessAccounts(p *player) {
	w.read(p, "listClientBusinessAccounts", "", "business", "/client_msgapp_business_accounts")
}

func (w *walk) listPhoneNumbers(p *player) {
	w.read(p, "listPhoneNumbers", "", "business_account", "/phone_numbers")
}

func (w *walk) listSubscribedApps(p *player) {
	account := w.draw(p, "business_account")
	w.ask(p, "listSubscribedApps", request{method: http.MethodGet, path: "/" + account.id + "/subscribed_apps", refs: []ref{account}, sure: true})
}

func (w *walk) registerPhoneNumber(p *player) {
	number := w.draw(p, "phone_number")
	w.ask(p, "registerPhoneNumber", request{method: http.MethodPost, path: "/" + number.id + "/register", body: `{"messaging_product":"msgapp","pin":"481620"}`, refs: []ref{number}, sure: true})
}

func (w *walk) subscribeApp(p *player) {
	account := w.draw(p, "business_account")
	w.ask(p, "subscribeApp", request{method: http.MethodPost, path: "/" + account.id + "/subscribed_apps", body: `{}`, refs: []ref{account}, sure: true})
}

func (w *walk) getEncryption(p *player) {
	w.read(p, "getEncryption", "", "phone_number", "/msgapp_business_encryption")
}

func (w *walk) setEncryption(p *player) {
	number := w.draw(p, "phone_number")
	body := `{"regenerate":` + fmt.Sprint(w.sometimes(10)) + `}`
	w.ask(p, "setEncryption", request{method: http.MethodPost, path: "/flows/" + number.id + "/set_msgapp_business_encryption", body: body, refs: []ref{number}, sure: true})
}

func (w *walk) getPrivateKey(p *player) {
	number := w.draw(p, "phone_number")
	a, ok := w.ask(p, "getPrivateKey", request{method: http.MethodGet, path: "/flows/" + number.id + "/get_private_key", refs: []ref{number}, may: []int{http.StatusNotFound}})
	if ok && w.other(p).known["key"] == string(a.body) {
		w.t.Error("the two partners have one private key")
	}
	if ok {
		p.known["key"] = string(a.body)
	}
}

func (w *walk) listQRCodes(p *player) {
	w.read(p, "listQRCodes", pickOne(w, "", "/business"), "phone_number", "/message_qrdls")
}

// codes is the path of a number's QR codes.
func (w *walk) codes(p *player) (path string, number ref) {
	number = w.mostly(p, "phone_number")
	return pickOne(w, "", "/business") + "/" + number.id + "/message_qrdls", number
}

type qrCodes struct {
	Data []struct {
		Code    string
		Message string `json:"prefilled_message"`
	}
}

func (w *walk) getQRCode(p *player) {
	path, number := w.codes(p)
	code := w.draw(p, "code")
	if a, ok := w.ask(p, "getQRCode", request{method: http.MethodGet, path: path + "/" + code.id, refs: []ref{number, code}, sure: true}); ok {
		var got qrCodes
		if w.decode(a, &got); len(got.Data) != 1 || got.Data[0].Code != code.id {
			w.t.Errorf("code %s = %s", code.id, a.body)
			return
		}
		w.knows(p, "code "+code.id, got.Data[0].Message)
	}
}

func (w *walk) saveQRCode(p *player) {
	path, number := w.codes(p)
	message := w.words(p)
	r := request{method: http.MethodPost, path: path, refs: []ref{number}, sure: true, creates: true}
	body := map[string]any{"prefilled_message": message, "generate_qr_image": pickOne(w, "png", "SVG")}
	if w.sometimes(2) {
		code := w.draw(p, "code")
		code.inBody = true
		body["code"], _ = url.PathUnescape(code.id)
		r.refs, r.place = append(r.refs, code), "code "+code.id
	}
	r.body = w.json(body)
	if a, ok := w.ask(p, "saveQRCode", r); ok {
		var made struct{ Code string }
		if w.decode(a, &made); body["code"] == nil {
			p.adds("code", made.Code)
		}
		p.known["code "+made.Code] = message
	}
}

func (w *walk) deleteQRCode(p *player) {
	path, number := w.codes(p)
	code := w.draw(p, "code")
	if _, ok := w.ask(p, "deleteQRCode", request{method: http.MethodDelete, path: path + "/" + code.id, refs: []ref{number, code}, sure: true}); ok {
		p.loses("code", func(id string) bool { return id == code.id })
	}
}

// articles are what both partners call their products.
var articles = strings.Fields("lamp-1 lamp-2 lamp-3 lamp-4 wick-1 wick-2 öl/1 x")

func (w *walk) batchCatalogue(p *player) {
	catalogue := w.draw(p, "catalogue")
	var changes []any
	for range 1 + w.n(4) {
		method := pickOne(w, "CREATE", "update", "DELETE")
		change := map[string]any{"method": method, "retailer_id": pickOne(w, articles...)}
		if method != "DELETE" {
			change["data"] = map[string]any{"name": w.words(p), "price": w.n(100_000), "currency": pickOne(w, "INR", "JPY", "XXX"), "availability": "in stock", "url": "https://example.com/" + p.marker}
		}
		changes = append(changes, change)
	}
	a, ok := w.ask(p, "batchCatalogue", request{
		method: http.MethodPost, path: "/" + catalogue.id + "/batch", refs: []ref{catalogue}, sure: true, creates: true, place: "products",
		body: w.json(map[string]any{"requests": changes, "allow_upsert": !w.sometimes(5)}),
	})
	if ok {
		var got struct{ Handles []string }
		w.decode(a, &got)
		p.adds("batch", got.Handles[0])
	}
	if a.status == http.StatusOK {
		p.known["products"] = fmt.Sprint(p.count(w.t, `select count(*) from products where catalogue_id = $1`, p.sandbox.CatalogueID))
	}
}

func (w *walk) checkBatch(p *player) {
	catalogue, batch := w.mostly(p, "catalogue"), w.draw(p, "batch")
	w.ask(p, "checkBatch", request{method: http.MethodGet, path: "/" + catalogue.id + "/check_batch_request_status?handle=" + batch.id, refs: []ref{catalogue, batch}, sure: true})
}

func (w *walk) listProducts(p *player) {
	catalogue := w.draw(p, "catalogue")
	query, sure := w.listed()
	filter := pickOne(w, "", "", "", `{"retailer_id":{"eq":"lamp-1"}}`, `{"price":{"lt":500}}`, `{"or":[{"name":{"i_contains":"LAMP"}},{"currency":{"neq":"INR"}}]}`, `{"x":1}`, `{"price":{"eq":"\u0000"}}`, `[`, strings.Repeat(`{"and":[`, 50))
	if filter != "" {
		query, sure = "?filter="+url.QueryEscape(filter), false
	}
	if query == "" {
		query = "?summary=true"
	}
	a, ok := w.ask(p, "listProducts", request{method: http.MethodGet, path: "/" + catalogue.id + "/products" + query, refs: []ref{catalogue}, sure: sure, spoilt: !sure})
	if ok && query == "?summary=true" {
		var got struct {
			Summary struct {
				Total int `json:"total_count"`
			}
		}
		w.decode(a, &got)
		w.knows(p, "products", fmt.Sprint(got.Summary.Total))
	}
}

func (w *walk) json(value any) string {
	w.t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func (w *walk) decode(a answer, to any) {
	w.t.Helper()
	if err := json.Unmarshal(a.body, to); err != nil {
		w.t.Fatalf("%v: %s", err, a.body)
	}
}
