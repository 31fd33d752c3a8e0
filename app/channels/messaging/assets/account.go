package assets

import (
	"context"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Account returns a business account of the organisation.
func (s *Numbers) Account(ctx context.Context, organisationID int64, id string) (models.BusinessAccount, error) {
	n, err := registry.Owned(ctx, s.pool, organisationID, id, "business_account")
	if err != nil {
		return models.BusinessAccount{}, err
	}
	account, err := queries.BusinessAccountGet(ctx, s.pool, n)
	if err != nil {
		return account, fmt.Errorf("reading account %d: %w", n, err)
	}
	return account, nil
}

// Accounts lists the accounts of a business of the organisation: those that it
// owns, or those that others shared with it. It returns one more than the page
// size if there are more.
func (s *Numbers) Accounts(ctx context.Context, organisationID int64, businessID string, owned bool, p models.Page) ([]models.BusinessAccount, error) {
	n, err := registry.Owned(ctx, s.pool, organisationID, businessID, "business")
	if err != nil {
		return nil, err
	}
	list := queries.BusinessAccountListClient
	if owned {
		list = queries.BusinessAccountListOwned
	}
	accounts, err := list(ctx, s.pool, n, p)
	if err != nil {
		return nil, fmt.Errorf("listing the accounts of business %d: %w", n, err)
	}
	return accounts, nil
}

// CatalogueID returns the catalogue of the organisation.
func (s *Numbers) CatalogueID(ctx context.Context, organisationID int64) (int64, error) {
	id, err := queries.CatalogueIDGet(ctx, s.pool, organisationID)
	if db.IsNoRows(err) {
		return 0, &fault.Error{Kind: fault.NotFound, Code: strconv.Itoa(refusal.Object), Message: "Catalogue does not exist",
			Fields: []fault.Field{{Message: "connect a catalogue to your business account first"}}}
	}
	if err != nil {
		return 0, fmt.Errorf("looking the catalogue up: %w", err)
	}
	return id, nil
}

// Profile returns the public profile of a number.
func (s *Profiles) Profile(ctx context.Context, number models.PhoneNumber) (models.BusinessProfile, error) {
	p, err := queries.BusinessProfileGet(ctx, s.o.Pool, number.ID)
	if err != nil {
		return p, fmt.Errorf("reading the profile of %d: %w", number.ID, err)
	}
	return p, nil
}

// ProfileChange holds the fields of a profile to replace. A nil field is kept.
type ProfileChange struct {
	Product     *input.Text   `json:"messaging_product"` // a name of the channel
	About       *input.Text   `json:"about"`
	Address     *input.Text   `json:"address"`
	Description *input.Text   `json:"description"`
	Email       *input.Text   `json:"email"`
	Vertical    *input.Text   `json:"vertical"`
	Websites    *[]input.Text `json:"websites"`
	// Picture is the handle of an uploaded image.
	Picture *input.Text `json:"profile_picture_handle"`
}

var verticals = strings.Fields(`OTHER AUTO BEAUTY APPAREL EDU ENTERTAIN EVENT_PLAN FINANCE GROCERY GOVT HOTEL HEALTH
	NONPROFIT PROF_SERVICES RETAIL TRAVEL RESTAURANT ALCOHOL ONLINE_GAMBLING PHYSICAL_GAMBLING OTC_DRUGS`)

// SetProfile changes the profile of a number.
func (s *Profiles) SetProfile(ctx context.Context, number models.PhoneNumber, change ProfileChange, actor string) error {
	if change.Product != nil {
		if err := s.CheckProduct(change.Product); err != nil {
			return err
		}
	}
	picture, err := s.copyPicture(ctx, number, change.Picture)
	if err != nil {
		return err
	}
	err = db.InTx(ctx, s.o.Pool, func(tx pgx.Tx) error {
		p, err := queries.BusinessProfileGet(ctx, tx, number.ID)
		if err != nil {
			return fmt.Errorf("reading the profile of %d: %w", number.ID, err)
		}
		if err := change.apply(&p); err != nil {
			return err
		}
		if err := writes.BusinessProfileUpsert(ctx, tx, number.ID, p); err != nil {
			return fmt.Errorf("changing the profile of %d: %w", number.ID, err)
		}
		if picture != nil {
			if err := s.replacePicture(ctx, tx, number.OrganisationID, *picture); err != nil {
				return err
			}
		}
		if err := registry.Change(ctx, tx, s.o.Jobs, registry.Profile, number.ID, ""); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "profile.set", Target: "phone_number:" + strconv.FormatInt(number.ID, 10)})
	})
	if err != nil && picture != nil {
		s.o.Files.DiscardObject(ctx, picture.Object)
	}
	return err
}

func (c ProfileChange) apply(p *models.BusinessProfile) error {
	for _, member := range []struct {
		name  string
		value *input.Text
		to    *string
		max   int
	}{
		{"about", c.About, &p.About, 139}, {"address", c.Address, &p.Address, 256},
		{"description", c.Description, &p.Description, 256}, {"email", c.Email, &p.Email, 128},
		{"vertical", c.Vertical, &p.Vertical, 32},
	} {
		if member.value == nil {
			continue
		}
		if n := utf8.RuneCountInString(string(*member.value)); n > member.max {
			return refusal.New(refusal.Invalid, member.name, "%s has %d characters: use at most %d", member.name, n, member.max)
		}
		*member.to = string(*member.value)
	}
	if c.About != nil && *c.About == "" {
		return refusal.New(refusal.Invalid, "about", "about cannot be empty: write a line about the business")
	}
	if _, err := mail.ParseAddress(p.Email); p.Email != "" && err != nil {
		return refusal.New(refusal.Invalid, "email", "email must be an email address such as hello@example.com")
	}
	p.Vertical = strings.ToUpper(p.Vertical)
	if p.Vertical != "" && !slices.Contains(verticals, p.Vertical) {
		return refusal.New(refusal.Invalid, "vertical", "vertical must be one of %s", strings.Join(verticals, ", "))
	}
	if c.Websites == nil {
		return nil
	}
	if len(*c.Websites) > 2 {
		return refusal.New(refusal.Invalid, "websites", "websites can have at most 2 addresses")
	}
	p.Websites = nil
	for _, site := range *c.Websites {
		u, err := url.Parse(string(site))
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || len(site) > 256 {
			return refusal.New(refusal.Invalid, "websites", "write each website as an http or https address of at most 256 characters")
		}
		p.Websites = append(p.Websites, string(site))
	}
	return nil
}
