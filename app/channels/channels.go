// Package channels lists the channels of the platform, and does what concerns them all.
package channels

import (
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/sms"
)

// Declared returns the channels of the platform by name. The program asks once, when it
// wires its parts, and passes them in.
func Declared() pipeline.Channels {
	return pipeline.NewChannels(messaging.Declaration, sms.Declaration, rcs.Declaration)
}
