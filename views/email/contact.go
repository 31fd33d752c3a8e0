package email

import "strings"

// EnquiryFacts holds what an email says about an enquiry.
type EnquiryFacts struct {
	Reference, Organisation string
	Lines                   []string // each a label, a colon and a value
	Message                 string
	URL                     string // of the page where it is worked
}

// Enquiry tells the contact recipient about an enquiry.
func Enquiry(e EnquiryFacts) Message {
	subject := []rune("Enquiry " + e.Reference + " from " + e.Organisation)
	return Message{Subject: string(subject[:min(len(subject), 200)]), blocks: []block{
		paragraph("%s", strings.Join(e.Lines, "\n")), paragraph("%s", e.Message), link("Work the enquiry", e.URL),
	}}
}

// EnquiryReceived confirms to a sender what was received. It repeats nothing that
// was entered, so that the form cannot send words to others.
func EnquiryReceived(reference string) Message {
	return Message{Subject: "We received your enquiry " + reference, blocks: []block{
		paragraph("We received your enquiry and will answer to this address. Its reference is %s. Quote it if you write to us again.", reference),
		note("If you did not send an enquiry, somebody entered your address by mistake, and you can ignore this email."),
	}}
}

// EnquiryConfirm asks a sender to confirm an enquiry at a URL.
func EnquiryConfirm(reference, url string) Message {
	return Message{Subject: "Confirm your enquiry " + reference, blocks: []block{
		paragraph("Somebody, probably you, sent us an enquiry with this address. Confirm it within seven days, and we will answer."),
		link("Confirm the enquiry", url),
		note("If it was not you, ignore this email. The enquiry is deleted."),
	}}
}
