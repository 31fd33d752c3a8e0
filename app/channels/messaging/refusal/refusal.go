// Package refusal has the errors of the messaging API: a *fault.Error with a numeric code.
package refusal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"heliograph/app/fault"
)

// The codes of refusals. Codes and titles are the same as in the Cloud API.
const (
	Invalid          = 100
	Permission       = 200
	Object           = 803
	Required         = 131008
	Value            = 131009
	Self             = 131021
	Window           = 131047
	OptedOut         = 131050
	Unsupported      = 131051
	MediaDownload    = 131052
	MediaUpload      = 131053
	ParameterCount   = 132000
	TemplateMissing  = 132001
	TextTooLong      = 132005
	ParameterFormat  = 132012
	TemplatePaused   = 132015
	ParameterValue   = 132018
	TemplateDisabled = 132016
	UserID           = 131062
	Unregistered     = 133010
)

// Titles are the messages of errors, by their codes.
var Titles = map[int]string{
	Invalid:          "Invalid parameter",
	Permission:       "Permission denied for this resource",
	Required:         "Required parameter is missing",
	Value:            "Parameter value is not valid",
	Self:             "Recipient cannot be the sender",
	Window:           "More than 24 hours have passed since the recipient last replied",
	OptedOut:         "Recipient does not want to receive such messages",
	Unsupported:      "Unsupported message type",
	MediaDownload:    "Media download error",
	MediaUpload:      "Media upload error",
	ParameterCount:   "Number of parameters does not match the template",
	TemplateMissing:  "Template does not exist in this language or is not approved",
	TextTooLong:      "Text is too long after its parameters are filled in",
	ParameterFormat:  "Parameter format does not match the template",
	TemplatePaused:   "Template is paused",
	ParameterValue:   "Parameter value is not allowed in a template",
	TemplateDisabled: "Template is disabled",
	UserID:           "A user id cannot be the recipient of this message",
	Unregistered:     "Phone number is not registered",
}

// New returns the error of a code. field is a JSON path such as
// "template.language.code", or empty. detail says what to change.
func New(code int, field, detail string, args ...any) error {
	kind := fault.Invalid
	switch code {
	case Permission:
		kind = fault.Forbidden
	case TemplateMissing:
		kind = fault.NotFound
	case MediaUpload:
		kind = fault.Unavailable
	}
	return &fault.Error{
		Kind: kind, Code: strconv.Itoa(code), Message: Titles[code],
		Fields: []fault.Field{{Name: field, Message: fmt.Sprintf(detail, args...)}},
	}
}

// NotFound returns the error for an id that does not exist, or that the caller
// may not see.
func NotFound(id string) error {
	if len(id) > 40 || strings.ContainsFunc(id, unicode.IsControl) {
		id = "with this id" // do not repeat text that cannot be an id
	}
	return &fault.Error{
		Kind: fault.NotFound, Code: strconv.Itoa(Object),
		Message: fmt.Sprintf("Object %s does not exist or cannot be loaded", id),
	}
}
