package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/sms"
	"heliograph/app/runtest"
	"heliograph/db/dbtest"
)

// programVar makes this test binary be the program.
const programVar = "HELIOGRAPH_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVar) != "" {
		main()
		return
	}
	runtest.InMemory()
	runtest.Overlap(4)
	status := m.Run()
	if err := sharedDev.close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// invoke runs a command within the test and returns its status and output.
func invoke(t *testing.T, environ []string, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = start(t.Context(), terminal{strings.NewReader("a long passphrase of ours\n"), &stdout, &stderr, environ}, args)
	return status, stdout.String(), stderr.String()
}

func TestHelpNamesEveryCommand(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"help"}, {"--help"}} {
		status, out, _ := invoke(t, nil, args...)
		if status != 0 {
			t.Errorf("%q ends with %d", args, status)
		}
		for _, c := range commands {
			if c.summary != "" && !strings.Contains(out, "\n  "+c.name+" ") {
				t.Errorf("%q does not name %s", args, c.name)
			}
		}
	}
}

// Words that are not the name of a topic are looked for in the handbook.
func TestHelpFindsTopics(t *testing.T) {
	t.Parallel()
	for query, first := range map[string]string{"proxy": "# Reverse proxy", "nginx": "  proxy ", "two web processes nginx": "  production ", "restore a backup": "  backup ", "add a page": "  changing "} {
		status, out, errs := invoke(t, nil, append([]string{"help"}, strings.Fields(query)...)...)
		if !strings.HasPrefix(first, "#") {
			_, out, _ = strings.Cut(out, "\n\n")
		}
		if status != 0 || errs != "" || !strings.HasPrefix(out, first) {
			t.Errorf("help %s ends with %d: %s%.300s", query, status, errs, out)
		}
	}
}

func TestAWrongCommandLineIsExplained(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args string
		want string
	}{
		{"serve", `there is no command "serve"`},
		{"web --colour red", "flag provided but not defined: -colour"},
		{"migrate now", `"now" is not understood here`},
		{"admin", "usage: heliograph admin create"},
		{"org delete", "usage: heliograph org create"},
		{"carrier change", "usage: heliograph carrier set"},
		{"help xylophone", `no topic is called or contains "xylophone"`},
		{"dev --port many", `invalid value "many" for flag -port`},
	} {
		status, _, errs := invoke(t, nil, strings.Fields(c.args)...)
		if status != 2 || !strings.Contains(errs, c.want) {
			t.Errorf("heliograph %s: status %d, want 2, and %q in:\n%s", c.args, status, c.want, errs)
		}
	}
}

func TestEveryCommandChecksItsConfigurationFirst(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"web"}, {"worker"}, {"dev"}, {"migrate"}, {"seed"}, {"admin", "create"}, {"org", "create"}, {"audit", "verify"}, {"routes"}} {
		status, _, errs := invoke(t, []string{"HELIOGRAPH_ENV=production", "LOG_LEVEL=loud"}, args...)
		if status != 1 || !strings.Contains(errs, "LOG_LEVEL") || !strings.Contains(errs, "ENCRYPTION_KEYS") {
			t.Errorf("%s: status %d, want 1 and every fault in:\n%s", args, status, errs)
		}
		if args[0] == "dev" {
			continue // brings its own database
		}
		if status, _, errs := invoke(t, nil, args...); status != 1 || !strings.Contains(errs, "DATABASE_URL is missing") {
			t.Errorf("%s without a database: status %d, %s", args, status, errs)
		}
	}
}

func TestServingNeedsAMigratedDatabase(t *testing.T) {
	t.Parallel()
	environ := settings(t, dbtest.Empty(t))
	for _, name := range []string{"web", "worker", "seed"} {
		if status, _, errs := invoke(t, environ, name); status != 1 || !strings.Contains(errs, "run heliograph migrate first") {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
	}
	if status, _, errs := invoke(t, environ, "migrate"); status != 0 {
		t.Errorf("migrate: status %d, %s", status, errs)
	}
}

func TestAccountsAreCreated(t *testing.T) {
	t.Parallel()
	environ := settings(t, dbtest.URL(t))
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"admin create --email asha@example.com --name Asha", 0, "Password, shown this once: "},
		{"admin create --email asha@example.com --name Asha", 1, "already exists"},
		{"admin create --email asha --role owner", 1, "--email: "},
		{"admin create --email ravi@example.com --name Ravi --role editor --password-stdin", 0, "ravi@example.com is a editor"},
		{"org create --name Sandbox --email owner@example.com --owner Asha --sandbox", 0, "API key"},
		{"org create --name Sandbox --email owner@example.com", 1, "already exists"},
		{"carrier set --name gateway --url https://1.1.1.1/cgi-bin/sendsms --setting username=heliograph --secret-stdin", 0, ""},
		{"carrier set --name gateway --url ftp://1.1.1.1", 1, "--url: "},
		{"carrier route --name gateway --sender PARCEL", 0, ""},
		{"retention", 0, "Contents are kept for 30 days and logs for 90 days."},
		{"retention --bodies 7", 0, "Contents are kept for 7 days and logs for 90 days."},
		{"retention --bodies 100", 1, "no longer than logs"},
		{"retention --organisation 999999 --logs 400", 1, "no organisation 999999"},
		{"erase --recipient +919812345678", 0, "Nothing was changed."},
		{"erase --recipient +919812345678 --yes", 1, "Give the reason"},
		{"erase --recipient +919812345678 --reason asked --yes", 0, "0 sent messages were erased"},
		{"erase", 1, "Enter the number"},
		{"carrier route --name nobody", 1, "There is no carrier nobody."},
		{"carrier list", 0, "PARCEL"},
		{"carrier unroute --sender PARCEL", 0, ""},
		{"carrier remove --name gateway", 0, ""},
		{"jobs failing", 0, "No job fails."},
		{"jobs retry --kind relay_callback", 0, "0 jobs run again."},
		{"jobs retry", 1, "--kind: "},
		{"jobs", 2, "usage: "},
		{"routes", 0, "/health"},
	} {
		status, out, errs := invoke(t, environ, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: status %d, want %d and %q in:\n%s%s", c.args, status, c.status, c.want, out, errs)
		}
	}
}

