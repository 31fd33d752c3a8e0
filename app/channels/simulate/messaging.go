package simulate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"heliograph/app/channels/messaging"
)

// The parts of a stored message and of a template that a phone shows.
type (
	sentMessage struct {
		Type        string
		Text        struct{ Body string }
		Image       *sentFile
		Video       *sentFile
		Audio       *sentFile
		Document    *sentFile
		Sticker     *sentFile
		Location    *sentPlace
		Contacts    []sentContact
		Reaction    *struct{ Emoji string }
		Interactive *sentInteractive
		Template    *struct{ Components []sentComponent }
		Context     *struct {
			MessageID string `json:"message_id"`
		}
	}
	sentFile  struct{ ID, Link, Caption, Filename string }
	sentPlace struct {
		Latitude, Longitude float64
		Name, Address       string
	}
	sentContact struct {
		Name struct {
			FormattedName string `json:"formatted_name"`
		}
		Birthday string
		Phones   []struct{ Phone, Type string }
		Emails   []struct{ Email string }
		URLs     []struct{ URL string }
		Org      *struct{ Company, Title string }
	}
	sentInteractive struct {
		Type   string
		Header *struct {
			Type, Text             string
			Image, Video, Document *sentFile
		}
		Body, Footer *struct{ Text string }
		Action       struct {
			Button  string
			Buttons []struct {
				Reply struct{ ID, Title string }
			}
			Sections          []sentSection
			CatalogID         string `json:"catalog_id"`
			ProductRetailerID string `json:"product_retailer_id"`
			Parameters        sentParameters
		}
	}
	sentSection struct {
		Title        string
		Rows         []struct{ ID, Title, Description string }
		ProductItems []struct {
			ProductRetailerID string `json:"product_retailer_id"`
		} `json:"product_items"`
	}
	sentParameters struct {
		DisplayText                string `json:"display_text"`
		URL                        string
		FlowCTA                    string `json:"flow_cta"`
		FlowID                     string `json:"flow_id"`
		FlowName                   string `json:"flow_name"`
		ThumbnailProductRetailerID string `json:"thumbnail_product_retailer_id"`
		ReferenceID                string `json:"reference_id"`
		Currency                   string
		TotalAmount                *sentAmount `json:"total_amount"`
		Order                      *struct {
			Status, Description               string
			Items                             []sentItem
			Subtotal, Tax, Shipping, Discount *sentAmount
		}
	}
	sentAmount struct {
		Value, Offset json.Number
	}
	sentItem struct {
		Name       string
		Amount     *sentAmount
		SaleAmount *sentAmount `json:"sale_amount"`
		Quantity   json.Number
	}
	sentComponent struct {
		Type, Index string
		SubType     string `json:"sub_type"`
		Parameters  []sentParameter
		Cards       []struct{ Components []sentComponent }
	}
	sentParameter struct {
		Type          string
		ParameterName string `json:"parameter_name"`
		Text, Payload string
		CouponCode    string `json:"coupon_code"`
		Currency      struct {
			FallbackValue string `json:"fallback_value"`
		}
		DateTime struct {
			FallbackValue string `json:"fallback_value"`
		} `json:"date_time"`
		Image, Video, Document *sentFile
		Location               *sentPlace
		Offer                  *struct {
			ExpirationTimeMs json.Number `json:"expiration_time_ms"`
		} `json:"limited_time_offer"`
	}
	storedPart struct {
		Type, Format, Text string
		Buttons            []struct {
			Type, Text, URL string
			PhoneNumber     string `json:"phone_number"`
		}
		Offer struct{ Text string } `json:"limited_time_offer"`
		Cards []struct{ Components []storedPart }
	}
)

// messagingScreen returns the screen of a checked message.
func messagingScreen(r messaging.Rehearsal) (*Screen, error) {
	s := &Screen{Sender: "Your business", About: "Business account", Verified: true}
	if len(r.Message.Payload) == 0 {
		s.Notes = []string{"A read receipt shows nothing new: the message that the customer wrote gets its blue ticks."}
		return s, nil
	}
	b, err := messagingBubble(r)
	if err != nil {
		return nil, err
	}
	s.Bubbles = []Bubble{b}
	return s, nil
}

