package simulate

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// addTemplate adds the parts of a template with the values that were sent.
func (b *Bubble) addTemplate(parts []storedPart, sent []sentComponent) {
	for _, p := range parts {
		switch strings.ToUpper(p.Type) {
		case "HEADER":
			b.addHeader(p, valuesOf(sent, "header", ""))
		case "BODY":
			b.Text = formatted(filled(p.Text, valuesOf(sent, "body", "")))
		case "FOOTER":
			b.Footer = p.Text
		case "LIMITED_TIME_OFFER":
			b.Offer = &limitedOffer{Title: p.Offer.Text}
			for _, v := range valuesOf(sent, "limited_time_offer", "") {
				if v.Offer == nil {
					continue
				}
				if end, err := v.Offer.ExpirationTimeMs.Int64(); err == nil {
					b.Offer.Until = time.UnixMilli(end).UTC().Format("2 January 2006, 15:04 UTC")
				}
			}
		case "BUTTONS":
			b.addButtons(p, sent)
		case "CAROUSEL":
			b.addCards(p, sent)
		}
	}
	if b.Offer != nil {
		for _, button := range b.Buttons {
			if button.Kind == buttonCopy {
				b.Offer.Code = button.Leads
			}
		}
	}
}

func (b *Bubble) addHeader(p storedPart, values []sentParameter) {
	switch format := strings.ToLower(p.Format); format {
	case "", "text":
		b.Title = filled(p.Text, values)
	case "location":
		if len(values) > 0 {
			b.addPlace(values[0].Location)
		}
	default:
		b.Media = &mediaFile{Kind: format}
		if len(values) > 0 {
			v := values[0]
			b.Media = map[string]*sentFile{"image": v.Image, "video": v.Video, "document": v.Document}[v.Type].media(format)
		}
	}
}

func (b *Bubble) addButtons(p storedPart, sent []sentComponent) {
	for i, button := range p.Buttons {
		values := valuesOf(sent, "button", strconv.Itoa(i))
		made := Button{buttonReply, button.Text, ""}
		switch strings.ToUpper(button.Type) {
		case "URL":
			made.Kind, made.Leads = buttonURL, filled(button.URL, values)
			if strings.Contains(button.URL, "otp_type=COPY_CODE") && len(values) > 0 {
				made.Kind, made.Leads = buttonCopy, "Copies "+values[0].Text
			}
		case "OTP":
			made.Kind = buttonCopy
			made.Text = cmp.Or(made.Text, "Copy code")
			if len(values) > 0 {
				made.Leads = "Copies " + values[0].Text
			}
		case "PHONE_NUMBER":
			made.Kind, made.Leads = buttonCall, button.PhoneNumber
		case "COPY_CODE":
			made.Kind = buttonCopy
			made.Text = cmp.Or(made.Text, "Copy offer code")
			if len(values) > 0 {
				made.Leads = "Copies " + values[0].CouponCode
			}
		case "FLOW":
			made.Kind = buttonFlow
		case "CATALOG", "MPM":
			made.Kind = buttonShop
			made.Text = cmp.Or(made.Text, "View catalogue")
		default:
			made.Leads = made.Text
			if len(values) > 0 {
				made.Leads = values[0].Payload
			}
		}
		b.Buttons = append(b.Buttons, made)
	}
}

func (b *Bubble) addCards(p storedPart, sent []sentComponent) {
	var cards []struct{ Components []sentComponent }
	for _, c := range sent {
		if c.Type == "carousel" {
			cards = c.Cards
		}
	}
	for i, stored := range p.Cards {
		var card Bubble
		var values []sentComponent
		if i < len(cards) {
			values = cards[i].Components
		}
		card.addTemplate(stored.Components, values)
		b.Cards = append(b.Cards, card)
	}
}

// valuesOf returns the parameters that were sent for a component.
func valuesOf(sent []sentComponent, kind, index string) []sentParameter {
	for _, c := range sent {
		if c.Type == kind && c.Index == index {
			return c.Parameters
		}
	}
	return nil
}

// filled puts values in the place of variables.
func filled(text string, values []sentParameter) string {
	named := map[string]string{}
	for i, v := range values {
		shown := v.Text
		switch v.Type {
		case "currency":
			shown = v.Currency.FallbackValue
		case "date_time":
			shown = v.DateTime.FallbackValue
		}
		named[cmp.Or(v.ParameterName, strconv.Itoa(i+1))] = shown
	}
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		name := variable.FindStringSubmatch(found)[1]
		if value, ok := named[name]; ok {
			return value
		}
		return found
	})
}
