//go:build browser

package web_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/setting"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// hostileLines are texts that run script or reach elsewhere where a page takes
// them for more than text, one on each line.
//
//go:embed testdata/hostile.txt
var hostileLines string

// plain is one of them, by which a page shows that it has them.
const plain = `<img src=x onerror=alert(1)>`

// watch makes script that runs be seen, in every page from its beginning.
const watch = `for (const name of ["alert", "confirm", "prompt", "print", "msgbox"]) window[name] = () => { window.ran = true }`

// oracle lists what a page holds that no template of ours writes: it finds what
// would only run on a click, and what the policy would stop. Documentation may
// link elsewhere.
const oracle = `(() => {
	const found = window.ran ? ["script ran"] : []
	const link = /^(href|src|srcset|action|formaction|data|poster|ping|background|xlink:href|srcdoc)$/i
	for (const e of document.querySelectorAll("*")) {
		if (e.matches("iframe,frame,frameset,object,embed,applet,base,style,template:not(#search-failed,#alternate),marquee,math,foreignObject,x,custom-element,isindex,keygen,audio,video,meta[http-equiv],meta[name=htmx-config]:not(head > meta)")) found.push("element " + e.localName)
		if (e.localName === "script" && !e.matches("head > [type='application/ld+json']") && (!e.src.startsWith(location.origin + "/static/") || e.textContent)) found.push("script")
		for (const a of e.attributes) {
			const value = a.value.replace(/[\s\u0000-\u0020]/g, "").toLowerCase()
			if (/^(data-)?(on|hx-on)/i.test(a.name) || a.name === "style") found.push(e.localName + " " + a.name)
			if (link.test(a.name) && (/^(javascript|vbscript|data):/.test(value) || e.localName !== "a" && new URL(a.value, location).host === "xss.example") && !value.startsWith("data:image/svg+xml;")) found.push(e.localName + " " + a.name + " " + a.value)
			if (/^hx-(get|post)$/.test(a.name) && /logout/.test(value)) found.push(e.localName + " " + a.name)
		}
	}
	return found.join("\n")
})()`

// What people, programs and providers can store is text on every page that
// shows it: nothing of it runs, loads, or is anything else in the document.
func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Open(t)
	h := newHostile(t)
	if len(h.texts) < 170 || len(h.pages()) < 30 {
		t.Errorf("%d texts on %d pages", len(h.texts), len(h.pages()))
	}
	server := httptest.NewServer(h.site.Server.Handler())
	t.Cleanup(server.Close)
	for name, c := range map[string]*webtest.Client{"heliograph": h.owner, "heliograph-admin": h.admin} {
		set := network.SetCookieParams{Name: name, Value: c.Cookie(name), URL: server.URL}
		if err := chromedp.Do(ctx, browsertest.Call(network.SetCookie, set)); err != nil {
			t.Fatal(err)
		}
	}
	if err := chromedp.Do(ctx, browsertest.Call(cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: watch})); err != nil {
		t.Fatal(err)
	}
	said := browsertest.Complaints(t, ctx, server.URL)
	for path, shows := range h.pages() {
		if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+path)); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if found := browsertest.Evaluate[string](t, ctx, oracle); found != "" {
			t.Errorf("%s holds what it should not:\n%s", path, found)
		}
		text := browsertest.Evaluate[string](t, ctx, `document.body.textContent + [...document.querySelectorAll("input, textarea")].map((i) => i.value).join(" ")`)
		if shows && !strings.Contains(text, plain) {
			t.Errorf("%s does not show what was stored: the test sees nothing", path)
		}
		for _, complaint := range said() {
			// A page that says what is wrong is no resource that failed.
			if !strings.HasPrefix(complaint, "Failed to load resource") || !strings.HasSuffix(complaint, path) {
				t.Errorf("%s: the browser says: %s", path, complaint)
			}
		}
	}
}

// hostile is a site in which everything that can be stored is hostile.
type hostile struct {
	t            *testing.T
	site         *webtest.Site
	pool         db.Beginner
	texts        []string
	all          string // the texts as one
	owner, admin *webtest.Client
	organisation int64
	sandbox      assets.Sandbox
	message      uuid.UUID
	delivery     int64
	trial        uuid.UUID
}

