package templates

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
)

// draft is a template that is being validated. The checks convert its components
// to the stored form: types in upper case, unused fields dropped.
type draft struct {
	category   string
	language   string
	format     string // of the variables
	components []Component
	file       fileTypeFunc // nil if the files of headers are already known
}

// fileTypeFunc returns the media type of the file with a handle.
type fileTypeFunc func(handle string) (mime string, err error)

// Limits of a template, in characters unless noted.
const (
	maxHeader   = 60
	maxTextBody = 1024
	maxCardBody = 160
	maxFooter   = 60
	maxOffer    = 16
	maxLabel    = 25
	minCards    = 2
	maxCards    = 10
)

// check validates the components by the rules of the category.
func (d *draft) check() error {
	seen := map[input.Text]bool{}
	for i := range d.components {
		c := &d.components[i]
		c.Type = Upper(c.Type)
		if seen[c.Type] {
			return refusal.New(refusal.Invalid, componentAt(i), "%s is sent twice: send each type of component once", c.Type)
		}
		seen[c.Type] = true
	}
	if !seen["BODY"] {
		return refuse(subcodeFieldMissing, "components", "components has no BODY: every template needs one")
	}
	if d.category == "AUTHENTICATION" {
		return d.checkAuthentication(seen)
	}
	if seen["CAROUSEL"] && len(seen) > 2 {
		return refusal.New(refusal.Invalid, "components", "a template with a CAROUSEL can have only a BODY besides: move headers and buttons into its cards")
	}
	for i, c := range d.components {
		clean, err := d.checkComponent(componentAt(i), c)
		if err != nil {
			return err
		}
		d.components[i] = clean
	}
	return nil
}

func (d *draft) checkComponent(at string, c Component) (Component, error) {
	clean := Component{Type: c.Type}
	var err error
	switch c.Type {
	case "HEADER":
		return d.checkHeader(at, c)
	case "BODY":
		return d.checkBody(at, c, maxTextBody)
	case "FOOTER":
		clean.Text = c.Text
		err = checkFooter(at, c.Text)
	case "BUTTONS":
		clean.Buttons, err = d.checkButtons(at, c.Buttons)
	case "LIMITED_TIME_OFFER":
		clean.Offer = c.Offer
		if c.Offer == nil || c.Offer.Text == "" {
			return clean, refuse(subcodeFieldMissing, at, "LIMITED_TIME_OFFER needs limited_time_offer with a text")
		}
		err = atMost(at, "the offer", c.Offer.Text, maxOffer)
	case "CAROUSEL":
		clean.Cards, err = d.checkCards(at, c.Cards)
	default:
		err = refusal.New(refusal.Invalid, at, "type %q is not a component: use HEADER, BODY, FOOTER, BUTTONS, LIMITED_TIME_OFFER or CAROUSEL", truncate(c.Type))
	}
	return clean, err
}

func (d *draft) checkHeader(at string, c Component) (Component, error) {
	clean := Component{Type: c.Type, Format: Upper(c.Format)}
	example := d.example(c)
	switch clean.Format {
	case "LOCATION":
		return clean, nil
	case "IMAGE", "VIDEO", "DOCUMENT":
		if len(example.HeaderHandle) != 1 || example.HeaderHandle[0] == "" {
			return clean, refuse(subcodeFieldMissing, at, "the header needs example.header_handle with the handle of one uploaded file")
		}
		clean.Example = &Example{HeaderHandle: example.HeaderHandle}
		return clean, d.checkFile(at, clean.Format, string(example.HeaderHandle[0]))
	case "TEXT":
	default:
		return clean, refusal.New(refusal.Invalid, at+".format", "format must be TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION")
	}
	clean.Text = c.Text
	if err := checkText(at, "the header", c.Text, maxHeader); err != nil {
		return clean, err
	}
	if strings.ContainsAny(string(c.Text), "*\n\r") || hasEmoji(string(c.Text)) {
		return clean, refuse(subcodeFormat, at, "write the header on one line, without emoji and asterisks")
	}
	variables, problem := variablesIn(string(c.Text), d.format)
	if problem == "" && len(variables) > 1 {
		problem = fmt.Sprintf("has %d variables: use at most one", len(variables))
	}
	if problem != "" {
		return clean, refuse(subcodeFormat, at, "the header %s", problem)
	}
	if len(variables) == 0 {
		return clean, nil
	}
	clean.Example = &Example{HeaderText: example.HeaderText, HeaderNamed: example.HeaderNamed}
	return clean, d.checkExamples(at, clean, variables)
}

