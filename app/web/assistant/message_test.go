package assistant

import (
	"fmt"
	"testing"
)

// A message counts unless every reader takes it for one that is free: names twice, in
// another case, escaped or at another level do not hide a call.
func TestDisguisedCallsCount(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"method":"ping"}`: "[true]", `{"method":"tools/call"}`: "[false]", `{"jsonrpc":"2.0","id":1,"method":"initialize"}`: "[true]",
		`{"method":"tools/call","METHOD":"ping"}`:            "[false]",
		`{"METHOD":"ping","method":"tools/call"}`:            "[false]",
		`{"method":"ping","method":"tools/call"}`:            "[false]",
		`{"method":"tools/call","method":"ping"}`:            "[false]",
		`{"m\u0065thod":"tools/call","Method":"ping"}`:       "[false]",
		`{"method":"tools\/call"}`:                           "[false]",
		`{"method":"TOOLS/CALL"}`:                            "[false]",
		`{"method":["tools/call"]}`:                          "[false]",
		`{"method":"ping","params":{"method":"tools/call"}}`: "[true]",
		`{"params":{"method":"ping"}}`:                       "[false]",
		`{}`:                                                 "[false]",
		`[]`:                                                 "[false]",
		`[{"method":"ping"},{"method":"tools/call"}]`:        "[true false]",
		`[[{"method":"ping"}]]`:                              "[false]",
		`{"method":"ping"`:                                   "[false]",
		`nonsense`:                                           "[false]",
		``:                                                   "[false]",
		` [ {"method":"ping","METHOD":"tools/call"} ] `:      "[false]",
	} {
		var got []bool
		for _, m := range readMessages([]byte(body)) {
			got = append(got, m.isFree())
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s is free %v, want %s", body, got, want)
		}
	}
}
