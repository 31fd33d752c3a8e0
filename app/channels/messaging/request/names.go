// Package request does what all parts of the messaging API need for a request: it checks
// the name of the channel, and does the work of a repeated request once.
package request

import (
	"strings"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
)

// Names are the accepted names of the channel, the default first.
type Names []string

// Words returns the accepted names of the channel, the default first.
func (n Names) Words() []string { return n }

// CheckProduct checks that product is a name of the channel and normalises its
// case.
func (n Names) CheckProduct(product *input.Text) error { return CheckProduct(n, product) }

// CheckProduct checks that product is one of the words and normalises its case.
func CheckProduct(words []string, product *input.Text) error {
	for _, known := range words {
		if strings.EqualFold(string(*product), known) {
			*product = input.Text(known)
			return nil
		}
	}
	return refusal.New(refusal.Invalid, "messaging_product", "set messaging_product to %q", words[0])
}
