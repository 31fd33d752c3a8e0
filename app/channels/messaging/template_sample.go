package messaging

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/input"
	"heliograph/db/models"
)

// sampleRecipient is who the samples of messages are for.
const sampleRecipient = "+919812345678"

// sampleOffer is how long the offer of a sample is valid.
const sampleOffer = 7 * 24 * time.Hour

// SampleSend returns the body of a send of a template, with the examples of the template
// as values. word is the name of the channel.
func SampleSend(word string, t models.Template, now time.Time) ([]byte, error) {
	var stored []templates.Component
	if err := json.Unmarshal(t.Components, &stored); err != nil {
		return nil, fmt.Errorf("reading template %s: %w", t.Name, err)
	}
	s := sampler{code: t.Category == "AUTHENTICATION", now: now}
	body, err := json.Marshal(struct {
		Product  string          `json:"messaging_product"`
		To       string          `json:"to"`
		Type     string          `json:"type"`
		Template templateMessage `json:"template"`
	}{word, sampleRecipient, "template", templateMessage{Name: input.Text(t.Name), Language: language{Code: input.Text(t.Language)}, Components: s.components(stored)}})
	if err != nil {
		return nil, fmt.Errorf("writing a send of template %s: %w", t.Name, err)
	}
	return body, nil
}

// sampler fills templates with their examples.
type sampler struct {
	code bool // a template for one-time passwords
	now  time.Time
}

func (s sampler) components(stored []templates.Component) (made []component) {
	for _, c := range stored {
		switch templates.Upper(c.Type) {
		case "HEADER":
			made = append(made, s.header(c)...)
		case "BODY":
			if filled := s.text(string(c.Text), bodyExamples(c.Example)); filled != nil {
				made = append(made, component{Type: "body", Parameters: filled})
			}
		case "LIMITED_TIME_OFFER":
			if c.Offer != nil && bool(c.Offer.HasExpiration) {
				end := input.Integer(s.now.Add(sampleOffer).Truncate(time.Hour).UnixMilli())
				made = append(made, component{Type: "limited_time_offer", Parameters: []parameter{{Type: "limited_time_offer", Offer: &offerExpiry{&end}}}})
			}
		case "BUTTONS":
			for i, b := range c.Buttons {
				made = append(made, s.button(i, b)...)
			}
		case "CAROUSEL":
			carousel := component{Type: "carousel"}
			for i, inner := range c.Cards {
				at := input.Integer(i)
				carousel.Cards = append(carousel.Cards, card{&at, s.components(inner.Components)})
			}
			made = append(made, carousel)
		}
	}
	return made
}

func (s sampler) header(c templates.Component) []component {
	var filled []parameter
	switch format := templates.Upper(c.Format); format {
	case "", "TEXT":
		var examples sampleValues
		if c.Example != nil {
			examples = sampleValues{c.Example.HeaderText, c.Example.HeaderNamed}
		}
		if filled = s.text(string(c.Text), examples); filled == nil {
			return nil
		}
	case "IMAGE":
		filled = []parameter{{Type: "image", Image: &sentFile{Link: "https://shop.example.com/picture.jpg"}}}
	case "VIDEO":
		filled = []parameter{{Type: "video", Video: &sentFile{Link: "https://shop.example.com/film.mp4"}}}
	case "DOCUMENT":
		filled = []parameter{{Type: "document", Document: &sentFile{Link: "https://shop.example.com/invoice.pdf", Filename: "invoice.pdf"}}}
	case "LOCATION":
		latitude, longitude := input.Decimal(18.52), input.Decimal(73.85)
		filled = []parameter{{Type: "location", Location: &location{Latitude: &latitude, Longitude: &longitude, Name: "The shop", Address: "Pune"}}}
	default:
		return nil
	}
	return []component{{Type: "header", Parameters: filled}}
}

// sampleValues are the examples of the variables of a text.
type sampleValues struct {
	numbered []input.Text
	named    []templates.NamedExample
}

func bodyExamples(e *templates.Example) (v sampleValues) {
	if e == nil {
		return v
	}
	if len(e.BodyText) > 0 {
		v.numbered = e.BodyText[0]
	}
	v.named = e.BodyNamed
	return v
}

// of returns the example of a variable, or the name of the variable without one.
func (v sampleValues) of(name string) input.Text {
	if i := slices.IndexFunc(v.named, func(n templates.NamedExample) bool { return string(n.Name) == name }); i >= 0 && v.named[i].Example != "" {
		return v.named[i].Example
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(v.numbered) && v.numbered[n-1] != "" {
		return v.numbered[n-1]
	}
	return input.Text(name)
}

// text returns the values of a text; nil for one without variables.
func (s sampler) text(text string, examples sampleValues) (made []parameter) {
	names := variables(text)
	numbered := !slices.ContainsFunc(names, func(name string) bool { _, err := strconv.Atoi(name); return err != nil })
	for i := range names {
		p := parameter{Type: "text"}
		if numbered {
			p.Text = examples.of(strconv.Itoa(i + 1))
		} else {
			p.ParameterName, p.Text = input.Text(names[i]), examples.of(names[i])
		}
		p.Text = input.Text(unevenSpace.ReplaceAllString(string(p.Text), " "))
		made = append(made, p)
	}
	return made
}

func (s sampler) button(i int, b templates.Button) []component {
	made := component{Type: "button", SubType: input.Text(strings.ToLower(string(b.Type))), Index: input.Text(strconv.Itoa(i))}
	switch templates.Upper(b.Type) {
	case "URL":
		made.Parameters = s.address(b)
	case "OTP":
		made.SubType, made.Parameters = "url", []parameter{{Type: "text", Text: "123456"}}
	case "COPY_CODE":
		code := input.Text("LAMP25")
		if len(b.Example) > 0 {
			code = b.Example[0]
		}
		made.Parameters = []parameter{{Type: "coupon_code", CouponCode: code}}
	case "QUICK_REPLY":
		made.Parameters = []parameter{{Type: "payload", Payload: b.Text}}
	case "MPM":
		made.Parameters = []parameter{{Type: "action", Action: &buttonAction{Sections: []section{{Title: "Lamps", ProductItems: []productItem{{ProductRetailerID: "lamp"}}}}}}}
	}
	if made.Parameters == nil {
		return nil
	}
	return []component{made}
}

// address returns the value of the variable of an address. The example of the address is
// the whole of it.
func (s sampler) address(b templates.Button) []parameter {
	names := variables(string(b.URL))
	if len(names) == 0 {
		return nil
	}
	value := input.Text(names[0])
	if len(b.Example) > 0 {
		fixed, _, _ := strings.Cut(string(b.URL), "{{")
		if rest := strings.TrimPrefix(string(b.Example[0]), fixed); rest != "" {
			value = input.Text(rest)
		}
	}
	if s.code && len(b.Example) == 0 {
		value = "123456"
	}
	p := parameter{Type: "text", Text: value}
	if _, err := strconv.Atoi(names[0]); err != nil {
		p.ParameterName = input.Text(names[0])
	}
	return []parameter{p}
}