// checkFile checks that the file has the type of the header.
func (d *draft) checkFile(at string, format input.Text, handle string) error {
	if d.file == nil {
		return nil
	}
	mime, err := d.file(handle)
	wanted := map[input.Text]string{"IMAGE": "image/", "VIDEO": "video/", "DOCUMENT": "application/pdf"}[format]
	if err == nil && !strings.HasPrefix(mime, wanted) {
		err = refusal.New(refusal.Invalid, at, "the header is %s but its example is a file of type %s: upload a file of the right type", format, mime)
	}
	return err
}

func (d *draft) checkBody(at string, c Component, limit int) (Component, error) {
	clean := Component{Type: c.Type, Text: c.Text}
	if err := checkText(at, "the body", c.Text, limit); err != nil {
		return clean, err
	}
	variables, problem := variablesIn(string(c.Text), d.format)
	if problem != "" {
		return clean, refuse(subcodeFormat, at, "the body %s", problem)
	}
	if len(variables) == 0 {
		return clean, nil
	}
	text := strings.TrimSpace(string(c.Text))
	switch words, needed := countWords(text), 2*len(variables)+1; {
	case strings.HasPrefix(text, "{{"):
		return clean, refuse(subcodeEdge, at, "put text before the variable at the start of the body")
	case strings.HasSuffix(text, "}}"):
		return clean, refuse(subcodeEdge, at, "put text after the variable at the end of the body")
	case words < needed:
		return clean, refuse(subcodeFewWords, at, "the body has %d words besides its %d variables: write at least %d words, or use fewer variables", words, len(variables), needed)
	}
	example := d.example(c)
	clean.Example = &Example{BodyText: example.BodyText, BodyNamed: example.BodyNamed}
	return clean, d.checkExamples(at, clean, variables)
}

// example returns the examples of a component for the parameter format of the
// template.
func (d *draft) example(c Component) Example {
	if c.Example == nil {
		return Example{}
	}
	e := *c.Example
	if d.format == named {
		e.HeaderText, e.BodyText = nil, nil
	} else {
		e.HeaderNamed, e.BodyNamed = nil, nil
	}
	return e
}

// checkExamples checks that every variable of a header or body has an example.
func (d *draft) checkExamples(at string, c Component, variables []string) error {
	part, row, byName := "header", []input.Text(c.Example.HeaderText), c.Example.HeaderNamed
	if c.Type == "BODY" {
		part, row, byName = "body", nil, c.Example.BodyNamed
		if len(c.Example.BodyText) == 1 {
			row = c.Example.BodyText[0]
		}
	}
	if d.format == Positional {
		if len(row) != len(variables) || slices.Contains(row, "") {
			return refuse(subcodeFieldMissing, at, "the %s has %d variables: send an example of each in example.%s_text", part, len(variables), part)
		}
		return nil
	}
	for _, v := range variables {
		if !slices.ContainsFunc(byName, func(e NamedExample) bool { return string(e.Name) == v && e.Example != "" }) {
			return refuse(subcodeFieldMissing, at, "send an example of {{%s}} in example.%s_text_named_params", v, part)
		}
	}
	if len(byName) != len(variables) {
		return refuse(subcodeFieldMissing, at, "example.%s_text_named_params has %d values for %d variables", part, len(byName), len(variables))
	}
	return nil
}