func messagingBubble(r messaging.Rehearsal) (b Bubble, err error) {
	var m sentMessage
	if err := json.Unmarshal(r.Message.Payload, &m); err != nil {
		return b, fmt.Errorf("reading a checked message: %w", err)
	}
	if m.Context != nil && m.Context.MessageID != "" {
		b.Quoted = "The message " + m.Context.MessageID
	}
	switch m.Type {
	case "text":
		b.Text = formatted(m.Text.Body)
	case "image", "video", "audio", "document", "sticker":
		file := map[string]*sentFile{"image": m.Image, "video": m.Video, "audio": m.Audio, "document": m.Document, "sticker": m.Sticker}[m.Type]
		b.Media, b.Text = file.media(m.Type), formatted(file.Caption)
	case "location":
		b.addPlace(m.Location)
	case "contacts":
		for _, c := range m.Contacts {
			b.Cards = append(b.Cards, c.card())
		}
	case "reaction":
		b.Quoted, b.Reaction = "Your customer's message", m.Reaction.Emoji
		if b.Reaction == "" {
			b.Reaction = "–"
			b.Footer = "The reaction is taken away."
		}
	case "interactive":
		b.addInteractive(m.Interactive)
	case "template":
		var parts []storedPart
		if err := json.Unmarshal(r.Template.Components, &parts); err != nil {
			return b, fmt.Errorf("reading a template: %w", err)
		}
		b.addTemplate(parts, m.Template.Components)
	}
	return b, nil
}

func (f *sentFile) media(kind string) *mediaFile {
	if f == nil {
		return &mediaFile{Kind: kind}
	}
	m := &mediaFile{Kind: kind, Label: f.Link, Name: f.Filename}
	if f.ID != "" {
		m.Label = "Upload " + f.ID
	}
	return m
}

func (b *Bubble) addPlace(p *sentPlace) {
	if p == nil {
		return
	}
	b.Media = &mediaFile{Kind: "map", Label: fmt.Sprintf("%g, %g", p.Latitude, p.Longitude)}
	if b.Title = p.Name; p.Name != "" && p.Address != "" {
		b.Rows = append(b.Rows, Row{"", p.Address})
	}
}

func (c sentContact) card() Bubble {
	b := Bubble{Title: c.Name.FormattedName}
	if c.Org != nil && c.Org.Company != "" {
		b.Rows = append(b.Rows, Row{"Company", c.Org.Company})
	}
	for _, p := range c.Phones {
		b.Rows = append(b.Rows, Row{"Phone", p.Phone})
	}
	for _, e := range c.Emails {
		b.Rows = append(b.Rows, Row{"Email", e.Email})
	}
	for _, u := range c.URLs {
		b.Rows = append(b.Rows, Row{"Web", u.URL})
	}
	if c.Birthday != "" {
		b.Rows = append(b.Rows, Row{"Birthday", c.Birthday})
	}
	b.Buttons = []Button{{buttonReply, "Save contact", ""}}
	return b
}

