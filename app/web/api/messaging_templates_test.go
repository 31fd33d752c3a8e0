package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db"
	"heliograph/db/seed"
	"heliograph/jobs/args"
)

const (
	copyCode = `{"name":"code_one","category":"authentication","language":"en_US","message_send_ttl_seconds":600,"components":[
		{"type":"body","add_security_recommendation":true},{"type":"footer","code_expiration_minutes":10},
		{"type":"buttons","buttons":[{"type":"otp","otp_type":"copy_code","text":"Copy code"}]}]}`
	shipped = `{"name":"order_shipped","category":"UTILITY","language":"en_US","components":[
		{"type":"BODY","text":"Hello {{1}}, your order {{2}} left our store today.","example":{"body_text":[["Asha","KX-20417"]]}},
		{"type":"FOOTER","text":"Reply with any question."},
		{"type":"BUTTONS","buttons":[{"type":"URL","text":"Track","url":"https://shop.example.com/t/{{1}}","example":["https://shop.example.com/t/7"]}]}]}`
)

// account is a path below the partner's business account.
func (p *partner) account(rest string) string {
	return fmt.Sprintf("/%d%s", p.sandbox.BusinessAccountID, rest)
}

func (p *partner) template(t *testing.T, body string) (id string) {
	t.Helper()
	a := p.call(t, http.MethodPost, p.account("/message_templates"), body)
	var made templates.Created
	if err := json.Unmarshal(a.body, &made); err != nil || a.status != 200 {
		t.Fatalf("create = %d %s", a.status, a.body)
	}
	return made.ID
}