func checkFooter(at string, text input.Text) error {
	if err := checkText(at, "the footer", text, maxFooter); err != nil {
		return err
	}
	if strings.ContainsAny(string(text), "*\n\r") || strings.Contains(string(text), "{{") || hasEmoji(string(text)) {
		return refuse(subcodeFooter, at, "write the footer on one line, without variables, emoji and asterisks")
	}
	return nil
}

// checkCards checks that there are two to ten cards with the same structure.
func (d *draft) checkCards(at string, cards []templateCard) ([]templateCard, error) {
	if len(cards) < minCards || len(cards) > maxCards {
		return nil, refusal.New(refusal.Invalid, at, "a carousel must have %d to %d cards, not %d", minCards, maxCards, len(cards))
	}
	clean := make([]templateCard, len(cards))
	shapes := make([]string, len(cards))
	for i, card := range cards {
		for j, c := range card.Components {
			c.Type = Upper(c.Type)
			part, err := d.checkCardPart(fmt.Sprintf("%s.cards[%d].components[%d]", at, i, j), c)
			if err != nil {
				return nil, err
			}
			clean[i].Components = append(clean[i].Components, part)
			shapes[i] += string(part.Type+" "+part.Format) + ";"
			for _, b := range part.Buttons {
				shapes[i] += string(b.Type) + ","
			}
		}
		parts := func(kind string) int { return strings.Count(shapes[i], kind+" ") }
		if !strings.HasPrefix(shapes[i], "HEADER ") || parts("HEADER") != 1 || parts("BODY") > 1 || parts("BUTTONS") != 1 {
			return nil, refusal.New(refusal.Invalid, fmt.Sprintf("%s.cards[%d]", at, i), "a card must have one HEADER, an optional BODY and one BUTTONS, in this order")
		}
		if shapes[i] != shapes[0] {
			return nil, refusal.New(refusal.Invalid, fmt.Sprintf("%s.cards[%d]", at, i), "all cards must have the same components and button types in the same order as the first card")
		}
	}
	return clean, nil
}

func (d *draft) checkCardPart(at string, c Component) (Component, error) {
	switch f := Upper(c.Format); {
	case c.Type == "BODY":
		return d.checkBody(at, c, maxCardBody)
	case c.Type == "HEADER" && f != "IMAGE" && f != "VIDEO":
		return c, refusal.New(refusal.Invalid, at+".format", "the header of a card must be an IMAGE or a VIDEO")
	case c.Type == "BUTTONS" && (len(c.Buttons) > 2 || slices.ContainsFunc(c.Buttons, func(b Button) bool { return !cardButtons[Upper(b.Type)] })):
		return c, refusal.New(refusal.Invalid, at, "a card can have one or two buttons of the types QUICK_REPLY, URL and PHONE_NUMBER")
	case c.Type != "HEADER" && c.Type != "BUTTONS":
		return c, refusal.New(refusal.Invalid, at, "a card cannot have %q: use HEADER, BODY and BUTTONS", truncate(c.Type))
	}
	return d.checkComponent(at, c)
}

// checkText checks that a text is not empty and has at most limit characters.
func checkText(at, name string, text input.Text, limit int) error {
	if input.IsBlank(string(text)) {
		return refuse(subcodeFieldMissing, at, "%s needs a text", name)
	}
	return atMost(at, name, text, limit)
}

func atMost(at, name string, text input.Text, limit int) error {
	if n := utf8.RuneCountInString(string(text)); n > limit {
		return refuse(subcodeTooLong, at, "%s can have at most %d characters and has %d", name, limit, n)
	}
	return nil
}

// Upper returns a text in capitals.
func Upper(t input.Text) input.Text { return input.Text(strings.ToUpper(string(t))) }

// truncate shortens a text from a request for an error message.
func truncate(t input.Text) input.Text {
	if r := []rune(t); len(r) > 40 {
		return input.Text(r[:40]) + "…"
	}
	return t
}
