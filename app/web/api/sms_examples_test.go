package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/channels/sms"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db/seed"
)

// What the documentation shows works as it stands, for a partner who has the
// headers and texts that it names. Only the key and the time of scheduled messages
// are filled in.
func TestDocumentedSMSExamplesAreAccepted(t *testing.T) {
	t.Parallel()
	c := newOTPClient(t)
	read, err := openapi.Read(readSeed(t, "sms.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := model.Compile(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"submitSms": `"status":{"code":"200"`, "lookupHlrBatch": `"code":200`, "verifyOtpByBody": `"code":404`} // the challenge is nobody's
	sent := map[string]int{}
	scheduled := regexp.MustCompile(`("schedule_time": *)"[^"]*"`)
	for _, category := range compiled.Categories {
		for _, e := range category.Endpoints {
			if want[e.ID] == "" {
				continue
			}
			for _, example := range e.Bodies[0].Examples {
				if err := c.contract.RequestBody(e.ID, "application/json", []byte(example.Value)); err != nil {
					t.Errorf("%s is outside its contract: %v", example.Name, err)
				}
				body := strings.ReplaceAll(example.Value, "<API_KEY>", c.key)
				body = scheduled.ReplaceAllString(body, `$1"`+sms.LocalTime(time.Now().Add(24*time.Hour))+`"`)
				r := httptest.NewRequestWithContext(t.Context(), e.Method, e.Path, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				if e.ID != "submitSms" {
					r.Header.Set("apikey", c.key)
				}
				if a := c.do(t, r, body); a.status != 200 || !strings.Contains(string(a.body), want[e.ID]) {
					t.Errorf("%s %s: %d %s", e.ID, example.Name, a.status, a.body)
				}
				sent[e.ID]++
			}
		}
	}
	if diff := cmp.Diff(map[string]int{"submitSms": 5, "lookupHlrBatch": 2, "verifyOtpByBody": 2}, sent); diff != "" {
		t.Errorf("examples that were sent:\n%s", diff)
	}
}

// The examples of the query parameters, all at once.
func TestDocumentedSMSParametersAreAccepted(t *testing.T) {
	t.Parallel()
	c := newOTPClient(t)
	query := url.Values{
		"accesskey": {c.key}, "dest": {"919812345678,919812345679"}, "msg": {"Your parcel is out for delivery. It arrives before 6 pm."}, "header": {"PARCEL"}, "type": {"AD"},
		"version": {"1.0"}, "encrypt": {"0"}, "app_country": {"1"}, "country_cd": {"91"}, "dlt_entity_id": {"1101234567890123456"},
		"dlt_template_id": {"1107123456789012345"}, "dlt_tma_id": {"1302123456789012345"}, "schedule_time": {sms.LocalTime(time.Now().Add(time.Hour))},
		"expiry": {"3600"}, "dlr_req": {"1"}, "dlr_url": {"https://partner.example.com/sms/reports"}, "cust_ref": {"parcel-7-out"}, "msgtag": {"delivery"},
		"batchno": {"20260131-1"}, "urltrack": {"0"}, "max_split": {"3"},
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/genericapi/QSGenericReceiver?"+query.Encode(), nil)
	if a := c.do(t, r, ""); a.status != 200 || !strings.Contains(string(a.body), `"status":{"code":"200"`) {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// The contract's table of codes is the service's.
func TestContractListsTheCodesOfSMS(t *testing.T) {
	t.Parallel()
	document := string(readSeed(t, "sms.yaml"))
	var listed []string
	for _, match := range regexp.MustCompile("(?m)^    \\| `([23][0-9]{2})` \\| ([^|]+) \\|").FindAllStringSubmatch(document, -1) {
		listed = append(listed, match[1])
	}
	var served []string
	for code := sms.Code(200); code < 400; code++ {
		if code.Meaning() != "" {
			served = append(served, code.String())
		}
	}
	if diff := cmp.Diff(served, listed); diff != "" {
		t.Errorf("codes of the service (-) against the contract (+):\n%s", diff)
	}
	for _, match := range regexp.MustCompile("`(6[0-9]{2})`").FindAllStringSubmatch(document, -1) {
		var n int
		fmt.Sscan(match[1], &n) //nolint:errcheck // three digits
		if sms.ReasonMeaning(n) == "" {
			t.Errorf("the reason %d is documented, and the service has no words for it", n)
		}
	}
}

func readSeed(t *testing.T, name string) []byte {
	t.Helper()
	document, err := seed.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return document
}
