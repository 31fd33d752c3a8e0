package messaging

import (
	"regexp"
)

// Paths and limits of a template message.
const (
	pathComponents = "template.components"
	maxComponents  = 12
	maxPayload     = 256 // characters of the payload of a quick reply
	maxCoupon      = 15
)

var currencyPattern = regexp.MustCompile(`^[A-Z]{3}$`)

func (m *templateMessage) review(v *review) {
	v.need("template.name", m.Name != "")
	v.need("template.language.code", m.Language.Code != "")
	v.choice("template.language.policy", &m.Language.Policy, "deterministic")
	reviewComponents(v, pathComponents, m.Components)
}

func reviewComponents(v *review, path string, components []component) {
	if len(components) > maxComponents {
		v.refuse(path, "%s has %d items: use at most %d", path, len(components), maxComponents)
		return
	}
	for i := range components {
		components[i].review(v, item(path, i))
	}
}

func (c *component) review(v *review, path string) {
	v.word(path+".type", &c.Type, "header", "body", "button", "limited_time_offer", "carousel")
	if c.Type == "button" {
		v.word(path+".sub_type", &c.SubType, "url", "quick_reply", "copy_code", "catalog", "flow", "mpm")
		v.need(path+".index", c.Index != "")
		if len(c.Index) != 1 || c.Index[0] < '0' || c.Index[0] > '9' {
			v.refuse(path+".index", "%s.index must be from \"0\" to \"9\"", path)
		}
	}
	for i := range c.Parameters {
		c.Parameters[i].review(v, item(path+".parameters", i))
	}
	for i := range c.Cards {
		at := item(path+".cards", i)
		v.need(at+".card_index", c.Cards[i].CardIndex != nil)
		for j := range c.Cards[i].Components {
			// Carousels cannot be nested.
			if inner := &c.Cards[i].Components[j]; len(inner.Cards) == 0 {
				inner.review(v, item(at+".components", j))
			} else {
				v.refuse(at, "%s cannot hold cards of its own", at)
			}
		}
	}
}

func (p *parameter) review(v *review, path string) {
	v.word(path+".type", &p.Type, "text", "payload", "coupon_code", "currency", "date_time", "image", "video", "document", "location", "action", "limited_time_offer")
	switch p.Type {
	case "text":
		v.need(path+".text", p.Text != "")
	case "payload":
		v.text(path+".payload", p.Payload, maxPayload)
	case "coupon_code":
		v.text(path+".coupon_code", p.CouponCode, maxCoupon)
	case "currency":
		p.Currency = orEmpty(p.Currency)
		p.Currency.review(v, path+".currency")
	case "date_time":
		p.DateTime = orEmpty(p.DateTime)
		v.need(path+".date_time.fallback_value", p.DateTime.FallbackValue != "")
	case "image":
		p.Image = orEmpty(p.Image)
		p.Image.review(v, path+".image", "image")
	case "video":
		p.Video = orEmpty(p.Video)
		p.Video.review(v, path+".video", "video")
	case "document":
		p.Document = orEmpty(p.Document)
		p.Document.review(v, path+".document", "document")
	case "location":
		p.Location = orEmpty(p.Location)
		p.Location.review(v, path+".location")
	case "action":
		v.need(path+".action", p.Action != nil)
	case "limited_time_offer":
		v.need(path+".limited_time_offer.expiration_time_ms", p.Offer != nil && p.Offer.ExpirationTimeMs != nil)
	}
}

func (c *currency) review(v *review, path string) {
	v.need(path+".fallback_value", c.FallbackValue != "")
	v.need(path+".code", c.Code != "")
	v.need(path+".amount_1000", c.Amount1000 != nil)
	if !currencyPattern.MatchString(string(c.Code)) {
		v.refuse(path+".code", "%s.code must be a currency of three capital letters, such as INR", path)
	}
}
