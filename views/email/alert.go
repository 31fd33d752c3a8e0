package email

import (
	"fmt"
	"strings"
	"time"
)

// BudgetSpent alerts administrators that no more SMS are sent on a day.
func BudgetSpent(day time.Time, limit int) Message {
	return Message{Subject: fmt.Sprintf("The SMS budget of %s is used up", day.Format("2 January 2006")), blocks: []block{
		paragraph("All %d SMS of today's budget have been sent. No more codes are sent before midnight UTC.", limit),
		paragraph("If the traffic is genuine, raise the budget in the SMS settings. Sending then continues at once. If it is not, check which numbers received codes and restrict the allowed countries on the same page."),
	}}
}

// BudgetLow alerts administrators that a fifth of a day's SMS budget is left.
func BudgetLow(day time.Time, used, limit int) Message {
	return Message{Subject: fmt.Sprintf("%d of %d SMS of %s are used", used, limit, day.Format("2 January 2006")), blocks: []block{
		paragraph("%d of the %d SMS of today's budget have been sent. When the budget is used up, no codes are sent before midnight UTC, and nobody can register or reset a password.", used, limit),
		paragraph("If the traffic is genuine, raise the budget in the SMS settings. If it is not, restrict the allowed countries on the same page."),
	}}
}

// PausedPrefix is a block of numbers that receives no codes for an hour.
type PausedPrefix struct {
	Prefix         string
	Sent, Verified int
}

// CodesPaused alerts administrators about a paused block of numbers.
func CodesPaused(p PausedPrefix, publicURL string) Message {
	return Message{Subject: "Codes to " + p.Prefix + " are paused for an hour", blocks: []block{
		paragraph("Of %d codes sent to numbers that start with %s within an hour, only %d were entered. This is typical of programs that request codes to earn money from received SMS. No codes are sent to these numbers for an hour.", p.Sent, p.Prefix, p.Verified),
		paragraph("If this continues, restrict the allowed countries in the SMS settings."),
		link("SMS settings", publicURL+"/admin/sms-settings"),
	}}
}

// WebhookDisabled tells owners that their webhook was disabled. host is the host of
// its address, and url the page that enables it again.
func WebhookDisabled(host, reason, url string) Message {
	return Message{Subject: "Your webhook was disabled", blocks: []block{
		paragraph("Callbacks are no longer sent to your webhook at %s: %s.", host, reason),
		paragraph("Messages are still sent, and your account shows their status. When the endpoint works again, enable the webhook and replay the failed callbacks."),
		link("Open the webhook", url),
	}}
}

// NumbersStranded tells owners that messages from their numbers are refused, because
// no carrier is set up for them. url is the page to write to the operator.
func NumbersStranded(numbers []string, url string) Message {
	return Message{Subject: "No carrier is set up for your numbers", blocks: []block{
		paragraph("Messages from these numbers are refused with a clear error, because no carrier is set up for them: %s.", strings.Join(numbers, ", ")),
		paragraph("The operator of this service sets carriers up. Ask when yours will be ready, and stop sending from these numbers until then. Your API keys and webhooks stay as they are."),
		link("Ask the operator", url),
	}}
}
