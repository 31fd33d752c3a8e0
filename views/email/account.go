package email

import (
	"fmt"
	"time"
)

// Site is where the recipient of an email signs in, and who helps.
type Site struct {
	PublicURL string
	// Forgot is the path of the page for forgotten passwords.
	Forgot string
	// Helper helps if the recipient did not expect the email, such as "an owner of
	// your organisation".
	Helper string
}

// PasswordChanged confirms a new password.
func PasswordChanged(s Site) Message {
	return Message{Subject: "Your Heliograph password was changed", names: true, blocks: []block{
		paragraph("The password of your account was changed. All earlier sessions have ended."),
		paragraph("If this was not you, reset your password now and contact %s.", s.Helper),
		link("Reset the password", s.PublicURL+s.Forgot),
	}}
}

// MobileChanged confirms a new mobile number, which ends in three digits.
func MobileChanged(s Site, digits string) Message {
	return Message{Subject: "Your Heliograph mobile number was changed", names: true, blocks: []block{
		paragraph("The mobile number of your account was changed to one that ends in %s. Codes to reset your password will be sent to this number. All other sessions have ended.", digits),
		paragraph("If this was not you, change your password and your number now and contact %s.", s.Helper),
		link("Open the profile", s.PublicURL+"/account/profile"),
	}}
}

// RoleChange is a change of a user's role in an organisation.
type RoleChange struct{ Organisation, Before, After string }

// RoleChanged confirms a new role.
func RoleChanged(s Site, c RoleChange) Message {
	return Message{Subject: "Your role in " + c.Organisation + " was changed", blocks: []block{
		paragraph("Your role in %s is now %s. It was %s before. Sign in again to use it.", c.Organisation, c.After, c.Before),
		link("Sign in", s.PublicURL+"/login"),
		note("If you did not expect this, ask %s.", s.Helper),
	}}
}

// AddressTaken says that somebody tried to register an address that has an account.
func AddressTaken(s Site) Message {
	return Message{Subject: "Your Heliograph account", names: true, blocks: []block{
		paragraph("Somebody tried to register an organisation with this email address. The address already has an account, so nothing was created or changed."),
		paragraph("If this was you, sign in or reset your password."),
		link("Sign in", s.PublicURL+"/login"),
		link("Reset the password", s.PublicURL+s.Forgot),
		note("If this was not you, ignore this email."),
	}}
}

// PasswordLink carries a link that sets a new password. sender sent it; empty means
// that the recipient asked for it.
func PasswordLink(url, sender string, life time.Duration) Message {
	first := paragraph("We received a request to reset the password of your account. Use this link within %s to set a new password. It works once.", within(life))
	if sender != "" {
		first = paragraph("%s sends you a link to set a new password. It works once, within %s.", sender, within(life))
	}
	return Message{Subject: "Set a new password", blocks: []block{
		first, link("Set a new password", url),
		note("If you did not ask for it, ignore this email. Your password has not changed."),
	}}
}

// OwnerLink tells the first owner of an organisation that it is set up, with a link that
// sets a password.
func OwnerLink(url, organisation string, life time.Duration) Message {
	return Message{Subject: "Set a password for " + organisation, blocks: []block{
		paragraph("An administrator set up %s for sending messages, and you are its owner. Use this link within %s to set your password. It works once.", organisation, within(life)),
		link("Set a password", url),
		note("Then sign in with this email address to make API keys, set webhooks and invite colleagues. If you do not know about this, ignore this email."),
	}}
}

// within writes a duration of hours or days.
func within(d time.Duration) string {
	switch hours := int(d.Hours()); {
	case hours <= 1:
		return "an hour"
	case hours <= 48:
		return fmt.Sprintf("%d hours", hours)
	default:
		return fmt.Sprintf("%d days", hours/24)
	}
}
