package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/codetest"
)

func TestMain(m *testing.M) { codetest.Run(m) }

// spell writes a request for the table of codes, without its key.
func spell(r *http.Request, body, key string) string {
	return strings.ReplaceAll(r.Method+" "+r.URL.RequestURI()+" "+body, key, "{key}")
}

// noteCodes notes the codes of errors in an answer: its own and its items'.
func noteCodes(t testing.TB, interfaceName, request string, body []byte) {
	if t.Name() == "TestRCSWalk" || t.Name() == "TestPartnersNeverMeet" {
		return // what they send is drawn by chance
	}
	var a struct {
		Code  json.Number
		Error struct{ Code json.Number }
		Data  json.RawMessage
	}
	if json.Unmarshal(body, &a) != nil {
		return
	}
	var items []struct{ Error struct{ Code json.Number } }
	switch {
	case a.Code == "405": // no operation answers it
	case interfaceName == "messaging":
		if a.Error.Code != "" {
			codetest.Note(t, interfaceName, a.Error.Code.String(), request)
		}
	case a.Code != "" && (interfaceName != "rcs" || a.Code >= "400"):
		codetest.Note(t, interfaceName, a.Code.String(), request)
	}
	if interfaceName == "rcs" && json.Unmarshal(a.Data, &items) == nil {
		for _, item := range items {
			if item.Error.Code > "401" {
				codetest.Note(t, "rcs error", item.Error.Code.String(), request)
			}
		}
	}
}
