package importing_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/importing"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db/models"
)

// A token brings documents into its product until it expires or is revoked, for an
// administrator who may still edit it.
func TestTokens(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	now := time.Now()
	o.Clock = func() time.Time { return now }
	i := o.bring(first, pets)
	o.publish(i.ID)
	product := o.get(i.ID).ProductID
	ada := o.admin("ada", identity.Editor)
	if _, err := o.tx.Exec(t.Context(), `insert into product_editors (admin_user_id, product_id) values ($1, $2)`, ada.ID, product); err != nil {
		t.Fatal(err)
	}
	token, err := o.Tokens.Create(t.Context(), ada, importing.TokenRequest{Name: "Pipeline", ProductID: product, Days: 30})
	if err != nil {
		t.Fatal(err)
	}
	if n := o.count(`select count(*) from import_tokens where position(convert_to($1, 'UTF8') in hash) > 0 or prefix = $1`, token); n != 0 || len(token) < 60 {
		t.Errorf("the token %q is short, or stored as it is", token)
	}
	p, err := o.Tokens.Authenticate(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	id, err := o.StartFor(t.Context(), p, "pets.yaml", "1.0", []byte(strings.Replace(first, "List pets", "List all pets", 1)))
	if err != nil {
		t.Fatal(err)
	}
	read := o.run(id)
	if read.State != models.ImportReady || read.Changed != 1 || read.Source != models.ImportAPI || read.CreatedBy != ada.ID || read.TokenID != p.Token.ID {
		t.Errorf("the import of the program is %+v", read)
	}
	if _, err := o.Accept(t.Context(), p.Actor, id, nil); err != nil {
		t.Errorf("accepting: %v", err)
	}
	if n := o.count(`select count(*) from audit_entries where action = 'import.start' and actor = $1 and (details->>'token')::bigint = $2`, ada.Name, p.Token.ID); n != 1 {
		t.Errorf("%d entries of the audit name the token, want 1", n)
	}
	if n := o.count(`select count(*) from audit_entries where details::text like '%' || $1 || '%'`, token); n != 0 {
		t.Error("the audit has the token itself")
	}

	other := o.bring(first, importing.Target{ProductName: "Others", ProductSlug: "others", VersionSlug: "1.0"})
	o.publish(other.ID)
	if _, err := o.Found(t.Context(), p, other.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("an import into another product: %v", err)
	}
	if _, err := o.tx.Exec(t.Context(), `delete from product_editors where admin_user_id = $1`, ada.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := o.StartFor(t.Context(), p, "", "1.0", []byte(first)); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a product that is no longer hers: %v", err)
	}
	now = now.AddDate(0, 0, 31)
	if _, err := o.Tokens.Authenticate(t.Context(), token); !fault.Is(err, fault.Unauthenticated) || !strings.Contains(err.Error(), "expired") {
		t.Errorf("an expired token: %v", err)
	}
}

// A token ends when it is revoked, and when its administrator leaves. Others cannot
// revoke it.
func TestTokensEnd(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	i := o.bring(first, pets)
	o.publish(i.ID)
	make := func(name string) (string, int64) {
		t.Helper()
		token, err := o.Tokens.Create(t.Context(), o.boss, importing.TokenRequest{Name: name, ProductID: o.get(i.ID).ProductID, Days: importing.TokenDays[0]})
		if err != nil {
			t.Fatal(err)
		}
		p, err := o.Tokens.Authenticate(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		return token, p.Token.ID
	}
	token, id := make("First")
	if err := o.Tokens.Revoke(t.Context(), o.admin("ada", identity.Editor), id); !fault.Is(err, fault.NotFound) {
		t.Errorf("revoking another's token: %v", err)
	}
	for range 2 {
		if err := o.Tokens.Revoke(t.Context(), o.boss, id); err != nil {
			t.Error(err)
		}
	}
	if n := o.count(`select count(*) from audit_entries where action = 'import_token.revoke'`); n != 1 {
		t.Errorf("%d entries of the audit name the end, want 1", n)
	}
	second, _ := make("Second")
	if _, err := o.tx.Exec(t.Context(), `update admin_users set active = false where id = $1`, o.boss.ID); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"", "hg_import_", token, second, strings.ToUpper(second), "hg_live_" + second} {
		if _, err := o.Tokens.Authenticate(t.Context(), wrong); !fault.Is(err, fault.Unauthenticated) {
			t.Errorf("%.14q: %v", wrong, err)
		}
	}
}

// A request for a token names what is wrong with it.
func TestTokensThatAreRefused(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	i := o.bring(first, pets)
	o.publish(i.ID)
	product := o.get(i.ID).ProductID
	for field, r := range map[string]importing.TokenRequest{
		"program": {Name: " ", ProductID: product, Days: 30},
		"into":    {Name: "Pipeline", Days: 30},
		"days":    {Name: "Pipeline", ProductID: product, Days: 3650},
	} {
		_, err := o.Tokens.Create(t.Context(), o.boss, r)
		f := fault.As(err)
		if f == nil || !slices.ContainsFunc(f.Fields, func(f fault.Field) bool { return f.Name == field }) {
			t.Errorf("%s: %v", field, err)
		}
	}
}
