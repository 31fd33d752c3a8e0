package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// A megabyte of empty contacts is refused before it becomes a hundred megabytes
// of memory, and so is what is nested without end.
func TestBodiesThatGrowInMemoryAreRefused(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	const open = `{"messaging_product":"msgapp","to":"+919812345678",`
	for name, body := range map[string]string{
		"more than 10000 values": open + `"type":"contacts","contacts":[` + strings.Repeat("{},", 340_000) + `{}]}`,
		"nested deeper than 64":  open + `"text":` + strings.Repeat(`{"a":`, 100_000) + `1` + strings.Repeat("}", 100_000) + `}`,
	} {
		a := first.call(t, http.MethodPost, first.number("/messages"), body)
		if a.status != 400 || !strings.Contains(string(a.body), name) {
			t.Errorf("%d %.300s, want %q", a.status, a.body, name)
		}
	}
}
