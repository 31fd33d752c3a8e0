package web

import (
	"strings"
	"testing"
)

// No log shows the secret of an address, however it is written and whether a route
// matches it.
func TestSecretsOfPathsAreHidden(t *testing.T) {
	t.Parallel()
	secrets := newSecretPaths([]Route{{Path: "/docs"}, {Secret: SecretPath{Prefix: "/preview"}}, {Secret: SecretPath{Prefix: "/carriers", Shown: 3}}})
	token := "q7Zk" + strings.Repeat("aB3-", 10)
	for path, want := range map[string]string{
		"/preview/" + token:                             "/preview/…",
		"/preview/" + token + "/docs/sms":               "/preview/…",
		"//x/preview//" + token:                         "//x/preview//…",
		"/Preview/" + token:                             "/Preview/…",
		"/preview%2F" + token:                           "/preview/…",
		"/%2525252570review/" + token:                   "/preview/…",
		"/v3/hg_live_" + token:                          "/v3/hg_live_…",
		"/preview" + token:                              "/preview…",
		"/carriers/op/sms/inbound/" + token:             "/carriers/op/sms/inbound/…",
		"/carriers//op/sms/inbound/" + token:            "/carriers//op/sms/inbound/…",
		"/x/carriers/op/sms/inbound/" + token + "/more": "/x/carriers/op/sms/inbound/…",
		"/carriers/sms/inbound/" + token:                "/carriers/sms/inbound/…",
		"/carriers/op/rcs/events":                       "/carriers/op/rcs/events",
		"/carriers/op":                                  "/carriers/op",
		"/prview/" + token:                              "/prview/…",
		"/docs/sms/1.0/submit-sms":                      "/docs/sms/1.0/submit-sms",
		"/":                                             "/",
	} {
		if got := secrets.hide(path, false); got != want || strings.Contains(got, token) {
			t.Errorf("%s is logged as %s, want %s", path, got, want)
		}
	}
	if path := "/v3/" + token; secrets.hide(path, true) != path {
		t.Errorf("a path of a route without secrets is logged as %s", secrets.hide(path, true))
	}
	for _, path := range []string{"/v3/hg_live_" + token, "/mock/sms/1.0/%68g_test_" + token, "/api/imports/hg_import_" + token} {
		if got := secrets.hide(path, true); strings.Contains(got, token) {
			t.Errorf("the key in %s is logged as %s", path, got)
		}
	}
}
