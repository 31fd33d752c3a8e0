package email

import "time"

// TeamInvitation is an invitation to an organisation.
type TeamInvitation struct {
	By, Organisation, Role string
	ExpiresAt              time.Time
	URL                    string
}

// Invitation invites to an organisation.
func Invitation(i TeamInvitation) Message {
	return Message{Subject: "Invitation to " + i.Organisation, blocks: []block{
		paragraph("%s invites you to the account of %s as %s.", i.By, i.Organisation, i.Role),
		paragraph("Accept before %s. The link works once.", moment(i.ExpiresAt)),
		link("Accept the invitation", i.URL),
		note("If you did not expect this invitation, ignore this email."),
	}}
}

// InvitationElsewhere says why an address that belongs to another organisation
// cannot accept an invitation.
func InvitationElsewhere(i TeamInvitation) Message {
	return Message{Subject: "Invitation to " + i.Organisation, blocks: []block{
		paragraph("%s invites you to the account of %s, but this address already belongs to another organisation.", i.By, i.Organisation),
		paragraph("An address can belong to one organisation only. To accept, ask for an invitation to a different address."),
	}}
}

// AdminInvitation invites to the administration of a site.
func AdminInvitation(site, url string, life time.Duration) Message {
	return Message{Subject: "Invitation to the administration", blocks: []block{
		paragraph("You are invited to the administration of %s. Use this link within %s to set your password. It works once.", site, within(life)),
		link("Set your password", url),
	}}
}

// Test is a test of the email settings.
func Test() Message {
	return Message{Subject: "Test of the email settings", names: true, blocks: []block{
		paragraph("This is a test of the email settings of Heliograph. You do not need to do anything."),
	}}
}
