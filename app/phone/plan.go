package phone

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Plan is what the numbering plans say about a number. They know which numbers
// were issued and to which network, but neither whether a number is in use nor
// which network serves it after it was ported.
type Plan struct {
	E164    string // such as +919812345678
	Region  string // ISO 3166-1 alpha-2; empty for numbers of no country
	Country string // English name; empty for numbers of no country
	Prefix  string // country calling code, such as 91
	Line    string // mobile, fixed, voip, toll_free, premium, other or unknown
	Network string // network that the number was issued to; empty if it is unknown
}

// lines maps the kinds of numbers to the values of Plan.Line. Countries such as
// the United States do not distinguish mobile from fixed numbers: unknown.
var lines = map[phonenumbers.PhoneNumberType]string{
	phonenumbers.MOBILE: "mobile", phonenumbers.FIXED_LINE: "fixed", phonenumbers.VOIP: "voip",
	phonenumbers.TOLL_FREE: "toll_free", phonenumbers.PREMIUM_RATE: "premium",
	phonenumbers.FIXED_LINE_OR_MOBILE: "unknown", phonenumbers.UNKNOWN: "unknown",
}

// Describe returns what the numbering plans say about an international number,
// with or without the leading +. It reports false for numbers that cannot exist.
func Describe(text string) (Plan, bool) {
	n, err := phonenumbers.Parse("+"+strings.TrimPrefix(strings.TrimSpace(text), "+"), "")
	if err != nil || n.GetExtension() != "" || !phonenumbers.IsValidNumber(n) {
		return Plan{}, false
	}
	p := Plan{E164: phonenumbers.Format(n, phonenumbers.E164), Prefix: strconv.Itoa(int(n.GetCountryCode())), Line: "other"}
	if line, ok := lines[phonenumbers.GetNumberType(n)]; ok {
		p.Line = line
	}
	if region := phonenumbers.GetRegionCodeForNumber(n); region != "001" {
		p.Region = region
		if place, err := language.ParseRegion(region); err == nil {
			p.Country = display.English.Regions().Name(place)
		}
	}
	if p.Line == "mobile" {
		if network, err := phonenumbers.GetCarrierForNumber(n, "en"); err == nil {
			p.Network = network
		}
	}
	return p, true
}
