package web_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

const matrixFile = "testdata/access.txt"

// visitors are everybody who may come: nobody, the users of the organisation
// that owns what is asked for, the owner of another one, administrators.
var visitors = []string{"nobody", "owner", "developer", "viewer", "other", "admin-viewer", "admin-editor", "super-admin"}

// What a visitor meets.
const (
	meetsPage    = "passes"
	meetsSignIn  = "signs-in" // sent to sign in, or told to
	meetsRefusal = "refused"
	meetsNothing = "nothing" // 404, as if it were not there
)

// opens says, for every class of access, who passes: this table is the rule
// that the router is held against, written apart from it.
var opens = map[web.Access][]string{
	web.Public:       visitors,
	web.Operator:     visitors,
	web.Visitor:      visitors,
	web.AdminVisitor: visitors,
	web.Member:       {"owner", "developer", "viewer", "other"},
	web.Developer:    {"owner", "developer", "other"},
	web.Owner:        {"owner", "other"},
	web.Viewer:       {"admin-viewer", "admin-editor", "super-admin"},
	web.Editor:       {"admin-editor", "super-admin"},
	web.SuperAdmin:   {"super-admin"},
}

// Every route is tried by every visitor, each with a form token that is good
// for them; what they meet is what opens says, and stands in a file so that a
// change of access is seen. What a request changes is undone before the next.
func TestRouteByRole(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t) // for /health
	var keys *keyring.Keyring
	site := webtest.New(t, func(d *web.Deps) { d.Pool, keys = pool, d.Keyring })
	crew := newCrew(t, site, keys)
	var b strings.Builder
	// Tabs, not columns: a new route changes one line.
	fmt.Fprintf(&b, "route\tmethod\tpath\taccess\t%s\n", strings.Join(visitors, "\t"))
	for _, route := range site.Server.Routes() {
		if route.Access == web.APIKey {
			continue // reads no cookie; its own tests try every operation with foreign keys
		}
		cells := []string{route.Name, route.Method, route.Path, string(route.Access)}
		for _, who := range visitors {
			met := crew.try(t, route, who)
			if want := crew.expected(route, who); met != want {
				t.Errorf("%s at %s %s (%s): %s, want %s", who, route.Method, route.Path, route.Access, met, want)
			}
			cells = append(cells, met)
		}
		fmt.Fprintln(&b, strings.Join(cells, "\t"))
	}
	if *update {
		if err := os.WriteFile(matrixFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the matrix changed; if that is meant, run with -update (-want +got):\n%s", diff)
	}
}

// crew is one browser per visitor, for the area that a route belongs to.
type crew struct {
	site     *webtest.Site
	account  map[string]*webtest.Client
	admin    map[string]*webtest.Client
	things   map[string]string // path up to a parameter → id of a thing of the organisation
	nobodies map[identity.Surface]*webtest.Client
}

