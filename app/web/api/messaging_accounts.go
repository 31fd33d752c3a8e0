package api

import (
	"context"
	"strconv"

	"heliograph/app/channels/messaging/assets"
	"heliograph/db/models"
)

type userDetails struct {
	Code   int                 `json:"code"`
	Status string              `json:"status"`
	Data   []map[string]string `json:"data"`
}

// messagingAccounts answers the operations on accounts and what belongs to them.
type messagingAccounts struct{ numbers *assets.Numbers }

// getUserDetails serves GET /getuserdetails: the numbers of the caller's
// organisation.
func (m messagingAccounts) getUserDetails(ctx context.Context, c *call, _ none) (userDetails, error) {
	numbers, err := m.numbers.Numbers(ctx, c.caller.OrganisationID)
	details := userDetails{Code: 200, Status: "SUCCESS", Data: make([]map[string]string, len(numbers))}
	for i, n := range numbers {
		details.Data[i] = map[string]string{
			"wanumber":                      n.Number,
			"phone_number_id":               strconv.FormatInt(n.ID, 10),
			c.word + "_business_account_id": strconv.FormatInt(n.BusinessAccountID, 10),
		}
	}
	return details, err
}

type businessAccount struct {
	ID                       string `json:"id"`
	Name                     string `json:"name"`
	Currency                 string `json:"currency"`
	TimezoneID               string `json:"timezone_id"`
	MessageTemplateNamespace string `json:"message_template_namespace"`
}

func newBusinessAccount(a models.BusinessAccount) businessAccount {
	return businessAccount{strconv.FormatInt(a.ID, 10), a.Name, a.Currency, a.TimezoneID, a.MessageTemplateNamespace}
}

// getBusinessAccount serves GET /{wabaid}.
func (m messagingAccounts) getBusinessAccount(ctx context.Context, c *call, account models.BusinessAccount, in listInput) (any, error) {
	return trim(newBusinessAccount(account), in.Fields, "id")
}

// listOwnedBusinessAccounts serves GET
// /{business-id}/owned_msgapp_business_accounts.
func (m messagingAccounts) listOwnedBusinessAccounts(ctx context.Context, c *call, in listInput) (paged, error) {
	return m.listAccounts(ctx, c, in, true)
}

// listClientBusinessAccounts serves GET
// /{business-id}/client_msgapp_business_accounts.
func (m messagingAccounts) listClientBusinessAccounts(ctx context.Context, c *call, in listInput) (paged, error) {
	return m.listAccounts(ctx, c, in, false)
}

func (m messagingAccounts) listAccounts(ctx context.Context, c *call, in listInput, owned bool) (paged, error) {
	ids, err := in.ids(c)
	if err != nil {
		return paged{}, err
	}
	accounts, err := m.numbers.Accounts(ctx, c.caller.OrganisationID, c.params["business-id"], owned, ids)
	if err != nil {
		return paged{}, err
	}
	return list(c, in, accounts, func(a models.BusinessAccount) (string, any) {
		return strconv.FormatInt(a.ID, 10), newBusinessAccount(a)
	})
}

type catalogueID struct {
	Code    int               `json:"code"`
	Status  string            `json:"status"`
	Message string            `json:"message"`
	Data    map[string]string `json:"data"`
}

// getCatalogueID serves GET /fetchcatalogId. The field is spelled catlogid.
func (m messagingAccounts) getCatalogueID(ctx context.Context, c *call, _ none) (catalogueID, error) {
	id, err := m.numbers.CatalogueID(ctx, c.caller.OrganisationID)
	return catalogueID{200, "success", "Catalogue id fetched successfully", map[string]string{"catlogid": strconv.FormatInt(id, 10)}}, err
}

type businessProfile struct {
	MessagingProduct string   `json:"messaging_product"`
	About            string   `json:"about,omitempty"`
	Address          string   `json:"address,omitempty"`
	Description      string   `json:"description,omitempty"`
	Email            string   `json:"email,omitempty"`
	Picture          string   `json:"profile_picture_url,omitempty"`
	Websites         []string `json:"websites,omitempty"`
	Vertical         string   `json:"vertical,omitempty"`
}

// messagingProfiles answers the operations on profiles of numbers.
type messagingProfiles struct {
	profiles *assets.Profiles
}

// getBusinessProfile serves GET /{phone_number_id}/msgapp_business_profile.
func (m messagingProfiles) getBusinessProfile(ctx context.Context, c *call, number models.PhoneNumber, in listInput) (paged, error) {
	p, err := m.profiles.Profile(ctx, number)
	if err != nil {
		return paged{}, err
	}
	profile, err := trim(businessProfile{c.word, p.About, p.Address, p.Description, p.Email, m.profiles.PictureURL(p.Picture), p.Websites, p.Vertical}, in.Fields, "messaging_product")
	return paged{Data: []any{profile}}, err
}

type success struct {
	Success bool `json:"success"`
}

// setBusinessProfile serves POST /{phone_number_id}/msgapp_business_profile.
func (m messagingProfiles) setBusinessProfile(ctx context.Context, c *call, number models.PhoneNumber, in assets.ProfileChange) (success, error) {
	return success{true}, m.profiles.SetProfile(ctx, number, in, c.actor())
}
