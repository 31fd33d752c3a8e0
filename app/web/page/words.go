package page

import (
	"strings"

	"heliograph/app/identity"
	"heliograph/views/ui"
)

// Channels are the channels with their names, in their order.
var Channels = []ui.Option{{Value: "messaging", Label: "Messaging"}, {Value: "sms", Label: "SMS"}, {Value: "rcs", Label: "RCS"}}

// RoleNames are the roles as people read them, of administrators and of an
// organisation's users.
var RoleNames = map[string]string{
	identity.SuperAdmin: "Super Admin", identity.Editor: "Editor", identity.Owner: "Owner", identity.Developer: "Developer", identity.Viewer: "Viewer",
}

// LabelOf finds what a value is called; one that no option has stands for
// itself.
func LabelOf(options []ui.Option, value string) string {
	for _, o := range options {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

// LabelsOf names several values, parted by commas.
func LabelsOf(options []ui.Option, values []string) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = LabelOf(options, v)
	}
	return strings.Join(names, ", ")
}
