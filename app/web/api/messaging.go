package api

import (
	"cmp"
	"context"
	"net/http"
	"strconv"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/messaging/shop"
	"heliograph/app/channels/pipeline"
	"heliograph/app/people/identity"
	"heliograph/db/models"
)

// Messaging is the business messaging API, version 3.
type Messaging struct {
	surface
	service *messaging.Service
}

// wordPattern is the placeholder for the name of a channel in patterns.
const wordPattern = "msgapp"

// Prefix is the path that {base_url} ends in.
const Prefix = "/v3"

// BodyLimit is the maximum body size of an operation that streams, in bytes: the
// largest file and the form around it. The limit of others is maxBody.
const BodyLimit = 101 << 20

// NewMessaging returns the API. Mount Handle for every method under Prefix. base
// is the scheme and host of absolute URLs in responses.
func NewMessaging(keys *identity.Keys, service *messaging.Service, base string) *Messaging {
	m := &Messaging{service: service}
	m.surface = surface{
		channel: messaging.Channel, prefix: Prefix, base: base, keys: keys,
		words:      channelWords{pattern: wordPattern, names: service.Words()},
		credential: headerCredential, bind: bindMembers, kind: service.Numbers.Kind, throttle: m.throttle,
		identifying: []string{"id", "code"}, // QR codes have a code instead of an id
		refusals:    refusals{path: unknownPath, method: unsupportedMethod, kind: unsupportedKind, scope: deniedScope},
	}
	accounts := messagingAccounts{numbers: service.Numbers}
	profiles := messagingProfiles{profiles: service.Profiles}
	catalogues := messagingCatalogues{shop: service.Shop}
	encryption := messagingEncryption{keys: service.FlowKeys}
	media := messagingMedia{files: service.Media, base: base}
	messages := messagingMessages{sender: service.Sender, inbound: service.Inbound}
	numbers := messagingNumbers{numbers: service.Numbers}
	subscriptions := messagingSubscriptions{numbers: service.Numbers, webhooks: service.Webhooks, words: m.words}
	codes := messagingQRCodes{numbers: service.Numbers, codes: service.QRCodes, once: service.DoOnce}
	templates := messagingTemplates{templates: service.Templates}
	uploads := messagingUploads{uploads: service.Uploads}
	webhooks := messagingWebhooks{webhooks: service.Webhooks, checkProduct: service.CheckProduct}
	m.table = []operation{
		op("batchCatalogue", http.MethodPost, "/{catalog-id}/batch", catalogues.batchCatalogue).at(messaging.RateCatalogue).upTo(shop.MaxBatchBody).holding(300_000),
		op("checkBatch", http.MethodGet, "/{catalog-id}/check_batch_request_status", catalogues.checkBatch),
		op("createTemplate", http.MethodPost, "/{wabaid}/message_templates", ofAccount(service.Numbers, templates.createTemplate)).at(messaging.RateTemplates),
		op("createUploadSession", http.MethodPost, "/app/uploads", uploads.createUploadSession),
		op("deleteMedia", http.MethodDelete, "/{mediaid}", media.deleteMedia).of("media"),
		op("deleteTemplate", http.MethodDelete, "/{wabaid}/message_templates", ofAccount(service.Numbers, templates.deleteTemplate)).at(messaging.RateManagement),
		op("downloadMedia", http.MethodPost, "/downloadMedia/{mediaid}", media.downloadMedia),
		op("editTemplate", http.MethodPost, "/{msgtemplateid}", templates.editTemplate).at(messaging.RateManagement).of("template"),
		op("getAttachment", http.MethodGet, "/msgapp_business/attachments", media.getAttachment),
		op("getBusinessAccount", http.MethodGet, "/{wabaid}", ofAccount(service.Numbers, accounts.getBusinessAccount)).of("business_account"),
		op("getBusinessProfile", http.MethodGet, "/{phone_number_id}/msgapp_business_profile", ofNumber(service.Numbers, profiles.getBusinessProfile)).at(messaging.RateManagement),
		op("getCatalogueId", http.MethodGet, "/fetchcatalogId", accounts.getCatalogueID),
		op("getEncryption", http.MethodGet, "/{phone_number_id}/msgapp_business_encryption", ofNumber(service.Numbers, encryption.getEncryption)),
		op("getPayment", http.MethodGet, "/{phone_number_id}/payments/{payment_configuration}/{order-id}", ofNumber(service.Numbers, messages.getPayment)),
		op("getPhoneNumber", http.MethodGet, "/{phone_number_id}", ofNumber(service.Numbers, numbers.getPhoneNumber)).of("phone_number"),
		op("getPrivateKey", http.MethodGet, "/flows/{phone_number_id}/get_private_key", ofNumber(service.Numbers, encryption.getPrivateKey)),
		op("getMedia", http.MethodGet, "/{mediaid}", media.getMedia).of("media"),
		op("getTemplate", http.MethodGet, "/{msgtemplateid}", templates.getTemplate).at(messaging.RateManagement).of("template"),
		op("getUpload", http.MethodGet, "/upload:{session_id}", uploads.getUpload),
		op("getUserDetails", http.MethodGet, "/getuserdetails", accounts.getUserDetails),
		op("getWebhook", http.MethodGet, "/{phone_number_id}/getwebhook", ofNumber(service.Numbers, webhooks.getWebhook)),
		op("listClientBusinessAccounts", http.MethodGet, "/{business-id}/client_msgapp_business_accounts", accounts.listClientBusinessAccounts),
		op("listOwnedBusinessAccounts", http.MethodGet, "/{business-id}/owned_msgapp_business_accounts", accounts.listOwnedBusinessAccounts),
		op("listPhoneNumbers", http.MethodGet, "/{wabaid}/phone_numbers", ofAccount(service.Numbers, numbers.listPhoneNumbers)).at(messaging.RateManagement),
		op("listProducts", http.MethodGet, "/{catalog-id}/products", catalogues.listProducts),
		op("listReceivedMessages", http.MethodGet, "/{phone_number_id}/messages", ofNumber(service.Numbers, messages.listReceivedMessages)).at(messaging.RateManagement),
		op("listSubscribedApps", http.MethodGet, "/{wabaid}/subscribed_apps", ofAccount(service.Numbers, subscriptions.listSubscribedApps)),
		op("listTemplates", http.MethodGet, "/{wabaid}/message_templates", ofAccount(service.Numbers, templates.listTemplates)).at(messaging.RateManagement),
		op("receiveInSandbox", http.MethodPost, "/{phone_number_id}/sandbox/inbound", ofNumber(service.Numbers, messages.receiveInSandbox)),
		op("deregisterPhoneNumber", http.MethodPost, "/{phone_number_id}/deregister", ofNumber(service.Numbers, numbers.deregisterPhoneNumber)).beyond(),
		op("registerPhoneNumber", http.MethodPost, "/{phone_number_id}/register", ofNumber(service.Numbers, numbers.registerPhoneNumber)),
		op("sendMessage", http.MethodPost, "/{phone_number_id}/messages", ofNumber(service.Numbers, messages.sendMessage)).holding(10_000).accepting(),
		op("setBusinessProfile", http.MethodPost, "/{phone_number_id}/msgapp_business_profile", ofNumber(service.Numbers, profiles.setBusinessProfile)).at(messaging.RateManagement),
		op("setEncryption", http.MethodPost, "/flows/{phone_number_id}/set_msgapp_business_encryption", ofNumber(service.Numbers, encryption.setEncryption)),
		op("setEncryption", http.MethodPost, "/{phone_number_id}/msgapp_business_encryption", ofNumber(service.Numbers, encryption.setEncryption)).beyond(),
		op("setWebhook", http.MethodPost, "/{phone_number_id}/setwebhook", ofNumber(service.Numbers, webhooks.setWebhook)),
		op("subscribeApp", http.MethodPost, "/{wabaid}/subscribed_apps", ofAccount(service.Numbers, subscriptions.subscribeApp)).at(messaging.RateManagement),
		op("uploadFile", http.MethodPost, "/upload:{session_id}", uploads.uploadFile).streaming(),
		op("uploadMedia", http.MethodPost, "/{phone_number_id}/media", ofNumber(service.Numbers, media.uploadMedia)).streaming(),
	}
	m.table = append(m.table, codes.qrRows()...)
	return m
}

