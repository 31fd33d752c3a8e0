package templates

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
)

// buttonLimits is how many buttons of each type a template can have.
var buttonLimits = map[input.Text]int{"QUICK_REPLY": 10, "URL": 2, "PHONE_NUMBER": 1, "COPY_CODE": 1, "FLOW": 1, "CATALOG": 1, "MPM": 1, "REQUEST_CONTACT_INFO": 1}

// cardButtons are the button types that the cards of a carousel can have.
var cardButtons = map[input.Text]bool{"QUICK_REPLY": true, "URL": true, "PHONE_NUMBER": true}

const (
	maxButtons   = 10
	maxURL       = 2000
	maxOfferCode = 15 // characters of the example of an offer code
)

// checkButtons returns the buttons as they are stored.
func (d *draft) checkButtons(at string, buttons []Button) ([]Button, error) {
	if len(buttons) == 0 || len(buttons) > maxButtons {
		return nil, refusal.New(refusal.Invalid, at, "BUTTONS must have 1 to %d buttons, not %d", maxButtons, len(buttons))
	}
	clean := make([]Button, len(buttons))
	count := map[input.Text]int{}
	groups := 0
	for i, b := range buttons {
		place := fmt.Sprintf("%s.buttons[%d]", at, i)
		var err error
		if clean[i], err = d.checkButton(place, b); err != nil {
			return nil, err
		}
		kind := clean[i].Type
		if count[kind]++; count[kind] > buttonLimits[kind] {
			return nil, refusal.New(refusal.Invalid, place, "a template can have at most %d %s", buttonLimits[kind], kind)
		}
		if kind == "QUICK_REPLY" && (i == 0 || clean[i-1].Type != kind) {
			groups++
		}
	}
	if groups > 1 {
		return nil, refusal.New(refusal.Invalid, at, "put the QUICK_REPLY buttons next to each other")
	}
	if count["CATALOG"]+count["MPM"] > 0 && len(buttons) > 1 {
		return nil, refusal.New(refusal.Invalid, at, "a CATALOG or MPM button must be the only button")
	}
	return clean, nil
}

func (d *draft) checkButton(at string, b Button) (Button, error) {
	clean := Button{Type: Upper(b.Type), Text: b.Text}
	if clean.Type == "COPY_CODE" && clean.Text == "" {
		clean.Text = "Copy offer code"
	}
	if clean.Type == "REQUEST_CONTACT_INFO" { // the channel has one text for it
		clean.Text = "Share contact info"
	}
	if buttonLimits[clean.Type] == 0 {
		return clean, refusal.New(refusal.Invalid, at+".type", "type %q is not a button of this category: use QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, FLOW, CATALOG, MPM or REQUEST_CONTACT_INFO, and OTP in authentication templates", truncate(b.Type))
	}
	if err := checkText(at, "the button", clean.Text, maxLabel); err != nil {
		return clean, err
	}
	var err error
	switch clean.Type {
	case "URL":
		clean.URL, clean.Example = b.URL, b.Example
		err = d.checkURL(at, &clean)
	case "PHONE_NUMBER":
		clean.PhoneNumber = b.PhoneNumber
		if !phonePattern.MatchString(string(b.PhoneNumber)) {
			err = refusal.New(refusal.Invalid, at+".phone_number", "write phone_number with its country code, 5 to 20 digits, such as +919812345000")
		}
	case "COPY_CODE":
		clean.Example = b.Example
		if len(b.Example) != 1 || b.Example[0] == "" {
			return clean, refuse(subcodeFieldMissing, at+".example", "COPY_CODE needs one example of the code")
		}
		err = atMost(at+".example", "the example of the code", b.Example[0], maxOfferCode)
	case "FLOW":
		clean.FlowID, clean.FlowName, clean.NavigateScreen = b.FlowID, b.FlowName, b.NavigateScreen
		clean.FlowAction = input.Text(strings.ToLower(string(b.FlowAction)))
		switch {
		case (b.FlowID == "") == (b.FlowName == ""):
			err = refuse(subcodeFieldMissing, at, "FLOW needs either flow_id or flow_name")
		case clean.FlowAction != "" && clean.FlowAction != "navigate" && clean.FlowAction != "data_exchange":
			err = refusal.New(refusal.Invalid, at+".flow_action", "flow_action must be navigate or data_exchange")
		}
	}
	return clean, err
}

var phonePattern = regexp.MustCompile(`^\+?[0-9]{5,20}$`)

// checkURL checks that a button has a URL. The URL can end in one variable and
// needs an example then.
func (d *draft) checkURL(at string, b *Button) error {
	address := string(b.URL)
	if err := atMost(at+".url", "url", b.URL, maxURL); err != nil {
		return err
	}
	variables, problem := variablesIn(address, d.format)
	if problem != "" {
		return refusal.New(refusal.Invalid, at+".url", "url %s", problem)
	}
	fixed, suffix := address, ""
	if start := strings.Index(address, "{{"); start >= 0 {
		fixed, suffix = address[:start], address[start:]
	}
	u, err := url.Parse(fixed)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return refusal.New(refusal.Invalid, at+".url", "url must be a URL that starts with https:// or http://")
	case len(variables) == 0:
		b.Example = nil
		return nil
	case len(variables) > 1 || braces.FindString(suffix) != suffix:
		return refusal.New(refusal.Invalid, at+".url", "url can have one variable, at its end")
	case len(b.Example) != 1 || b.Example[0] == "":
		return refuse(subcodeFieldMissing, at+".example", "url has a variable: send one example of the complete URL")
	}
	return atMost(at+".example", "the example of the URL", b.Example[0], maxURL)
}