// A process with another key than the one that sealed what is stored would fail
// at every callback: it does not start.
func TestServingNeedsTheKeysThatSealed(t *testing.T) {
	t.Parallel()
	environ := settings(t, dbtest.URL(t))
	if status, _, errs := invoke(t, environ, "org", "create", "--name", "Sandbox", "--email", "owner@example.com", "--owner", "Asha", "--sandbox"); status != 0 {
		t.Fatal(errs)
	}
	for keys, want := range map[string]string{
		"k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=":                                                 `another key "k1"`,
		"k2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=":                                                 `lacks the key "k1"`,
		"k2:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=": `another key "k1"`,
	} {
		for _, name := range []string{"web", "worker"} {
			status, _, errs := invoke(t, append(slices.Clone(environ), "ENCRYPTION_KEYS="+keys), name)
			if status != 1 || !strings.Contains(errs, want) || strings.Contains(errs, "AAAA") {
				t.Errorf("%s with %.3s…: status %d, %s, want %q", name, keys, status, errs, want)
			}
		}
	}
}

// settings is an environment for a database.
func settings(t *testing.T, url string) []string {
	t.Helper()
	return []string{
		"DATABASE_URL=" + url, "STORAGE_FOLDER=" + t.TempDir(), "LISTEN=127.0.0.1:0", "LOG_LEVEL=error",
		"ENCRYPTION_KEYS=k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
	}
}

func TestDevSaysWhatStandsInItsWay(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	foreign, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	for _, path := range []string{filepath.Join(foreign, "thesis.txt"), file} {
		if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		environ []string
		args    []string
		want    string
	}{
		{nil, []string{"--port", port, "--data", t.TempDir()}, "port " + port + " is taken"},
		{nil, []string{"--port", "0", "--data", foreign, "--fresh"}, "holds thesis.txt, which heliograph dev did not make"},
		{nil, []string{"--port", "0", "--data", file}, "cannot be written"},
		{nil, []string{"--port", "0", "--to", "localhost:9000"}, "--to must be an address such as http://localhost:9000"},
		{[]string{"DATABASE_URL=postgres://db/x"}, []string{"--port", "0", "--fresh"}, "--fresh discards a database of its own only"},
	} {
		status, _, errs := invoke(t, c.environ, append([]string{"dev"}, c.args...)...)
		if status != 1 || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("dev %v: status %d, want 1 and one line with %q:\n%s", c.args, status, c.want, errs)
		}
	}
	if text, err := os.ReadFile(filepath.Join(foreign, "thesis.txt")); string(text) != "kept" {
		t.Errorf("the foreign file reads %q, %v", text, err)
	}
}

// sendFirstSMS sends an SMS with nothing but what dev.json has, and waits until it
// is delivered.
func sendFirstSMS(t *testing.T, a access) {
	t.Helper()
	o := a.Organisation
	query := url.Values{
		"accesskey": {o.APIKey}, "dest": {"919812345678"}, "header": {o.SMSHeader}, "msg": {o.SMSText}, "dlt_entity_id": {o.DLTEntityID}, "dlt_template_id": {o.DLTTemplateID},
	}
	var sent sms.Response
	getJSON(t, a.URL+"/genericapi/QSGenericReceiver?"+query.Encode(), &sent)
	if sent.Status.Code != sms.CodeAccepted || len(sent.Messages) != 1 {
		t.Fatalf("the first SMS: %+v", sent)
	}
	ask := url.Values{"accesskey": {o.APIKey}, "msg_id": {sent.Messages[0].ID}}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		var r sms.ReportResponse
		getJSON(t, a.URL+"/genericapi/dlr?"+ask.Encode(), &r)
		if r.Report != nil && r.Report.Status == "DELIVRD" {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the first SMS is %+v", r.Report)
		}
	}
}

func getJSON(t *testing.T, address string, into any) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v", response.StatusCode, err)
	}
}

func TestDevJSONHasTheDocumentedFields(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(access{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"url":"","mock":"","admin":{"email":"","password":""},"organisation":{"email":"","password":"","api_key":"","business_id":"","business_account_id":"","phone_number_id":"","phone_number":"","catalog_id":"","webhook_secret":"","sms_header":"","dlt_entity_id":"","dlt_template_id":"","sms_text":"","sms_stored_text_id":"","rcs_bot_id":"","rcs_draft_bot_id":"","rcs_device":""}}`
	if string(text) != want {
		t.Errorf("dev.json has the fields\n%s\nwant\n%s", text, want)
	}
}

func status(t *testing.T, url string) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, answer.Body) //nolint:errcheck // only the status matters
	return answer.StatusCode
}
