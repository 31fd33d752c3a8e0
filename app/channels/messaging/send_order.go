package messaging

import (
	"regexp"
	"strconv"

	"heliograph/app/channels/messaging/shop"
	"heliograph/app/input"
)

// amount is money: Value divided by Offset.
type amount struct {
	Value               *input.Integer `json:"value"`
	Offset              *input.Integer `json:"offset"`
	Description         input.Text     `json:"description,omitempty"`
	DiscountProgramName input.Text     `json:"discount_program_name,omitempty"` // of a discount
}

// order holds the items and sums of an order or, in an order status message, its
// status.
type order struct {
	Status      input.Text   `json:"status"`
	Description input.Text   `json:"description,omitempty"` // of a status
	CatalogID   input.Text   `json:"catalog_id,omitempty"`
	Expiration  *orderExpiry `json:"expiration,omitempty"`
	Items       []orderItem  `json:"items,omitempty"`
	Subtotal    *amount      `json:"subtotal,omitempty"`
	Tax         *amount      `json:"tax,omitempty"`
	Shipping    *amount      `json:"shipping,omitempty"`
	Discount    *amount      `json:"discount,omitempty"`
}

// orderExpiry is the time until which an order can be paid, in Unix seconds.
type orderExpiry struct {
	Timestamp   input.Text `json:"timestamp"`
	Description input.Text `json:"description,omitempty"`
}

// orderItem is an item of an order. Amount and SaleAmount are unit prices.
type orderItem struct {
	RetailerID input.Text     `json:"retailer_id,omitempty"`
	Name       input.Text     `json:"name"`
	Amount     *amount        `json:"amount"`
	SaleAmount *amount        `json:"sale_amount,omitempty"`
	Quantity   *input.Integer `json:"quantity"`
}

// Limits of an order. The limits of amount and quantity keep its total within 64
// bits.
const (
	maxItems         = 999
	maxItemName      = 60
	maxAmount        = 100_000_000_000 // in the smallest unit
	maxQuantity      = 10_000
	amountOffset     = 100 // paise in a rupee
	maxAmountText    = 60
	maxOrderText     = 120
	maxConfiguration = 60
	pathOrder        = pathParameters + ".order"
)

var (
	referencePattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,35}$`)
	secondsPattern   = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// reviewOrder reviews an order to be paid. Its sums must be correct, because the
// recipient pays the total.
func (p *actionParameters) reviewOrder(v *review) {
	p.reviewReference(v)
	v.word(pathParameters+".type", &p.Type, "digital-goods", "physical-goods")
	v.text(pathParameters+".payment_configuration", p.PaymentConfiguration, maxConfiguration)
	v.atMost(pathParameters+".payment_type", p.PaymentType, maxConfiguration)
	v.need(pathParameters+".currency", p.Currency != "")
	if p.Currency != "" && p.Currency != "INR" {
		v.refuse(pathParameters+".currency", "%s.currency must be INR", pathParameters)
	}
	p.Order = orEmpty(p.Order)
	o := p.Order
	v.word(pathOrder+".status", &o.Status, "pending")
	if o.CatalogID != "" {
		v.catalogue(pathOrder+".catalog_id", o.CatalogID)
	}
	if o.Expiration != nil {
		if v.need(pathOrder+".expiration.timestamp", o.Expiration.Timestamp != ""); !secondsPattern.MatchString(string(o.Expiration.Timestamp)) {
			v.refuse(pathOrder+".expiration.timestamp", "%s.expiration.timestamp must be in seconds since 1970", pathOrder)
		}
		v.atMost(pathOrder+".expiration.description", o.Expiration.Description, maxOrderText)
	}
	items := o.reviewItems(v)
	subtotal := o.Subtotal.review(v, pathOrder+".subtotal", true)
	total := subtotal + o.Tax.review(v, pathOrder+".tax", true) +
		o.Shipping.review(v, pathOrder+".shipping", false) - o.Discount.review(v, pathOrder+".discount", false)
	if subtotal != items {
		v.refuse(pathOrder+".subtotal", "%s.subtotal is %d, but the items cost %d", pathOrder, subtotal, items)
	}
	if asked := p.TotalAmount.review(v, pathParameters+".total_amount", true); asked != total {
		v.refuse(pathParameters+".total_amount", "%s.total_amount is %d, but subtotal, tax and shipping less discount are %d", pathParameters, asked, total)
	}
}

func (p *actionParameters) reviewReference(v *review) {
	if v.need(pathParameters+".reference_id", p.ReferenceID != ""); !referencePattern.MatchString(string(p.ReferenceID)) {
		v.refuse(pathParameters+".reference_id", "%s.reference_id must have 1 to 35 letters, digits, dots, hyphens and underscores", pathParameters)
	}
}

// reviewItems reviews the items and returns their total price.
func (o *order) reviewItems(v *review) (sum int64) {
	const path = pathOrder + ".items"
	v.count(path, len(o.Items), maxItems)
	for i, it := range o.Items {
		at := item(path, i)
		v.atMost(at+".retailer_id", it.RetailerID, shop.MaxRetailerID)
		v.text(at+".name", it.Name, maxItemName)
		price := it.Amount.review(v, at+".amount", true)
		if it.SaleAmount != nil {
			price = it.SaleAmount.review(v, at+".sale_amount", false)
		}
		v.need(at+".quantity", it.Quantity != nil)
		if it.Quantity == nil {
			continue
		}
		if *it.Quantity < 1 || *it.Quantity > maxQuantity {
			v.refuse(at+".quantity", "%s.quantity must be from 1 to %d", at, maxQuantity)
		}
		sum += price * int64(*it.Quantity)
	}
	return sum
}

// review reviews an amount and returns its value, or 0 if it is missing.
func (a *amount) review(v *review, path string, required bool) int64 {
	if a == nil {
		v.need(path, !required)
		return 0
	}
	v.need(path+".value", a.Value != nil)
	v.need(path+".offset", a.Offset != nil)
	v.atMost(path+".description", a.Description, maxAmountText)
	v.atMost(path+".discount_program_name", a.DiscountProgramName, maxAmountText)
	if a.Value == nil || a.Offset == nil {
		return 0
	}
	if *a.Value < 0 || *a.Value > maxAmount {
		v.refuse(path+".value", "%s.value must be from 0 to %s", path, strconv.FormatInt(maxAmount, 10))
	}
	if *a.Offset != amountOffset {
		v.refuse(path+".offset", "%s.offset must be %d for INR", path, amountOffset)
	}
	return int64(*a.Value)
}

// reviewOrderStatus reviews an order status message.
func (p *actionParameters) reviewOrderStatus(v *review) {
	p.reviewReference(v)
	p.Order = orEmpty(p.Order)
	v.word(pathOrder+".status", &p.Order.Status, "pending", "processing", "partially_shipped", "shipped", "completed", "canceled")
	v.atMost(pathOrder+".description", p.Order.Description, maxOrderText)
}