// review ends the reviews that are due, as the worker does.
func (p *partner) review(t *testing.T) {
	t.Helper()
	client, err := river.NewClient(riverpgxv5.New(p.pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := p.pool.Query(t.Context(), `select id, revision from message_templates where status = 'PENDING'`)
	if err != nil {
		t.Fatal(err)
	}
	due, err := pgx.CollectRows(rows, pgx.RowToStructByPos[args.ReviewTemplate])
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range due {
		err := db.InTx(t.Context(), p.pool, func(tx pgx.Tx) error {
			return templates.Review(t.Context(), tx, client, "msgapp", job)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// refusedTemplate is an error as people's programs show it.
type refusedTemplate struct {
	Error struct {
		Code      int                      `json:"code"`
		Subcode   int                      `json:"error_subcode"`
		UserTitle string                   `json:"error_user_title"`
		UserText  string                   `json:"error_user_msg"`
		Data      struct{ Details string } `json:"error_data"`
	} `json:"error"`
}

func (p *partner) refused(t *testing.T, name string, a answer, status, code, subcode int) {
	t.Helper()
	var e refusedTemplate
	if err := json.Unmarshal(a.body, &e); err != nil {
		t.Fatal(err)
	}
	if a.status != status || a.code(t) != code || e.Error.Subcode != subcode {
		t.Errorf("%s: %d %s, want %d with code %d, subcode %d", name, a.status, a.body, status, code, subcode)
	}
	if code == 100 && (subcode != 0) != (e.Error.UserTitle != "" && e.Error.UserText == e.Error.Data.Details) {
		t.Errorf("%s: title and text for people are wrong: %s", name, a.body)
	}
}

func TestCreateTemplate(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	path := first.account("/message_templates")
	a := first.call(t, http.MethodPost, path, copyCode, "Idempotency-Key", "k1")
	if a.status != 200 || !strings.HasSuffix(string(a.body), `"status":"APPROVED","category":"AUTHENTICATION"}`) {
		t.Fatalf("create = %d %s", a.status, a.body)
	}
	again := first.call(t, http.MethodPost, path, copyCode, "Idempotency-Key", "k1")
	if string(again.body) != string(a.body) || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the same request again = %d %s", again.status, again.body)
	}
	if b := first.call(t, http.MethodPost, path+"/", shipped); b.status != 200 || !strings.Contains(string(b.body), `"status":"PENDING","category":"UTILITY"`) {
		t.Errorf("utility = %d %s", b.status, b.body)
	}
	form := url.Values{"name": {"by_form"}, "language": {"en_US"}, "category": {"utility"}, "components": {`[{"type":"BODY","text":"Hello"}]`}}
	if b := first.call(t, http.MethodPost, path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded"); b.status != 200 {
		t.Errorf("by form = %d %s", b.status, b.body)
	}
	for _, tt := range []struct {
		name, path, body      string
		status, code, subcode int
	}{
		{"taken", path, copyCode, 400, 100, 2388024},
		{"too long", path, strings.Replace(shipped, "Reply with", strings.Repeat("x", 60), 1), 400, 100, 2388040},
		{"open variable", path, strings.Replace(shipped, "{{2}}", "{{2}", 1), 400, 100, 2388047},
		{"footer with a variable", path, strings.Replace(shipped, "any question", "{{1}}", 1), 400, 100, 2388073},
		{"few words", path, strings.Replace(shipped, " left our store today", "", 1), 400, 100, 2388293},
		{"variable first", path, strings.Replace(shipped, "Hello {{1}}", "{{1}}", 1), 400, 100, 2388299},
		{"no example", path, strings.Replace(shipped, `"example":{"body_text":[["Asha","KX-20417"]]}`, `"x":1`, 1), 400, 100, 2388043},
		{"nothing", path, `{}`, 400, 100, 0},
		{"no JSON", path, `{"name":`, 400, 100, 0},
		{"an array", path, `[]`, 400, 100, 0},
		{"numbers for objects", path, `{"name":"x","language":"en_US","category":"UTILITY","components":[7]}`, 400, 100, 0},
		{"object for a name", path, `{"name":{},"language":"en_US","category":"UTILITY","components":[]}`, 400, 100, 0},
		{"NUL", path, strings.Replace(shipped, "Hello", `a\u0000b`, 1), 400, 100, 0},
		{"long name", path, strings.Replace(shipped, "order_shipped", strings.Repeat("x", 900_000), 1), 400, 100, 0},
		{"huge", path, strings.Replace(shipped, "Hello", strings.Repeat("x", 1<<20), 1), 400, 100, 0},
		{"deep", path, `{"name":"x","language":"en_US","category":"UTILITY","components":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, 400, 100, 0},
		{"another tenant", second.account("/message_templates"), shipped, 403, 200, 0},
		{"unknown account", "/1234567890123456/message_templates", shipped, 404, 803, 33},
		{"a phone number", first.number("/message_templates"), shipped, 404, 803, 33},
	} {
		first.refused(t, tt.name, first.call(t, http.MethodPost, tt.path, tt.body), tt.status, tt.code, tt.subcode)
	}
	first.refused(t, "wrong key", first.call(t, http.MethodPost, path, shipped, "apikey", "nope"), 401, 190, 0)
	first.refused(t, "key used for another", first.call(t, http.MethodPost, path, shipped, "Idempotency-Key", "k1"), 400, 100, 0)
	if b := second.call(t, http.MethodPost, second.account("/message_templates"), copyCode); b.status != 200 {
		t.Errorf("the same name in another account = %d %s", b.status, b.body)
	}
}

// templatePage is a page of templates as partners read it.
type templatePage struct {
	Data []struct {
		ID, Name, Language, Status string
	}
	Paging struct {
		Cursors  struct{ After, Before string }
		Next     string
		Previous string
	}
	Summary map[string]any
}

func (p *partner) templates(t *testing.T, query string) (page templatePage) {
	t.Helper()
	a := p.call(t, http.MethodGet, p.account("/message_templates")+query, "")
	if err := json.Unmarshal(a.body, &page); err != nil || a.status != 200 {
		t.Fatalf("list %s = %d %s", query, a.status, a.body)
	}
	return page
}

func TestListTemplates(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	for i := range 5 {
		first.template(t, fmt.Sprintf(`{"name":"news_%d","category":"MARKETING","language":"hi","components":[{"type":"BODY","text":"Sale number %d, 50%% off"}]}`, i, i))
	}
	names := func(page templatePage) string {
		var all []string
		for _, item := range page.Data {
			all = append(all, item.Name)
		}
		return strings.Join(all, " ")
	}
	var walked []string
	after := ""
	for {
		page := first.templates(t, "?limit=3&after="+after)
		walked = append(walked, names(page))
		if after = page.Paging.Cursors.After; page.Paging.Next == "" {
			break
		}
	}
	if got, want := strings.Join(walked, " | "), "news_4 news_3 news_2 | news_1 news_0 order_update | login_code hello_world"; got != want {
		t.Errorf("pages = %s, want %s", got, want)
	}
	back := first.templates(t, "?limit=3&before="+first.templates(t, "?limit=1&name=news_0").Paging.Cursors.Before)
	if got := names(back); got != "news_3 news_2 news_1" || back.Paging.Next == "" || back.Paging.Previous == "" {
		t.Errorf("before news_0 = %s %+v", got, back.Paging)
	}
	for query, want := range map[string]string{
		"?name=login_code":                                "login_code",
		"?status=approved&category=utility":               "order_update hello_world",
		"?status=PENDING,REJECTED&limit=2":                "news_4 news_3",
		"?category=AUTHENTICATION,UTILITY&language=en_US": "order_update login_code hello_world",
		"?language=hi&content=NUMBER%203":                 "news_3",
		"?content=50%25":                                  "news_4 news_3 news_2 news_1 news_0",
		"?content=body_text":                              "",
		"?name_or_content=Login":                          "login_code",
		"?name_or_content=shopping":                       "order_update",
		"?quality_score=GREEN":                            "",
		"?quality_score=unknown&name=news_1":              "news_1",
		"?name=%27%20or%201%3D1":                          "",
	} {
		if got := names(first.templates(t, query)); got != want {
			t.Errorf("%s = %q, want %q", query, got, want)
		}
	}
	some := first.templates(t, "?fields=name&language=hi&limit=1&summary=total_count,message_template_count,message_template_limit,are_translations_complete")
	if want := `map[are_translations_complete:false message_template_count:8 message_template_limit:250 total_count:5]`; fmt.Sprint(some.Summary) != want {
		t.Errorf("summary = %v, want %s", some.Summary, want)
	}
	if some.Data[0].Name != "news_4" || some.Data[0].Status != "" || some.Data[0].ID == "" {
		t.Errorf("with fields=name: %+v", some.Data[0])
	}
	if page := second.templates(t, ""); len(page.Data) != 3 {
		t.Errorf("the other tenant sees %s", names(page))
	}
	path := first.account("/message_templates")
	for _, tt := range []struct {
		name, path   string
		status, code int
	}{
		{"limit 0", path + "?limit=0", 400, 100}, {"limit 101", path + "?limit=101", 400, 100}, {"no cursor", path + "?after=*", 400, 100},
		{"another list's cursor", path + "?after=eA", 400, 100}, {"unknown status", path + "?status=HAPPY", 400, 100},
		{"unknown category", path + "?category=POEM", 400, 100}, {"unknown quality", path + "?quality_score=BLUE", 400, 100},
		{"another tenant", second.account("/message_templates"), 403, 200}, {"unknown account", "/1234567890123456/message_templates", 404, 803},
	} {
		if a := first.call(t, http.MethodGet, tt.path, ""); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d with code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
}

func TestGetAndEditTemplate(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	id := first.template(t, shipped)
	change := `{"components":[{"type":"BODY","text":"Changed"}]}`
	first.refused(t, "while it is reviewed", first.call(t, http.MethodPost, "/"+id, change), 400, 100, 0)
	first.review(t)
	got := first.call(t, http.MethodGet, "/"+id+"/", "")
	for _, member := range []string{`"id":"` + id + `"`, `"status":"APPROVED"`, `"parameter_format":"POSITIONAL"`, `"rejected_reason":"NONE"`, `"quality_score":{"score":"UNKNOWN"}`} {
		if got.status != 200 || !strings.Contains(string(got.body), member) {
			t.Errorf("%s is not in %d %s", member, got.status, got.body)
		}
	}
	if some := first.call(t, http.MethodGet, "/"+id+"?fields=status", ""); string(some.body) != fmt.Sprintf(`{"id":%q,"status":"APPROVED"}`, id) {
		t.Errorf("fields=status gives %s", some.body)
	}
	for _, tt := range []struct {
		name, body string
		subcode    int
	}{
		{"nothing", `{}`, 0}, {"category", `{"category":"MARKETING"}`, 0}, {"another name", `{"name":"other","category":"UTILITY"}`, 0},
		{"wrong type", `{"components":"x"}`, 0}, {"long", `{"components":[{"type":"BODY","text":"` + strings.Repeat("x", 1025) + `"}]}`, 2388040},
		{"no JSON", `{`, 0}, {"time to live in words", `{"message_send_ttl_seconds":"soon"}`, 0},
	} {
		first.refused(t, tt.name, first.call(t, http.MethodPost, "/"+id, tt.body), 400, 100, tt.subcode)
	}
	if a := first.call(t, http.MethodPost, "/"+id, change); a.status != 200 || string(a.body) != `{"success":true}` {
		t.Errorf("edit = %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodGet, "/"+id, ""); !strings.Contains(string(a.body), `"status":"PENDING"`) || !strings.Contains(string(a.body), "Changed") {
		t.Errorf("after the edit: %s", a.body)
	}
	first.review(t)
	first.refused(t, "twice in 24 hours", first.call(t, http.MethodPost, "/"+id, change), 400, 100, 0)
	for _, tt := range []struct {
		name string
		p    *partner
		id   string
	}{{"another tenant", second, id}, {"unknown", first, "1234567890123456"}} {
		first.refused(t, "get, "+tt.name, tt.p.call(t, http.MethodGet, "/"+tt.id, ""), 404, 803, 33)
		first.refused(t, "edit, "+tt.name, tt.p.call(t, http.MethodPost, "/"+tt.id, change), 404, 803, 33)
	}
	first.refused(t, "editing a number", first.call(t, http.MethodPost, first.number(""), change), 400, 100, 0)
}

func TestDeleteTemplate(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	path := first.account("/message_templates")
	english := first.template(t, shipped)
	first.template(t, strings.Replace(shipped, "en_US", "hi", 1))
	for _, tt := range []struct {
		name, path   string
		status, code int
	}{
		{"nothing", path, 400, 100}, {"id without name", path + "?hsm_id=" + english, 400, 100},
		{"id of another name", path + "?name=login_code&hsm_id=" + english, 400, 100},
		{"unknown name", path + "?name=nope", 404, 803}, {"unknown id", path + "?name=order_shipped&hsm_id=1234567890123456", 404, 803},
		{"nonsense id", path + "?hsm_ids=x", 404, 803}, {"too many ids", path + "?hsm_ids=" + idList(101), 400, 100},
		{"one unknown id of two", path + "?hsm_ids=" + english + ",1234567890123456", 404, 803},
		{"another tenant's account", second.account("/message_templates?name=order_shipped"), 403, 200},
		{"unknown account", "/1234567890123456/message_templates?name=order_shipped", 404, 803},
	} {
		if a := first.call(t, http.MethodDelete, tt.path, ""); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d with code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	if a := second.call(t, http.MethodDelete, second.account("/message_templates?hsm_ids=")+english, ""); a.status != 404 {
		t.Errorf("another tenant's template = %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodDelete, path+"?name=order_shipped&hsm_id="+english, ""); a.status != 200 || string(a.body) != `{"success":true}` {
		t.Errorf("delete one = %d %s", a.status, a.body)
	}
	first.refused(t, "get what is deleted", first.call(t, http.MethodGet, "/"+english, ""), 404, 803, 33)
	if page := first.templates(t, "?name=order_shipped"); len(page.Data) != 1 || page.Data[0].Language != "hi" {
		t.Errorf("left: %+v", page.Data)
	}
	first.template(t, strings.Replace(shipped, "en_US", "fr", 1))
	if a := first.call(t, http.MethodDelete, path+"?name=order_shipped", ""); a.status != 200 {
		t.Errorf("delete by name = %d %s", a.status, a.body)
	}
	if page := first.templates(t, "?name=order_shipped"); len(page.Data) != 0 {
		t.Errorf("left: %+v", page.Data)
	}
	first.refused(t, "a second delete", first.call(t, http.MethodDelete, path+"?name=order_shipped", ""), 404, 803, 33)
}

func idList(n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(1_000_000_000_000_000 + i)
	}
	return strings.Join(ids, ",")
}

// A header takes the file that an upload gave a handle for.
func TestHeaderTakesAnUploadedFile(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	upload := func(p *partner, kind, bytes string) string {
		t.Helper()
		var session struct{ ID string }
		a := p.call(t, http.MethodPost, fmt.Sprintf("/app/uploads?file_length=%d&file_type=%s", len(bytes), url.QueryEscape(kind)), "")
		if err := json.Unmarshal(a.body, &session); err != nil || a.status != 200 {
			t.Fatalf("session = %d %s", a.status, a.body)
		}
		var file struct{ H string }
		a = p.call(t, http.MethodPost, "/"+session.ID, bytes, "Content-Type", kind)
		if err := json.Unmarshal(a.body, &file); err != nil || file.H == "" {
			t.Fatalf("upload = %d %s", a.status, a.body)
		}
		return file.H
	}
	picture := "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 40)
	make := func(name, format, handle string) string {
		return fmt.Sprintf(`{"name":%q,"language":"en_US","category":"MARKETING","components":[{"type":"HEADER","format":%q,"example":{"header_handle":[%q]}},{"type":"BODY","text":"Look"}]}`, name, format, handle)
	}
	mine, theirs := upload(first, "image/png", picture), upload(second, "image/png", picture)
	first.template(t, make("with_picture", "IMAGE", mine))
	path := first.account("/message_templates")
	first.refused(t, "another tenant's file", first.call(t, http.MethodPost, path, make("x", "IMAGE", theirs)), 400, 100, 0)
	first.refused(t, "a picture for a video", first.call(t, http.MethodPost, path, make("x", "VIDEO", mine)), 400, 100, 0)
	card := func(title string) string {
		return fmt.Sprintf(`{"components":[{"type":"HEADER","format":"IMAGE","example":{"header_handle":[%q]}},{"type":"BODY","text":%q},{"type":"BUTTONS","buttons":[{"type":"QUICK_REPLY","text":"This"}]}]}`, mine, title)
	}
	carousel := func(cards ...string) string {
		return fmt.Sprintf(`{"name":"lamps_%d","language":"en_US","category":"MARKETING","components":[{"type":"BODY","text":"Our lamps"},{"type":"CAROUSEL","cards":[%s]}]}`, len(cards), strings.Join(cards, ","))
	}
	cards := strings.Split(strings.Repeat(card("Lamp")+"\n", 11), "\n")[:11]
	id := first.template(t, carousel(cards[:10]...))
	first.call(t, http.MethodGet, "/"+id, "") // held against the contract
	first.refused(t, "11 cards", first.call(t, http.MethodPost, path, carousel(cards...)), 400, 100, 0)
	unlike := strings.Replace(card("Lamp"), "QUICK_REPLY", "PHONE_NUMBER", 1)
	unlike = strings.Replace(unlike, `"text":"This"`, `"text":"This","phone_number":"+919812345000"`, 1)
	first.refused(t, "cards built differently", first.call(t, http.MethodPost, path, carousel(cards[0], unlike)), 400, 100, 0)
}

// What the documentation shows of templates works as it stands.
func TestDocumentedTemplatesAreAccepted(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	document, err := seed.Files.ReadFile("messaging.yaml")
	if err != nil {
		t.Fatal(err)
	}
	read, err := openapi.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := model.Compile(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]int{}
	for _, category := range compiled.Categories {
		for _, e := range category.Endpoints {
			var path string
			switch e.ID {
			case "createTemplate":
				path = first.account("/message_templates")
			case "editTemplate":
				path = "/" + first.template(t, `{"name":"is_rejected","category":"UTILITY","language":"en_US","components":[{"type":"BODY","text":"Hello"}]}`)
			default:
				continue
			}
			for _, example := range e.Bodies[0].Examples {
				first.review(t)
				if _, err := first.pool.Exec(t.Context(), `update message_templates set status = 'REJECTED', category = 'UTILITY' where name = 'is_rejected'`); err != nil {
					t.Fatal(err)
				}
				sent[e.ID]++
				if err := first.contract.RequestBody(e.ID, "application/json", []byte(example.Value)); err != nil {
					t.Errorf("%s is outside its contract: %v", example.Name, err)
				}
				if a := first.call(t, e.Method, path, example.Value); a.status != 200 {
					t.Errorf("%s: %d %s", example.Name, a.status, a.body)
				}
			}
		}
	}
	if sent["createTemplate"] < 3 || sent["editTemplate"] < 3 {
		t.Errorf("sent %v, want three examples of each", sent)
	}
	for _, body := range []string{copyCode, shipped} {
		if err := first.contract.RequestBody("createTemplate", "application/json", []byte(body)); err != nil {
			t.Errorf("what this test sends is not documented: %v\n%s", err, body)
		}
	}
}