// messagingTable returns the surface for its table alone.
func messagingTable() *surface { return &NewMessaging(nil, &messaging.Service{}, "").surface }

// throttle counts a request for the whole organisation, or for what the path
// names.
func (m *Messaging) throttle(ctx context.Context, organisationID int64, r *route) error {
	key := strconv.FormatInt(organisationID, 10)
	if r.rate != messaging.RateManagement {
		for _, id := range r.params {
			key += " " + id
		}
	}
	return m.service.Limits.Throttle(ctx, r.rate, key)
}

// ofNumber makes an operation of one on the phone number in the path.
func ofNumber[In, Out any](numbers *assets.Numbers, run func(ctx context.Context, c *call, number models.PhoneNumber, in In) (Out, error)) func(ctx context.Context, c *call, in In) (Out, error) {
	return func(ctx context.Context, c *call, in In) (out Out, err error) {
		number, err := numbers.Number(ctx, c.caller.OrganisationID, cmp.Or(c.params["phone_number_id"], c.params["businessPhoneNumberId"]))
		if err != nil {
			return out, err
		}
		return run(ctx, c, number, in)
	}
}

// ofAccount makes an operation of one on the business account in the path.
func ofAccount[In, Out any](numbers *assets.Numbers, run func(ctx context.Context, c *call, account models.BusinessAccount, in In) (Out, error)) func(ctx context.Context, c *call, in In) (Out, error) {
	return func(ctx context.Context, c *call, in In) (out Out, err error) {
		account, err := numbers.Account(ctx, c.caller.OrganisationID, c.params["wabaid"])
		if err != nil {
			return out, err
		}
		return run(ctx, c, account, in)
	}
}

// replied makes the answer of a creating request, and says so if it was given
// before.
func (c *call) replied(reply pipeline.Reply, err error) (raw, error) {
	if err == nil && reply.Replayed {
		c.markReplayed()
	}
	return reply.Body, err
}
