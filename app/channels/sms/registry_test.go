package sms_test

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// Flags that a form does not offer are refused, each by its name.
func TestFlagsAreChecked(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	registry := sms.NewRegistry(tx, nil)
	by := sms.By{OrganisationID: identitytest.AddOrganisation(t, tx, models.Organisation{Name: "Lighthouse"}, "asha@example.com"), Actor: "admin:1"}
	for _, tt := range []struct {
		state, class, address, want string
	}{
		{sms.StateActive, sms.ClassStandard, "203.0.113.7", ""},
		{sms.StateInactive, sms.ClassOTP, "198.51.100.0/24", ""},
		{sms.StateSuspended, sms.ClassStandard, "", ""},
		{sms.StateDeactivated, sms.ClassStandard, "", ""},
		{"asleep", sms.ClassStandard, "", "state"},
		{"", "", "lighthouse", "state class addresses"},
	} {
		flags := models.SMSAccount{State: tt.state, Class: tt.class}
		if tt.address != "" {
			flags.AllowedAddresses = []string{tt.address}
		}
		err := registry.SetFlags(t.Context(), by, flags)
		var names []string
		if f := fault.As(err); f != nil {
			for _, field := range f.Fields {
				names = append(names, field.Name)
			}
		}
		if got := strings.Join(names, " "); got != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("%+v: faults in %q, %v; want %q", tt, got, err, tt.want)
		}
		if account, err := registry.Account(t.Context(), by.OrganisationID); err == nil && tt.want == "" && account.State != tt.state {
			t.Errorf("%+v: the state is %s", tt, account.State)
		}
	}
}

// Storing numbers adds and removes what differs, in any order, and leaves the others.
func TestNumbersAreReplaced(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	registry := sms.NewRegistry(tx, nil)
	by := sms.By{OrganisationID: identitytest.AddOrganisation(t, tx, models.Organisation{Name: "Lighthouse"}, "asha@example.com"), Actor: "admin:1"}
	for _, tt := range []struct{ numbers, want string }{
		{"56767 56768", "56767 56768"},
		{"56767 56768 56769", "56767 56768 56769"},
		{"56769 +91-98123-45678", "56769 919812345678"},
		{"56769 56769 56770", "56769 56770"},
		{"", ""},
	} {
		if err := registry.SetNumbers(t.Context(), by, strings.Fields(tt.numbers)); err != nil {
			t.Fatalf("%q: %v", tt.numbers, err)
		}
		stored, err := registry.Numbers(t.Context(), by.OrganisationID)
		if got := strings.Join(stored, " "); got != tt.want || err != nil {
			t.Errorf("after %q the numbers are %q, %v; want %q", tt.numbers, got, err, tt.want)
		}
	}
	if err := registry.SetNumbers(t.Context(), by, []string{"56770", "lamp"}); fault.As(err) == nil || fault.As(err).Fields[0].Name != "numbers" {
		t.Errorf("letters as a number: %v", err)
	}
	other := by
	other.OrganisationID = identitytest.AddOrganisation(t, tx, models.Organisation{Name: "Harbour"}, "ravi@example.com")
	if err := registry.SetNumbers(t.Context(), by, []string{"56771"}); err != nil {
		t.Fatal(err)
	}
	if err := registry.SetNumbers(t.Context(), other, []string{"56771"}); err == nil || !strings.Contains(fmt.Sprint(fault.As(err).Fields), "another organisation") {
		t.Errorf("a number of another organisation: %v", err)
	}
}
