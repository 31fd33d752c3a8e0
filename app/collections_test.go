//go:build judge

package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"heliograph/app/web/webtest"
)

// missing are the requests of the collections that name something that a new
// organisation does not have, with their statuses. All others succeed.
var missing = map[string]map[string]int{
	"business-messaging/3.0": {
		// A file, a template, an order and a QR code of examples.
		"Upload media": 400, "Download media": 404, "Get media information": 404, "Delete media": 404, "Download media from its address": 404,
		"Upload the file of a session": 403, "Get a template": 404, "Edit a template": 404, "Get the payment of an order": 404, "Update or create a QR code": 404,
		"Get a QR code": 404, "Delete a QR code": 404, "Get the offset of a session": 404, "Get the outcome of a batch": 404,
		// The address of examples does not exist.
		"Set the webhook": 400,
	},
	"sms/1.0": {},
	"rcs/1.0": {
		// The pictures of examples are at no address.
		"Submit a bot for verification": 400,
		// The id of an organisation and a template of examples.
		"List launched bots": 403, "List the templates of an organisation": 403, "Get a bot by client id": 404, "Update a template": 404, "Get a template": 404,
		// The address of examples does not exist.
		"Set the relay webhook": 400, "Set the relay webhook on premise": 400,
	},
	"portal/1.0": {},
	"portal/1.1": {
		// The example of the path is an operation of another product than the example of
		// the product in all other requests.
		"Call the mock server": 404,
		// The key of an organisation is no token for imports.
		"Bring a document in": 401, "Get an import": 401, "Accept an import": 401,
	},
}

// noFile is the place of a body for a file that a person chooses.
var noFile = regexp.MustCompile(`"src":\s*null`)

// collectionRun is what newman reports.
type collectionRun struct {
	Run struct {
		Executions []struct {
			Item struct {
				Name     string
				Response []struct{ Code int }
			}
			Response struct{ Code int }
		}
	}
}

// Every request of every Postman collection gets a status that is documented for it,
// with the key and the ids of a new organisation. newman sends them.
func TestCollectionsRun(t *testing.T) {
	t.Parallel()
	webtest.Judge(t, "newman.mjs")
	a, stop := startDev(t, filepath.Join(t.TempDir(), ".data"))
	defer stop(syscall.SIGINT)
	var runs []newmanRun
	versions := slices.Sorted(maps.Keys(missing))
	for _, version := range versions {
		// The mock server has everything that examples name.
		slug, _, _ := strings.Cut(version, "/")
		mock := newmanValue{strings.ReplaceAll(slug, "-", "_") + "_base_url", a.Mock + "/" + version}
		runs = append(runs, prepareCollection(t, a, version), prepareCollection(t, a, version, mock))
	}
	reports := runCollections(t, runs)
	for i, version := range versions {
		if got := failures(t, version, reports[2*i]); !maps.Equal(got, missing[version]) {
			t.Errorf("%s: these requests fail:\n%v\nwant\n%v", version, got, missing[version])
		}
		if got := failures(t, version+" at the mock server", reports[2*i+1]); len(got) > 0 {
			t.Errorf("%s: the mock server refuses %v", version, got)
		}
	}
}

// failures returns the requests that failed, with their statuses. Each status must be
// documented.
func failures(t *testing.T, what string, report collectionRun) map[string]int {
	t.Helper()
	got := map[string]int{}
	for _, e := range report.Run.Executions {
		documented := e.Item.Name == "Download a client library" // a file has no example to save
		for _, r := range e.Item.Response {
			documented = documented || r.Code == e.Response.Code
		}
		if !documented {
			t.Errorf("%s: %s answers %d, which is not documented", what, e.Item.Name, e.Response.Code)
		}
		if e.Response.Code >= http.StatusBadRequest {
			got[e.Item.Name] = e.Response.Code
		}
	}
	return got
}

// newmanRun is a run of a collection as newman takes it.
type newmanRun struct {
	Collection  string            `json:"collection"`
	Environment string            `json:"environment"`
	EnvVar      []newmanValue     `json:"envVar"`
	Reporters   []string          `json:"reporters"`
	Reporter    map[string]export `json:"reporter"`
}

// newmanValue is the value of a variable.
type newmanValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// export says where a report is written.
type export struct {
	Export string `json:"export"`
}

// prepareCollection downloads a collection and its environment, and fills in what a reader
// has, with a file for the requests that send one.
func prepareCollection(t *testing.T, a access, version string, more ...newmanValue) newmanRun {
	t.Helper()
	o, folder := a.Organisation, t.TempDir()
	ids := strings.NewReplacer("1093847561029384", o.PhoneNumberID, "1047382956610283", o.BusinessAccountID, "2084617390552146", o.BusinessID,
		"1374859601238475", o.CatalogueID, "b7Qm2xT9LrVd4KsWcN0aZe", o.RCSBotID, "k3Wd8yP1HsTn6RvXcJ5bLf", o.RCSDraftBotID, "PARCEL", o.SMSHeader)
	chosen := filepath.Join(folder, "chosen.png")
	if err := os.WriteFile(chosen, []byte("\x89PNG\r\n\x1a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(chosen)
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(name string) string {
		file := filepath.Join(folder, name+".json")
		var text json.RawMessage
		getJSON(t, a.URL+"/postman/"+version+"/"+name+".json", &text)
		if err := os.WriteFile(file, []byte(ids.Replace(noFile.ReplaceAllString(string(text), `"src": `+string(quoted)))), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	run := newmanRun{Collection: fetch("collection"), Environment: fetch("environment"), EnvVar: more, Reporters: []string{"json"},
		Reporter: map[string]export{"json": {filepath.Join(folder, "report.json")}}}
	for _, secret := range []string{"apikey", "accesskey", "bearer_token", "importToken_token", "organisationKey_token"} {
		run.EnvVar = append(run.EnvVar, newmanValue{secret, o.APIKey})
	}
	return run
}

// runCollections sends the requests of collections one after the other, and returns the
// reports in their order.
func runCollections(t *testing.T, runs []newmanRun) (reports []collectionRun) {
	t.Helper()
	list, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "runs.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := webtest.Judge(t, "newman.mjs", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, run := range runs {
		text, err := os.ReadFile(run.Reporter["json"].Export)
		if err != nil {
			t.Fatal(err)
		}
		var report collectionRun
		if err := json.Unmarshal(text, &report); err != nil || len(report.Run.Executions) == 0 {
			t.Fatalf("%s: no report: %v", run.Collection, err)
		}
		reports = append(reports, report)
	}
	return reports
}