func newHostile(t *testing.T) *hostile {
	t.Helper()
	pool := dbtest.Pool(t)
	h := &hostile{t: t, pool: pool, texts: strings.Split(strings.TrimSpace(hostileLines), "\n"), all: hostileLines}
	if err := editorial.Seed(t.Context(), pool, h.documentation()); err != nil {
		t.Fatal(err)
	}
	var keys *keyring.Keyring
	h.site = webtest.New(t, func(d *web.Deps) {
		listener := db.NewListener(pool)
		d.DB, d.Pool, d.Documentation, d.Search = pool, pool, published.New(pool, listener), search.New(pool, listener)
		keys = d.Keyring
		d.SMS, d.RCS = sms.NewRegistry(pool, nil), rcs.New(rcs.Options{Pool: pool, Keyring: keys})
		d.Settings = setting.New(setting.Options{DB: pool, Listener: listener, Keyring: keys})
		d.Notifications = notification.New(notification.Options{DB: pool, Keyring: keys, Settings: d.Settings})
		d.Webhooks = messaging.NewWebhooks(messaging.WebhookOptions{DB: pool, Keyring: keys, Product: d.Config.ChannelWord})
		if err := d.Documentation.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	h.owner, h.organisation = h.site.SignIn(t, 0, identity.Owner)
	h.admin = h.site.SignInAdmin(t, identity.SuperAdmin)
	err := db.InTx(t.Context(), pool, func(tx pgx.Tx) (err error) {
		if h.sandbox, err = messaging.Provision(t.Context(), tx, keys, h.organisation, plain); err != nil {
			return err
		}
		for _, text := range h.texts {
			entry := audit.Entry{Actor: text, Action: text[:min(len(text), 100)], Target: text, Details: map[string]any{text: text, "after": map[string]any{text: []any{text, map[string]any{text: text}}}}}
			if err := audit.Record(t.Context(), tx, entry); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	h.store(keys)
	return h
}

// documentation is a product with hostile texts, as its editors and the
// documents they import could make it.
func (h *hostile) documentation() fstest.MapFS {
	encode := func(v any) []byte {
		text, err := json.Marshal(v)
		if err != nil {
			h.t.Fatal(err)
		}
		return text
	}
	markdown := strings.Join(h.texts, "\n\n") + "\n\n"
	fields := map[string]any{}
	for i, text := range h.texts {
		fields[fmt.Sprintf("field%d", i)] = map[string]any{"type": "string", "title": text, "description": text, "default": text, "enum": []string{text}, "example": text}
	}
	body := map[string]any{"description": markdown, "content": map[string]any{"application/json": map[string]any{"schema": map[string]any{"type": "object", "properties": fields}, "example": map[string]any{plain: h.all}}}}
	document := map[string]any{
		"openapi": "3.1.0", "info": map[string]any{"title": plain, "version": "1", "description": markdown},
		"servers": []any{map[string]any{"url": "https://api.example.com", "description": plain}},
		"paths": map[string]any{"/letters": map[string]any{"post": map[string]any{
			"operationId": "send", "summary": plain, "description": markdown, "tags": []string{plain},
			"parameters":  []any{map[string]any{"name": plain, "in": "query", "description": markdown, "schema": map[string]any{"type": "string"}, "example": h.all}},
			"requestBody": body, "responses": map[string]any{"200": body},
		}}},
	}
	products := []any{map[string]any{
		"slug": "letters", "version": "1.0", "label": "Current", "document": "t.json",
		"product": map[string]any{"name": plain, "summary": plain, "description": markdown, "homepage": true, "accent": `"><script>alert(1)</script>`},
		"guides":  []any{map[string]any{"slug": "begin", "title": plain, "summary": plain, "group": plain}},
	}}
	return fstest.MapFS{
		"products.json":           {Data: encode(products)},
		"t.json":                  {Data: encode(document)},
		"guides/letters/begin.md": {Data: []byte("## " + plain + "\n\n" + markdown + "```" + plain + "\n" + h.all + "```\n")},
	}
}

// store puts the texts where rules would put them.
func (h *hostile) store(keys *keyring.Keyring) {
	h.message, h.trial = uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	letter, subject := uuid.Must(uuid.NewV7()), fmt.Sprint(h.sandbox.PhoneNumberID)
	headers, err := json.Marshal(map[string]string{"X-Hostile": plain, plain: plain})
	if err != nil {
		h.t.Fatal(err)
	}
	sealed := keys.Seal(headers, keyring.Place("webhooks", "headers", "messaging/"+subject))
	body := keys.Seal([]byte(h.all), keyring.Place("notifications", "body", letter))
	quoted, err := json.Marshal(map[string]string{"body": h.all, plain: plain})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, s := range []struct {
		sql  string
		args []any
	}{
		{`update organisations set name = $2 where id = $1`, []any{h.organisation, plain}},
		{`update admin_users set name = $1`, []any{plain}},
		{`insert into organisations (name) select unnest($1::text[])`, []any{h.texts}},
		{`insert into organisation_users (organisation_id, name, email, password_hash, role) select $1, text, lower(left(text, 60)) || n || '@example.com', '', 'viewer' from unnest($2::text[]) with ordinality as u (text, n)`, []any{h.organisation, h.texts}},
		{`insert into admin_users (name, email, password_hash, role) select text, lower(left(text, 60)) || n || '@example.com', '', 'viewer' from unnest($1::text[]) with ordinality as u (text, n)`, []any{h.texts}},
		{`insert into invitations (organisation_id, email, role, token_hash, expires_at) select $1, lower(left(text, 60)) || n || '@example.com', 'viewer', sha256(('i' || n)::bytea), now() + interval '1 hour' from unnest($2::text[]) with ordinality as u (text, n)`, []any{h.organisation, h.texts}},
		{`insert into api_keys (organisation_id, slot, name, prefix, hash, revoked_at) select $1, 1, left(text, 100), rpad(left(text, 12), 8), sha256(n::text::bytea), now() from unnest($2::text[]) with ordinality as u (text, n)`, []any{h.organisation, h.texts}},
		{`insert into sessions (id_hash, surface, organisation_user_id, session_version, user_agent, expires_at) select sha256(n::text::bytea), 'account', (select organisation_user_id from sessions where surface = 'account' limit 1), 1, text || ' Firefox/', now() + interval '1 hour' from unnest($1::text[]) with ordinality as u (text, n)`, []any{h.texts}},
		{`insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, reference, provider_id, state, failure) values ($1, $2, 'messaging', $3, '<b onclick=alert(1)>', '<img src=x onerror=alert(1)>', $4, $5, $5, 'failed', $4)`, []any{h.message, h.organisation, h.sandbox.PhoneNumberID, string(quoted), plain}},
		{`insert into webhooks (organisation_id, channel, subject, url, headers, disabled_at, disabled_reason) values ($1, 'messaging', $2, $3, $4, now(), $3)`, []any{h.organisation, subject, plain, sealed}},
		{`insert into river.river_queue (name, created_at, updated_at) values ('mail', now(), now())`, nil},
		{`insert into river.river_job (args, kind, max_attempts, attempt, queue, state, scheduled_at, finalized_at, attempted_at, errors) values ('{}', $2, 25, 25, 'mail', 'discarded', now(), now(), now(), array[jsonb_build_object('attempt', 25, 'at', now(), 'error', $1::text, 'trace', $1::text)])`, []any{h.all, plain}},
		{`insert into notifications (id, kind, purpose, recipient, subject, state, finished_at, expires_at) values ($1, 'sms', 'test', $2, '', 'failed', now(), now() + interval '1 hour')`, []any{h.trial, plain}},
		{`insert into notification_attempts (notification_id, number, started_at, latency_ms, provider, outcome, answer) values ($1, 1, now(), 1, $2, 'rejected', $3)`, []any{h.trial, plain, h.all}},
		{`insert into notifications (id, kind, purpose, recipient, subject, body, state, virtual, finished_at, expires_at) values ($1, 'email', 'test', $2, $2, $3, 'sent', true, now(), now() + interval '1 hour')`, []any{letter, plain, body}},
		{`insert into search_synonyms (term, means) select lower(left(text, 60)), 'x' from unnest($1::text[]) as u (text) on conflict do nothing`, []any{h.texts}},
	} {
		if _, err := h.pool.Exec(h.t.Context(), s.sql, s.args...); err != nil {
			h.t.Fatalf("%s: %v", s.sql, err)
		}
	}
	err = h.pool.QueryRow(h.t.Context(), `insert into deliveries (webhook_id, organisation_id, event, body, state, attempts, finished_at) select id, organisation_id, $2, $3, 'failed', 1, now() from webhooks where organisation_id = $1 returning id`, h.organisation, plain, []byte(h.all)).Scan(&h.delivery)
	if err == nil {
		_, err = h.pool.Exec(h.t.Context(), `insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url, status, error, response, headers) values ($1, 1, now(), 1, $2, 500, $2, left($3, 8000), $2)`, h.delivery, plain, h.all)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// pages are the addresses where the texts are shown, and whether as they are.
func (h *hostile) pages() map[string]bool {
	asked := "%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E"
	return map[string]bool{
		"/account":          true,
		"/account/team":     true,
		"/account/keys":     true,
		"/account/profile":  true,
		"/account/messages": true,
		"/account/messages/" + h.message.String():                           true,
		"/account/messages?recipient=1&id=" + asked:                         true,
		"/account/deliveries":                                               true,
		fmt.Sprintf("/account/deliveries/%d", h.delivery):                   true,
		"/account/webhooks":                                                 true,
		fmt.Sprintf("/account/webhooks/%d", h.sandbox.PhoneNumberID):        true,
		fmt.Sprintf("/account/webhooks/%d/remove", h.sandbox.PhoneNumberID): true,
		"/admin":                          false,
		"/admin/organisations":            false,
		"/admin/organisations?q=" + asked: false,
		fmt.Sprintf("/admin/organisations/%d", h.organisation): true,
		"/admin/users":                                 true,
		"/admin/audit":                                 true,
		"/admin/audit?actor=" + asked:                  true,
		"/admin/jobs?state=discarded":                  true,
		"/admin/inbox":                                 true,
		"/admin/synonyms":                              true,
		"/admin/sms-settings?test=" + h.trial.String(): true,
		"/":                      true,
		"/docs/letters":          true,
		"/docs/letters/1.0":      true,
		"/docs/letters/1.0/send": true,
		"/docs/letters/1.0/send?field=body." + asked: true,
		"/productguide":                         true,
		"/productguide/letters/begin":           true,
		"/search?q=onerror":                     true,
		"/search?kind=" + asked + "&q=" + asked: true,
		"/login?next=" + asked:                  false,
		"/nothing/" + asked:                     false,
	}
}
