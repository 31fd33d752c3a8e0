package api

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/input"
	"heliograph/db/models"
)

// phoneNumber is a phone number as clients of the Cloud API read it.
type phoneNumber struct {
	ID                 string `json:"id"`
	DisplayPhoneNumber string `json:"display_phone_number"`
	VerifiedName       string `json:"verified_name"`
	QualityRating      string `json:"quality_rating"`
	Verification       string `json:"code_verification_status"`
	NameStatus         string `json:"name_status"`
	Status             string `json:"status"`
	AccountMode        string `json:"account_mode"`
	PlatformType       string `json:"platform_type"`
}

// The states and qualities of numbers that the contract names.
var (
	numberStates    = []string{"CONNECTED", "DISCONNECTED", "PENDING", "FLAGGED", "RESTRICTED", "RATE_LIMITED", "BANNED"}
	numberQualities = []string{"NA", "GREEN", "YELLOW", "RED"}
)

// known returns a word of a carrier if the contract has it.
func known(word string, words []string) string {
	if slices.Contains(words, word) {
		return word
	}
	return "UNKNOWN"
}

func newPhoneNumber(n assets.NumberState) phoneNumber {
	p := phoneNumber{
		ID: strconv.FormatInt(n.ID, 10), DisplayPhoneNumber: n.Number[1:], VerifiedName: n.VerifiedName, QualityRating: "NA",
		Verification: "VERIFIED", NameStatus: "APPROVED", Status: "DISCONNECTED", AccountMode: "LIVE", PlatformType: "CLOUD_API",
	}
	if n.Connected {
		p.Status = known(cmp.Or(n.State, "CONNECTED"), numberStates)
	}
	p.QualityRating = known(cmp.Or(n.Quality, p.QualityRating), numberQualities)
	if n.Sandbox {
		p.AccountMode = "SANDBOX"
	}
	return p
}

// messagingNumbers answers the operations on phone numbers.
type messagingNumbers struct{ numbers *assets.Numbers }

// getPhoneNumber serves GET /{phone_number_id}.
func (m messagingNumbers) getPhoneNumber(ctx context.Context, c *call, number models.PhoneNumber, in listInput) (any, error) {
	state, err := m.numbers.NumberState(ctx, number)
	if err != nil {
		return nil, err
	}
	return trim(newPhoneNumber(state), in.Fields, "id")
}

// listPhoneNumbers serves GET /{wabaid}/phone_numbers.
func (m messagingNumbers) listPhoneNumbers(ctx context.Context, c *call, account models.BusinessAccount, in listInput) (paged, error) {
	ids, err := in.ids(c)
	if err != nil {
		return paged{}, err
	}
	numbers, err := m.numbers.AccountNumbers(ctx, account, ids)
	if err != nil {
		return paged{}, err
	}
	return list(c, in, numbers, func(n assets.NumberState) (string, any) { return strconv.FormatInt(n.ID, 10), newPhoneNumber(n) })
}

// registration is the body of a request to register a number.
type registration struct {
	MessagingProduct input.Text `json:"messaging_product"`
	PIN              input.Text `json:"pin"`
}

// registerPhoneNumber serves POST /{phone_number_id}/register. Numbers are registered
// when the operator connects them, so that nothing changes.
func (m messagingNumbers) registerPhoneNumber(ctx context.Context, c *call, number models.PhoneNumber, in registration) (success, error) {
	return success{true}, m.numbers.Register(ctx, number, in.MessagingProduct, in.PIN)
}

// deregisterPhoneNumber serves POST /{phone_number_id}/deregister, which only the
// operator can do.
func (m messagingNumbers) deregisterPhoneNumber(ctx context.Context, c *call, number models.PhoneNumber, _ none) (success, error) {
	return success{}, m.numbers.Deregister(number)
}

// subscribedApp is the program that gets the callbacks of an account: the one that
// uses the organisation's keys.
type subscribedApp struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// messagingSubscriptions answers the operations on subscribed programs.
type messagingSubscriptions struct {
	numbers  *assets.Numbers
	webhooks *messaging.Webhooks
	words    channelWords
}

// listSubscribedApps serves GET /{wabaid}/subscribed_apps.
func (m messagingSubscriptions) listSubscribedApps(ctx context.Context, c *call, account models.BusinessAccount, _ none) (paged, error) {
	app := map[string]subscribedApp{}
	for _, word := range m.words.names {
		app[word+"_business_api_data"] = subscribedApp{strconv.FormatInt(c.caller.OrganisationID, 10), account.Name}
	}
	return paged{Data: []any{app}}, nil
}

// subscribeApp serves POST /{wabaid}/subscribed_apps: every account is subscribed, and
// an override sets the webhook of its numbers.
func (m messagingSubscriptions) subscribeApp(ctx context.Context, c *call, account models.BusinessAccount, in subscription) (success, error) {
	if in.URL == "" {
		return success{true}, nil
	}
	numbers, err := m.numbers.AccountNumbers(ctx, account, models.Page{Limit: maxLimit})
	if err != nil {
		return success{}, err
	}
	for _, n := range numbers {
		set := messaging.Webhook{URL: string(in.URL), VerifyToken: string(in.VerifyToken)}
		if err := m.webhooks.SetWebhook(ctx, n.PhoneNumber, set, c.actor()); err != nil {
			return success{}, err
		}
	}
	return success{true}, nil
}

// subscription is the body of a request to subscribe.
type subscription struct {
	URL         input.Text `json:"override_callback_uri"`
	VerifyToken input.Text `json:"verify_token"`
}
