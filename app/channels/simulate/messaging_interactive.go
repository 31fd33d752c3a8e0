package simulate

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

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
		b.Buttons = []Button{{buttonFlow, p.FlowCTA, "Opens the flow " + cmp.Or(p.FlowName, p.FlowID)}}
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
