package api

import (
	"context"
	"net/http"
	"strconv"

	"heliograph/app/channels/delivery"
	"heliograph/app/channels/messaging"
	"heliograph/app/people/identity"
)

// Messaging is the business messaging API, version 3.
type Messaging struct {
	surface
	service *messaging.Service
}

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
		words:      channelWords{pattern: "msgapp", names: service.Words()},
		credential: headerCredential, bind: bindMembers, kind: service.Numbers.Kind, throttle: m.throttle,
		identifying: []string{"id", "code"}, // QR codes have a code instead of an id
		refusals:    refusals{path: unknownPath, method: unsupportedMethod, kind: unsupportedKind, scope: deniedScope},
	}
	m.table = []operation{
		op("batchCatalogue", http.MethodPost, "/{catalog-id}/batch", m.batchCatalogue).at(messaging.RateCatalogue).upTo(messaging.MaxBatchBody).holding(300_000),
		op("checkBatch", http.MethodGet, "/{catalog-id}/check_batch_request_status", m.checkBatch),
		op("createTemplate", http.MethodPost, "/{wabaid}/message_templates", m.createTemplate).at(messaging.RateTemplates),
		op("createUploadSession", http.MethodPost, "/app/uploads", m.createUploadSession),
		op("deleteMedia", http.MethodDelete, "/{mediaid}", m.deleteMedia).of("media"),
		op("deleteTemplate", http.MethodDelete, "/{wabaid}/message_templates", m.deleteTemplate).at(messaging.RateManagement),
		op("downloadMedia", http.MethodPost, "/downloadMedia/{mediaid}", m.downloadMedia),
		op("editTemplate", http.MethodPost, "/{msgtemplateid}", m.editTemplate).at(messaging.RateManagement).of("template"),
		op("getAttachment", http.MethodGet, "/msgapp_business/attachments", m.getAttachment),
		op("getBusinessAccount", http.MethodGet, "/{wabaid}", m.getBusinessAccount).of("business_account"),
		op("getBusinessProfile", http.MethodGet, "/{phone_number_id}/msgapp_business_profile", m.getBusinessProfile).at(messaging.RateManagement),
		op("getCatalogueId", http.MethodGet, "/fetchcatalogId", m.getCatalogueID),
		op("getEncryption", http.MethodGet, "/{phone_number_id}/msgapp_business_encryption", m.getEncryption),
		op("getPayment", http.MethodGet, "/{phone_number_id}/payments/{payment_configuration}/{order-id}", m.getPayment),
		op("getPhoneNumber", http.MethodGet, "/{phone_number_id}", m.getPhoneNumber).of("phone_number"),
		op("getPrivateKey", http.MethodGet, "/flows/{phone_number_id}/get_private_key", m.getPrivateKey),
		op("getMedia", http.MethodGet, "/{mediaid}", m.getMedia).of("media"),
		op("getTemplate", http.MethodGet, "/{msgtemplateid}", m.getTemplate).at(messaging.RateManagement).of("template"),
		op("getUpload", http.MethodGet, "/upload:{session_id}", m.getUpload),
		op("getUserDetails", http.MethodGet, "/getuserdetails", m.getUserDetails),
		op("getWebhook", http.MethodGet, "/{phone_number_id}/getwebhook", m.getWebhook),
		op("listClientBusinessAccounts", http.MethodGet, "/{business-id}/client_msgapp_business_accounts", m.listClientBusinessAccounts),
		op("listOwnedBusinessAccounts", http.MethodGet, "/{business-id}/owned_msgapp_business_accounts", m.listOwnedBusinessAccounts),
		op("listPhoneNumbers", http.MethodGet, "/{wabaid}/phone_numbers", m.listPhoneNumbers).at(messaging.RateManagement),
		op("listProducts", http.MethodGet, "/{catalog-id}/products", m.listProducts),
		op("listReceivedMessages", http.MethodGet, "/{phone_number_id}/messages", m.listReceivedMessages).at(messaging.RateManagement),
		op("listSubscribedApps", http.MethodGet, "/{wabaid}/subscribed_apps", m.listSubscribedApps),
		op("listTemplates", http.MethodGet, "/{wabaid}/message_templates", m.listTemplates).at(messaging.RateManagement),
		op("receiveInSandbox", http.MethodPost, "/{phone_number_id}/sandbox/inbound", m.receiveInSandbox),
		op("deregisterPhoneNumber", http.MethodPost, "/{phone_number_id}/deregister", m.deregisterPhoneNumber).beyond(),
		op("registerPhoneNumber", http.MethodPost, "/{phone_number_id}/register", m.registerPhoneNumber),
		op("sendMessage", http.MethodPost, "/{phone_number_id}/messages", m.sendMessage).holding(10_000).accepting(),
		op("setBusinessProfile", http.MethodPost, "/{phone_number_id}/msgapp_business_profile", m.setBusinessProfile).at(messaging.RateManagement),
		op("setEncryption", http.MethodPost, "/flows/{phone_number_id}/set_msgapp_business_encryption", m.setEncryption),
		op("setEncryption", http.MethodPost, "/{phone_number_id}/msgapp_business_encryption", m.setEncryption).beyond(),
		op("setWebhook", http.MethodPost, "/{phone_number_id}/setwebhook", m.setWebhook),
		op("subscribeApp", http.MethodPost, "/{wabaid}/subscribed_apps", m.subscribeApp).at(messaging.RateManagement),
		op("uploadFile", http.MethodPost, "/upload:{session_id}", m.uploadFile).streaming(),
		op("uploadMedia", http.MethodPost, "/{phone_number_id}/media", m.uploadMedia).streaming(),
	}
	m.table = append(m.table, m.qrRows()...)
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

// replied makes the answer of a creating request, and says so if it was given
// before.
func (c *call) replied(reply delivery.Reply, err error) (raw, error) {
	if err == nil && reply.Replayed {
		c.markReplayed()
	}
	return reply.Body, err
}
