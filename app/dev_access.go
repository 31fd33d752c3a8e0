package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/mock"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
)

// access is how to get into what dev runs: dev.json.
type access struct {
	URL   string `json:"url"`
	Mock  string `json:"mock"` // start of the addresses of mocks: product and version follow
	Admin struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	} `json:"admin"`
	Organisation organisation `json:"organisation"`
}

// devMobile is where the codes of dev's organisation go, by way of the virtual
// inbox: nobody's phone rings.
const devMobile = "+919812300000"

// ensureAccess returns the administrator and the sandbox organisation of this
// folder, made at the first start, and writes dev.json.
func (f dataFolder) ensureAccess(ctx context.Context, p *platform) (access, error) {
	a, err := f.readAccess()
	if err != nil {
		return a, err
	}
	if a.Organisation.APIKey == "" {
		a, err = createAccess(ctx, p, "")
		if fault.Is(err, fault.Conflict) {
			// dev.json was lost, or the database is shared: these are more.
			a, err = createAccess(ctx, p, "-"+rand.Text()[:6])
		}
		if err != nil {
			return a, err
		}
	}
	if err := a.provisionMissing(ctx, p); err != nil {
		return a, err
	}
	a.URL, a.Mock = p.config.PublicURL, p.config.PublicURL+mock.Prefix
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return a, fmt.Errorf("writing dev.json: %w", err)
	}
	return a, f.write("dev.json", append(text, '\n'))
}

// provisionMissing adds what the organisation tries channels with that an older
// folder does not have.
func (a *access) provisionMissing(ctx context.Context, p *platform) error {
	if a.Organisation.SMSHeader != "" && a.Organisation.RCSBotID != "" {
		return nil
	}
	caller, err := identity.NewKeys(p.pool, db.NewListener(nil)).Authenticate(ctx, a.Organisation.APIKey)
	if err != nil {
		return nil // the key was revoked: the organisation is its owner's
	}
	return db.InTx(ctx, p.pool, func(tx pgx.Tx) error {
		if a.Organisation.SMSHeader == "" {
			if err := a.Organisation.provisionSMS(ctx, tx, p.keyring, caller.OrganisationID); err != nil {
				return err
			}
		}
		if a.Organisation.RCSBotID != "" {
			return nil
		}
		return a.Organisation.provisionRCS(ctx, tx, caller.OrganisationID)
	})
}

func (f dataFolder) readAccess() (a access, err error) {
	path := filepath.Join(f.path, "dev.json")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return a, nil
	}
	if errors.Is(err, os.ErrPermission) {
		return a, fmt.Errorf("%s is not yours to read: run this as its owner: %w", path, err)
	}
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return a, fmt.Errorf("%s cannot be read: delete it to get new credentials: %w", path, err)
	}
	return a, nil
}

// createAccess makes both accounts or neither. suffix sets their addresses
// apart from others.
func createAccess(ctx context.Context, p *platform, suffix string) (a access, err error) {
	a.Admin.Email = "admin" + suffix + "@example.com"
	a.Admin.Password = rand.Text()
	err = db.InTx(ctx, p.pool, func(tx pgx.Tx) error {
		admin := identity.NewAdmin{Name: "Admin", Email: a.Admin.Email, Password: a.Admin.Password, Role: identity.SuperAdmin}
		if _, err := identity.New(tx, identity.Notifier{}).CreateAdmin(ctx, admin, operator); err != nil {
			return err
		}
		a.Organisation, err = createOrganisation(ctx, tx, p.keyring, identity.NewOrganisation{
			Name: "Sandbox", Sandbox: true,
			Owner: identity.NewOwner{Name: "Owner", Email: "owner" + suffix + "@example.com", Mobile: devMobile, Password: rand.Text()},
		})
		return err
	})
	return a, err
}

// print shows how to get in; database is the address of a private cluster, or
// empty.
func (a access) print(w io.Writer, path, database string) {
	fmt.Fprintf(w, `
Heliograph runs at %s

  Administrator   %s/admin
                  %s, password %s
  Inbox           %s/admin/inbox, with the codes and emails of this machine
`, a.URL, a.URL, a.Admin.Email, a.Admin.Password, a.URL)
	if database != "" {
		fmt.Fprintf(w, "  Database        %s\n", database)
	}
	fmt.Fprintf(w, "\nSandbox organisation, %s/account\n\n", a.URL)
	a.Organisation.print(w)
	fmt.Fprintf(w, "\nAll of this is in %s, too. Ctrl-C stops everything.\n\n", filepath.Join(path, "dev.json"))
}