func newCrew(t *testing.T, site *webtest.Site, keys *keyring.Keyring) *crew {
	t.Helper()
	c := &crew{site: site, account: map[string]*webtest.Client{}, admin: map[string]*webtest.Client{}, nobodies: map[identity.Surface]*webtest.Client{}}
	var organisation int64
	c.account["owner"], organisation = site.SignIn(t, 0, identity.Owner)
	c.account["developer"], _ = site.SignIn(t, organisation, identity.Developer)
	c.account["viewer"], _ = site.SignIn(t, organisation, identity.Viewer)
	c.account["other"], _ = site.SignIn(t, 0, identity.Owner)
	c.admin["admin-viewer"] = site.SignInAdmin(t, identity.Viewer)
	c.admin["admin-editor"] = site.SignInAdmin(t, identity.Editor)
	c.admin["super-admin"] = site.SignInAdmin(t, identity.SuperAdmin)
	for surface, login := range map[identity.Surface]string{identity.Account: page.Account.Login, identity.Administration: page.Administration.Login} {
		c.nobodies[surface] = site.Client(t)
		c.nobodies[surface].Get(login)
	}
	err := db.InTx(t.Context(), site.DB, func(tx pgx.Tx) error {
		made, err := messaging.Provision(t.Context(), tx, keys, organisation, "Lighthouse")
		if err != nil {
			return err
		}
		headers := keys.Seal([]byte("{}"), keyring.Place("webhooks", "headers", fmt.Sprintf("messaging/%d", made.PhoneNumberID)))
		_, err = tx.Exec(t.Context(), `insert into webhooks (organisation_id, channel, subject, url, headers)
			values ($1, 'messaging', $2, 'https://example.com', $3)`, organisation, fmt.Sprint(made.PhoneNumberID), headers)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	c.things = c.possessions(t, organisation)
	return c
}

// browser is a visitor's, with a token that is good where the route belongs:
// the token of the session, or of a stranger with a session elsewhere.
func (c *crew) browser(t *testing.T, route web.Route, who string) *webtest.Client {
	t.Helper()
	admin := strings.HasPrefix(route.Path, page.Administration.Home)
	own, elsewhere, stranger := c.account[who], c.admin[who], c.nobodies[identity.Account]
	if admin {
		own, elsewhere, stranger = c.admin[who], c.account[who], c.nobodies[identity.Administration]
	}
	fresh := c.site.Client(t)
	fresh.Address = "127.0.0.1:4000" // a network that may read metrics
	from := []*webtest.Client{own}
	if own == nil {
		from = []*webtest.Client{elsewhere, stranger}
	}
	for _, source := range from {
		if source == nil {
			continue
		}
		for _, name := range []string{"heliograph", "heliograph-admin", "heliograph-visitor"} {
			if value := source.Cookie(name); value != "" {
				fresh.SetCookie(name, value)
			}
		}
	}
	fresh.Token = from[len(from)-1].Token
	return fresh.Once()
}

func (c *crew) try(t *testing.T, route web.Route, who string) string {
	t.Helper()
	restore := c.restore(t)
	client, path := c.browser(t, route, who), c.fill(route.Path)
	var answer *webtest.Answer
	switch route.Method {
	case http.MethodGet:
		answer = client.Get(path)
	case http.MethodPost:
		answer = client.Post(path, url.Values{})
	default:
		t.Fatalf("%s: the matrix does not know how to send %s", route.Name, route.Method)
	}
	restore()
	login := strings.HasPrefix(answer.Header.Get("Location"), page.Account.Login+"?next=") ||
		strings.HasPrefix(answer.Header.Get("Location"), page.Administration.Login+"?next=")
	switch {
	case answer.Status == http.StatusUnauthorized, login:
		return meetsSignIn
	case answer.Status == http.StatusForbidden:
		return meetsRefusal
	case answer.Status == http.StatusNotFound:
		return meetsNothing
	case answer.Status >= 500:
		t.Errorf("%s at %s %s gets %d: %s", who, route.Method, route.Path, answer.Status, answer.Find("main").Text())
	}
	return meetsPage
}

// expected is what the rules say that a visitor meets.
func (c *crew) expected(route web.Route, who string) string {
	_, isUser := c.account[who]
	_, isAdmin := c.admin[who]
	admin := strings.HasPrefix(route.Path, page.Administration.Home)
	switch {
	case !slices.Contains(opens[route.Access], who) && (admin && isAdmin || !admin && isUser):
		return meetsRefusal
	case !slices.Contains(opens[route.Access], who):
		return meetsSignIn
	case c.owned(route.Path) && who != "other":
		return meetsPage
	case strings.ContainsAny(route.Path, ":*") || route.Name == "console.index": // readers do not see the console at first
		return meetsNothing // the thing does not exist, or it is somebody else's
	}
	return meetsPage
}

// owned reports whether a path names a thing of the organisation.
func (c *crew) owned(path string) bool {
	for prefix := range maps.Keys(c.things) {
		if strings.HasPrefix(path, prefix+":") {
			return true
		}
	}
	return false
}

// fill puts the ids of the organisation's things into a path, or ids of
// nothing.
func (c *crew) fill(pattern string) string {
	var path strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(pattern, "/"), "/") {
		path.WriteByte('/')
		switch {
		case strings.HasPrefix(part, ":"):
			id, ok := c.things[path.String()]
			if !ok {
				id = "999999999"
			}
			path.WriteString(id)
		case part == "*":
			path.WriteString("nothing")
		default:
			path.WriteString(part)
		}
	}
	return path.String()
}

// possessions are things of an organisation, and those that administrators look
// after, by the path that leads to them.
func (c *crew) possessions(t *testing.T, organisation int64) map[string]string {
	t.Helper()
	things := map[string]string{}
	for _, thing := range [][2]string{
		{"/account/webhooks/", `select subject from webhooks where organisation_id = $1`},
		{"/account/deliveries/", `insert into deliveries (webhook_id, organisation_id, event, body, state)
			select id, organisation_id, 'message', '{}', 'failed' from webhooks where organisation_id = $1 returning id::text`},
		{"/account/messages/", `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload)
			values (gen_random_uuid(), $1, 'messaging', 1, '919812345678', 'text', '{}') returning id::text`},
		{"/account/keys/", `insert into api_keys (organisation_id, slot, name, prefix, hash)
			values ($1, 1, 'Shop', 'hg_live_0000', decode(repeat('00', 32), 'hex')) returning id::text`},
		{"/account/team/", `select id::text from organisation_users where organisation_id = $1 and role = 'viewer'`},
		{"/account/team/invitations/", `insert into invitations (organisation_id, email, role, token_hash, expires_at)
			values ($1, 'ravi@example.com', 'viewer', decode(repeat('00', 32), 'hex'), now() + interval '1 day') returning id::text`},
		{"/admin/organisations/", `select $1::bigint::text`},
		{"/admin/messages/", `select id::text from messages where organisation_id = $1`},
		{"/admin/notifications/", `insert into notifications (id, kind, purpose, recipient, expires_at, state, finished_at)
			values (gen_random_uuid(), 'email', 'reset', 'asha@example.com', now() + interval '1 hour', 'sent', case when $1 > 0 then now() end) returning id::text`},
		{"/admin/users/", `select id::text from admin_users where role = 'viewer' and $1 > 0`},
		{"/admin/jobs/", `insert into river.river_job (args, kind, max_attempts, queue, state)
			values ('{}', 'housekeep', 1, 'default', case when $1 > 0 then 'available'::river.river_job_state end) returning id::text`},
	} {
		var id string
		if err := c.site.DB.QueryRow(t.Context(), thing[1], organisation).Scan(&id); err != nil {
			t.Fatalf("%s: %v", thing[0], err)
		}
		things[thing[0]] = id
	}
	one := "/admin/organisations/" + things["/admin/organisations/"]
	things[one+"/users/"] = things["/account/team/"]
	var catalogue string
	if err := c.site.DB.QueryRow(t.Context(), `select id::text from catalogues where organisation_id = $1`, organisation).Scan(&catalogue); err != nil {
		t.Fatal(err)
	}
	things[one+"/assets/"] = catalogue
	return things
}