func (b *Bubble) addInteractive(m *sentInteractive) {
	if h := m.Header; h != nil {
		switch h.Type {
		case "text":
			b.Title = h.Text
		case "image":
			b.Media = h.Image.media("image")
		case "video":
			b.Media = h.Video.media("video")
		case "document":
			b.Media = h.Document.media("document")
		}
	}
	if m.Body != nil {
		b.Text = formatted(m.Body.Text)
	}
	if m.Footer != nil {
		b.Footer = m.Footer.Text
	}
	a, p := m.Action, m.Action.Parameters
	switch m.Type {
	case "button":
		for _, button := range a.Buttons {
			b.Buttons = append(b.Buttons, Button{buttonReply, button.Reply.Title, button.Reply.ID})
		}
	case "list":
		b.List = &choiceList{Button: a.Button}
		for _, s := range a.Sections {
			section := Section{Title: s.Title}
			for _, row := range s.Rows {
				section.Items = append(section.Items, Item{row.ID, row.Title, row.Description})
			}
			b.List.Sections = append(b.List.Sections, section)
		}
	case "cta_url":
		b.Buttons = []Button{{buttonURL, p.DisplayText, p.URL}}
	case "flow":
		b.Buttons = []Button{{buttonFlow, p.FlowCTA, "Opens the flow " + cmpOr(p.FlowName, p.FlowID)}}
	case "product":
		b.Media = &mediaFile{Kind: "product", Label: "Product " + a.ProductRetailerID}
		b.Buttons = []Button{{buttonShop, "View", "Catalogue " + a.CatalogID}}
	case "product_list":
		b.List = productList(a.Sections)
	case "catalog_message":
		b.Media = &mediaFile{Kind: "product", Label: strings.TrimSpace("Catalogue " + p.ThumbnailProductRetailerID)}
		b.Buttons = []Button{{buttonShop, "View catalogue", ""}}
	case "order_details":
		b.Order = p.order()
		b.Buttons = []Button{{buttonPay, "Review and pay", p.ReferenceID}}
	case "order_status":
		b.Order = p.order()
	case "location_request_message":
		b.Buttons = []Button{{buttonShare, "Send location", ""}}
	}
}

func productList(sections []sentSection) *choiceList {
	list := &choiceList{Button: "View items"}
	for _, s := range sections {
		section := Section{Title: s.Title}
		for _, p := range s.ProductItems {
			section.Items = append(section.Items, Item{p.ProductRetailerID, "Product " + p.ProductRetailerID, ""})
		}
		list.Sections = append(list.Sections, section)
	}
	return list
}

func (p sentParameters) order() *orderSummary {
	o := &orderSummary{Reference: p.ReferenceID, Total: p.money(p.TotalAmount)}
	if p.Order == nil {
		return o
	}
	for _, it := range p.Order.Items {
		amount := it.Amount
		if it.SaleAmount != nil {
			amount = it.SaleAmount
		}
		o.Items = append(o.Items, Row{it.Quantity.String() + " × " + it.Name, p.money(amount)})
	}
	for _, sum := range []struct {
		label  string
		amount *sentAmount
	}{{"Subtotal", p.Order.Subtotal}, {"Tax", p.Order.Tax}, {"Shipping", p.Order.Shipping}, {"Discount", p.Order.Discount}} {
		if sum.amount != nil {
			o.Sums = append(o.Sums, Row{sum.label, p.money(sum.amount)})
		}
	}
	if p.Order.Status != "" {
		o.Sums = append(o.Sums, Row{"Status", p.Order.Status})
	}
	if p.Order.Description != "" {
		o.Sums = append(o.Sums, Row{"", p.Order.Description})
	}
	return o
}

// money writes an amount, for example INR 2,490.00.
func (p sentParameters) money(a *sentAmount) string {
	if a == nil {
		return ""
	}
	value, err := a.Value.Float64()
	offset, wrong := a.Offset.Float64()
	if err != nil || wrong != nil || offset < 1 {
		return "" // it was checked
	}
	text := strconv.FormatFloat(value/offset, 'f', len(a.Offset.String())-1, 64)
	return strings.TrimSpace(p.Currency + " " + text)
}

var variable = regexp.MustCompile(`\{\{\s*([A-Za-z0-9_]+)\s*\}\}`)

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
			if made.Text == "" {
				made.Text = "Copy code"
			}
			if len(values) > 0 {
				made.Leads = "Copies " + values[0].Text
			}
		case "PHONE_NUMBER":
			made.Kind, made.Leads = buttonCall, button.PhoneNumber
		case "COPY_CODE":
			made.Kind = buttonCopy
			if made.Text == "" {
				made.Text = "Copy offer code"
			}
			if len(values) > 0 {
				made.Leads = "Copies " + values[0].CouponCode
			}
		case "FLOW":
			made.Kind = buttonFlow
		case "CATALOG", "MPM":
			made.Kind = buttonShop
			made.Text = cmpOr(made.Text, "View catalogue")
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
		named[cmpOr(v.ParameterName, strconv.Itoa(i+1))] = shown
	}
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		name := variable.FindStringSubmatch(found)[1]
		if value, ok := named[name]; ok {
			return value
		}
		return found
	})
}
