package messaging

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/input"
)

// part is a component of a stored template.
type part struct {
	Type    string   `json:"type"`
	Format  string   `json:"format"`
	Text    string   `json:"text"`
	Buttons []button `json:"buttons"`
	Offer   struct {
		HasExpiration bool `json:"has_expiration"`
	} `json:"limited_time_offer"`
	Cards []struct {
		Components []part `json:"components"`
	} `json:"cards"`

	variables []string // of Text
}

type button struct {
	Type string `json:"type"`
	Text string `json:"text"`
	URL  string `json:"url"`

	variables []string // of URL
}

// Limits of texts with their variables filled in, in characters.
const (
	maxFilledHeader = 60
	maxFilledBody   = 1024
	maxFilledURL    = 2000
	maxAuthCode     = 15
)

var variablePattern = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_]+)\s*\}\}`)

// prepare finds the variables of the parts of a template.
func prepare(parts []part) {
	for i := range parts {
		p := &parts[i]
		p.Type, p.Format = strings.ToUpper(p.Type), strings.ToUpper(p.Format)
		p.variables = variables(p.Text)
		for j := range p.Buttons {
			b := &p.Buttons[j]
			b.Type = strings.ToUpper(b.Type)
			if b.variables = variables(b.URL); b.Type == "OTP" {
				b.Type, b.variables = "URL", []string{"1"} // its address is the channel's
			}
		}
		for j := range p.Cards {
			prepare(p.Cards[j].Components)
		}
	}
}

// variables lists the distinct variables of a text.
func variables(text string) (names []string) {
	for _, match := range variablePattern.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, match[1]) {
			names = append(names, match[1])
		}
	}
	return names
}

// sentComponent is the component that was sent for one place of a template. It
// is empty, with the path of the list, if none was sent.
type sentComponent struct {
	*component
	name, path string
}

// sentComponents holds the sent components that are not matched yet.
type sentComponents struct {
	path string
	sent map[string]sentComponent
}

// take removes and returns the component for a place.
func (f *sentComponents) take(name string) sentComponent {
	s, ok := f.sent[name]
	if !ok {
		return sentComponent{component: &component{}, name: name, path: f.path}
	}
	delete(f.sent, name)
	return s
}

// matchComponents checks that the sent components match the components of the template.
func matchComponents(parts []part, sent []component, path string) error {
	f := &sentComponents{path: path, sent: make(map[string]sentComponent, len(sent))}
	for i := range sent {
		s := sentComponent{&sent[i], sent[i].place(), item(path, i)}
		if _, twice := f.sent[s.name]; twice {
			return s.formatError("is sent twice")
		}
		f.sent[s.name] = s
	}
	for i := range parts {
		if err := parts[i].match(f); err != nil {
			return err
		}
	}
	for i := range sent { // in order, so that the error is always the same
		if s, ok := f.sent[sent[i].place()]; ok && len(s.Parameters)+len(s.Cards) > 0 {
			return s.countError(len(s.Parameters)+len(s.Cards), 0)
		}
	}
	return nil
}

// place returns the place in the template that a component fills.
func (c *component) place() string {
	if c.Type == "button" {
		return "button " + string(c.Index)
	}
	return string(c.Type)
}

func (p *part) match(f *sentComponents) error {
	switch p.Type {
	case "HEADER":
		s := f.take("header")
		if p.Format != "" && p.Format != "TEXT" {
			return s.expect(1, strings.ToLower(p.Format))
		}
		return s.fill(p.Text, p.variables, maxFilledHeader)
	case "BODY":
		return f.take("body").fill(p.Text, p.variables, maxFilledBody)
	case "LIMITED_TIME_OFFER":
		want := 0
		if p.Offer.HasExpiration {
			want = 1
		}
		return f.take("limited_time_offer").expect(want, "limited_time_offer")
	case "CAROUSEL":
		return p.matchCards(f.take("carousel"))
	case "BUTTONS":
		for i := range p.Buttons {
			if err := p.Buttons[i].match(f.take("button " + strconv.Itoa(i))); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *button) match(s sentComponent) error {
	if s.SubType != "" && strings.ToUpper(string(s.SubType)) != b.Type {
		return s.formatError("has sub_type %s, but the template has a %s button there", s.SubType, strings.ToLower(b.Type))
	}
	optional := min(len(s.Parameters), 1)
	switch b.Type {
	case "URL":
		return s.fill(b.URL, b.variables, maxFilledURL)
	case "COPY_CODE":
		return s.expect(1, "coupon_code")
	case "MPM":
		if err := s.expect(1, "action"); err != nil {
			return err
		}
		if len(s.Parameters[0].Action.Sections) == 0 {
			return s.formatError("needs action.sections, the products to show")
		}
		return nil
	case "QUICK_REPLY":
		return s.expect(optional, "payload")
	case "FLOW", "CATALOG":
		return s.expect(optional, "action")
	}
	return s.expect(0, "")
}

func (p *part) matchCards(s sentComponent) error {
	if len(s.Cards) != len(p.Cards) {
		return s.countError(len(s.Cards), len(p.Cards))
	}
	for i, card := range s.Cards {
		if int(*card.CardIndex) != i {
			return s.formatError("has card_index %d at position %d: send the cards in order", *card.CardIndex, i)
		}
		if err := matchComponents(p.Cards[i].Components, card.Components, item(s.path+".cards", i)+".components"); err != nil {
			return err
		}
	}
	return nil
}

// fill checks the values of the variables of a text.
func (s sentComponent) fill(text string, names []string, limit int) error {
	if err := s.expect(len(names), "text"); err != nil {
		return err
	}
	if len(names) == 0 {
		return nil
	}
	values := make(map[string]string, len(names))
	named := strings.Trim(strings.Join(names, ""), "0123456789") != ""
	for i, p := range s.Parameters {
		name := string(p.ParameterName)
		if name == "" && !named {
			name = strconv.Itoa(i + 1)
		}
		if _, twice := values[name]; twice || !slices.Contains(names, name) {
			return s.formatError("has no place for parameter_name %q: the template has %s", name, strings.Join(names, ", "))
		}
		values[name] = p.displayText()
	}
	filled := variablePattern.ReplaceAllStringFunc(text, func(found string) string {
		return values[variablePattern.FindStringSubmatch(found)[1]]
	})
	if n := utf8.RuneCountInString(filled); n > limit {
		return refusal.New(refusal.TextTooLong, s.path, "%s: the %s has %d characters once filled in: use at most %d", s.path, s.name, n, limit)
	}
	return nil
}

// expect checks the number and the type of the parameters.
func (s sentComponent) expect(want int, kind string) error {
	if len(s.Parameters) != want {
		return s.countError(len(s.Parameters), want)
	}
	for i, p := range s.Parameters {
		if p.Type != input.Text(kind) && (kind != "text" || p.Type != "currency" && p.Type != "date_time") {
			return s.formatError("has a %s as parameter %d, but the template expects a %s", p.Type, i+1, kind)
		}
		if value := p.displayText(); kind == "text" && unevenSpace.MatchString(value) {
			return refusal.New(refusal.ParameterValue, s.path, "%s: parameter %d of the %s is %q: a value cannot have line breaks, tabs or more than four spaces in a row", s.path, i+1, s.name, clip(value))
		}
	}
	return nil
}

// unevenSpace matches what the channel does not take in values of templates.
var unevenSpace = regexp.MustCompile(`[\n\r\t]| {5}`)

func (s sentComponent) countError(got, want int) error {
	return refusal.New(refusal.ParameterCount, s.path, "%s: the %s expects %d parameters and got %d", s.path, s.name, want, got)
}

func (s sentComponent) formatError(detail string, args ...any) error {
	return refusal.New(refusal.ParameterFormat, s.path, "%s: the %s "+detail, append([]any{s.path, s.name}, args...)...)
}

// displayText returns the text that is shown for a parameter.
func (p *parameter) displayText() string {
	switch p.Type {
	case "currency":
		return string(p.Currency.FallbackValue)
	case "date_time":
		return string(p.DateTime.FallbackValue)
	}
	return string(p.Text)
}

// checkCode checks the code of an authentication message. Body and button must
// have the same one, because the button copies what the body shows.
func checkCode(sent []component) error {
	var body, button string
	for _, c := range sent {
		switch {
		case len(c.Parameters) == 0:
		case c.Type == "body":
			body = c.Parameters[0].displayText()
		case c.Type == "button":
			button = c.Parameters[0].displayText()
		}
	}
	if n := utf8.RuneCountInString(body); n > maxAuthCode {
		return refusal.New(refusal.ParameterFormat, pathComponents, "%s: the code has %d characters: use at most %d", pathComponents, n, maxAuthCode)
	}
	if body != button {
		return refusal.New(refusal.ParameterFormat, pathComponents, "%s: the button differs from the body: send the same code in both", pathComponents)
	}
	return nil
}
