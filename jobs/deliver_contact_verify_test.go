//go:build judge

package jobs_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// signedPost is a webhook as its receiver got it, and the secret that the
// receiver verifies it with.
type signedPost struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func signed(r received, secret string) signedPost {
	headers := map[string]string{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		headers[name] = r.header.Get(name)
	}
	return signedPost{secret, headers, string(r.body)}
}

// with returns the post with another header.
func (p signedPost) with(name, value string) signedPost {
	headers := map[string]string{name: value}
	for other, value := range p.Headers {
		if other != name {
			headers[other] = value
		}
	}
	p.Headers = headers
	return p
}

// verifyInNode verifies posts with the Standard Webhooks library of JavaScript.
func verifyInNode(t *testing.T, posts []signedPost) (results []string) {
	t.Helper()
	modules, err := filepath.Abs("../.tools/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(modules, "standardwebhooks")); err != nil && os.Getenv("CI") == "" {
		t.Skip("npm ci --prefix .tools installs the library")
	}
	text, err := json.Marshal(posts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "testdata/verify_webhooks.cjs")
	cmd.Env, cmd.Stdin = append(os.Environ(), "NODE_PATH="+modules), bytes.NewReader(text)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, problem.String())
	}
	if err := json.Unmarshal(out, &results); err != nil || len(results) != len(posts) {
		t.Fatalf("node answers %s, %v", out, err)
	}
	return results
}

// The Standard Webhooks library of another language accepts what workers post:
// before a secret is replaced, with either secret for a day after it, and then
// with the new one alone. It refuses everything that was changed on the way.
func TestAnotherLibraryVerifiesTheWebhook(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	url, calls := crm(t, always(204))
	s, first := o.contacts(t, url, "")
	o.work(t)
	post := func(n int) received {
		t.Helper()
		enquire(t, s, n)
		return next(t, calls)
	}
	before := post(1)
	fresh, err := o.settings.ReplaceContactSecret(t.Context(), "admin:1")
	if err != nil {
		t.Fatal(err)
	}
	second := string(fresh)
	during := post(2)
	if _, err := o.pool.Exec(t.Context(), `update settings set value = jsonb_set(value, '{previous_until}', to_jsonb(now() - interval '1 second')) where name = 'contact'`); err != nil {
		t.Fatal(err)
	}
	after := post(3)
	whole := signed(before, first)
	cases := []struct {
		name string
		post signedPost
		want string // start of the result
	}{
		{"the first secret, before it is replaced", whole, "valid"},
		{"the new secret, before it was made", signed(before, second), "No matching signature"},
		{"the first secret, within the day", signed(during, first), "valid"},
		{"the new secret, within the day", signed(during, second), "valid"},
		{"the first secret, after the day", signed(after, first), "No matching signature"},
		{"the new secret, after the day", signed(after, second), "valid"},
		{"another body", signedPost{first, whole.Headers, strings.Replace(whole.Body, "Mira", "Moth", 1)}, "No matching signature"},
		{"another id", whole.with("webhook-id", "enquiry_1"), "No matching signature"},
		{"a time of last week", whole.with("webhook-timestamp", "1700000000"), "Message timestamp too old"},
		{"no signature", whole.with("webhook-signature", ""), "Missing required headers"},
	}
	posts := make([]signedPost, len(cases))
	for i, c := range cases {
		posts[i] = c.post
	}
	for i, got := range verifyInNode(t, posts) {
		t.Logf("%-42s %s", cases[i].name, got)
		if !strings.HasPrefix(got, cases[i].want) {
			t.Errorf("%s: %q, want %q", cases[i].name, got, cases[i].want)
		}
	}
}
