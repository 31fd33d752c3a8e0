package jobs_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/input"
	"heliograph/jobs/args"
)

// shelf stands in for the templates of an upstream.
type shelf struct {
	mu        sync.Mutex
	templates map[string]map[string]any // by id
	made      int
	lost      bool // the answer to the next creation is lost
	deleted   []string
	listing   func() // happens once while a list is on its way
}

const theirAccount = "102290129340398"

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := strings.TrimPrefix(r.URL.Path, "/v23.0/")
	var body map[string]any
	if r.Method == http.MethodPost {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	switch {
	case path == theirAccount+"/message_templates" && r.Method == http.MethodPost:
		s.create(w, body)
	case path == theirAccount+"/message_templates" && r.Method == http.MethodGet:
		list := []map[string]any{}
		for _, t := range s.templates {
			if name := r.URL.Query().Get("name"); name == "" || name == t["name"] {
				list = append(list, t)
			}
		}
		answer, _ := json.Marshal(map[string]any{"data": list, "paging": map[string]any{}})
		if s.listing != nil {
			s.listing()
			s.listing = nil
		}
		_, _ = w.Write(answer)
	case path == theirAccount+"/message_templates" && r.Method == http.MethodDelete:
		s.deleted = append(s.deleted, r.URL.Query().Get("hsm_id"))
		fmt.Fprint(w, `{"success":true}`)
	case s.templates[path] != nil && r.Method == http.MethodPost:
		s.templates[path]["components"], s.templates[path]["status"] = body["components"], "PENDING"
		fmt.Fprint(w, `{"success":true}`)
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":{"code":100,"message":"(#100) Unsupported request"}}`)
	}
}

func (s *shelf) create(w http.ResponseWriter, t map[string]any) {
	if name, _ := t["name"].(string); strings.HasSuffix(name, "_bad") {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":{"code":100,"message":"(#100) Invalid parameter","error_user_msg":"The text has two variables side by side."}}`)
		return
	}
	s.made++
	id := fmt.Sprintf("55500%d", s.made)
	t["id"], t["status"], t["quality_score"] = id, "PENDING", map[string]any{"score": "UNKNOWN"}
	s.templates[id] = t
	if s.lost {
		s.lost = false
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, `{"id":%q,"status":"PENDING","category":%q}`, id, t["category"])
}

// set changes a template at the upstream.
func (s *shelf) set(id, member string, value any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.templates[id][member] = value
}

// Templates of an account that lives at an upstream are created, edited and deleted
// there, and reviewed there. Posts and the synchronisation say how each stands; a
// state that is not known here is kept and changes nothing.
func TestTemplatesLiveUpstream(t *testing.T) {
	t.Parallel()
	l := prepareLive(t)
	up := &shelf{templates: map[string]map[string]any{}}
	server := httptest.NewServer(up)
	t.Cleanup(server.Close)
	l.exec(t, `update carriers set url = $1, settings = json_build_object('version', 'v23.0', 'numbers', $2::text, 'accounts', $3::text), updated_at = now()`,
		server.URL, fmt.Sprintf("%d %s", l.number.ID, theirNumber), fmt.Sprintf("%d %s", l.sandbox.BusinessAccountID, theirAccount))
	calls, _ := l.hook(t)
	l.work(t, slog.New(slog.DiscardHandler))
	account, err := l.service.Numbers.Account(t.Context(), l.number.OrganisationID, fmt.Sprint(l.sandbox.BusinessAccountID))
	if err != nil {
		t.Fatal(err)
	}
	create := func(name string) string {
		t.Helper()
		in := templates.Input{Name: input.Text(name), Language: "en_US", Category: "UTILITY", AllowCategoryChange: true, Components: json.RawMessage(`[{"type":"BODY","text":"Your lamp is ready."}]`)}
		reply, err := l.service.Templates.CreateTemplate(t.Context(), account, in, "")
		if err != nil {
			t.Fatal(err)
		}
		var made templates.Created
		if err := json.Unmarshal(reply.Body, &made); err != nil || made.Status != "PENDING" {
			t.Fatalf("%s is created as %s", name, reply.Body)
		}
		return made.ID
	}
	is := func(id, member, value string) {
		t.Helper()
		l.until(t, member+" of "+id+" is "+value, func() bool {
			return l.count(t, `select count(*) from message_templates t left join upstream_templates u on u.template_id = t.id
				where t.id = $1::bigint and coalesce((to_jsonb(t) || jsonb_build_object('theirs', u.upstream_id, 'seen', u.status, 'error', u.error))->>$2, '') = $3`, id, member, value) == 1
		})
	}
	told := func(parts ...string) {
		t.Helper()
		l.until(t, "the partner gets "+strings.Join(parts, " "), func() bool {
			return slices.ContainsFunc(calls(), func(c string) bool {
				return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(c, part) })
			})
		})
	}
	post := func(field, value string) {
		t.Helper()
		body := fmt.Appendf(nil, `{"entry":[{"id":%q,"changes":[{"field":%q,"value":%s}]}]}`, theirAccount, field, value)
		if err := l.posts.Receive(t.Context(), "upstream", body, signedByApp(body)); err != nil {
			t.Fatal(err)
		}
		l.read(t)
	}
	id := create("lamp_ready")
	is(id, "theirs", "555001")
	if desk, err := (templates.Desk{DB: l.pool}).Waiting(t.Context()); err != nil || len(desk) != 0 {
		t.Errorf("the desk has %+v, %v", desk, err)
	}
	// The list that a synchronisation asked for before the post does not undo it.
	up.mu.Lock()
	up.listing = func() {
		up.templates["555001"]["status"] = "APPROVED"
		post("message_template_status_update", `{"event":"APPROVED","message_template_id":555001,"message_template_name":"lamp_ready","message_template_language":"en_US","reason":"NONE"}`)
	}
	up.mu.Unlock()
	l.insert(t, args.SyncTemplates{})
	l.until(t, "the synchronisation has ended", func() bool {
		return l.count(t, `select count(*) from river.river_job where kind = 'sync_templates' and finalized_at is null`) == 0
	})
	is(id, "status", "APPROVED")
	told(`"event":"APPROVED"`, `"message_template_id":`+id, `"message_template_name":"lamp_ready"`)
	up.set("555001", "quality_score", map[string]any{"score": "YELLOW"})
	post("message_template_quality_update", `{"previous_quality_score":"UNKNOWN","new_quality_score":"YELLOW","message_template_id":555001}`)
	is(id, "quality", "YELLOW")
	up.set("555001", "category", "MARKETING")
	post("template_category_update", `{"message_template_id":555001,"previous_category":"UTILITY","new_category":"MARKETING"}`)
	is(id, "category", "MARKETING")
	told(`"field":"template_category_update"`, `"new_category":"MARKETING"`)
	for _, call := range calls() {
		if strings.Contains(call, `"event":"PENDING"`) {
			t.Errorf("the partner received the older list: %s", call)
		}
	}
	up.set("555001", "status", "HIBERNATING")
	post("message_template_status_update", `{"event":"HIBERNATING","message_template_id":555001}`)
	is(id, "seen", "HIBERNATING")
	is(id, "status", "APPROVED")
	// What nobody posted is noticed by the synchronisation.
	up.set("555001", "status", "PAUSED")
	up.set("555001", "quality_score", map[string]any{"score": "RED"})
	l.insert(t, args.SyncTemplates{})
	is(id, "status", "PAUSED")
	is(id, "quality", "RED")
	// An edit goes there, and until it is there an older state does not count.
	if err := l.service.Templates.EditTemplate(t.Context(), l.number.OrganisationID, id, templates.Input{Components: json.RawMessage(`[{"type":"BODY","text":"Come and see your lamp."}]`)}); err != nil {
		t.Fatal(err)
	}
	l.until(t, "the edit has arrived", func() bool {
		up.mu.Lock()
		defer up.mu.Unlock()
		return strings.Contains(fmt.Sprint(up.templates["555001"]["components"]), "Come and see your lamp.")
	})
	is(id, "seen", "PENDING")
	is(id, "status", "PENDING")
	// The answer to a creation is lost: it is found, not created twice.
	up.mu.Lock()
	up.lost = true
	up.mu.Unlock()
	lost := create("lamp_lost")
	l.until(t, "the lost creation is found", func() bool {
		l.exec(t, `update river.river_job set scheduled_at = now(), state = 'available' where kind = 'push_template' and state in ('retryable', 'scheduled')`)
		return l.count(t, `select count(*) from upstream_templates where template_id = $1::bigint and upstream_id = '555002'`, lost) == 1
	})
	bad := create("lamp_bad")
	is(bad, "status", "REJECTED")
	told(`"event":"REJECTED"`, `"message_template_id":`+bad, `"reason":"INVALID_FORMAT"`)
	if n := l.count(t, `select count(*) from upstream_templates where template_id = $1::bigint and error like '%two variables side by side%'`, bad); n != 1 {
		t.Error("the reason of the refusal is not kept")
	}
	if err := l.service.Templates.DeleteTemplates(t.Context(), account, templates.Choice{Name: "lamp_ready"}); err != nil {
		t.Fatal(err)
	}
	l.until(t, "it is deleted there", func() bool {
		up.mu.Lock()
		defer up.mu.Unlock()
		return slices.Contains(up.deleted, "555001")
	})
	if up.made != 2 {
		t.Errorf("the upstream has %d templates, want 2", up.made)
	}
}

// insert inserts a job that a leader would insert in time.
func (l *live) insert(t *testing.T, job args.SyncTemplates) {
	t.Helper()
	if _, err := l.client.Insert(t.Context(), job, nil); err != nil {
		t.Fatal(err)
	}
}
