package rcs

import (
	"math"
	"strconv"

	"heliograph/app/fault"
)

// contact is the rule of a contact, alone or with a label.
func contact(value rule) rule {
	labelled := object(fields{"value": value, "label": text(1, 25)}, "value")
	return func(c *check, path string, v any) {
		if _, ok := v.(map[string]any); ok {
			labelled(c, path, v)
			return
		}
		value(c, path, v)
	}
}

const maxContacts = 3 // of each kind

// botFields are the fields of a bot that its owner sets.
var botFields = fields{
	"botName":          name(1, 40),
	"brandName":        name(0, 100),
	"shortDescription": text(0, 100),
	"botMessageType":   choice("TRANSACTIONAL", "PROMOTIONAL"),
	"botUseCase":       text(0, 500),
	"phoneNumbers":     list(0, maxContacts, "items", contact(phoneNumber)),
	"websites":         list(0, maxContacts, "items", contact(webURL)),
	"emails":           list(0, maxContacts, "items", contact(emailAddress)),
	"color":            matching(`^#[0-9A-Fa-f]{6}$`, "have the form #RRGGBB"),
	"botLogoImage":     webURL,
	"botBannerImage":   webURL,
	"termsofUseUrl":    webURL,
	"privacyPolicyUrl": webURL,
	"languages":        all(list(1, 20, "items", matching(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`, "be a BCP 47 tag such as en-IN")), distinct),
	"regions":          all(list(0, 100, "items", matching(`^[A-Z]{2}$`, "be an ISO 3166-1 code such as IN")), distinct),
	"carriers":         all(list(0, 100, "items", matching(`^[0-9]{5,6}$`, "be the codes of a country and a network, such as 40420")), distinct),
	"billingCategory":  text(0, 50),
}

// verificationFields are the fields of a submission for verification, without its
// images.
var verificationFields = fields{
	"botId": opaqueID,
	"brandDetails": openObject(fields{
		"brandName": text(1, 100), "legalName": text(0, 200), "website": webURL, "industry": text(0, 100), "address": text(0, 500),
	}, "brandName"),
	"contactEmail":            emailAddress,
	"agentAccessInstructions": text(0, 2000),
	"optInDescription":        text(1, 2000),
	"optOutDescription":       text(1, 2000),
}

var verificationRequired = []string{"botId", "brandDetails", "contactEmail", "optInDescription", "optOutDescription"}

// frozen are the fields of a bot that cannot change from its review on, with
// their names in messages.
var frozen = map[string]string{"botName": "name", "botLogoImage": "logo", "botBannerImage": "banner", "botUseCase": "use case"}

// complete are the fields that a bot needs for verification.
var complete = []string{"botLogoImage", "botBannerImage", "termsofUseUrl", "privacyPolicyUrl"}

// Missing returns the fields that a bot still needs for verification.
func Missing(profile map[string]any) (missing []string) {
	for _, name := range complete {
		if s, _ := profile[name].(string); s == "" {
			missing = append(missing, name)
		}
	}
	return missing
}

// leastContrast is the contrast to white that text needs (WCAG 2.2 AA).
const leastContrast = 4.5

// warnings returns what is accepted of a bot and could be better.
func warnings(profile map[string]any) []fault.Field {
	color, _ := profile["color"].(string)
	if color == "" || contrast(color) >= leastContrast {
		return nil
	}
	return []fault.Field{{Name: "color", Code: "contrast", Message: "should have a contrast of at least 4.5:1 to white"}}
}

// contrast returns the contrast of a colour #RRGGBB to white.
func contrast(color string) float64 {
	channel := func(hex string) float64 {
		n, _ := strconv.ParseUint(hex, 16, 8) // checked by its pattern
		c := float64(n) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 1.05 / (0.2126*channel(color[1:3]) + 0.7152*channel(color[3:5]) + 0.0722*channel(color[5:7]) + 0.05)
}
