package sms

import "strconv"

// Reasons of delivery reports.
const (
	reasonDelivered   = 600
	reasonPending     = 609
	reasonValidity    = 640
	reasonUnknown     = 699
	reasonUndelivered = 608
	reasonNoPromotion = 402
	reasonBarred      = 631
)

// reasons holds the meaning of each reason and what the sender can do. Operators
// send others, too; they are passed on with the meaning that they came with.
var reasons = map[int]struct{ meaning, remedy string }{
	402: {"Do-not-disturb: the number takes no promotional messages", "Send to this number only what its owner has asked for."},
	403: {"Promotional messages are not allowed", "Ask your account manager."},
	404: {"The header is not allowed", "Use a header of your account."},
	407: {"The message expired before it was sent", "Choose a longer expiry."},
	408: {"Duplicate message", "Do not send the same text to a number twice in a short time."},
	413: {"Outside the hours for promotional messages", "Schedule it for 10:00 to 21:00 Indian time."},
	414: {"The text was taken for spam", "Change the text."},
	417: {"The balance is not sufficient", "Ask your account manager."},
	432: {"The DLT template is not registered", "Register the text and send its dlt_template_id."},
	433: {"The DLT entity is not registered", "Send your registered dlt_entity_id."},
	442: {"The message has too many parts", "Shorten the text."},
	445: {"The balance is not sufficient", "Ask your account manager."},
	600: {"Delivered", ""},
	602: {"The phone is busy", "Send it again later."},
	606: {"The memory of the phone is full", "Send it again later."},
	607: {"The phone is switched off or out of reach", "Send it again later, or choose a longer expiry."},
	608: {"Delivery failed", "Send it again later."},
	609: {"Delivery is pending", ""},
	613: {"Unknown subscriber", "Remove the number from your list."},
	617: {"Text does not match the DLT template", "Send the registered text, with values in place of its variables."},
	618: {"The DLT template is not registered", "Add it to your stored texts, with its dlt_template_id."},
	620: {"The DLT template is registered for another header", "Use the header that the template is registered for."},
	622: {"A value is longer than 30 characters", "Shorten the value, or register the text with more variables."},
	625: {"The DLT entity is not registered", "Send the entity id of your account."},
	626: {"The telemarketer is not registered", "Ask your account manager."},
	627: {"The header is not registered for DLT", "Register the header."},
	631: {"Do-not-disturb: the number is on a list", "Do not send to this number."},
	632: {"The number is barred", "Do not send to this number."},
	640: {"The validity ended before delivery", "Send it again later, or choose a longer expiry."},
	642: {"The operator refused the message", "Send it again later."},
	699: {"The operator does not know the result", ""},
}

// ReasonMeaning returns a reason in words, or an empty string if it is not
// published.
func ReasonMeaning(code int) string { return reasons[code].meaning }

// stateOfRefusal returns the state that an operator's refusal leads to.
func stateOfRefusal(code int) string {
	switch {
	case code == 407 || code == reasonValidity:
		return stateExpired
	case code >= 401 && code <= 452, code >= 614 && code <= 627, code == 402, code == 631, code == 632, code == 642:
		return stateRejected
	case code == reasonUnknown:
		return stateUnknown
	}
	return stateUndelivered
}

func threeDigits(code int) string {
	text := strconv.Itoa(code)
	for len(text) < 3 {
		text = "0" + text
	}
	return text
}
