package messaging

import (
	"strconv"
	"time"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db/models"
)

// Declaration declares the channel.
var Declaration = &pipeline.Channel{
	Name: Channel,
	Life: 30 * 24 * time.Hour,
	Follows: map[string][]string{
		"sent":          {pipeline.Accepted},
		"delivered":     {pipeline.Accepted, "sent"},
		"read":          {pipeline.Accepted, "sent", "delivered"},
		pipeline.Failed: {pipeline.Accepted, "sent"},
	},
	MessageID: MessageID, ParseMessageID: ParseMessageID, SimulateReply: simulateReply,
	Suppressed:  suppressed,
	ExpiresSent: true,
	Expired:     expired,
	Files:       linkedFiles,
	Unfetched:   unfetched,
	Callbacks:   statusCallbacks,
	Payload:     formatPayload,
	Remedy:      func(f pipeline.Failure) string { return remedies[f.Code] },
	Reference:   "business-messaging/3.0",
	Relay:       relay.Protocol{Secrets: numberSecrets, Render: renderCallback},
}

// expired returns the failure of a message after its time to live.
func expired(models.Message) (string, pipeline.Failure) {
	return pipeline.Failed, pipeline.Failure{
		Code: 131026, Title: "Message undeliverable", Detail: "The time to live of the message was over before it could be delivered.",
	}
}

// suppressed returns the failure of a message to a recipient who must not be
// contacted, or from a number that was removed.
func suppressed(m models.Message, reason blocklist.Reason) (string, pipeline.Failure, bool) {
	if reason == blocklist.Removed {
		detail := "The phone number was removed from your organisation before the message was sent."
		return pipeline.Failed, pipeline.Failure{Code: refusal.Unregistered, Title: refusal.Titles[refusal.Unregistered], Detail: detail}, true
	}
	detail := map[blocklist.Reason]string{
		blocklist.Stopped: "The recipient has asked you to stop.", blocklist.Listed: "The recipient is on the do-not-contact list of your organisation.",
		blocklist.Barred: "The recipient is on the do-not-contact list of the platform.",
	}[reason]
	allowed := reason == blocklist.Stopped && m.Category == "authentication"
	return pipeline.Failed, pipeline.Failure{Code: refusal.OptedOut, Title: refusal.Titles[refusal.OptedOut], Detail: detail}, !allowed
}

// numberSecrets returns the signing secrets of the number of a webhook.
func numberSecrets(k *keyring.Keyring, d models.Delivery) (relay.Secrets, error) {
	number, err := strconv.ParseInt(d.Webhook.Subject, 10, 64)
	if err != nil {
		return relay.Secrets{}, fault.New(fault.Internal, "webhook %d has subject %q", d.Webhook.ID, d.Webhook.Subject)
	}
	return openSecrets(k, number, d.Secret, d.PreviousSecret)
}
