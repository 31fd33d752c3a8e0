package page

import (
	"strings"

	"heliograph/app/identity"
	"heliograph/views/ui"
)

// Channels holds the channels with their names.
var Channels = []ui.Option{{Value: "messaging", Label: "Messaging"}, {Value: "sms", Label: "SMS"}, {Value: "rcs", Label: "RCS"}}

// RoleNames holds the labels of roles.
var RoleNames = map[string]string{
	identity.SuperAdmin: "Super Admin", identity.Editor: "Editor", identity.Owner: "Owner", identity.Developer: "Developer", identity.Viewer: "Viewer",
}

// LabelOf returns the label of a value, or the value if it has no label.
func LabelOf(options []ui.Option, value string) string {
	for _, o := range options {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

// LabelsOf returns the labels of values, separated by commas.
func LabelsOf(options []ui.Option, values []string) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = LabelOf(options, v)
	}
	return strings.Join(names, ", ")
}
