package messaging

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"heliograph/app/fault"
)

// The error codes of the messaging API. Codes and titles are the same as in the
// Cloud API.
const (
	codeInvalid          = 100
	codePermission       = 200
	codeObject           = 803
	codeRequired         = 131008
	codeValue            = 131009
	codeSelf             = 131021
	codeWindow           = 131047
	codeOptedOut         = 131050
	codeUnsupported      = 131051
	codeMediaDownload    = 131052
	codeMediaUpload      = 131053
	codeParameterCount   = 132000
	codeTemplateMissing  = 132001
	codeTextTooLong      = 132005
	codeParameterFormat  = 132012
	codeTemplatePaused   = 132015
	codeParameterValue   = 132018
	codeTemplateDisabled = 132016
	codeUserID           = 131062
	codeUnregistered     = 133010
)

var titles = map[int]string{
	codeInvalid:          "Invalid parameter",
	codePermission:       "Permission denied for this resource",
	codeRequired:         "Required parameter is missing",
	codeValue:            "Parameter value is not valid",
	codeSelf:             "Recipient cannot be the sender",
	codeWindow:           "More than 24 hours have passed since the recipient last replied",
	codeOptedOut:         "Recipient does not want to receive such messages",
	codeUnsupported:      "Unsupported message type",
	codeMediaDownload:    "Media download error",
	codeMediaUpload:      "Media upload error",
	codeParameterCount:   "Number of parameters does not match the template",
	codeTemplateMissing:  "Template does not exist in this language or is not approved",
	codeTextTooLong:      "Text is too long after its parameters are filled in",
	codeParameterFormat:  "Parameter format does not match the template",
	codeTemplatePaused:   "Template is paused",
	codeParameterValue:   "Parameter value is not allowed in a template",
	codeTemplateDisabled: "Template is disabled",
	codeUserID:           "A user id cannot be the recipient of this message",
	codeUnregistered:     "Phone number is not registered",
}

// reject returns the error of a code. field is a JSON path such as
// "template.language.code", or empty. detail says what to change.
func reject(code int, field, detail string, args ...any) error {
	kind := fault.Invalid
	switch code {
	case codePermission:
		kind = fault.Forbidden
	case codeTemplateMissing:
		kind = fault.NotFound
	case codeMediaUpload:
		kind = fault.Unavailable
	}
	return &fault.Error{
		Kind: kind, Code: strconv.Itoa(code), Message: titles[code],
		Fields: []fault.Field{{Name: field, Message: fmt.Sprintf(detail, args...)}},
	}
}

// notFound returns the error for an id that does not exist, or that the caller
// may not see.
func notFound(id string) error {
	if len(id) > 40 || strings.ContainsFunc(id, unicode.IsControl) {
		id = "with this id" // do not repeat text that cannot be an id
	}
	return &fault.Error{
		Kind: fault.NotFound, Code: strconv.Itoa(codeObject),
		Message: fmt.Sprintf("Object %s does not exist or cannot be loaded", id),
	}
}
