package assets_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// organisations adds two organisations, a live one and a sandbox, and returns who
// acts for each.
func organisations(t *testing.T) (assets *assets.Service, live, sandbox assets.By) {
	t.Helper()
	return organisationsIn(t, dbtest.Tx(t))
}

// organisationsIn is organisations in a transaction that the test has.
func organisationsIn(t *testing.T, tx pgx.Tx) (service *assets.Service, live, sandbox assets.By) {
	t.Helper()
	k, err := keyring.New([]string{"k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="})
	if err != nil {
		t.Fatal(err)
	}
	for i, by := range []*assets.By{&live, &sandbox} {
		id := identitytest.AddOrganisation(t, tx, models.Organisation{Name: fmt.Sprint("Lamps ", i), Sandbox: by == &sandbox}, fmt.Sprintf("owner%d@example.com", i))
		*by = assets.By{OrganisationID: id, Actor: "admin:1"}
	}
	return assets.New(tx, k), live, sandbox
}

func TestAddAssets(t *testing.T) {
	t.Parallel()
	service, live, sandbox := organisations(t)
	number := assets.NewNumber{Number: "+91 98123 45678", VerifiedName: " Lamps "}
	if _, err := service.AddNumber(t.Context(), live, number); !faultOf(err, "account") {
		t.Errorf("a number without an account: %v", err)
	}
	account, err := service.AddAccount(t.Context(), live, "Repairs")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.AddNumber(t.Context(), live, number); err != nil {
		t.Fatal(err)
	}
	if _, err := service.AddCatalogue(t.Context(), live, "Lamps"); err != nil {
		t.Fatal(err)
	}
	list, err := service.List(t.Context(), live.OrganisationID)
	if err != nil || len(list.Businesses) != 1 || len(list.Accounts) != 1 || len(list.Numbers) != 1 || len(list.Catalogues) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if n := list.Numbers[0]; n.Number != "+919812345678" || n.VerifiedName != "Lamps" || n.BusinessAccountID != account {
		t.Errorf("the number is %+v", n)
	}
	for field, wrong := range map[string]assets.NewNumber{
		"number":  {Number: "+919812345678", VerifiedName: "Lamps"},
		"name":    {Number: "+919812345679", VerifiedName: "  "},
		"account": {Number: "+919812345679", VerifiedName: "Lamps", AccountID: 1},
	} {
		if _, err := service.AddNumber(t.Context(), live, wrong); !faultOf(err, field) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if _, err := service.AddAccount(t.Context(), sandbox, "Trial"); err != nil {
		t.Fatal(err)
	}
	if _, err := service.AddNumber(t.Context(), sandbox, number); !faultOf(err, "number") {
		t.Errorf("a real number for a sandbox: %v", err)
	}
	if _, err := service.AddNumber(t.Context(), sandbox, assets.NewNumber{VerifiedName: "Trial", AccountID: account}); !faultOf(err, "account") {
		t.Errorf("an account of another organisation: %v", err)
	}
	if _, err := service.AddNumber(t.Context(), sandbox, assets.NewNumber{VerifiedName: "Trial"}); err != nil {
		t.Error(err)
	}
	for i := 1; i < 20; i++ {
		if _, err := service.AddAccount(t.Context(), live, "More"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := service.AddAccount(t.Context(), live, "One too many"); !fault.Is(err, fault.Conflict) {
		t.Errorf("one account more than the limit: %v", err)
	}
	if _, err := service.AddAccount(t.Context(), assets.By{OrganisationID: 1 << 40}, "Nobody's"); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown organisation: %v", err)
	}
}

// An account is shared with the business of another organisation until either side
// ends it.
func TestShareAccount(t *testing.T) {
	t.Parallel()
	service, giver, taker := organisations(t)
	account, err := service.AddAccount(t.Context(), giver, "Repairs")
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := service.AddAccount(t.Context(), taker, "Trial")
	if err != nil {
		t.Fatal(err)
	}
	list := func(by assets.By) models.Assets {
		t.Helper()
		l, err := service.List(t.Context(), by.OrganisationID)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	own, other := list(giver).Businesses[0].ID, list(taker).Businesses[0].ID
	for _, wrong := range []struct {
		account  int64
		business string
		field    string
	}{
		{account, "lamps", "business"}, {account, "1", "business"}, {account, fmt.Sprint(own), "business"},
		{account, fmt.Sprint(foreign), "business"}, {foreign, fmt.Sprint(other), "account"},
	} {
		if err := service.Share(t.Context(), giver, wrong.account, wrong.business); !faultOf(err, wrong.field) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	for _, ends := range []assets.By{giver, taker} {
		for range 2 {
			if err := service.Share(t.Context(), giver, account, fmt.Sprint(other)); err != nil {
				t.Fatal(err)
			}
		}
		shared, received := list(giver).Shared, list(taker).Received
		if len(shared) != 1 || len(received) != 1 || shared[0].Organisation != "Lamps 1" || received[0].Organisation != "Lamps 0" || received[0].Account != "Repairs" {
			t.Fatalf("shared %+v, received %+v", shared, received)
		}
		if err := service.Unshare(t.Context(), assets.By{OrganisationID: 1 << 40, Actor: "x"}, shared[0]); !fault.Is(err, fault.NotFound) {
			t.Errorf("a third organisation ends it: %v", err)
		}
		if err := service.Unshare(t.Context(), ends, shared[0]); err != nil {
			t.Fatal(err)
		}
		if l := list(taker); len(l.Received) != 0 {
			t.Errorf("still shared: %+v", l.Received)
		}
	}
}

// faultOf reports whether an error is about one field.
func faultOf(err error, field string) bool {
	f := fault.As(err)
	return f != nil && len(f.Fields) == 1 && f.Fields[0].Name == field
}
